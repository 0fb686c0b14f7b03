/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_state.h"

#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/weights.h"

#define START_WEIGHT 1.0
/* Where sizes have no common unit, two sections may raise each other's members a unit at a time,
 * thousands of times.  Hardly any other fixpoint takes as many looks.  */
#define MOST_LOOKS 16

void section_state_init(struct section_state *state, const struct section_classes *problem)
{
    size_t incidences = problem->start[problem->sections], at = 0;

    *state = (struct section_state){
        .problem = problem,
        .section = memory_zalloc(problem->sections, sizeof *state->section),
        .member = memory_alloc(incidences, sizeof *state->member),
        .incidence = memory_alloc(incidences, sizeof *state->incidence),
        .slot = memory_alloc(problem->n, sizeof *state->slot),
        .start = memory_alloc(problem->n, sizeof *state->start),
        .placed = memory_alloc(problem->n, sizeof *state->placed),
        .increment = START_WEIGHT,
        .most_looks = MOST_LOOKS,
        .sorted_end = memory_alloc(problem->n, sizeof *state->sorted_end),
        .dirty = memory_alloc(problem->sections, sizeof *state->dirty),
        .last_change = memory_alloc(problem->n, sizeof *state->last_change),
    };
    for (size_t s = 0; s < problem->sections; s++)
        state->section[s].weight = START_WEIGHT;
    for (size_t b = 0; b < problem->n; b++) {
        state->slot[b] = at;
        at += problem->last[b] - problem->first[b] + 1;
    }
}

void section_state_clear(struct section_state *state)
{
    memory_free(state->section);
    memory_free(state->member);
    memory_free(state->incidence);
    memory_free(state->slot);
    memory_free(state->start);
    memory_free(state->sorted_end);
    memory_free(state->last_change);
    memory_free(state->placed);
    memory_free(state->dirty);
    memory_free(state->change);
    *state = (struct section_state){0};
}

/* --- changes --- */

enum { CHANGE_START, CHANGE_TOP, CHANGE_PLACED };

static struct section_change *record(struct section_state *state, uint8_t kind, size_t index,
                                     int64_t value)
{
    struct section_change *change;

    if (state->changes == state->change_capacity)
        state->change = memory_grow(state->change, &state->change_capacity, state->changes + 1,
                                    sizeof *state->change);
    change = &state->change[state->changes++];
    change->kind = kind;
    change->index = (uint32_t)index;
    change->value = value;
    return change;
}

void section_state_touch(struct section_state *state, size_t s)
{
    if (state->section[s].dirty)
        return;
    state->section[s].dirty = true;
    state->dirty[state->n_dirty++] = s;
}

static void touch_all(struct section_state *state, size_t b)
{
    for (size_t s = state->problem->first[b]; s <= state->problem->last[b]; s++)
        section_state_touch(state, s);
}

/* Where the member list of section S keeps buffer B.  */
static size_t *place_in(struct section_state *state, size_t b, size_t s)
{
    return &state->incidence[state->slot[b] + (s - state->problem->first[b])];
}

/* Swaps two members of section S, at places I and K of its list.  */
static void swap_members(struct section_state *state, size_t s, size_t i, size_t k)
{
    uint32_t *list = state->member + state->problem->start[s], other = list[i];

    list[i] = list[k];
    list[k] = other;
    *place_in(state, list[i], s) = i;
    *place_in(state, list[k], s) = k;
}

void section_state_undo(struct section_state *state, size_t mark)
{
    const struct section_classes *problem = state->problem;

    while (state->changes > mark) {
        const struct section_change change = state->change[--state->changes];

        switch (change.kind) {
        case CHANGE_START:
            state->start[change.index] = change.value;
            state->last_change[change.index] = change.previous;
            touch_all(state, change.index);
            break;
        case CHANGE_TOP:
            state->section[change.index].top = change.value;
            break;
        case CHANGE_PLACED:
            /* It is where the list of unplaced members ends, still.  */
            state->placed[change.index] = false;
            state->n_placed--;
            for (size_t s = problem->first[change.index]; s <= problem->last[change.index]; s++) {
                state->section[s].count++;
                state->section[s].total += problem->size[change.index];
                state->section[s].crossing += s < problem->last[change.index];
            }
            touch_all(state, change.index);
            break;
        }
    }
    CHECK_INVARIANT(section_state_check(state));
}

