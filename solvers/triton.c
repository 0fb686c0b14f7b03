/* SPDX-License-Identifier: GPL-3.0-or-later */
/* triton: a guess on a skyline of slots, then colours push apart what overlaps.
 *
 * The guess.  A slot is an offset and a span of time; at first there is one, at 0, for all of it.
 * The lowest slot, the oldest of equal ones, is taken out; the largest buffer (of equal ones the
 * first in the input) that lives in a part of its span and in no part of another slot's goes to its
 * offset, or the slot is dropped.  On top of the buffer is a new slot for the time that both
 * share; where the slot begins before the buffer or ends behind it, slots at the old offset follow,
 * which overlap the buffer in time, so the next one there may lie across it:
 *
 *   offset 3 |   b b b     a, b have 3, 2 bytes.  a opens slots [0, 2) at 3 and [0, 4) at 0, which
 *            | a a         is taken out first and dropped, as all that is left meets the other.
 *          0 +---------
 *
 * The repair, until nothing overlaps: buffers that overlap in time and in addresses are
 * neighbours.  By size again, each takes the least colour that no neighbour before it has; then,
 * in the same order, each whose colour is not 0 goes on top of its highest neighbour, where that
 * lies by now.
 *
 * Source: Triton, lib/Analysis/Allocation.cpp: calculateStarts, buildInterferenceGraph, allocate,
 * which lay out shared memory.  Published as O(n^3) for the guess and O(n^2) for a round of the
 * repair, the number of rounds having no small bound.  Here O(log n) for each slot and stretch
 * of its span that no other slot covers (solvers/fit/coverage.h, solvers/fit/waiting.h), and a
 * round looks at those that meet what moved in the one before; with the same plan.
 * Guarantee: none; offsets only grow, so the repair ends.
 * Differences: partitions and regions that run beside others (asynchronous ones) are left out.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/coverage.h"
#include "solvers/fit/interval_index.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/waiting.h"
#include "solvers/solver.h"

/* Pairs of buffers that meet in time, times the width, at most: about two seconds.  */
#define MOST_WORK INT64_C(400000000)

/* --- the guess --- */

struct slot {
    int64_t offset;
    size_t number; /* in the order in which they were made */
    size_t begin, end;
};

/* A binary heap, the lowest slot on top.  */
struct slots {
    struct slot *slot;
    size_t count, capacity, made;
    struct coverage coverage; /* by their spans */
};

static bool is_below(const struct slot *a, const struct slot *b)
{
    return a->offset != b->offset ? a->offset < b->offset : a->number < b->number;
}

static void slots_add(struct slots *slots, int64_t offset, size_t begin, size_t end)
{
    struct slot slot = {offset, slots->made++, begin, end};
    size_t i = slots->count++;

    slots->slot = memory_grow(slots->slot, &slots->capacity, slots->count, sizeof *slots->slot);
    for (; i > 0 && is_below(&slot, &slots->slot[(i - 1) / 2]); i = (i - 1) / 2)
        slots->slot[i] = slots->slot[(i - 1) / 2];
    slots->slot[i] = slot;
    coverage_add(&slots->coverage, begin, end, 1);
}

static struct slot slots_take(struct slots *slots)
{
    struct slot lowest = slots->slot[0], last = slots->slot[--slots->count];
    size_t i = 0, child;

    while ((child = 2 * i + 1) < slots->count) {
        if (child + 1 < slots->count && is_below(&slots->slot[child + 1], &slots->slot[child]))
            child++;
        if (!is_below(&slots->slot[child], &last))
            break;
        slots->slot[i] = slots->slot[child];
        i = child;
    }
    slots->slot[i] = last;
    coverage_add(&slots->coverage, lowest.begin, lowest.end, -1);
    return lowest;
}

/* The least rank of those that live in a part of SLOT, which was taken out, and in none of another
 * one; SIZE_MAX: none.  A buffer that waits always meets some slot, so one that no other
 * slot covers meets this one.  */
