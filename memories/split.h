/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The problem of several memories: a memory and an offset for each buffer, at the least cost.
 *
 * Buffers that conflict and lie in one memory don't overlap, and all are within the capacity and
 * outside of what is reserved.  The cost is that of the bytes that are read and written, by where
 * they lie.  With two memories, the slow one without a limit, this is the storage allocation
 * problem with uniform capacity (Bar-Noy and others, A unified approach to approximating resource
 * allocation and scheduling, 2001); where only the sums at each step have to fit it is unsplittable
 * flow on a path, a relaxation.  */
#ifndef ARENABENCH_MEMORIES_SPLIT_H
#define ARENABENCH_MEMORIES_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "memories/memory.h"
#include "memories/traffic.h"
#include "solvers/library/callers_problem.h"

struct buffer;
struct instance;

/* A buffer can't lie there.  */
#define SPLIT_NEVER INT64_MAX

/* Bytes that buffer INDEX has in use at a step.  */
struct split_use {
    size_t index;
    int64_t bytes;
};

struct split_problem {
    const struct instance *instance; /* somebody else's */
    const struct memory *memory;     /* likewise */
    size_t memories;
    struct traffic traffic;
    int64_t *cost; /* of buffer b in memory m: cost[b * memories + m], SPLIT_NEVER or thousandths */
    size_t *order; /* order[b * memories + i]: the i-th cheapest memory of b */
    /* The steps at which a set of buffers is alive that no other step's contains: uses
     * row[s] .. row[s + 1] of each.  And of each buffer, the same turned around.  */
    size_t rows, *row, *buffer_row;
    struct split_use *use, *buffer_use;
    struct callers_problem given;
};

/* A memory and an offset for each buffer.  */
struct split {
    size_t *memory; /* SIZE_MAX: none */
    int64_t *offset;
    int64_t cost;
};

/* INSTANCE and MEMORIES stay the caller's, and have to outlive it.  Refuses fixed offsets, a memory
 * that buffers name and nobody gave, and sums that do not fit.  */
bool split_problem_init(struct split_problem *problem, const struct instance *instance,
                        const struct memories *memories, struct error *error);
void split_problem_clear(struct split_problem *problem);

/* With nothing in any memory; the caller clears it.  */
void split_init(struct split *split, const struct split_problem *problem);
void split_clear(struct split *split);
void split_copy(struct split *to, const struct split *from, const struct split_problem *problem);

/* The sum over all buffers; SPLIT_NEVER when one has no memory.  */
int64_t split_cost(const struct split_problem *problem, const struct split *split);

/* Of the bytes that are read and written, the share outside of the first memory.  */
double split_outside(const struct split_problem *problem, const struct split *split);

/* The judge, which uses nothing of the above but the instance, memories and costs: each buffer is
 * in a memory that it may lie in, aligned, within the capacity, outside of reserved ranges, apart
 * from all that it conflicts with there, and the cost is right.  */
bool split_verify(const struct split_problem *problem, const struct split *split,
                  struct error *error);

/* Of it: whether BUFFER at OFFSET is within MEMORY, aligned, and outside of reserved ranges.  */
bool split_verify_place(const struct memory *memory, const struct buffer *buffer, int64_t offset,
                        struct error *error);

#endif
