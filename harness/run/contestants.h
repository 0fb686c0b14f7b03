/* Several contestants.  */
#ifndef ARENABENCH_HARNESS_RUN_CONTESTANTS_H
#define ARENABENCH_HARNESS_RUN_CONTESTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct contestant;

struct contestants {
    size_t count;
    struct contestant *item;
};

/* Parses `a,b:key=value,key=value,c`.  The comma also separates parameters: an
 * item `key=value` after an item with a colon goes on with its parameters.  A
 * solver that takes its parameter raw (exec) takes all the rest of the text,
 * so it stands last.  On failure there is nothing to clear.  */
bool contestants_parse(struct contestants *contestants, const char *text, struct error *error);

/* True when TEXT begins with a solver that takes its parameter raw.  */
bool contestants_raw(const char *text);

/* Every registered solver with its defaults, but for those that need to be
 * told something.  */
void contestants_all(struct contestants *contestants);

void contestants_clear(struct contestants *contestants);

#endif
