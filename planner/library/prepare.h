/* SPDX-License-Identifier: Apache-2.0 */
/* What callers give, checked, and as the planner takes it.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_PREPARE_H
#define ARENABENCH_PLANNER_LIBRARY_PREPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/problem/instance.h"
#include "planner/arenaplan.h"

struct overlap_rectangle;

/* What is wrong, and with which buffers; SIZE_MAX: none.  */
struct fault {
    enum arenaplan_fault what;
    size_t buffer, other;
};

/* Whether OPTIONS can be used.  */
enum arenaplan_fault options_fault(const struct arenaplan_options *options);

/* Whether PROBLEM, a struct that is known, is one: lifetimes, sizes, alignments, pieces, and that
 * all sums of sizes with room to align them, and all differences of times, fit.  Allocates.  */
bool problem_check(const struct arenaplan_problem *problem, struct fault *fault);

/* A buffer's size; with pieces, as the header says.  */
int64_t problem_size(const struct arenaplan_buffer *buffer);

static inline bool problem_is_fixed(const struct arenaplan_buffer *buffer)
{
    return (buffer->flags & ARENAPLAN_FIXED) != 0;
}

/* All bytes in use at the offsets OFFSET, or of fixed buffers alone at theirs where that is NULL,
 * as *COUNT rectangles, whose owners are the indices of the buffers.  The caller frees them.  */
struct overlap_rectangle *problem_in_use(const struct arenaplan_problem *problem,
                                         const int64_t *offset, size_t *count);

struct prepared {
    struct instance instance; /* without ids; buffers of size 0 are left out */
    size_t *index;            /* of each of its buffers in the problem; NULL: the same */
    char name[1];             /* of the instance: none */
};

/* An instance of PROBLEM, which was checked.  Allocates, and is given back with the scope, or
 * sooner.  */
void prepare(struct prepared *prepared, const struct arenaplan_problem *problem);
void prepared_clear(struct prepared *prepared);

#endif