static size_t first_for(const struct slots *slots, const struct waiting *waiting,
                        const struct slot *slot)
{
    const struct coverage *coverage = &slots->coverage;
    size_t best = SIZE_MAX, from = coverage_next(coverage, slot->begin, false);

    while (from < slot->end) {
        size_t begin = coverage_behind(coverage, from), end = coverage_next(coverage, from, true);
        size_t rank = waiting_within(waiting, begin, end);

        best = rank < best ? rank : best;
        from = coverage_next(coverage, end, false);
    }
    return best;
}

static void split(struct slots *slots, const struct slot *slot, size_t begin, size_t end,
                  int64_t top)
{
    slots_add(slots, top, slot->begin > begin ? slot->begin : begin,
              slot->end < end ? slot->end : end);
    if (slot->begin < begin)
        slots_add(slots, slot->offset, slot->begin, end);
    if (end < slot->end)
        slots_add(slots, slot->offset, begin, slot->end);
}

static void guess(const struct instance *instance, const struct order_key *key, struct plan *plan)
{
    struct slots slots = {0};
    struct waiting waiting;
    struct cells cells;

    cells_init(&cells, instance);
    waiting_init(&waiting, &cells, key, instance->n);
    coverage_init(&slots.coverage, cells.count);
    slots_add(&slots, 0, 0, cells.count);
    for (size_t left = instance->n; left > 0;) {
        struct slot slot = slots_take(&slots);
        size_t rank = first_for(&slots, &waiting, &slot), b;

        if (rank == SIZE_MAX)
            continue;
        b = key[rank].index;
        plan->offset[b] = align_up(slot.offset, instance->buffer[b].alignment);
        split(&slots, &slot, cells.begin[b], cells.end[b],
              plan->offset[b] + instance->buffer[b].size);
        waiting_remove(&waiting, b);
        left--;
    }
    coverage_clear(&slots.coverage);
    free(slots.slot);
    waiting_clear(&waiting);
    cells_clear(&cells);
}

/* --- the repair --- */

struct edge {
    size_t a, b;
};

struct repair {
    const struct instance *instance;
    const struct order_key *key;
    struct plan *plan;
    struct interval_index all;
    size_t *moved;  /* the buffers that moved in the last round, at first all */
    size_t n_moved; /* how many */
    bool *has_moved;
    size_t *met; /* scratch */

    struct edge *edge;
    size_t edges, capacity;
    size_t *start;     /* the neighbours of buffer b: neighbour[start[b]..start[b + 1]) */
    size_t *neighbour; /* 2 edges */
    size_t *colour;    /* SIZE_MAX: none yet */
    size_t *used;      /* colour: the last buffer, plus 1, that could not have it */
};

static void repair_init(struct repair *repair, const struct instance *instance,
                        const struct order_key *key, struct plan *plan)
{
    size_t n = instance->n;

    *repair = (struct repair){.instance = instance, .key = key, .plan = plan, .n_moved = n};
    interval_index_init(&repair->all, instance);
    repair->moved = memory_alloc(n, sizeof *repair->moved);
    repair->has_moved = memory_alloc(n, sizeof *repair->has_moved);
    repair->met = memory_alloc(n, sizeof *repair->met);
    repair->start = memory_alloc(n + 2, sizeof *repair->start);
    repair->colour = memory_alloc(n, sizeof *repair->colour);
    repair->used = memory_alloc(n, sizeof *repair->used);
    for (size_t r = 0; r < n; r++) {
        interval_index_add(&repair->all, r);
        repair->moved[r] = r;
        repair->has_moved[r] = true;
    }
}

static void repair_clear(struct repair *repair)
{
    interval_index_clear(&repair->all);
    free(repair->moved);
    free(repair->has_moved);
    free(repair->met);
    free(repair->edge);
    free(repair->start);
    free(repair->neighbour);
    free(repair->colour);
    free(repair->used);
}

static int64_t top_of(const struct repair *repair, size_t b)
{
    return repair->plan->offset[b] + repair->instance->buffer[b].size;
}

static bool overlap(const struct repair *repair, size_t a, size_t b)
{
    return repair->plan->offset[a] < top_of(repair, b) &&
           repair->plan->offset[b] < top_of(repair, a);
}

