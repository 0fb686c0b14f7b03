/* SPDX-License-Identifier: Apache-2.0 */
/* Several memories: what lies where costs what, and which bytes are in use together.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_ASSIGN_MODEL_H
#define ARENABENCH_PLANNER_LIBRARY_ASSIGN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/arenaplan.h"

struct fault;

/* A buffer can't lie there.  */
#define ASSIGN_NEVER INT64_MAX

/* A rectangle of a buffer: bytes [low, high) during [begin, end), in the sections FIRST to LAST,
 * both inclusive (lib/place/sections.h).  */
struct assign_piece {
    int64_t begin, end, low, high;
    size_t first, last;
};

struct assign_model {
    const struct arenaplan_problem *problem; /* the caller's, with buffers of our size */
    const struct arenaplan_memory *memory;
    size_t n, memories;
    int64_t *cost; /* of buffer b in memory m: cost[b * memories + m], or ASSIGN_NEVER */
    size_t *order; /* order[b * memories + i], i < choices[b]: the memories that b may lie in and
                    * is not too large for, the cheapest first */
    size_t *choices;
    size_t
        *first_piece; /* those of buffer b: first_piece[b] .. first_piece[b + 1]; none for size 0 */
    struct assign_piece *piece;
    size_t sections;
    int64_t cheapest; /* the sum of all buffers in their cheapest memories */
    int64_t dearest;
};

/* What is wrong with memories and accesses, and with the problem in each of the memories.
 * Allocates.  PROBLEM and MEMORIES are copies of our sizes.  */
bool assign_check(const struct arenaplan_problem *problem,
                  const struct arenaplan_memories *memories, struct fault *fault);

/* Of what was checked.  Allocates, and is given back with the scope.  False: *BUFFER is too large
 * for each memory that it may lie in.  */
bool assign_model_init(struct assign_model *model, const struct arenaplan_problem *problem,
                       const struct arenaplan_memories *memories, size_t *buffer);

/* Whether the sums of bytes, of all buffers and of those that may lie in one memory alone, are
 * within the capacities in every section; if not, there is no plan.  */
bool assign_sums_fit(const struct assign_model *model);

/* Buffer B as it is in memory M: with both alignments.  */
struct arenaplan_buffer assign_buffer(const struct assign_model *model, size_t b, size_t m);

static inline int64_t assign_cost(const struct assign_model *model, size_t b, size_t m)
{
    return model->cost[b * model->memories + m];
}

/* The I-th cheapest memory of buffer B.  */
static inline size_t assign_choice(const struct assign_model *model, size_t b, size_t i)
{
    return model->order[b * model->memories + i];
}

static inline bool assign_is_unlimited(const struct assign_model *model, size_t m)
{
    return model->memory[m].capacity == ARENAPLAN_UNLIMITED;
}

#endif
