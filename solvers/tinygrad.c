/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tinygrad: a two-level segregated fit over one run's trace.
 *
 * Free blocks are kept in buckets: one row for each power of two, 32 columns of equal width in it.
 * A request is rounded up to a full column, and the first block of the first bucket from there on
 * that is not empty takes it, so every block of a bucket that is asked is large enough, and none
 * has to be looked at.  The upper rest of the block goes to the end of its bucket.  What is freed
 * is joined with free neighbours and goes to the end, too.  Good fit, not best fit: in a bucket the
 * oldest block is taken, not the smallest, and a block in the request's own bucket is missed if the
 * rounded request is larger:
 *
 *   step 0   a [0, 1) 65 bytes at 0, b [0, 3) 1 byte at 65
 *   step 1   c [1, 2) 65 bytes: rounded up to 66, it does not find a's block, and goes to 66
 *   step 2   d [2, 3) 64 bytes: a's block is in its bucket, and d goes to 0
 *
 * Source: tinygrad, tinygrad/runtime/support/memory.py, TLSFAllocator, and the loop in
 * schedule/memory.py; after M. Masmano, I. Ripoll, A. Crespo, J. Real, "TLSF: a new dynamic
 * memory allocator for real-time systems", ECRTS 2004.  The memory is twice the sum of the sizes,
 * which is not known online: it decides in which bucket the untouched rest of memory is.
 * memory= has the size of memory instead, as an allocator knows it.
 * O(1) for a request, O(n log n) for the trace.
 * Guarantee: none is known but peak <= sum of the rounded sizes.
 * Differences: upstream's unit is a block of 256 bytes (block=256, or align=native); here it is
 * the alignment, so that small sizes differ.  Buffers that copies touch have an arena of their own
 * there, and live twice as long.  */
#include <config.h>

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/events.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { BLOCK = 256, ROWS = 65, COLUMN_BITS = 5, COLUMNS = 1 << COLUMN_BITS };

static const struct param params[] = {
    {"block", PARAM_BYTES, "0", NULL, 0, 1 << 30,
     "the unit of sizes in bytes, rounded up to the alignment; 0: the alignment; upstream: 256"},
    {"memory", PARAM_BYTES, "0", NULL, 0, 0x1p60,
     "all of memory in bytes, at least twice the sum of the sizes; 0: that, which is not online"},
    TIES_PARAM,
    PARAM_END,
};

#define NO_BLOCK SIZE_MAX

/* Start and size count units.  */
struct block {
    uint64_t start, size;
    size_t below, above;   /* by address */
    size_t earlier, later; /* in its bucket */
    bool free;
};

struct bucket {
    size_t first, last;
};

struct heap {
    struct block *block;
    size_t count, capacity;
    struct bucket bucket[ROWS][COLUMNS];
    uint32_t full[ROWS]; /* bit: that bucket is not empty */
};

/* The number of bits of SIZE >= 1.  */
static unsigned row_of(uint64_t size)
{
    return 64 - (unsigned)__builtin_clzll(size);
}

/* Upstream counts bytes, of which a unit has 256, so that a row has at least as many as columns. */
static unsigned column_of(uint64_t size)
{
    unsigned row = row_of(size);
    uint64_t rest = size - (UINT64_C(1) << (row - 1));

    return (unsigned)(row > COLUMN_BITS ? rest >> (row - 1 - COLUMN_BITS)
                                        : rest << (COLUMN_BITS + 1 - row));
}

/* SIZE rounded up to the next column.  */
static uint64_t to_column(uint64_t size)
{
    unsigned row = row_of(size);
    uint64_t width = row > COLUMN_BITS + 1 ? UINT64_C(1) << (row - 1 - COLUMN_BITS) : 1;

    return (size + width - 1) / width * width;
}

static void enlist(struct heap *heap, size_t b)
{
    struct block *block = &heap->block[b];
    unsigned row = row_of(block->size), column = column_of(block->size);
    struct bucket *bucket = &heap->bucket[row][column];
    bool empty = (heap->full[row] & UINT32_C(1) << column) == 0;

    block->free = true;
    block->later = NO_BLOCK;
    block->earlier = empty ? NO_BLOCK : bucket->last;
    *(empty ? &bucket->first : &heap->block[bucket->last].later) = b;
    bucket->last = b;
    heap->full[row] |= UINT32_C(1) << column;
}

static void delist(struct heap *heap, size_t b)
{
    struct block *block = &heap->block[b];
    unsigned row = row_of(block->size), column = column_of(block->size);
    struct bucket *bucket = &heap->bucket[row][column];

    block->free = false;
    if (block->earlier != NO_BLOCK)
        heap->block[block->earlier].later = block->later;
    else
        bucket->first = block->later;
    if (block->later != NO_BLOCK)
        heap->block[block->later].earlier = block->earlier;
    else
        bucket->last = block->earlier;
    if (bucket->first == NO_BLOCK)
        heap->full[row] &= ~(UINT32_C(1) << column);
}

