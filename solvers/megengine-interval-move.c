/* SPDX-License-Identifier: GPL-3.0-or-later */
/* megengine-interval-move: the longest lifetime first, into the gap that costs
 * least, pushing up what is in the way.
 *
 * Order: lifetime length descending, begin, size descending, index.  The
 * address ranges of the placed chunks that are alive at a common step, those
 * that overlap joined, leave gaps: below the first, between two (of 0 bytes where
 * they touch), and between the last and the peak.  A gap that is large enough
 * raises nothing; of those the one with the least bytes to spare, the lowest of
 * equal ones.  For a smaller gap the chunks above it have to move up by what is
 * missing; how far each can without raising the peak is known from those above
 * it.  The gap that raises the peak least wins, then the one that lacks least.
 * A gap that fits is never given up for one that does not.
 *
 *   a [0, 4) 4 bytes is at 0; b [0, 2) 3 bytes raises the peak by 3 below a as
 *   above it, so it goes below and a moves up to 3; c [2, 4) 3 bytes fits below a
 *
 * Source: MegEngine, static_mem_alloc/interval_move.cpp, an alternative that is
 * chosen when MegEngine is built.  A chain of overwrites is placed as its root,
 * which lives as long as the chain.
 * Complexity: O(n^2 log n) and more for what is pushed; memory linear in the pairs
 * that overlap in time.  Guarantee: none is known.
 * Differences: sizes get no fixed padding; the order is total.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/shipped/chunks.h"
#include "solvers/solver.h"

/* A root with the lifetime of its chain; size is rounded up to the alignment.  */
struct interval {
    size_t chunk;
    int64_t begin, end, size, address;
    size_t *above; /* those alive at a common step that lie above */
    size_t aboves, capacity;
    int64_t room; /* how far it can go up without raising the peak ... */
    size_t asked; /* ... as of the placement with this number */
};

struct movement {
    struct interval *interval; /* in the order of placement */
    size_t n;
    int64_t peak;
    size_t *conflict; /* of the interval that is being placed */
    size_t conflicts;
    size_t *stack;
    size_t depth, stack_capacity;
};

static int64_t end_of(const struct interval *interval)
{
    return interval->address + interval->size;
}

static void push(struct movement *movement, size_t i)
{
    movement->stack = memory_grow(movement->stack, &movement->stack_capacity, movement->depth + 1,
                                  sizeof *movement->stack);
    movement->stack[movement->depth++] = i;
}

/* Lifetimes are any 64-bit numbers: lengths need the unsigned range.  */
static int compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    uint64_t length_x = (uint64_t)x->end - (uint64_t)x->begin;
    uint64_t length_y = (uint64_t)y->end - (uint64_t)y->begin;

    if (length_x != length_y)
        return length_x > length_y ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

static void make_intervals(struct movement *movement, const struct chunks *chunks)
{
    size_t *of = memory_alloc(chunks->n, sizeof *of);

    movement->interval = memory_zalloc(chunks->n, sizeof *movement->interval);
    for (size_t c = 0; c < chunks->n; c++) {
        const struct chunk *chunk = &chunks->chunk[c];

        if (chunk->root == c) {
            of[c] = movement->n;
            movement->interval[movement->n++] =
                (struct interval){.chunk = c,
                                  .begin = chunk->begin,
                                  .end = chunk->end,
                                  .size = align_up(chunk->size, chunks->alignment)};
        } else {
            struct interval *root = &movement->interval[of[chunk->root]];

            root->end = max64(root->end, chunk->end);
        }
    }
    free(of);
    qsort(movement->interval, movement->n, sizeof *movement->interval, compare);
}

/* How far interval I can go up: to the peak, or as far as those above it can.
 * Each is worked out once a placement, those above it first.  */
static int64_t room_of(struct movement *movement, size_t i, size_t placement)
{
    push(movement, i);
    while (movement->depth > 0) {
        size_t top = movement->stack[movement->depth - 1], before = movement->depth;
        struct interval *interval = &movement->interval[top];

        for (size_t k = 0; k < interval->aboves; k++)
            if (movement->interval[interval->above[k]].asked != placement)
                push(movement, interval->above[k]);
        if (movement->depth > before)
            continue;
        movement->depth--;
        interval->asked = placement;
        interval->room = movement->peak - end_of(interval);
        for (size_t k = 0; k < interval->aboves; k++) {
            const struct interval *above = &movement->interval[interval->above[k]];

            interval->room = min64(interval->room, above->room + above->address - end_of(interval));
        }
    }
    return movement->interval[i].room;
}

/* The best gap so far.  */
struct choice {
    int64_t address;
    int64_t raise, lack, spare; /* of the peak; of the gap; INT64_MAX: none yet */
};

