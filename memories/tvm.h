/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What TVM's planners with several pools have in common.  */
#ifndef ARENABENCH_MEMORIES_TVM_H
#define ARENABENCH_MEMORIES_TVM_H

#include <stddef.h>
#include <stdint.h>

#include "memories/split.h"

/* Where a buffer could lie in one pool: on top of others there.  */
struct tvm_pool {
    bool open; /* it is a candidate yet */
    int64_t offset;
};

/* POOL, one a memory, for buffer B: open are those that it may lie in and that hold it when they
 * are empty.  */
void tvm_pools_open(const struct split_problem *problem, size_t b, struct tvm_pool *pool);

/* The end of buffer C, which lies in memory M, rounded up to the alignment of C, as USMP does it
 * (solvers/shipped/tvm.h).  */
int64_t tvm_end(const struct split_problem *problem, const struct split *split, size_t c);

/* Puts buffer B into the first pool that is open.  False: none is.  */
bool tvm_pools_choose(const struct split_problem *problem, size_t b, const struct tvm_pool *pool,
                      struct split *split);

/* The pairs of buffers that conflict: those of buffer b, ascending, from first[b] to first[b + 1].
 * tvm_conflicts_clear frees them.  */
struct tvm_conflicts {
    size_t *first, *other;
};

void tvm_conflicts_init(struct tvm_conflicts *conflicts, const struct instance *instance);
void tvm_conflicts_clear(struct tvm_conflicts *conflicts);

#endif