/* The pairs that overlap.  Of two that have not moved neither had a neighbour of its own colour,
 * which is 0, so one of each pair has moved.  */
static void find_edges(struct repair *repair)
{
    repair->edges = 0;
    for (size_t i = 0; i < repair->n_moved; i++) {
        size_t a = repair->moved[i];
        const struct buffer *buffer = &repair->instance->buffer[a];
        size_t met = interval_index_find(&repair->all, buffer->first, buffer->last, repair->met);

        for (size_t j = 0; j < met; j++) {
            size_t b = repair->met[j];

            if (a == b || (repair->has_moved[b] && b < a) || !overlap(repair, a, b))
                continue;
            repair->edge = memory_grow(repair->edge, &repair->capacity, repair->edges + 1,
                                       sizeof *repair->edge);
            repair->edge[repair->edges++] = (struct edge){a, b};
        }
    }
}

static void list_neighbours(struct repair *repair)
{
    size_t n = repair->instance->n, *start = repair->start;

    for (size_t b = 0; b < n + 2; b++)
        start[b] = 0;
    for (size_t e = 0; e < repair->edges; e++) {
        start[repair->edge[e].a + 2]++;
        start[repair->edge[e].b + 2]++;
    }
    for (size_t b = 2; b < n + 2; b++)
        start[b] += start[b - 1];
    repair->neighbour =
        memory_resize(repair->neighbour, 2 * repair->edges, sizeof *repair->neighbour);
    for (size_t e = 0; e < repair->edges; e++) {
        repair->neighbour[start[repair->edge[e].a + 1]++] = repair->edge[e].b;
        repair->neighbour[start[repair->edge[e].b + 1]++] = repair->edge[e].a;
    }
}

static void colour_all(struct repair *repair)
{
    size_t n = repair->instance->n;

    for (size_t b = 0; b < n; b++) {
        repair->colour[b] = SIZE_MAX;
        repair->used[b] = 0;
    }
    for (size_t r = 0; r < n; r++) {
        size_t b = repair->key[r].index, least = 0;

        for (size_t i = repair->start[b]; i < repair->start[b + 1]; i++) {
            size_t colour = repair->colour[repair->neighbour[i]];

            if (colour < SIZE_MAX)
                repair->used[colour] = b + 1;
        }
        while (repair->used[least] == b + 1)
            least++;
        repair->colour[b] = least;
    }
}

static void push(struct repair *repair)
{
    repair->n_moved = 0;
    for (size_t r = 0; r < repair->instance->n; r++) {
        size_t b = repair->key[r].index;
        int64_t top = 0;

        repair->has_moved[b] = repair->colour[b] != 0;
        if (!repair->has_moved[b])
            continue;
        for (size_t i = repair->start[b]; i < repair->start[b + 1]; i++)
            top = max64(top, top_of(repair, repair->neighbour[i]));
        repair->plan->offset[b] = align_up(top, repair->instance->buffer[b].alignment);
        repair->moved[repair->n_moved++] = b;
    }
}

static void repair_all(struct repair *repair)
{
    for (find_edges(repair); repair->edges > 0; find_edges(repair)) {
        list_neighbours(repair);
        colour_all(repair);
        push(repair);
    }
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_SIZE, BY_NOTHING);
    struct repair repair;

    if (instance->n > 0)
        guess(instance, key, plan);
    repair_init(&repair, instance, key, plan);
    repair_all(&repair);
    repair_clear(&repair);
    plan->peak = plan_peak(instance, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    int64_t pairs = instance_overlapping_pairs(instance);

    (void)params;
    if (capped_mul(pairs, instance->width) > MOST_WORK)
        return error_set(reason,
                         "%" PRId64 " pairs of buffers meet, up to %" PRId64
                         " at a step: its rounds would take minutes",
                         pairs, instance->width);
    return true;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_triton = {
    .name = "triton",
    .title = "Triton, shared memory",
    .source = "Triton, lib/Analysis/Allocation.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
