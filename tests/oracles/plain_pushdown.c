/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_pushdown.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

#define NOBODY SIZE_MAX

struct interval {
    int64_t begin, end, size;
    int64_t offset;  /* from the first of its chain */
    size_t first;    /* of its chain */
    size_t over, by; /* what it overwrites, what overwrites it; or NOBODY */
    size_t buffer, number;
};

struct block {
    size_t tenant; /* NOBODY: free, and only then the rest counts */
    int64_t size, ended;
    size_t age;
};

struct state {
    size_t n;
    struct interval *interval;
    size_t *order; /* the intervals by number */
    struct block *block;
    size_t blocks, births;
    bool *below; /* [low * n + high] */
    int64_t alignment;
    int64_t *address; /* of each chain's first interval; -1: not known yet */
};

/* --- the list --- */

static void insert(struct state *state, size_t at, struct block block)
{
    memmove(&state->block[at + 1], &state->block[at], (state->blocks - at) * sizeof *state->block);
    state->block[at] = block;
    state->blocks++;
}

static void erase(struct state *state, size_t at)
{
    state->blocks--;
    memmove(&state->block[at], &state->block[at + 1], (state->blocks - at) * sizeof *state->block);
}

static bool is_free(const struct state *state, size_t at)
{
    return at < state->blocks && state->block[at].tenant == NOBODY;
}

/* SIZE free bytes at place AT of the list.  Free neighbours become a part of them, of 0
 * bytes too, so that they are as old as this call.  */
static void insert_free(struct state *state, size_t at, int64_t size, int64_t ended)
{
    if (is_free(state, at)) {
        size += state->block[at].size;
        erase(state, at);
    }
    if (at > 0 && is_free(state, at - 1)) {
        size += state->block[--at].size;
        erase(state, at);
    }
    if (size > 0)
        insert(state, at, (struct block){NOBODY, size, ended, state->births++});
}

static size_t place_of(const struct state *state, size_t tenant)
{
    size_t at = 0;

    while (state->block[at].tenant != tenant)
        at++;
    return at;
}

/* Interval I is the tenant of the block at AT now: who lives next to it?  */
static void note_neighbours(struct state *state, size_t at, size_t i)
{
    size_t low = at, high = at + 1;

    state->block[at].tenant = i;
    while (low > 0 && state->block[low - 1].tenant == NOBODY)
        low--;
    while (high < state->blocks && state->block[high].tenant == NOBODY)
        high++;
    if (low > 0)
        state->below[state->block[low - 1].tenant * state->n + i] = true;
    if (high < state->blocks)
        state->below[i * state->n + state->block[high].tenant] = true;
}

/* By size, of equal ones what ended last, of equal ones the oldest.  */
static bool sooner(const struct block *a, const struct block *b)
{
    if (a->size != b->size)
        return a->size < b->size;
    return a->ended != b->ended ? a->ended > b->ended : a->age < b->age;
}

/* The first free block of SIZE or more, or the last of all; NOBODY: none is free.  */
static size_t best_block(const struct state *state, int64_t size)
{
    size_t best = NOBODY, last = NOBODY;

    for (size_t at = 0; at < state->blocks; at++) {
        const struct block *block = &state->block[at];

        if (block->tenant != NOBODY)
            continue;
        if (block->size >= size && (best == NOBODY || sooner(block, &state->block[best])))
            best = at;
        if (last == NOBODY || sooner(&state->block[last], block))
            last = at;
    }
    return best != NOBODY ? best : last;
}

/* --- time --- */

static void allocate(struct state *state, size_t i)
{
    const struct interval *interval = &state->interval[i];
    size_t at = best_block(state, interval->size);
    int64_t rest = 0;

    if (at == NOBODY) {
        at = state->blocks;
        insert(state, at, (struct block){i, 0, 0, 0});
    } else {
        rest = max64(0, state->block[at].size - interval->size);
    }
    state->block[at].tenant = i;
    insert_free(state, at + 1, rest, interval->end);
    note_neighbours(state, at, i);
}

