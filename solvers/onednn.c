/* SPDX-License-Identifier: GPL-3.0-or-later */
/* onednn: best fit in an arena that grows in the middle, where a free chunk is too small.
 *
 * In the order of the trace (at each step what ends, in input order, then what begins) a buffer
 * takes the smallest free chunk that is large enough, of equal ones that which has been free for
 * the longest time; the rest of it stays free.  Where none is, the largest free chunk, of equal
 * ones the newest, is extended: everything above it moves up, also what was placed long before.  A
 * new chunk at the top is made only where nothing is free.  Neighbours that are free become one.
 *
 *   step 0   a [0, 1) 2 bytes at 0, b [0, 3) 3 bytes at 2
 *   step 1   a's chunk is free; c [1, 2) of 5 bytes extends it by 3, so b moves up to 5
 *   step 2   it is free again; d [2, 3) of 1 byte takes its lower end
 *
 * prefer=hot looks at memory that was used lately: of all free chunks that with the greatest score
 *
 *   [large enough] - |its size - size| / larger one + 1 - min(events since it was freed / 10, 1)
 *
 * in single precision, the one freed last first, then the others, the one freed first first; it is
 * cut or extended.
 *
 * What a chunk was is kept as a tree: a chunk is an origin, the lower or the upper part of a
 * chunk that was cut, or several that were joined.  Offsets are read off it at the end: a lower
 * part begins where its whole begins, an upper one ends where it ends, joined ones begin with the
 * first.  A chunk that is extended extends what it was cut from, and the last of those that it
 * was joined from; one that moves moves what it is the lower part of, and all that it was joined
 * from.
 *
 * Source: oneDNN, graph_compiler/core/src/compiler/ir/transform/static_memory_planner.cpp,
 * schedule_memory_allocations; StaticMemoryPlanning of Intel's graph-compiler for MLIR is the same.
 * Published as O(chunks alive) an event and the depth of the tree an extension; here sizes
 * and moves are added up once, at the end, along the tree.
 * Guarantee: none is known but peak <= sum of the rounded sizes.
 * Differences: what may be overwritten in place is the instance's business.  Sizes are rounded up
 * to the alignment, one for all; upstream rounds them up to 64 elements, align=native to 64 bytes.
 */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/events.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { PREFER_SIZE, PREFER_HOT };
enum { NATIVE_ALIGNMENT = 64, COOLING = 10 };

static const struct param params[] = {
    PARAM_ENUM("prefer", "size", "which free chunk: by its size, or one that was used lately too",
               {"size", PREFER_SIZE}, {"hot", PREFER_HOT}),
    TIES_PARAM,
    PARAM_END,
};

#define NO_CHUNK SIZE_MAX

enum kind { ORIGIN, LOWER, UPPER, JOINED };

struct chunk {
    enum kind kind;
    size_t parent[3], parents; /* by address; of a part one, of joined ones two or three */
    int64_t start;             /* of an origin */
    int64_t size;
    int64_t grown, moved; /* by extensions of it, and of those below it, since it is there */
    size_t below, above;  /* its neighbours, while it is a chunk of the arena */
    bool free;
    int64_t freed;         /* when it was freed last, in events */
    struct free_block key; /* in the list of free ones */
};

struct arena {
    bool hot;
    struct chunk *chunk; /* in the order in which they were made */
    size_t count, capacity;
    size_t top; /* the uppermost one of the arena */
    int64_t total;
    int64_t event;           /* number of the one at hand, from 1 */
    int64_t listed;          /* chunks that were put into the list of free ones so far */
    struct free_blocks free; /* by size, or by when they were freed */
};

static size_t new_chunk(struct arena *arena, struct chunk chunk)
{
    arena->chunk =
        memory_grow(arena->chunk, &arena->capacity, arena->count + 1, sizeof *arena->chunk);
    arena->chunk[arena->count] = chunk;
    return arena->count++;
}

static void enlist(struct arena *arena, size_t c)
{
    struct chunk *chunk = &arena->chunk[c];

    chunk->free = true;
    chunk->key = (struct free_block){arena->hot ? chunk->freed : chunk->size, arena->listed++, c};
    free_blocks_add(&arena->free, chunk->key);
}

static void delist(struct arena *arena, size_t c)
{
    arena->chunk[c].free = false;
    free_blocks_remove(&arena->free, arena->chunk[c].key);
}

/* C takes the place of the chunks FIRST to LAST of the arena.  */
static void replace(struct arena *arena, size_t first, size_t last, size_t c)
{
    size_t below = arena->chunk[first].below, above = arena->chunk[last].above;

    arena->chunk[c].below = below;
    arena->chunk[c].above = above;
    if (below != NO_CHUNK)
        arena->chunk[below].above = c;
    if (above != NO_CHUNK)
        arena->chunk[above].below = c;
    else
        arena->top = c;
}

static size_t append(struct arena *arena, int64_t size)
{
    size_t c = new_chunk(arena, (struct chunk){.kind = ORIGIN,
                                               .start = arena->total,
                                               .size = size,
                                               .below = arena->top,
                                               .above = NO_CHUNK});

    if (arena->top != NO_CHUNK)
        arena->chunk[arena->top].above = c;
    arena->top = c;
    arena->total += size;
    return c;
}

static void extend(struct arena *arena, size_t c, int64_t by)
{
    arena->chunk[c].size += by;
    arena->chunk[c].grown += by;
    arena->total += by;
    for (c = arena->chunk[c].above; c != NO_CHUNK; c = arena->chunk[c].above)
        arena->chunk[c].moved += by;
}

