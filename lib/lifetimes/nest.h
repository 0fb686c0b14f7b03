/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which buffers of an instance belong to a sub-graph, such as a loop's body: a planner that
 * takes sub-graphs apart plans those of one by themselves, innermost first, and what comes
 * of them with what is around it.  */
#ifndef ARENABENCH_LIB_LIFETIMES_NEST_H
#define ARENABENCH_LIB_LIFETIMES_NEST_H

#include <stddef.h>
#include <stdint.h>

#define NEST_NONE SIZE_MAX

struct nest_part {
    char *path;         /* what stands before the names of its values: "loop/" */
    size_t around;      /* the part that it is in, which comes before it; NEST_NONE: none */
    int64_t begin, end; /* steps during which it runs */
};

struct nest {
    size_t parts;
    struct nest_part *part;
    size_t n;     /* buffers of the instance */
    size_t *home; /* of each, the innermost part that it belongs to; NEST_NONE: none */
};

/* PARTS parts to be filled in, N buffers that belong to none.  The caller frees it with
 * nest_free, which accepts NULL.  */
struct nest *nest_new(size_t parts, size_t n);
void nest_free(struct nest *nest);

/* The innermost part that A and B are both in, a part being in itself.  */
size_t nest_common(const struct nest *nest, size_t a, size_t b);

#endif
