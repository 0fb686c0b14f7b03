/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ggml: llama.cpp's graph allocator, best fit with the open end as a last resort.
 *
 * Buffers come in the order of begin; what has ended is freed before, and joined with the free
 * blocks beside it.  The smallest free block that is large enough takes a buffer, the highest of
 * equal ones; the last block, which reaches to the end of memory, only where no other does.
 *
 *   offset 8 |     e     a, b, c, d have 2, 1, 2, 3 bytes and come first; then a and c end.
 *          5 | d   d     e (3 bytes) fits into neither hole and goes to the top; f
 *          3 | c   f     (2 bytes) takes c's place, as it is above a's.
 *          2 | b   b
 *          0 | a         at step 0 and at step 1
 *
 * Memory may be several chunks of a largest size, each an allocation of its own: 16 at most, the
 * last one without a limit.  A hole of a later chunk is preferred to one of an earlier chunk, even
 * if it fits worse.  Where there is none, the last block of a chunk takes the buffer: one that does
 * not make the chunk grow, with the least left over below the chunk's highest end so far; else
 * that which grows least; else a new chunk is made, as large as the buffer at least.
 *
 * Source: ggml, src/ggml-alloc.c, the dynamic tensor allocator.
 * O(free blocks) for a buffer, as published: there are seldom more than some hundred.
 * Guarantee: none is known but peak <= sum of the rounded sizes.
 * Differences: the limit of a chunk, which is that of the back end there, is a share of the load
 * here; the chunks are stacked.  Upstream gives up where a chunk has more than 256 free blocks.
 * What its graph level decides (who overwrites an input, that inputs are allocated first and
 * outputs never freed) is the instance's business.  Sizes are rounded up to the alignment, one for
 * all.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/gap_index.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { MOST_CHUNKS = 16, CPU_ALIGNMENT = 32 };

static const struct param params[] = {
    {"chunk", PARAM_INT, "0", NULL, 0, 100,
     "the largest size of a chunk, in per cent of the load; 0: there is one, without a limit"},
    TIES_PARAM,
    PARAM_END,
};

struct chunk {
    struct span_list free; /* no two touch */
    int64_t top;           /* the highest end so far */
};

struct allocator {
    struct chunk chunk[MOST_CHUNKS];
    size_t chunks;
    int64_t limit;  /* of a chunk */
    size_t *number; /* of each buffer's chunk */
};

/* A free block.  */
struct block {
    struct chunk *chunk;
    size_t index;
};

/* The smallest block of SIZE bytes or more but for the last one, in the last chunk that has any. */
static bool find_hole(struct allocator *allocator, int64_t size, struct block *found)
{
    for (size_t c = allocator->chunks; c-- > 0;) {
        const struct span_list *free = &allocator->chunk[c].free;
        int64_t least = INT64_MAX;

        for (size_t i = 0; i + 1 < free->count; i++) {
            int64_t length = free->span[i].hi - free->span[i].lo;

            if (length >= size && length <= least) {
                least = length;
                *found = (struct block){&allocator->chunk[c], i};
            }
        }
        if (least < INT64_MAX)
            return true;
    }
    return false;
}

/* The last block of a chunk.  */
static bool find_end(struct allocator *allocator, int64_t size, struct block *found)
{
    int64_t best = INT64_MIN; /* left over below the chunk's top; below 0: what it grows by */

    for (size_t c = 0; c < allocator->chunks; c++) {
        struct chunk *chunk = &allocator->chunk[c];
        size_t count = chunk->free.count;
        const struct span *last = count > 0 ? &chunk->free.span[count - 1] : NULL;
        int64_t rest;

        if (last == NULL || last->hi - last->lo < size)
            continue;
        rest = chunk->top - last->lo - size;
        if ((best < 0 && rest > best) || (rest >= 0 && rest < best)) {
            best = rest;
            *found = (struct block){chunk, count - 1};
        }
    }
    return best > INT64_MIN;
}

static void insert(struct span_list *free, size_t at, struct span span)
{
    free->span = memory_grow(free->span, &free->room, free->count + 1, sizeof *free->span);
    memmove(free->span + at + 1, free->span + at, (free->count - at) * sizeof *free->span);
    free->span[at] = span;
    free->count++;
}

