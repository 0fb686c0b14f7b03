/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/block_heap.h"

#include <assert.h>
#include <stdlib.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/instance.h"

/* --- the free blocks of a pool: a treap by size, then start --- */

/* Priorities that only the block's number decides, so that a run is repeatable.  */
static uint64_t priority(size_t b)
{
    uint64_t mixed = ((uint64_t)b + 1) * UINT64_C(0x9e3779b97f4a7c15);

    return (mixed ^ mixed >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool precedes(const struct heap_block *block, uint64_t size, uint64_t start)
{
    return block->size != size ? block->size < size : block->start < start;
}

static bool ordered(const struct block_heap *heap, size_t low, size_t high)
{
    const struct heap_block *upper = &heap->block[high];

    return precedes(&heap->block[low], upper->size, upper->start);
}

/* A child of the free block B.  */
static void check_child(const struct block_heap *heap, size_t b, size_t child)
{
    if (child != BLOCK_NONE)
        CHECK(heap->block[child].free && priority(child) < priority(b) &&
                  heap->block[child].pool == heap->block[b].pool,
              "block heap", "below a free block are others of its pool and a lower priority");
}

static void check_heap(const struct block_heap *heap)
{
    for (size_t b = 0; b < heap->count; b++) {
        const struct heap_block *block = &heap->block[b];

        if (!block->free)
            continue;
        check_child(heap, b, block->smaller);
        check_child(heap, b, block->larger);
        CHECK((block->smaller == BLOCK_NONE || ordered(heap, block->smaller, b)) &&
                  (block->larger == BLOCK_NONE || ordered(heap, b, block->larger)),
              "block heap", "free blocks stand by size, then start");
        CHECK(block->above == BLOCK_NONE ||
                  (!heap->block[block->above].free &&
                   heap->block[block->above].start == block->start + block->size),
              "block heap", "above a free block is one in use");
    }
}

/* The link below block AT on the way to the place of BLOCK.  */
static size_t *link_towards(struct block_heap *heap, size_t at, const struct heap_block *block)
{
    struct heap_block *node = &heap->block[at];

    return precedes(node, block->size, block->start) ? &node->larger : &node->smaller;
}

static void enlist(struct block_heap *heap, size_t b)
{
    struct heap_block *block = &heap->block[b];
    size_t *link = &heap->root[block->pool], *low = &block->smaller, *high = &block->larger, at;

    while (*link != BLOCK_NONE && priority(*link) > priority(b))
        link = link_towards(heap, *link, block);
    at = *link;
    *link = b;
    while (at != BLOCK_NONE) { /* what was there goes to the left or to the right of B */
        size_t **side = precedes(&heap->block[at], block->size, block->start) ? &low : &high;

        **side = at;
        *side = link_towards(heap, at, block);
        at = **side;
    }
    *low = *high = BLOCK_NONE;
    block->free = true;
}

static void delist(struct block_heap *heap, size_t b)
{
    struct heap_block *block = &heap->block[b];
    size_t *link = &heap->root[block->pool], low = block->smaller, high = block->larger;

    while (*link != b)
        link = link_towards(heap, *link, block);
    while (low != BLOCK_NONE && high != BLOCK_NONE)
        if (priority(low) > priority(high)) {
            *link = low;
            link = &heap->block[low].larger;
            low = *link;
        } else {
            *link = high;
            link = &heap->block[high].smaller;
            high = *link;
        }
    *link = low != BLOCK_NONE ? low : high;
    block->free = false;
}

size_t block_heap_find(const struct block_heap *heap, unsigned pool, uint64_t size, uint64_t start)
{
    size_t found = BLOCK_NONE;

    for (size_t at = heap->root[pool]; at != BLOCK_NONE;) {
        const struct heap_block *block = &heap->block[at];

        if (precedes(block, size, start)) {
            at = block->larger;
        } else {
            found = at;
            at = block->smaller;
        }
    }
    return found;
}

/* --- blocks by address --- */

void block_heap_init(struct block_heap *heap)
{
    *heap = (struct block_heap){.count = 0};
    for (unsigned pool = 0; pool < BLOCK_POOLS; pool++)
        heap->root[pool] = BLOCK_NONE;
}

void block_heap_clear(struct block_heap *heap)
{
    free(heap->block);
}

/* A used one above BELOW.  */
static size_t new_block(struct block_heap *heap, unsigned pool, size_t below, uint64_t start,
                        uint64_t size)
{
    size_t b = heap->count++;
    size_t above = below != BLOCK_NONE ? heap->block[below].above : BLOCK_NONE;

    heap->block = memory_grow(heap->block, &heap->capacity, heap->count, sizeof *heap->block);
    heap->block[b] = (struct heap_block){
        .start = start, .size = size, .below = below, .above = above, .pool = pool};
    if (below != BLOCK_NONE)
        heap->block[below].above = b;
    if (above != BLOCK_NONE)
        heap->block[above].below = b;
    return b;
}

/* BELOW swallows the block above it.  */
static void join(struct block_heap *heap, size_t below)
{
    struct heap_block *block = &heap->block[below], *above = &heap->block[block->above];

    block->size += above->size;
    block->above = above->above;
    if (block->above != BLOCK_NONE)
        heap->block[block->above].below = below;
}

size_t block_heap_add(struct block_heap *heap, unsigned pool, uint64_t start, uint64_t size)
{
    size_t b = new_block(heap, pool, BLOCK_NONE, start, size);

    enlist(heap, b);
    return b;
}

size_t block_heap_extend(struct block_heap *heap, size_t last, uint64_t size)
{
    const struct heap_block *block = &heap->block[last];

    assert(block->above == BLOCK_NONE);
    return block_heap_release(heap,
                              new_block(heap, block->pool, last, block->start + block->size, size));
}

void block_heap_take(struct block_heap *heap, size_t b)
{
    assert(heap->block[b].free);
    delist(heap, b);
}

void block_heap_split(struct block_heap *heap, size_t b, uint64_t size)
{
    struct heap_block *block = &heap->block[b];
    uint64_t rest = block->size - size;

    assert(!block->free && size < block->size);
    block->size = size;
    block_heap_release(heap, new_block(heap, block->pool, b, block->start + size, rest));
}

size_t block_heap_release(struct block_heap *heap, size_t b)
{
    size_t below = heap->block[b].below, above = heap->block[b].above;

    if (above != BLOCK_NONE && heap->block[above].free) {
        delist(heap, above);
        join(heap, b);
    }
    if (below != BLOCK_NONE && heap->block[below].free) {
        delist(heap, below);
        join(heap, below);
        b = below;
    }
    enlist(heap, b);
    if (check_due(b, heap->count))
        CHECK_INVARIANT(check_heap(heap));
    return b;
}

int64_t block_unit(const struct instance *instance, const struct params *given)
{
    return align_up(max64(params_int(given, "unit"), 1), instance->max_alignment);
}