void section_state_raise(struct section_state *state, size_t b, int64_t start,
                         enum section_rule rule, size_t s, size_t other)
{
    struct section_change *change = record(state, CHANGE_START, b, state->start[b]);

    change->rule = (uint8_t)rule;
    change->section = (uint32_t)s;
    change->count = (uint32_t)state->section[s].count;
    change->other = (uint32_t)other;
    change->previous = state->last_change[b];
    state->last_change[b] = (uint32_t)(state->changes - 1);
    state->start[b] = section_classes_next(state->problem, b, start);
    touch_all(state, b);
}

void section_state_grow(struct section_state *state, double factor)
{
    if (!weights_grow(&state->increment, factor))
        return;
    state->increment = weights_lower(state->increment);
    for (size_t s = 0; s < state->problem->sections; s++)
        state->section[s].weight = weights_lower(state->section[s].weight);
}

/* --- moves --- */

void section_state_reset(struct section_state *state, int64_t capacity)
{
    const struct section_classes *problem = state->problem;

    state->capacity = capacity;
    state->changes = 0;
    state->n_placed = 0;
    memset(state->placed, 0, problem->n * sizeof *state->placed);
    for (size_t b = 0; b < problem->n; b++) {
        state->start[b] = section_classes_next(problem, b, max64(0, problem->fixed[b]));
        state->last_change[b] = NO_CHANGE;
    }
    memcpy(state->member, problem->member,
           problem->start[problem->sections] * sizeof *state->member);
    for (size_t s = 0; s < problem->sections; s++) {
        struct section *section = &state->section[s];

        section->top = 0;
        section->crossing = 0;
        section->total = problem->total[s];
        section->count = problem->start[s + 1] - problem->start[s];
        for (size_t i = 0; i < section->count; i++) {
            size_t b = state->member[problem->start[s] + i];

            *place_in(state, b, s) = i;
            section->crossing += s < problem->last[b];
        }
        section_state_touch(state, s);
    }
}

void section_state_place(struct section_state *state, size_t c)
{
    const struct section_classes *problem = state->problem;
    int64_t end = section_state_end(state, c);

    CHECK_INVARIANT(CHECK(!state->placed[c], "section state", "what is placed was not"));
    for (size_t s = problem->first[c]; s <= problem->last[c]; s++) {
        struct section *section = &state->section[s];
        const uint32_t *list = state->member + problem->start[s];

        record(state, CHANGE_TOP, s, section->top);
        section->top = end;
        section->total -= problem->size[c];
        section->crossing -= s < problem->last[c];
        swap_members(state, s, *place_in(state, c, s), --section->count);
        for (size_t i = 0; i < section->count; i++)
            if (state->start[list[i]] < end)
                section_state_raise(state, list[i], end, RULE_FLOOR, s, 0);
        section_state_touch(state, s);
    }
    record(state, CHANGE_PLACED, c, 0);
    state->placed[c] = true;
    state->n_placed++;
}

void section_state_postpone(struct section_state *state, size_t b, int64_t start, size_t reason)
{
    section_state_raise(state, b, start, RULE_POSTPONED, state->problem->first[b], reason);
}

int64_t section_state_start_at(const struct section_state *state, size_t b, size_t changes)
{
    int64_t start = state->start[b];

    for (size_t at = state->last_change[b]; at != NO_CHANGE && at >= changes;
         at = state->change[at].previous)
        start = state->change[at].value;
    return start;
}

int64_t section_state_floor(const struct section_state *state, size_t b)
{
    int64_t top = max64(0, state->problem->fixed[b]);

    if (state->placed[b])
        return state->start[b];
    for (size_t s = state->problem->first[b]; s <= state->problem->last[b]; s++)
        top = max64(top, state->section[s].top);
    return section_classes_next(state->problem, b, top);
}

void section_state_neighbours(const struct section_state *state, size_t c, int64_t *least_start,
                              int64_t *least_end)
{
    const struct section_classes *problem = state->problem;

    *least_start = *least_end = INT64_MAX;
    for (size_t s = problem->first[c]; s <= problem->last[c]; s++) {
        const uint32_t *list = state->member + problem->start[s];

        for (size_t i = 0; i < state->section[s].count; i++)
            if (list[i] != c) {
                *least_start = min64(*least_start, state->start[list[i]]);
                *least_end = min64(*least_end, section_state_end(state, list[i]));
            }
    }
}