static void drop(struct span_list *free, size_t at)
{
    free->count--;
    memmove(free->span + at, free->span + at + 1, (free->count - at) * sizeof *free->span);
}

static struct block new_chunk(struct allocator *allocator, int64_t size)
{
    bool last = allocator->chunks == MOST_CHUNKS - 1;
    struct chunk *chunk = &allocator->chunk[allocator->chunks++];

    insert(&chunk->free, 0, (struct span){0, last ? INT64_MAX : max64(size, allocator->limit)});
    return (struct block){chunk, 0};
}

/* The address of SIZE bytes in chunk *NUMBER.  */
static int64_t allocate(struct allocator *allocator, int64_t size, size_t *number)
{
    struct block block;
    struct span *span;
    int64_t address;

    if (!find_hole(allocator, size, &block) && !find_end(allocator, size, &block))
        block = new_chunk(allocator, size);
    span = &block.chunk->free.span[block.index];
    address = span->lo;
    span->lo += size;
    block.chunk->top = max64(block.chunk->top, span->lo);
    if (span->lo == span->hi)
        drop(&block.chunk->free, block.index);
    *number = (size_t)(block.chunk - allocator->chunk);
    return address;
}

static void release(struct chunk *chunk, int64_t lo, int64_t hi)
{
    struct span_list *free = &chunk->free;
    size_t at = BISECT(i, 0, free->count, free->span[i].lo < lo);
    bool below = at > 0 && free->span[at - 1].hi == lo;
    bool above = at < free->count && free->span[at].lo == hi;

    if (below && above) {
        free->span[at - 1].hi = free->span[at].hi;
        drop(free, at);
    } else if (below) {
        free->span[at - 1].hi = hi;
    } else if (above) {
        free->span[at].lo = lo;
    } else {
        insert(free, at, (struct span){lo, hi});
    }
}

/* Addresses in chunks turn into offsets; the rest is given back.  */
static void stack_chunks(struct allocator *allocator, const struct instance *instance,
                         struct plan *plan)
{
    int64_t base[MOST_CHUNKS], top = 0;

    for (size_t c = 0; c < allocator->chunks; c++) {
        base[c] = top;
        top += allocator->chunk[c].top;
        free(allocator->chunk[c].free.span);
    }
    for (size_t b = 0; b < instance->n; b++)
        plan->offset[b] += base[allocator->number[b]];
    plan->peak = plan_peak(instance, plan);
}

/* PERCENT of the load, rounded up to a multiple of ALIGNMENT.  */
static int64_t chunk_limit(int64_t load, int64_t percent, int64_t alignment)
{
    int64_t whole = load / 100 * percent, rest = load % 100 * percent;

    return percent == 0 ? INT64_MAX : align_up(whole + (rest + 99) / 100, alignment);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    int64_t alignment = instance->max_alignment;
    struct allocator allocator = {
        .limit = chunk_limit(instance->load, params_int(env->params, "chunk"), alignment),
        .number = memory_alloc(instance->n, sizeof *allocator.number)};
    size_t *equal = ties_order(env, instance->n, TIES_FIRST), b, old;
    struct time_walk walk;

    time_walk_init(&walk, instance, equal);
    while (time_walk_next(&walk, &b)) {
        while (time_walk_ended(&walk, &old))
            release(&allocator.chunk[allocator.number[old]], plan->offset[old],
                    plan->offset[old] + align_up(instance->buffer[old].size, alignment));
        plan->offset[b] = allocate(&allocator, align_up(instance->buffer[b].size, alignment),
                                   &allocator.number[b]);
    }
    time_walk_clear(&walk);
    stack_chunks(&allocator, instance, plan);
    free(allocator.number);
    free(equal);
    return OUTCOME_FEASIBLE;
}

/* The limit of a chunk is a share of the load, which only the end tells.  */
static unsigned gains(const struct params *given)
{
    return params_int(given, "chunk") == 0 ? SOLVER_ONLINE : 0;
}

const struct solver solver_ggml = {
    .name = "ggml",
    .title = "ggml, graph allocator",
    .source = "ggml, ggml-alloc.c",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = CPU_ALIGNMENT},
    .params = params,
    .gains = gains,
    .applicable = alignment_applicable,
    .solve = solve,
};
