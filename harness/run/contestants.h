/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several contestants, and the sets that stand for some.  */
#ifndef ARENABENCH_HARNESS_RUN_CONTESTANTS_H
#define ARENABENCH_HARNESS_RUN_CONTESTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct contestant;
struct solver;
struct text_list;

struct contestants {
    size_t count;
    struct contestant *item;
};

/* Adds what one SPEC stands for: a contestant (contestant_parse), a set such as
 * `@heuristics`, `@heuristics@1s` or `@ties:ties=last`, or several by braces,
 * `path-cover:choice={first,last}`.  What is there already is not added again, but takes a time
 * limit that SPEC states: `@all` and then `branch-and-bound@60s`.  False with a message for what
 * is none, and for two commands with one name.  */
bool contestants_add(struct contestants *contestants, const char *spec, struct error *error);

/* Adds the specs in `a,b:key=value,key=value,c`.  The comma also separates parameters:
 * `key=value` after a spec with a colon goes on with its parameters; and the parts in
 * braces.  A command with a name, exec:NAME=COMMAND, ends at a comma that stands in no quotes
 * and behind no backslash; one without a name is all the rest of TEXT.  */
bool contestants_add_list(struct contestants *contestants, const char *text, struct error *error);

/* Those of all LISTS, or of USUAL where there is none; false with a message, and then there are
 * none.  The caller clears them.  */
bool contestants_of_lists(struct contestants *contestants, const struct text_list *lists,
                          const char *usual, struct error *error);

/* The sets that SOLVER is in: "@all @heuristics"; "" for none.  The caller frees it.  */
char *solver_sets_text(const struct solver *solver);

void contestants_clear(struct contestants *contestants);

#endif
