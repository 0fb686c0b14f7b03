/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relax: storages are reused in program order, by size within a factor of 16.
 *
 * Tensors are allocated in the order of begin.  A request of s bytes looks at the
 * free storages of s / 16 (rounded down) to 16 s bytes: the smallest of at least s
 * bytes takes it, the one that was freed first of equal ones; else the largest
 * below s, freed last, which grows to s; else a new one is made.
 *
 *   step   request      free storages   taken
 *   0      a [0, 2)  16                 new: 0
 *   1      b [1, 3) 100                 new: 1
 *   2      c [2, 4) 200  0: 16          0, which grows to 200: 16 >= 200 / 16
 *   3      d [3, 5)   5  1: 100         new: 2, as 100 > 16 x 5
 *
 * Only tensors of one element type share: where the origin of the instance is
 * known, there is a pool for each; else there is one.
 *
 * Source: Apache TVM, src/relax/transform/static_plan_block_memory.cc
 * (StaticPlanBlockMemory, TokenAllocator1D).  O(n x free storages) with a small
 * constant: they are a sorted array.
 * Guarantee: none; a storage is never split.
 * Differences: of the tensors whose last use is one call, Relax frees the
 * storages in the order of the call's arguments; here it is that of their
 * allocation.  Symbolic sizes and memory scopes are not there.  The storages,
 * separate allocations upstream, are stacked in the order in which they were made.
 * A tensor that nobody reads is freed after the call that writes it.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { MATCH_RANGE = 16, POOLS = DTYPE_C128 + 1 };

struct allocator {
    struct free_blocks pool[POOLS]; /* free storages: bytes, when they were freed, number */
    int64_t *bytes;                 /* of each storage */
    size_t storages;
    int64_t freed; /* storages so far */
};

static size_t pool_of(const struct instance *instance, size_t b)
{
    const struct origin *origin = instance->origin;

    return origin == NULL ? 0 : (size_t)origin->network->value[origin->value[b]].dtype;
}

/* The place of the free storage that takes a request of SIZE bytes; count when
 * there is none.  */
static size_t find_storage(const struct free_blocks *pool, int64_t size)
{
    size_t enough = free_blocks_find(pool, size);
    int64_t most = size > INT64_MAX / MATCH_RANGE ? INT64_MAX : MATCH_RANGE * size;

    if (enough < pool->count && pool->entry[enough].size <= most)
        return enough;
    if (enough > 0 && pool->entry[enough - 1].size >= size / MATCH_RANGE)
        return enough - 1;
    return pool->count;
}

static size_t request(struct allocator *allocator, struct free_blocks *pool, int64_t size)
{
    size_t found = find_storage(pool, size), storage;

    if (found == pool->count) {
        storage = allocator->storages++;
        allocator->bytes[storage] = size;
        return storage;
    }
    storage = pool->entry[found].block;
    free_blocks_remove(pool, pool->entry[found]);
    if (allocator->bytes[storage] < size)
        allocator->bytes[storage] = size;
    return storage;
}

static void release(struct allocator *allocator, struct free_blocks *pool, size_t storage)
{
    free_blocks_add(pool,
                    (struct free_block){allocator->bytes[storage], allocator->freed++, storage});
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t *equal = ties_order(env, instance->n, TIES_FIRST), b, old;
    struct allocator allocator = {.bytes = memory_alloc(instance->n, sizeof *allocator.bytes)};
    struct time_walk walk;

    plan_use_objects(plan, LAYOUT_OBJECTS);
    time_walk_init(&walk, instance, equal);
    while (time_walk_next(&walk, &b)) {
        while (time_walk_ended(&walk, &old))
            release(&allocator, &allocator.pool[pool_of(instance, old)], plan->object[old]);
        plan->object[b] =
            request(&allocator, &allocator.pool[pool_of(instance, b)], instance->buffer[b].size);
    }
    time_walk_clear(&walk);
    plan->objects = allocator.storages;
    plan_stack_objects(instance, plan);
    for (size_t pool = 0; pool < POOLS; pool++)
        free_blocks_clear(&allocator.pool[pool]);
    free(allocator.bytes);
    free(equal);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_relax = {
    .name = "relax",
    .title = "Relax, static block planning",
    .source = "Apache TVM, relax/transform/static_plan_block_memory.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_ONLINE,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .solve = solve,
};
