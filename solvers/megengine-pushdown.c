/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megengine-pushdown: an elastic best fit that finds only who lies below whom,
 * then every chunk as low as that allows.  MegEngine's default.
 *
 * Phase 1 walks through time with a list of blocks that has an order but no
 * addresses.  A chunk takes the smallest free block that is large enough (of
 * equal ones the one whose tenant ended last), and what remains is a free block
 * right above; where none is large enough, the largest free block grows to fit,
 * which moves everything above it; where there is no free block at all, it goes
 * on top.  Neighbouring free blocks are one, as new as the last of them, of 0 bytes
 * too.  A chunk that overwrites another takes its place in the list, with the rest
 * free below and above.  Each chunk notes its nearest tenants at that moment: the one
 * below is below it, it is below the one above.
 *
 * Phase 2: the address of a chain's root is the smallest, rounded up to the
 * alignment, at which each of its chunks lies above all that were noted below
 * it: a longest path.
 *
 *   a [0, 2) 4 bytes, b [0, 1) 2 bytes, c [1, 3) 3 bytes: a lies below b, whose
 *   block grows to 3 for c; a at 0, b and c at 4, peak 7 (best fit: c at 6, peak 9)
 *
 * Source: Zhou Ruiliang (MegEngine), "static memory analysis" (in Chinese);
 * MegEngine, static_mem_alloc/pushdown.cpp, its default.
 * Complexity: O(n (log n + free blocks)).  Guarantee: none is known.
 * Differences: sizes get no fixed padding; the tenant of a free block that was
 * joined or is a rest is the chunk whose end or placement made it, and blocks
 * that are equal in size and in that go by age.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/shipped/chunks.h"
#include "solvers/solver.h"

/* A block of the list; tenants have no size of their own.  */
struct block {
    size_t tenant; /* chunk; CHUNK_NONE: free */
    int64_t size;  /* free ones only */
    int64_t ended; /* free ones only: when the tenant before ended */
    size_t below, above;
};

/* LOW lies below HIGH.  */
struct relation {
    size_t low, high;
};

struct pushdown {
    struct chunks chunks;
    struct block *block;
    size_t count, capacity, lowest, highest;
    size_t *block_of; /* of each chunk */
    struct free_blocks fit;
    struct relation *relation;
    size_t relations, relation_capacity;
};

/* --- phase 1: the order --- */

static struct free_block entry_of(const struct pushdown *push, size_t b)
{
    return (struct free_block){push->block[b].size, -push->block[b].ended, b};
}

/* Inserts a block right above BELOW (CHUNK_NONE: lowest).  Indices grow with
 * age and are not used again.  */
static size_t insert(struct pushdown *push, size_t below, struct block block)
{
    size_t b = push->count, above = below == CHUNK_NONE ? push->lowest : push->block[below].above;

    push->block = memory_grow(push->block, &push->capacity, ++push->count, sizeof *push->block);
    block.below = below;
    block.above = above;
    push->block[b] = block;
    *(below == CHUNK_NONE ? &push->lowest : &push->block[below].above) = b;
    *(above == CHUNK_NONE ? &push->highest : &push->block[above].below) = b;
    return b;
}

static void remove_block(struct pushdown *push, size_t b)
{
    size_t below = push->block[b].below, above = push->block[b].above;

    *(below == CHUNK_NONE ? &push->lowest : &push->block[below].above) = above;
    *(above == CHUNK_NONE ? &push->highest : &push->block[above].below) = below;
}

static bool is_free(const struct pushdown *push, size_t b)
{
    return b != CHUNK_NONE && push->block[b].tenant == CHUNK_NONE;
}

/* A free block of SIZE bytes, which may be 0, right above BELOW, joined with free
 * neighbours.  */
static void insert_free(struct pushdown *push, size_t below, int64_t size, int64_t ended)
{
    size_t above = below == CHUNK_NONE ? push->lowest : push->block[below].above;

    if (is_free(push, above)) {
        size += push->block[above].size;
        free_blocks_remove(&push->fit, entry_of(push, above));
        remove_block(push, above);
    }
    if (is_free(push, below)) {
        size_t joined = below;

        size += push->block[joined].size;
        free_blocks_remove(&push->fit, entry_of(push, joined));
        below = push->block[joined].below;
        remove_block(push, joined);
    }
    if (size > 0)
        free_blocks_add(
            &push->fit,
            entry_of(push, insert(push, below, (struct block){CHUNK_NONE, size, ended, 0, 0})));
}

static void relate(struct pushdown *push, size_t low, size_t high)
{
    push->relation = memory_grow(push->relation, &push->relation_capacity, push->relations + 1,
                                 sizeof *push->relation);
    push->relation[push->relations++] = (struct relation){low, high};
}

/* Chunk C lives in block B now.  Free blocks are no neighbours, so at most one
 * lies between two tenants.  */
static void settle(struct pushdown *push, size_t b, size_t c)
{
    size_t below, above;

    push->block[b].tenant = c;
    push->block_of[c] = b;
    below = push->block[b].below;
    if (is_free(push, below))
        below = push->block[below].below;
    above = push->block[b].above;
    if (is_free(push, above))
        above = push->block[above].above;
    if (below != CHUNK_NONE)
        relate(push, push->block[below].tenant, c);
    if (above != CHUNK_NONE)
        relate(push, c, push->block[above].tenant);
}

