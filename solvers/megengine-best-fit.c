/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megengine-best-fit: a best-fit allocator run once through time.
 *
 * At each step what ended is freed and coalesced with its free neighbours, then
 * what begins is allocated, in input order: in the free block with the smallest
 * usable size that is large enough (the lowest address of equal ones), usable
 * being what remains above the aligned start; where there is none, on top.  The
 * top is rounded up to the alignment, and what that leaves is a free block; a
 * block at the top that is too small is not extended.  A chunk that overwrites
 * another then takes its place inside it, and the rest of that is free.
 *
 *   step 0: a at 0, 4 bytes; b at 4, 2 bytes; c at 6, 3 bytes; a and c end:
 *   step 1: of the free [0, 4) and [6, 9), d of 3 bytes takes [6, 9)
 *
 * Source: MegEngine, static_mem_alloc/best_fit.cpp and best_fit_helper.cpp
 *; an alternative that is
 * chosen when MegEngine is built.
 * Complexity: O(n (log n + free blocks)).  Guarantee: none is known.
 * Differences: no fixed padding is added to sizes.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/shipped/chunks.h"
#include "solvers/solver.h"

/* The arena as blocks in address order, a doubly linked list without holes.  */
struct block {
    int64_t address, size;
    bool used;
    size_t below, above;
};

struct arena {
    struct chunks chunks;
    struct block *block;
    size_t count, capacity;
    size_t spare; /* list through above of blocks to use again; CHUNK_NONE: none */
    size_t top_block;
    int64_t top;
    size_t *block_of; /* of each chunk */
    struct free_blocks fit;
};

/* How a block stands in the list of free ones: by usable size, then aligned
 * address.  A block without room above the aligned start is not in it.  */
static struct free_block entry_of(const struct arena *arena, size_t b)
{
    const struct block *block = &arena->block[b];
    int64_t start = align_up(block->address, arena->chunks.alignment);

    return (struct free_block){block->size - (start - block->address), start, b};
}

static void enlist(struct arena *arena, size_t b)
{
    struct free_block entry = entry_of(arena, b);

    if (entry.size > 0)
        free_blocks_add(&arena->fit, entry);
}

static void delist(struct arena *arena, size_t b)
{
    struct free_block entry = entry_of(arena, b);

    if (entry.size > 0)
        free_blocks_remove(&arena->fit, entry);
}

/* A block right above BELOW, not yet in the list of free ones.  */
static size_t insert(struct arena *arena, size_t below, int64_t address, int64_t size, bool used)
{
    size_t b = arena->spare, above = below == CHUNK_NONE ? CHUNK_NONE : arena->block[below].above;

    if (b != CHUNK_NONE) {
        arena->spare = arena->block[b].above;
    } else {
        b = arena->count;
        arena->block =
            memory_grow(arena->block, &arena->capacity, ++arena->count, sizeof *arena->block);
    }
    arena->block[b] = (struct block){address, size, used, below, above};
    if (below != CHUNK_NONE)
        arena->block[below].above = b;
    if (above != CHUNK_NONE)
        arena->block[above].below = b;
    else
        arena->top_block = b;
    return b;
}

static void remove_block(struct arena *arena, size_t b)
{
    const struct block *block = &arena->block[b];

    if (block->below != CHUNK_NONE)
        arena->block[block->below].above = block->above;
    if (block->above != CHUNK_NONE)
        arena->block[block->above].below = block->below;
    else
        arena->top_block = block->below;
    arena->block[b].above = arena->spare;
    arena->spare = b;
}

/* Takes [ADDRESS, ADDRESS + SIZE) out of the free block B, which is in no list;
 * what is left on both sides is free.  */
static void take(struct arena *arena, size_t b, int64_t address, int64_t size)
{
    struct block old = arena->block[b];
    int64_t rest = old.address + old.size - (address + size);

    if (address > old.address) {
        arena->block[b].size = address - old.address;
        enlist(arena, b);
        b = insert(arena, b, address, size, true);
    }
    arena->block[b].address = address;
    arena->block[b].size = size;
    arena->block[b].used = true;
    if (rest > 0)
        enlist(arena, insert(arena, b, address + size, rest, false));
}

/* Frees block B and joins it with free neighbours; the free block is in no
 * list yet.  */
static size_t release(struct arena *arena, size_t b)
{
    size_t below = arena->block[b].below, above = arena->block[b].above;

    arena->block[b].used = false;
    if (below != CHUNK_NONE && !arena->block[below].used) {
        delist(arena, below);
        arena->block[b].address = arena->block[below].address;
        arena->block[b].size += arena->block[below].size;
        remove_block(arena, below);
    }
    if (above != CHUNK_NONE && !arena->block[above].used) {
        delist(arena, above);
        arena->block[b].size += arena->block[above].size;
        remove_block(arena, above);
    }
    return b;
}

/* The used block at ADDRESS, which was just taken out of B or above it.  */
static size_t block_at(const struct arena *arena, size_t b, int64_t address)
{
    return arena->block[b].address == address ? b : arena->block[b].above;
}

static void place(struct arena *arena, size_t c, size_t b, int64_t address)
{
    take(arena, b, address, arena->chunks.chunk[c].size);
    arena->block_of[c] = block_at(arena, b, address);
    arena->chunks.chunk[c].address = address;
}

static void alloc(void *context, size_t c)
{
    struct arena *arena = context;
    int64_t size = arena->chunks.chunk[c].size;
    size_t i = free_blocks_find(&arena->fit, size);

    if (i < arena->fit.count) {
        struct free_block found = arena->fit.entry[i];

        free_blocks_remove(&arena->fit, found);
        place(arena, c, found.block, found.tie);
    } else {
        int64_t end = arena->top + size, top = align_up(end, arena->chunks.alignment);

        arena->chunks.chunk[c].address = arena->top;
        arena->block_of[c] = insert(arena, arena->top_block, arena->top, size, true);
        if (top > end)
            enlist(arena, insert(arena, arena->block_of[c], end, top - end, false));
        arena->top = top;
    }
}

static void overwrite(void *context, size_t c)
{
    struct arena *arena = context;
    const struct chunk *chunk = &arena->chunks.chunk[c], *old = &arena->chunks.chunk[chunk->over];

    place(arena, c, release(arena, arena->block_of[chunk->over]),
          old->address + (chunk->offset - old->offset));
}

static void give_back(void *context, size_t c)
{
    struct arena *arena = context;

    enlist(arena, release(arena, arena->block_of[c]));
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct arena arena = {.spare = CHUNK_NONE, .top_block = CHUNK_NONE};
    const struct chunk_walker walker = {alloc, overwrite, give_back, &arena};

    (void)env;
    chunks_init(&arena.chunks, instance);
    arena.block_of = memory_alloc(arena.chunks.n, sizeof *arena.block_of);
    chunks_walk(&arena.chunks, &walker);
    chunks_to_plan(&arena.chunks, instance, plan);
    chunks_clear(&arena.chunks);
    free_blocks_clear(&arena.fit);
    free(arena.block);
    free(arena.block_of);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_megengine_best_fit = {
    .name = "megengine-best-fit",
    .title = "MegEngine, online best fit",
    .source = "MegEngine, static_mem_alloc/best_fit.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES | SOLVER_SHIPPED | SOLVER_ONLINE,
    .layout = LAYOUT_ARENA,
    .native = {.offset = MEGENGINE_ALIGNMENT},
    .applicable = alignment_applicable,
    .solve = solve,
};
