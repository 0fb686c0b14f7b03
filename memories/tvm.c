/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tvm-size and tvm-conflicts with pools.
 *
 * Buffers go in the order of solvers/tvm-size.c or solvers/tvm-conflicts.c.  Each goes into the
 * first pool of those that are given in which there is room on top of all that it conflicts with
 * there; no gap is used, and costs are not looked at.
 *
 * As published a pool without room is dropped from a map, from which the next buffer in conflict
 * takes it back, as if only those after it were there: buffers then overlap.  The smallest case has
 * a pool of 100 bytes: A [0, 1) of 90 bytes, B [1, 3) of 30, X [0, 3) of 20.  A and B lie at 0; on
 * top of A there is no room for X, so the pool goes; B brings it back, and X lies on B, in A.
 * upstream=on does that, in the order of the rows, where upstream has the order of a hash set.
 * Without it a pool that was dropped stays so.
 *
 * Source: Apache TVM, src/tir/usmp/algo/greedy.cc (until February 2025).  O(n^2).
 * Guarantee: none.  */
#include <config.h>

#include "memories/tvm.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/memory.h"
#include "memories/splitter.h"
#include "solvers/shipped/tvm.h"

/* --- pools --- */

void tvm_pools_open(const struct split_problem *problem, size_t b, struct tvm_pool *pool)
{
    for (size_t m = 0; m < problem->memories; m++)
        pool[m] = (struct tvm_pool){problem->cost[b * problem->memories + m] != SPLIT_NEVER, 0};
}

int64_t tvm_end(const struct split_problem *problem, const struct split *split, size_t c)
{
    const struct buffer *buffer = &problem->instance->buffer[c];

    return capped_align(split->offset[c] + buffer->size,
                        memory_alignment(&problem->memory[split->memory[c]], buffer->alignment));
}

bool tvm_pools_choose(const struct split_problem *problem, size_t b, const struct tvm_pool *pool,
                      struct split *split)
{
    for (size_t m = 0; m < problem->memories; m++)
        if (pool[m].open && problem->cost[b * problem->memories + m] != SPLIT_NEVER) {
            split->memory[b] = m;
            split->offset[b] = pool[m].offset;
            return true;
        }
    return false;
}

/* --- conflicts --- */

void tvm_conflicts_init(struct tvm_conflicts *conflicts, const struct instance *instance)
{
    const size_t n = instance->n;
    size_t *met = instance_conflicts(instance), count = 0;

    conflicts->first = memory_alloc(n + 1, sizeof *conflicts->first);
    for (size_t b = 0; b < n; b++) {
        conflicts->first[b] = count;
        count += met[b];
    }
    conflicts->first[n] = count;
    conflicts->other = memory_alloc(count, sizeof *conflicts->other);
    count = 0;
    for (size_t b = 0; b < n; b++)
        for (size_t c = 0; c < n; c++)
            if (b != c && buffers_conflict(&instance->buffer[b], &instance->buffer[c]))
                conflicts->other[count++] = c;
    free(met);
}

void tvm_conflicts_clear(struct tvm_conflicts *conflicts)
{
    memory_free(conflicts->first);
    memory_free(conflicts->other);
}

/* --- greedy --- */

/* Buffer C, which lies somewhere, for buffer B of SIZE bytes.  */
static void look_at(const struct split_problem *problem, const struct split *split, size_t c,
                    int64_t size, bool upstream, struct tvm_pool *pool)
{
    const size_t m = split->memory[c];
    const int64_t end = tvm_end(problem, split, c);

    if (end > problem->memory[m].capacity - size) {
        pool[m] = (struct tvm_pool){false, 0};
    } else if (pool[m].open || (upstream && end > 0)) {
        pool[m].open = true;
        pool[m].offset = max64(pool[m].offset, end);
    }
}

static bool place(const struct split_problem *problem, size_t b, bool upstream,
                  struct tvm_pool *pool, struct split *split)
{
    const struct buffer *buffer = problem->instance->buffer;

    tvm_pools_open(problem, b, pool);
    for (size_t c = 0; c < problem->instance->n; c++)
        if (split->memory[c] != SIZE_MAX && buffers_conflict(&buffer[b], &buffer[c]))
            look_at(problem, split, c, buffer[b].size, upstream, pool);
    return tvm_pools_choose(problem, b, pool, split);
}

static bool greedy(const struct split_problem *problem, const struct split_limits *limits,
                   enum tvm_order by, bool upstream, struct split *split, struct error *reason)
{
    struct order_key *key = tvm_published_order(problem->instance, by);
    struct tvm_pool *pool = memory_alloc(problem->memories, sizeof *pool);
    bool good = true;

    for (size_t i = 0; i < problem->instance->n && good; i++)
        if (!place(problem, key[i].index, upstream, pool, split))
            good = error_set(reason, "no pool has room for buffer '%s'",
                             problem->instance->buffer[key[i].index].id);
        else if (timer_now() > limits->deadline)
            good = error_set(reason, "the limit ended it");
    if (good)
        split->cost = split_cost(problem, split);
    memory_free(pool);
    free(key);
    return good;
}

/* --- the four of them --- */

static bool by_size(const struct split_problem *problem, const struct split_limits *limits,
                    struct split *split, struct split_result *result, struct error *reason)
{
    (void)result;
    return greedy(problem, limits, TVM_BY_SIZE, false, split, reason);
}

static bool by_size_upstream(const struct split_problem *problem, const struct split_limits *limits,
                             struct split *split, struct split_result *result, struct error *reason)
{
    (void)result;
    return greedy(problem, limits, TVM_BY_SIZE, true, split, reason);
}

static bool by_conflicts(const struct split_problem *problem, const struct split_limits *limits,
                         struct split *split, struct split_result *result, struct error *reason)
{
    (void)result;
    return greedy(problem, limits, TVM_BY_CONFLICTS, false, split, reason);
}

static bool by_conflicts_upstream(const struct split_problem *problem,
                                  const struct split_limits *limits, struct split *split,
                                  struct split_result *result, struct error *reason)
{
    (void)result;
    return greedy(problem, limits, TVM_BY_CONFLICTS, true, split, reason);
}

#define GREEDY_SOURCE "Apache TVM, tir/usmp/algo/greedy.cc"

const struct splitter splitter_tvm_size = {
    .name = "tvm-size",
    .title = "TVM USMP, greedy by size, repaired",
    .source = GREEDY_SOURCE,
    .kind = SPLITTER_SHIPPED,
    .solve = by_size,
};
const struct splitter splitter_tvm_size_upstream = {
    .name = "tvm-size:upstream=on",
    .title = "TVM USMP, greedy by size, as shipped",
    .source = GREEDY_SOURCE,
    .kind = SPLITTER_SHIPPED,
    .solve = by_size_upstream,
};
const struct splitter splitter_tvm_conflicts = {
    .name = "tvm-conflicts",
    .title = "TVM USMP, greedy by conflicts, repaired",
    .source = GREEDY_SOURCE,
    .kind = SPLITTER_SHIPPED,
    .solve = by_conflicts,
};
const struct splitter splitter_tvm_conflicts_upstream = {
    .name = "tvm-conflicts:upstream=on",
    .title = "TVM USMP, greedy by conflicts, as shipped",
    .source = GREEDY_SOURCE,
    .kind = SPLITTER_SHIPPED,
    .solve = by_conflicts_upstream,
};