static void consider(struct movement *movement, struct choice *choice, int64_t low, int64_t high,
                     int64_t size, size_t placement)
{
    int64_t lack = size - (high - low), raise;

    if (lack <= 0) {
        if (-lack < choice->spare)
            *choice = (struct choice){low, 0, 0, -lack};
        return;
    }
    raise = max64(low + size, movement->peak) - movement->peak;
    for (size_t k = 0; k < movement->conflicts; k++) {
        size_t i = movement->conflict[k];
        const struct interval *interval = &movement->interval[i];

        if (end_of(interval) > low)
            raise =
                max64(raise, lack - (interval->address - high + room_of(movement, i, placement)));
    }
    if (raise < choice->raise || (raise == choice->raise && lack < choice->lack)) {
        choice->raise = raise;
        choice->lack = lack;
        choice->address = low;
    }
}

struct range {
    int64_t low, high;
};

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;

    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

static int64_t find_address(struct movement *movement, size_t placement)
{
    struct range *range = memory_alloc(movement->conflicts, sizeof *range);
    struct choice choice = {0, INT64_MAX, INT64_MAX, INT64_MAX};
    int64_t size = movement->interval[placement].size, top = 0;

    for (size_t k = 0; k < movement->conflicts; k++) {
        const struct interval *interval = &movement->interval[movement->conflict[k]];

        range[k] = (struct range){interval->address, end_of(interval)};
    }
    qsort(range, movement->conflicts, sizeof *range, compare_ranges);
    /* The first range begins a gap wherever it lies; later ones where they do
     * not overlap what is below.  */
    for (size_t k = 0; k < movement->conflicts; k++) {
        if (k == 0 || range[k].low >= top)
            consider(movement, &choice, top, range[k].low, size, placement);
        top = max64(top, range[k].high);
    }
    consider(movement, &choice, top, movement->peak, size, placement);
    free(range);
    return choice.address;
}

/* Moves interval I, and what is above it, up to BOTTOM at least.  */
static void raise_to(struct movement *movement, size_t i, int64_t bottom)
{
    if (movement->interval[i].address >= bottom)
        return;
    movement->interval[i].address = bottom;
    push(movement, i);
    while (movement->depth > 0) {
        const struct interval *interval = &movement->interval[movement->stack[--movement->depth]];

        movement->peak = max64(movement->peak, end_of(interval));
        for (size_t k = 0; k < interval->aboves; k++) {
            struct interval *above = &movement->interval[interval->above[k]];

            if (above->address < end_of(interval)) {
                above->address = end_of(interval);
                push(movement, interval->above[k]);
            }
        }
    }
}

static void put_above(struct movement *movement, size_t low, size_t high)
{
    struct interval *interval = &movement->interval[low];

    interval->above = memory_grow(interval->above, &interval->capacity, interval->aboves + 1,
                                  sizeof *interval->above);
    interval->above[interval->aboves++] = high;
}

static void place(struct movement *movement, size_t placement)
{
    struct interval *own = &movement->interval[placement];

    movement->conflicts = 0;
    for (size_t i = 0; i < placement; i++)
        if (movement->interval[i].begin < own->end && own->begin < movement->interval[i].end)
            movement->conflict[movement->conflicts++] = i;
    own->address = movement->conflicts == 0 ? 0 : find_address(movement, placement);
    movement->peak = max64(movement->peak, end_of(own));
    for (size_t k = 0; k < movement->conflicts; k++) {
        size_t i = movement->conflict[k];

        if (end_of(&movement->interval[i]) > own->address)
            raise_to(movement, i, end_of(own));
    }
    for (size_t k = 0; k < movement->conflicts; k++) {
        size_t i = movement->conflict[k];

        if (movement->interval[i].address < own->address)
            put_above(movement, i, placement);
        else
            put_above(movement, placement, i);
    }
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct movement movement = {0};
    struct chunks chunks;

    (void)env;
    chunks_init(&chunks, instance);
    make_intervals(&movement, &chunks);
    movement.conflict = memory_alloc(movement.n, sizeof *movement.conflict);
    for (size_t i = 0; i < movement.n; i++)
        place(&movement, i);
    for (size_t i = 0; i < movement.n; i++) {
        chunks.chunk[movement.interval[i].chunk].address = movement.interval[i].address;
        free(movement.interval[i].above);
    }
    chunks_to_plan(&chunks, instance, plan);
    chunks_clear(&chunks);
    free(movement.interval);
    free(movement.conflict);
    free(movement.stack);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_megengine_interval_move = {
    .name = "megengine-interval-move",
    .title = "MegEngine, interval move",
    .source = "MegEngine, static_mem_alloc/interval_move.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = MEGENGINE_ALIGNMENT},
    .applicable = alignment_applicable,
    .solve = solve,
};