static void alloc(void *context, size_t c)
{
    struct pushdown *push = context;
    const struct chunk *chunk = &push->chunks.chunk[c];
    const struct block fresh = {c, 0, 0, 0, 0};
    struct free_block found;
    size_t i;

    if (push->fit.count == 0) {
        settle(push, insert(push, push->highest, fresh), c);
        return;
    }
    i = free_blocks_find(&push->fit, chunk->size);
    found = push->fit.entry[i < push->fit.count ? i : push->fit.count - 1];
    free_blocks_remove(&push->fit, found);
    push->block[found.block].tenant = c;
    if (found.size > chunk->size)
        insert_free(push, found.block, found.size - chunk->size, chunk->end);
    settle(push, found.block, c);
}

static void overwrite(void *context, size_t c)
{
    struct pushdown *push = context;
    const struct chunk *chunk = &push->chunks.chunk[c], *old = &push->chunks.chunk[chunk->over];
    int64_t offset = chunk->offset - old->offset;
    size_t b = push->block_of[chunk->over];

    insert_free(push, push->block[b].below, offset, old->end);
    insert_free(push, b, old->size - (offset + chunk->size), old->end);
    settle(push, b, c);
}

static void give_back(void *context, size_t c)
{
    struct pushdown *push = context;
    size_t b = push->block_of[c], below = push->block[b].below;

    remove_block(push, b);
    insert_free(push, below, push->chunks.chunk[c].size, push->chunks.chunk[c].end);
}

/* --- phase 2: addresses --- */

/* The relations as arcs between chains: the root of HIGH starts at least SPACE
 * bytes above the start of the root of LOW.  */
struct arc {
    size_t to;
    int64_t space;
};

/* Arcs that leave each root, and how many arrive.  */
static struct arc *make_arcs(const struct pushdown *push, size_t *first, size_t *arrive)
{
    struct arc *arc = memory_alloc(push->relations, sizeof *arc);
    const struct chunk *chunk = push->chunks.chunk;
    size_t *next = memory_alloc(push->chunks.n + 1, sizeof *next);

    for (size_t i = 0; i < push->relations; i++) {
        first[chunk[push->relation[i].low].root + 1]++;
        arrive[chunk[push->relation[i].high].root]++;
    }
    for (size_t c = 0; c < push->chunks.n; c++)
        first[c + 1] += first[c];
    for (size_t c = 0; c < push->chunks.n; c++)
        next[c] = first[c];
    for (size_t i = 0; i < push->relations; i++) {
        const struct chunk *low = &chunk[push->relation[i].low];
        const struct chunk *high = &chunk[push->relation[i].high];

        arc[next[low->root]++] = (struct arc){high->root, low->offset + low->size - high->offset};
    }
    free(next);
    return arc;
}

/* Longest paths, in topological order: in the list of phase 1 nothing ever
 * changes sides while it lives, so there is no cycle.  */
static void set_addresses(struct pushdown *push)
{
    size_t n = push->chunks.n, ready = 0, done = 0;
    size_t *first = memory_zalloc(n + 1, sizeof *first);
    size_t *arrive = memory_zalloc(n, sizeof *arrive), *queue = memory_alloc(n, sizeof *queue);
    struct arc *arc = make_arcs(push, first, arrive);
    struct chunk *chunk = push->chunks.chunk;

    for (size_t c = 0; c < n; c++) {
        chunk[c].address = 0;
        if (chunk[c].root == c && arrive[c] == 0)
            queue[ready++] = c;
    }
    while (done < ready) {
        size_t c = queue[done++];

        chunk[c].address = align_up(chunk[c].address, push->chunks.alignment);
        for (size_t i = first[c]; i < first[c + 1]; i++) {
            chunk[arc[i].to].address =
                max64(chunk[arc[i].to].address, chunk[c].address + arc[i].space);
            if (--arrive[arc[i].to] == 0)
                queue[ready++] = arc[i].to;
        }
    }
    free(first);
    free(arrive);
    free(queue);
    free(arc);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct pushdown push = {.lowest = CHUNK_NONE, .highest = CHUNK_NONE};
    const struct chunk_walker walker = {alloc, overwrite, give_back, &push};

    (void)env;
    chunks_init(&push.chunks, instance);
    push.block_of = memory_alloc(push.chunks.n, sizeof *push.block_of);
    chunks_walk(&push.chunks, &walker);
    set_addresses(&push);
    chunks_to_plan(&push.chunks, instance, plan);
    chunks_clear(&push.chunks);
    free_blocks_clear(&push.fit);
    free(push.block);
    free(push.block_of);
    free(push.relation);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_megengine_pushdown = {
    .name = "megengine-pushdown",
    .title = "MegEngine, pushdown",
    .source = "Zhou (MegEngine); MegEngine, static_mem_alloc/pushdown.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = MEGENGINE_ALIGNMENT},
    .applicable = alignment_applicable,
    .solve = solve,
};