/* Cuts chunk C, which is larger than SIZE, and returns the lower part.  */
static size_t cut(struct arena *arena, size_t c, int64_t size)
{
    struct chunk part = {.kind = LOWER, .parent = {c}, .parents = 1, .size = size};
    size_t lower = new_chunk(arena, part), upper;

    part.kind = UPPER;
    part.size = arena->chunk[c].size - size;
    part.freed = arena->chunk[c].freed;
    replace(arena, c, c, lower);
    part.below = lower;
    part.above = arena->chunk[lower].above;
    upper = new_chunk(arena, part);
    arena->chunk[lower].above = upper;
    if (part.above != NO_CHUNK)
        arena->chunk[part.above].below = upper;
    else
        arena->top = upper;
    enlist(arena, upper);
    return lower;
}

static size_t by_size(const struct arena *arena, int64_t size)
{
    size_t i = free_blocks_find(&arena->free, size);

    return arena->free.entry[i < arena->free.count ? i : i - 1].block;
}

static float score(const struct arena *arena, size_t c, int64_t size)
{
    const struct chunk *chunk = &arena->chunk[c];
    float distance = (float)llabs(chunk->size - size) / (float)max64(chunk->size, size);
    float age = (float)(arena->event - chunk->freed) / (float)COOLING;

    return -distance + (chunk->size >= size ? 1.0F : 0.0F) + (1.0F - fminf(age, 1.0F));
}

static size_t by_heat(const struct arena *arena, int64_t size)
{
    size_t best = arena->free.entry[arena->free.count - 1].block;
    float most = score(arena, best, size);

    for (size_t i = 0; i < arena->free.count; i++) {
        size_t c = arena->free.entry[i].block;
        float its = score(arena, c, size);

        if (its > most) {
            most = its;
            best = c;
        }
    }
    return best;
}

/* The chunk of a buffer of SIZE bytes.  */
static size_t allocate(struct arena *arena, int64_t size)
{
    size_t c;

    if (arena->free.count == 0)
        return append(arena, size);
    c = arena->hot ? by_heat(arena, size) : by_size(arena, size);
    delist(arena, c);
    if (arena->chunk[c].size > size)
        return cut(arena, c, size);
    if (arena->chunk[c].size < size)
        extend(arena, c, size - arena->chunk[c].size);
    return c;
}

/* Joins chunk C, which was used, with its neighbours that are free.  */
static void release(struct arena *arena, size_t c)
{
    size_t below = arena->chunk[c].below, above = arena->chunk[c].above;
    struct chunk joined = {.kind = JOINED, .freed = arena->event};
    size_t side[3], sides = 0;

    if (below != NO_CHUNK && arena->chunk[below].free)
        side[sides++] = below;
    side[sides++] = c;
    if (above != NO_CHUNK && arena->chunk[above].free)
        side[sides++] = above;
    arena->chunk[c].freed = arena->event;
    if (sides > 1) {
        for (size_t i = 0; i < sides; i++) {
            joined.size += arena->chunk[side[i]].size;
            joined.parent[joined.parents++] = side[i];
            if (side[i] != c)
                delist(arena, side[i]);
        }
        c = new_chunk(arena, joined);
        replace(arena, side[0], side[sides - 1], c);
    }
    enlist(arena, c);
}

/* From the last chunk to the first one: what it has grown and moved by is that of its
 * parents too.  */
static void pass_on(struct arena *arena)
{
    for (size_t c = arena->count; c-- > 0;) {
        const struct chunk *chunk = &arena->chunk[c];

        for (size_t i = 0; i < chunk->parents; i++) {
            struct chunk *parent = &arena->chunk[chunk->parent[i]];

            if (chunk->kind != UPPER)
                parent->moved += chunk->moved;
            if (i + 1 == chunk->parents) {
                parent->size += chunk->grown;
                parent->grown += chunk->grown;
            }
        }
    }
}

/* Where all chunks start in the end.  */
static void find_starts(struct arena *arena)
{
    pass_on(arena);
    for (size_t c = 0; c < arena->count; c++) {
        struct chunk *chunk = &arena->chunk[c];
        const struct chunk *first = chunk->parents > 0 ? &arena->chunk[chunk->parent[0]] : NULL;

        if (first == NULL)
            chunk->start += chunk->moved;
        else
            chunk->start = first->start + (chunk->kind == UPPER ? first->size - chunk->size : 0);
    }
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct arena arena = {.hot = params_choice(env->params, "prefer") == PREFER_HOT,
                          .top = NO_CHUNK};
    size_t *chunk_of = memory_alloc(instance->n, sizeof *chunk_of);
    struct order_key *event = events_sort(instance, env);

    for (size_t e = 0; e < 2 * instance->n; e++) {
        size_t b = event_buffer(event[e]);

        arena.event++;
        if (event_begins(event[e]))
            chunk_of[b] =
                allocate(&arena, align_up(instance->buffer[b].size, instance->max_alignment));
        else
            release(&arena, chunk_of[b]);
    }
    find_starts(&arena);
    for (size_t b = 0; b < instance->n; b++)
        plan->offset[b] = arena.chunk[chunk_of[b]].start;
    plan->peak = plan_peak(instance, plan);
    free(arena.chunk);
    free_blocks_clear(&arena.free);
    free(event);
    free(chunk_of);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_onednn = {
    .name = "onednn",
    .title = "oneDNN, graph compiler",
    .source = "oneDNN, static_memory_planner.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = NATIVE_ALIGNMENT},
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
