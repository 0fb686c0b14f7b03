/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pytorch-caching: PyTorch's caching allocator, two pools of segments that are never given back.
 *
 * In the order of the trace, the smallest free block of the request's pool that is large enough
 * takes a buffer, the lowest of equal ones; where there is none, a new segment is reserved.  Small
 * requests (up to 1 MiB) are packed into segments of 2 MiB, and a block is always split.  Large
 * ones below 10 MiB reserve 20 MiB, others their size rounded up to 2 MiB, and a block is split if
 * the rest is more than 1 MiB, else all of it is handed out.  What is freed is joined with free
 * neighbours of its segment.  Segments lie end to end in the order in which they were reserved.  In
 * MiB:
 *
 *   step 0   a [0, 2) 8: a segment of 20, a at 0; b [0, 1) 11: its rest of 12, all of it, at 8;
 *            c [0, 2) 1: a segment of 2, c at 20
 *   step 1   d [1, 2) 14: b's block is too small, a segment of 14, d at 22; e [1, 2) 2 at 8
 *
 * expandable=on: each pool has one segment, which grows by pages of 2 MiB (small) and 20 MiB
 * (large) when no block is large enough, the free block at its end included; a block is always
 * split.  A block at the end, which can grow, is the last choice.  In the example d goes to 8, as
 * [8, 20) grows to [8, 40), and e to 22.  The pool that was asked second lies above the other one
 * as that is in the end: c at 40.
 *
 * Source: PyTorch, c10/cuda/CUDACachingAllocator.cpp.  O(log(free blocks)) an event.
 * Guarantee: none is known.
 * Differences: upstream's unit is 512 bytes (unit=512, or align=native); here it is the alignment,
 * so that small sizes differ.  All other constants are multiples of its 1 MiB, small=, which
 * smaller networks may want smaller.  One stream, no graphs with pools of their own, no limit of
 * memory, so nothing is given back; none of the settings max_split_size,
 * roundup_power2_divisions and garbage_collection_threshold, all of which are off upstream.  The
 * peak is the end of the highest buffer, not that of the last segment.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/block_heap.h"
#include "solvers/fit/events.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { LEAST_BLOCK = 512 };
enum { POOL_SMALL, POOL_LARGE };

/* In sizes of the largest small request.  */
enum { SMALL_SEGMENT = 2, LARGE_SEGMENT = 20, OWN_SEGMENT = 10, OWN_ROUNDING = 2 };

static const struct param params[] = {
    {"unit", PARAM_BYTES, "0", NULL, 0, 1 << 30,
     "the unit of sizes in bytes, rounded up to the alignment; 0: the alignment; upstream: 512"},
    {"small", PARAM_BYTES, "1MiB", NULL, 1, 1 << 30,
     "the largest small request in bytes, rounded up to the unit; segments are multiples of it"},
    PARAM_SWITCH("expandable", "off", "a segment for each pool that grows, or many"),
    TIES_PARAM,
    PARAM_END,
};

/* All in units.  */
struct cache {
    struct block_heap heap;
    uint64_t small;
    bool expandable;
    uint64_t top; /* the end of the last segment, if they don't grow */

    /* Of the segments that grow, each in an address space of its own: */
    size_t last[BLOCK_POOLS]; /* their last blocks, BLOCK_NONE before they are reserved */
    uint64_t reserved[BLOCK_POOLS];
    unsigned first; /* which pool was asked first */
};

static unsigned pool_of(const struct cache *cache, uint64_t size)
{
    return size <= cache->small ? POOL_SMALL : POOL_LARGE;
}

static uint64_t round_up(uint64_t size, uint64_t multiple)
{
    return (size + multiple - 1) / multiple * multiple;
}

static uint64_t segment_size(const struct cache *cache, uint64_t size)
{
    if (size <= cache->small)
        return SMALL_SEGMENT * cache->small;
    if (size < OWN_SEGMENT * cache->small)
        return LARGE_SEGMENT * cache->small;
    return round_up(size, OWN_ROUNDING * cache->small);
}

static size_t new_segment(struct cache *cache, uint64_t size)
{
    uint64_t start = cache->top, segment = segment_size(cache, size);

    cache->top += segment;
    return block_heap_add(&cache->heap, pool_of(cache, size), start, segment);
}

