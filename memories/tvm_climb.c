/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tvm-hill-climb with pools.
 *
 * The climb is that of solvers/tvm-hill-climb.c, with the sum of all pools' peaks in place of the
 * peak, and it ends when that is the load.  In an attempt a buffer goes into the first pool that is
 * a candidate yet, in the lowest gap there.  A pool is none any more as soon as one buffer in
 * conflict ends so high that there is no room above it, be there a gap below or not.  Costs are not
 * looked at.
 *
 * Source: Apache TVM, src/tir/usmp/algo/hill_climb.cc (until February 2025).  O(conflicts log n) an
 * attempt.  Guarantee: none.
 * Differences: an attempt that finds no place for a buffer is not accepted (upstream: an error,
 * where the best one so far is such).  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/memory.h"
#include "memories/splitter.h"
#include "memories/tvm.h"
#include "solvers/shipped/tvm.h"
#include "solvers/shipped/tvm_climb.h"

enum { ATTEMPTS = 500 };

struct climbing {
    const struct split_problem *problem;
    struct tvm_climb climb;
    struct tvm_conflicts conflicts;
    struct split trial, *accepted;
    struct order_key *met; /* scratch: those placed that the buffer at hand meets, by offset */
    struct tvm_pool *pool;
    int64_t *top;      /* scratch: the highest end in each pool */
    int64_t sum, best; /* of these, of the trial and of what was accepted last */
};

static size_t list_met(struct climbing *climbing, size_t b)
{
    const struct tvm_conflicts *conflicts = &climbing->conflicts;
    size_t count = 0;

    for (size_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
        size_t c = conflicts->other[i];

        if (climbing->trial.memory[c] != SIZE_MAX)
            climbing->met[count++] =
                (struct order_key){key_ascending(climbing->trial.offset[c]), 0, c};
    }
    order_sort(climbing->met, count);
    return count;
}

static bool place(struct climbing *climbing, size_t b)
{
    const struct split_problem *problem = climbing->problem;
    const int64_t size = problem->instance->buffer[b].size;
    const size_t met = list_met(climbing, b);

    tvm_pools_open(problem, b, climbing->pool);
    for (size_t i = 0; i < met; i++) {
        const size_t c = climbing->met[i].index, m = climbing->trial.memory[c];
        struct tvm_pool *pool = &climbing->pool[m];
        const int64_t end = tvm_end(problem, &climbing->trial, c);

        if (end > problem->memory[m].capacity - size)
            pool->open = false;
        else if (end > pool->offset && pool->offset > climbing->trial.offset[c] - size)
            pool->offset = end;
    }
    return tvm_pools_choose(problem, b, climbing->pool, &climbing->trial);
}

/* All buffers in the climb's order.  False: one finds no place.  */
static bool place_all(struct climbing *climbing)
{
    const struct split_problem *problem = climbing->problem;
    const size_t n = problem->instance->n;

    for (size_t b = 0; b < n; b++)
        climbing->trial.memory[b] = SIZE_MAX;
    for (size_t p = 0; p < n; p++)
        if (!place(climbing, climbing->climb.key[p].index))
            return false;
    for (size_t m = 0; m < problem->memories; m++)
        climbing->top[m] = 0;
    for (size_t b = 0; b < n; b++) {
        int64_t *top = &climbing->top[climbing->trial.memory[b]];

        *top = max64(*top, climbing->trial.offset[b] + problem->instance->buffer[b].size);
    }
    climbing->sum = 0;
    for (size_t m = 0; m < problem->memories; m++)
        climbing->sum = capped_add(climbing->sum, climbing->top[m]);
    return true;
}

/* Attempt NUMBER, whose order is taken back where it is not accepted.  */
static void attempt(struct climbing *climbing, uint64_t number)
{
    const struct split_problem *problem = climbing->problem;
    const bool first = climbing->accepted->memory[0] == SIZE_MAX;

    if (!place_all(climbing) || !tvm_climb_accepts(&climbing->climb, climbing->sum,
                                                   first ? INT64_MAX : climbing->best, number)) {
        if (!first)
            tvm_climb_undo(&climbing->climb);
        return;
    }
    climbing->best = climbing->sum;
    split_copy(climbing->accepted, &climbing->trial, problem);
    for (size_t b = 0; b < problem->instance->n; b++)
        climbing->climb.at_top[b] = climbing->trial.offset[b] + problem->instance->buffer[b].size ==
                                    climbing->top[climbing->trial.memory[b]];
}

static void climb(struct climbing *climbing, const struct split_limits *limits)
{
    for (uint64_t number = 0; number < ATTEMPTS; number++) {
        attempt(climbing, number);
        if (climbing->accepted->memory[0] == SIZE_MAX ||
            climbing->best <= climbing->problem->instance->load || timer_now() > limits->deadline)
            return;
        tvm_climb_propose(&climbing->climb);
    }
}

static bool solve(const struct split_problem *problem, const struct split_limits *limits,
                  struct split *split, struct split_result *result, struct error *reason)
{
    const size_t n = problem->instance->n;
    struct climbing climbing = {
        .problem = problem,
        .accepted = split,
        .met = memory_alloc(n, sizeof *climbing.met),
        .pool = memory_alloc(problem->memories, sizeof *climbing.pool),
        .top = memory_zalloc(problem->memories, sizeof *climbing.top),
    };
    bool good;

    (void)result;
    tvm_climb_init(&climbing.climb, problem->instance,
                   tvm_published_order(problem->instance, TVM_BY_SIZE), 0);
    tvm_conflicts_init(&climbing.conflicts, problem->instance);
    split_init(&climbing.trial, problem);
    if (n > 0)
        climb(&climbing, limits);
    good = n == 0 || split->memory[0] != SIZE_MAX ||
           error_set(reason, "its first attempt finds no pool with room for a buffer");
    if (good)
        split->cost = split_cost(problem, split);
    split_clear(&climbing.trial);
    tvm_conflicts_clear(&climbing.conflicts);
    tvm_climb_clear(&climbing.climb);
    memory_free(climbing.met);
    memory_free(climbing.pool);
    memory_free(climbing.top);
    return good;
}

const struct splitter splitter_tvm_hill_climb = {
    .name = "tvm-hill-climb",
    .title = "TVM USMP, hill climb",
    .source = "Apache TVM, tir/usmp/algo/hill_climb.cc",
    .kind = SPLITTER_SHIPPED,
    .solve = solve,
};
