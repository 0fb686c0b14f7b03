/* SPDX-License-Identifier: GPL-3.0-or-later */
/* executorch: ExecuTorch's greedy planner, slots with slots in them.
 *
 * Sizes descending; of equal ones the last goes first.  A buffer goes to the start of
 * the first object (in the order of opening) none of whose tenants meets it in time;
 * else into the first object where it still fits on top of all tenants that it meets;
 * else it opens an object of exactly its size.  Objects never grow; they are stacked
 * in the order of opening.
 *
 *     a  10 bytes  [0, 2)  opens object 0
 *     b   6 bytes  [0, 1)  opens object 1: 10 + 6 is more than 10
 *     c   5 bytes  [1, 3)  to the start of object 1: b has ended, a has not
 *     d   4 bytes  [2, 3)  to the start of object 0: a has ended
 *     e   3 bytes  [2, 3)  meets c and d: into object 0 on top of d, at 4
 *
 * Source: ExecuTorch, exir/memory_planning.py, greedy; its pass rounds sizes up to 16
 * bytes.  Published as O(n^2); here O(n log n + pairs of buffers that meet), the
 * objects of those that meet the new one being all that has to be looked at.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last node).  Upstream sorts
 * a set, whose order hangs on hashes, and turns the sorted list around; here the
 * input's order stands for the set's, so of equal sizes the last buffer goes first.
 * Alignments move starts inside objects up, and an object starts at a multiple of its
 * tenants' alignments; upstream rounds the sizes themselves, so objects and what fits into
 * them are larger there: align=native does that.  Buffers that are written in place are the
 * instance's business; banks, and the suite that takes the best of several algorithms, are left
 * out.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/interval_index.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

struct slot {
    int64_t size, alignment, start;
    int64_t top;  /* of the tenants that meet the buffer at hand, */
    size_t round; /* when this is its number */
};

struct slots {
    const struct instance *instance;
    struct interval_index placed;
    struct slot *slot;
    size_t count;
    size_t *slot_of; /* of each buffer */
    size_t *met;     /* scratch */
};

/* The first slot that no buffer of MET is in.  */
static size_t first_free(const struct slots *slots, size_t round)
{
    size_t s = 0;

    while (s < slots->count && slots->slot[s].round == round)
        s++;
    return s;
}

static size_t first_with_room(const struct slots *slots, const struct buffer *buffer)
{
    size_t s = 0;

    while (s < slots->count &&
           align_up(slots->slot[s].top, buffer->alignment) + buffer->size > slots->slot[s].size)
        s++;
    return s;
}

/* Puts buffer B into a slot; OFFSET is from the slot's start.  ROUND is above 0 and
 * another one for each call.  */
static void place(struct slots *slots, size_t b, size_t round, int64_t *offset)
{
    const struct instance *instance = slots->instance;
    const struct buffer *buffer = &instance->buffer[b];
    size_t met = interval_index_find(&slots->placed, buffer->first, buffer->last, slots->met), s;

    for (size_t i = 0; i < met; i++) {
        struct slot *slot = &slots->slot[slots->slot_of[slots->met[i]]];
        int64_t top = offset[slots->met[i]] + instance->buffer[slots->met[i]].size;

        slot->top = slot->round == round ? max64(slot->top, top) : top;
        slot->round = round;
    }
    offset[b] = 0;
    s = first_free(slots, round);
    if (s == slots->count) { /* all tops are of this round */
        s = first_with_room(slots, buffer);
        if (s < slots->count)
            offset[b] = align_up(slots->slot[s].top, buffer->alignment);
        else
            slots->slot[slots->count++] = (struct slot){.size = buffer->size, .alignment = 1};
    }
    slots->slot[s].alignment = max64(slots->slot[s].alignment, buffer->alignment);
    slots->slot_of[b] = s;
    interval_index_add(&slots->placed, b);
}

static void stack(struct slots *slots, struct plan *plan)
{
    int64_t top = 0;

    for (size_t s = 0; s < slots->count; s++) {
        slots->slot[s].start = align_up(top, slots->slot[s].alignment);
        top = slots->slot[s].start + slots->slot[s].size;
    }
    for (size_t b = 0; b < plan->n; b++)
        plan->offset[b] += slots->slot[slots->slot_of[b]].start;
    plan->peak = plan_peak(slots->instance, plan);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_LAST, BY_SIZE, BY_NOTHING);
    struct slots slots = {.instance = instance};

    interval_index_init(&slots.placed, instance);
    slots.slot = memory_alloc(instance->n, sizeof *slots.slot);
    slots.slot_of = memory_alloc(instance->n, sizeof *slots.slot_of);
    slots.met = memory_alloc(instance->n, sizeof *slots.met);
    for (size_t i = 0; i < instance->n; i++)
        place(&slots, key[i].index, i + 1, plan->offset);
    stack(&slots, plan);
    interval_index_clear(&slots.placed);
    free(slots.slot);
    free(slots.slot_of);
    free(slots.met);
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_executorch = {
    .name = "executorch",
    .title = "ExecuTorch, greedy",
    .source = "ExecuTorch, memory_planning.py",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.size = 16},
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