/* The first block of the first bucket for SIZE units or more.  */
static size_t find(const struct heap *heap, uint64_t size)
{
    uint64_t rounded = to_column(size);
    unsigned row = row_of(rounded);
    uint32_t full = heap->full[row] & ~UINT32_C(0) << column_of(rounded);

    while (full == 0 && row + 1 < ROWS)
        full = heap->full[++row];
    assert(full != 0); /* half of the memory is above all that was ever used */
    return heap->bucket[row][__builtin_ctz(full)].first;
}

static size_t new_block(struct heap *heap, struct block block)
{
    heap->block = memory_grow(heap->block, &heap->capacity, heap->count + 1, sizeof *heap->block);
    heap->block[heap->count] = block;
    return heap->count++;
}

static size_t allocate(struct heap *heap, uint64_t size)
{
    size_t b = find(heap, size), rest;
    struct block *block = &heap->block[b];

    delist(heap, b);
    if (block->size == size)
        return b;
    rest = new_block(heap, (struct block){.start = block->start + size,
                                          .size = block->size - size,
                                          .below = b,
                                          .above = block->above});
    block = &heap->block[b];
    if (block->above != NO_BLOCK)
        heap->block[block->above].below = rest;
    block->above = rest;
    block->size = size;
    enlist(heap, rest);
    return b;
}

/* BELOW swallows the block above it.  */
static void join(struct heap *heap, size_t below)
{
    struct block *block = &heap->block[below], *above = &heap->block[block->above];

    block->size += above->size;
    block->above = above->above;
    if (block->above != NO_BLOCK)
        heap->block[block->above].below = below;
}

static void release(struct heap *heap, size_t b)
{
    size_t below = heap->block[b].below, above = heap->block[b].above;

    if (above != NO_BLOCK && heap->block[above].free) {
        delist(heap, above);
        join(heap, b);
    }
    if (below != NO_BLOCK && heap->block[below].free) {
        delist(heap, below);
        join(heap, below);
        b = below;
    }
    enlist(heap, b);
}

static uint64_t units(int64_t size, int64_t unit)
{
    return (uint64_t)(size / unit + (size % unit != 0));
}

static int64_t unit_of(const struct instance *instance, const struct params *given)
{
    return align_up(max64(params_int(given, "block"), 1), instance->max_alignment);
}

/* Twice the sum of the sizes, in units: what is never used up.  */
static uint64_t enough(const struct instance *instance, int64_t unit)
{
    uint64_t sum = 0;

    for (size_t b = 0; b < instance->n; b++)
        sum += 2 * units(instance->buffer[b].size, unit);
    return sum;
}

/* All memory is one block.  */
static void heap_init(struct heap *heap, const struct instance *instance,
                      const struct params *given, int64_t unit)
{
    const uint64_t memory = (uint64_t)(params_int(given, "memory") / unit);

    *heap = (struct heap){.count = 0};
    if (instance->n > 0)
        enlist(heap, new_block(heap, (struct block){.below = NO_BLOCK,
                                                    .above = NO_BLOCK,
                                                    .size = memory > 0 ? memory
                                                                       : enough(instance, unit)}));
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    int64_t unit = unit_of(instance, env->params);
    size_t *block_of = memory_alloc(instance->n, sizeof *block_of);
    struct order_key *event = events_sort(instance, env);
    struct heap heap;

    heap_init(&heap, instance, env->params, unit);
    for (size_t e = 0; e < 2 * instance->n; e++) {
        size_t b = event_buffer(event[e]);

        if (!event_begins(event[e])) {
            release(&heap, block_of[b]);
            continue;
        }
        block_of[b] = allocate(&heap, units(instance->buffer[b].size, unit));
        plan->offset[b] = (int64_t)heap.block[block_of[b]].start * unit;
    }
    plan->peak = plan_peak(instance, plan);
    free(heap.block);
    free(event);
    free(block_of);
    return OUTCOME_FEASIBLE;
}

static bool applicable(const struct instance *instance, const struct params *given,
                       struct error *reason)
{
    const int64_t unit = unit_of(instance, given), memory = params_int(given, "memory");

    if (memory > 0 && (uint64_t)(memory / unit) < enough(instance, unit))
        return error_set(reason, "memory=%" PRId64 " is less than twice the sum of the sizes",
                         memory);
    return alignment_applicable(instance, given, reason);
}

static unsigned gains(const struct params *given)
{
    return params_int(given, "memory") > 0 ? SOLVER_ONLINE : 0;
}

const struct solver solver_tinygrad = {
    .name = "tinygrad",
    .title = "tinygrad, segregated fit",
    .source = "tinygrad, runtime/support/memory.py",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = BLOCK},
    .params = params,
    .gains = gains,
    .applicable = applicable,
    .solve = solve,
};