static void overwrite(struct state *state, size_t i)
{
    const struct interval *interval = &state->interval[i];
    const struct interval *old = &state->interval[interval->over];
    int64_t offset = interval->offset - old->offset;

    insert_free(state, place_of(state, interval->over), offset, old->end);
    insert_free(state, place_of(state, interval->over) + 1, old->size - offset - interval->size,
                old->end);
    note_neighbours(state, place_of(state, interval->over), i);
}

static void run_step(struct state *state, int64_t step)
{
    for (size_t k = 0; k < state->n; k++) {
        const struct interval *interval = &state->interval[state->order[k]];

        if (interval->end == step && interval->by == NOBODY) {
            size_t at = place_of(state, state->order[k]);

            erase(state, at);
            insert_free(state, at, interval->size, interval->end);
        }
    }
    for (size_t k = 0; k < state->n; k++)
        if (state->interval[state->order[k]].begin == step &&
            state->interval[state->order[k]].over == NOBODY)
            allocate(state, state->order[k]);
    for (size_t k = 0; k < state->n; k++)
        if (state->interval[state->order[k]].begin == step &&
            state->interval[state->order[k]].over != NOBODY)
            overwrite(state, state->order[k]);
}

/* --- addresses --- */

/* Of the chain that begins with FIRST.  */
static int64_t address_of(struct state *state, size_t first)
{
    int64_t address = 0;

    if (state->address[first] >= 0)
        return state->address[first];
    for (size_t i = first; i != NOBODY; i = state->interval[i].by)
        for (size_t low = 0; low < state->n; low++) {
            const struct interval *under = &state->interval[low];

            if (state->below[low * state->n + i])
                address = max64(address, address_of(state, under->first) + under->offset +
                                             under->size - state->interval[i].offset);
        }
    state->address[first] = align_up(address, state->alignment);
    return state->address[first];
}

/* --- the whole --- */

static void add_intervals(struct state *state, const struct instance *instance)
{
    for (size_t b = 0; b < instance->n; b++) {
        size_t first = instance->buffer[b].first_piece;

        for (size_t p = first; p < first + instance->buffer[b].pieces; p++) {
            const struct piece *piece = &instance->piece[p];
            size_t number = instance->number != NULL ? instance->number[p] : p;

            state->interval[p] =
                (struct interval){piece->begin,
                                  piece->end,
                                  piece->hi - piece->lo,
                                  piece->lo,
                                  first,
                                  p > first ? p - 1 : NOBODY,
                                  p + 1 < first + instance->buffer[b].pieces ? p + 1 : NOBODY,
                                  b,
                                  number};
            state->order[number] = p;
        }
    }
}

void plain_pushdown(const struct instance *instance, struct plan *plan)
{
    size_t n = instance->pieces;
    struct state state = {.n = n, .alignment = instance->max_alignment};
    int64_t step = INT64_MAX, last = INT64_MIN;

    state.interval = memory_alloc(n, sizeof *state.interval);
    state.order = memory_alloc(n, sizeof *state.order);
    state.block = memory_alloc(2 * n + 3, sizeof *state.block);
    state.below = memory_zalloc(n * n, sizeof *state.below);
    state.address = memory_alloc(n, sizeof *state.address);
    add_intervals(&state, instance);
    for (size_t i = 0; i < n; i++) {
        state.address[i] = -1;
        step = min64(step, state.interval[i].begin);
        last = max64(last, state.interval[i].end);
    }
    for (; step <= last; step++)
        run_step(&state, step);
    for (size_t i = 0; i < n; i++)
        if (state.interval[i].first == i)
            plan->offset[state.interval[i].buffer] = address_of(&state, i);
    plan->peak = plan_peak(instance, plan);
    free(state.interval);
    free(state.order);
    free(state.block);
    free(state.below);
    free(state.address);
}
