/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What generators share that put copies of other instances together.  */
#ifndef ARENABENCH_WORKLOADS_COPIES_H
#define ARENABENCH_WORKLOADS_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct rng;

/* The row of their parameter tables that names the instances.  */
#define COPIES_PARAM_OF                                                                  \
    {                                                                                    \
        "of", PARAM_TEXT, "uniform", NULL, 0, 0,                                         \
            "the instances, joined by +: workloads without a comma, or folders (of all " \
            "their .csv files); data: as in paths"                                       \
    }

struct sources {
    size_t n;
    struct instance **instance; /* without empty ones, each of at least one buffer */
};

/* Reads what LIST names.  The caller clears SOURCES, whatever the result.  */
bool sources_read(struct sources *sources, const char *list, struct error *error);
void sources_clear(struct sources *sources);

/* A copy of a source: its steps from 0 to LENGTH, perhaps in reverse.  */
struct copy {
    const struct instance *source;
    bool backwards;
    int64_t begin, length; /* of the source, in its steps */
};

/* When buffer B of the copy begins and ends, from 0 to its length.  */
void copy_lifetime(const struct copy *copy, size_t b, int64_t *begin, int64_t *end);

/* The copies that are needed for N buffers or the first few more; *COUNT of them, which the caller
 * frees.  */
struct copy *copies_draw(const struct sources *sources, int64_t n, struct rng *rng, size_t *count);

#endif