/* Makes the free end of the segment large enough for SIZE, for which no block is.  */
static size_t grow_segment(struct cache *cache, uint64_t size)
{
    unsigned pool = pool_of(cache, size);
    size_t last = cache->last[pool];
    const struct heap_block *end = last != BLOCK_NONE ? &cache->heap.block[last] : NULL;
    uint64_t page = (pool == POOL_SMALL ? SMALL_SEGMENT : LARGE_SEGMENT) * cache->small;
    uint64_t more = round_up(size - (end != NULL && end->free ? end->size : 0), page);

    if (cache->reserved[POOL_SMALL] + cache->reserved[POOL_LARGE] == 0)
        cache->first = pool;
    cache->reserved[pool] += more;
    return end == NULL ? block_heap_add(&cache->heap, pool, 0, more)
                       : block_heap_extend(&cache->heap, last, more);
}

static size_t find_block(const struct cache *cache, uint64_t size)
{
    const struct block_heap *heap = &cache->heap;
    unsigned pool = pool_of(cache, size);
    size_t found = block_heap_find(heap, pool, size, 0), next;

    if (!cache->expandable || found == BLOCK_NONE || heap->block[found].above != BLOCK_NONE)
        return found;
    next = block_heap_find(heap, pool, heap->block[found].size, heap->block[found].start + 1);
    return next != BLOCK_NONE ? next : found;
}

/* Remembers BLOCK if it is its segment's last one.  */
static void note_last(struct cache *cache, size_t block)
{
    if (cache->heap.block[block].above == BLOCK_NONE)
        cache->last[cache->heap.block[block].pool] = block;
}

static size_t allocate(struct cache *cache, uint64_t size)
{
    size_t b = find_block(cache, size);
    uint64_t rest;

    if (b == BLOCK_NONE)
        b = cache->expandable ? grow_segment(cache, size) : new_segment(cache, size);
    block_heap_take(&cache->heap, b);
    note_last(cache, b);
    rest = cache->heap.block[b].size - size;
    if (rest > (cache->expandable || size <= cache->small ? 0 : cache->small)) {
        block_heap_split(&cache->heap, b, size);
        note_last(cache, cache->heap.block[b].above);
    }
    return b;
}

static void cache_init(struct cache *cache, const struct params *given, int64_t unit)
{
    *cache = (struct cache){.small = block_units(params_int(given, "small"), unit),
                            .expandable = params_on(given, "expandable"),
                            .last = {BLOCK_NONE, BLOCK_NONE}};
    block_heap_init(&cache->heap);
}

/* Where the segment of buffer B begins, as a growing one.  */
static uint64_t base_of(const struct cache *cache, uint64_t size)
{
    unsigned pool = pool_of(cache, size);

    return pool == cache->first ? 0 : cache->reserved[cache->first];
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    int64_t unit = block_unit(instance, env->params);
    size_t *block_of = memory_alloc(instance->n, sizeof *block_of);
    struct order_key *event = events_sort(instance, env);
    struct cache cache;

    cache_init(&cache, env->params, unit);
    for (size_t e = 0; e < 2 * instance->n; e++) {
        size_t b = event_buffer(event[e]);

        if (!event_begins(event[e])) {
            note_last(&cache, block_heap_release(&cache.heap, block_of[b]));
            continue;
        }
        block_of[b] = allocate(&cache, block_units(instance->buffer[b].size, unit));
        plan->offset[b] = (int64_t)cache.heap.block[block_of[b]].start * unit;
    }
    for (size_t b = 0; b < instance->n; b++)
        plan->offset[b] +=
            (int64_t)base_of(&cache, block_units(instance->buffer[b].size, unit)) * unit;
    plan->peak = plan_peak(instance, plan);
    block_heap_clear(&cache.heap);
    free(event);
    free(block_of);
    return OUTCOME_FEASIBLE;
}

/* For a request no more than a large segment is reserved beside its size.  */
static bool applicable(const struct instance *instance, const struct params *given,
                       struct error *reason)
{
    int64_t unit = block_unit(instance, given), small = align_up(params_int(given, "small"), unit);
    int64_t more = capped_mul((int64_t)instance->n, unit + LARGE_SEGMENT * small);

    if (capped_add(instance->total, more) == INT64_MAX)
        return error_set(reason, "segments that sum up to more than %" PRId64 " bytes", INT64_MAX);
    return alignment_applicable(instance, given, reason);
}

/* Where the second one of two growing segments lies, only the end tells.  */
static unsigned gains(const struct params *given)
{
    return !params_on(given, "expandable") ? SOLVER_ONLINE : 0;
}

const struct solver solver_pytorch_caching = {
    .name = "pytorch-caching",
    .title = "PyTorch, caching allocator",
    .source = "PyTorch, c10/cuda/CUDACachingAllocator.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = LEAST_BLOCK},
    .params = params,
    .gains = gains,
    .applicable = applicable,
    .solve = solve,
};
