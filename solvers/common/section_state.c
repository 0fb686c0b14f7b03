#include <config.h>

#include "solvers/common/section_state.h"

#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/memory.h"

/* Weights are brought down when one passes this; none falls below the least.  */
#define MOST_WEIGHT 1e100
#define LEAST_WEIGHT 1e-100
#define START_WEIGHT 1.0

/* An entry of the trail.  */
struct section_change {
    enum { CHANGE_START, CHANGE_TOP, CHANGE_PLACED } kind;
    size_t index;  /* buffer, section, buffer */
    int64_t value; /* before */
};

void section_state_init(struct section_state *state, const struct section_problem *problem)
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
        .dirty = memory_alloc(problem->sections, sizeof *state->dirty),
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
    free(state->section);
    free(state->member);
    free(state->incidence);
    free(state->slot);
    free(state->start);
    free(state->placed);
    free(state->dirty);
    free(state->change);
    *state = (struct section_state){0};
}

/* --- changes --- */

static void record(struct section_state *state, struct section_change change)
{
    state->change = memory_grow(state->change, &state->change_capacity, state->changes + 1,
                                sizeof *state->change);
    state->change[state->changes++] = change;
}

static void touch(struct section_state *state, size_t s)
{
    if (state->section[s].dirty)
        return;
    state->section[s].dirty = true;
    state->dirty[state->n_dirty++] = s;
}

static void touch_all(struct section_state *state, size_t b)
{
    for (size_t s = state->problem->first[b]; s <= state->problem->last[b]; s++)
        touch(state, s);
}

/* Where the member list of section S keeps buffer B.  */
static size_t *place_in(struct section_state *state, size_t b, size_t s)
{
    return &state->incidence[state->slot[b] + (s - state->problem->first[b])];
}

/* Swaps two members of section S, at places I and K of its list.  */
static void swap_members(struct section_state *state, size_t s, size_t i, size_t k)
{
    size_t *list = state->member + state->problem->start[s], other = list[i];

    list[i] = list[k];
    list[k] = other;
    *place_in(state, list[i], s) = i;
    *place_in(state, list[k], s) = k;
}

void section_state_undo(struct section_state *state, size_t mark)
{
    const struct section_problem *problem = state->problem;

    while (state->changes > mark) {
        struct section_change change = state->change[--state->changes];

        switch (change.kind) {
        case CHANGE_START:
            state->start[change.index] = change.value;
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
            }
            touch_all(state, change.index);
            break;
        }
    }
}

static void raise_start(struct section_state *state, size_t b, int64_t start)
{
    start = align_up(start, state->problem->alignment[b]);
    record(state, (struct section_change){CHANGE_START, b, state->start[b]});
    state->start[b] = start;
    touch_all(state, b);
}

/* --- what follows --- */

/* Starts and ends of the unplaced members.  */
static void look_at(struct section_state *state, size_t s)
{
    struct section *section = &state->section[s];
    const size_t *list = state->member + state->problem->start[s];
    int64_t limit = state->capacity - section->total;

    section->least_start = section->end_1 = section->end_2 = INT64_MAX;
    section->candidates = 0;
    for (size_t i = 0; i < section->count; i++) {
        int64_t start = state->start[list[i]], end = start + state->problem->size[list[i]];

        section->least_start = min64(section->least_start, start);
        section->candidates += start <= limit;
        if (end < section->end_1) {
            section->end_2 = section->end_1;
            section->end_1 = end;
            section->holder = list[i];
        } else {
            section->end_2 = min64(section->end_2, end);
        }
    }
}

static bool fail(struct section_state *state, size_t s)
{
    state->section[s].weight += state->increment;
    return false;
}

/* Raises members of section S as its rules say.  */
static bool apply_rules(struct section_state *state, size_t s)
{
    struct section *section = &state->section[s];
    const size_t *list = state->member + state->problem->start[s];
    int64_t limit = state->capacity - section->total, only = INT64_MIN;

    if (section->candidates == 0 || section->top > limit)
        return fail(state, s);
    if (section->candidates == 1)
        for (size_t i = 0; i < section->count; i++)
            if (state->start[list[i]] <= limit)
                only = section_state_end(state, list[i]);
    for (size_t i = 0; i < section->count; i++) {
        size_t b = list[i];
        int64_t least;

        if (state->start[b] <= limit)
            continue;
        least = max64(only, b == section->holder ? section->end_2 : section->end_1);
        if (least == INT64_MAX)
            return fail(state, s);
        if (state->start[b] < least)
            raise_start(state, b, least);
        if (section_state_end(state, b) > state->capacity)
            return fail(state, s);
    }
    return true;
}

static bool propagate(struct section_state *state)
{
    while (state->n_dirty > 0) {
        size_t s = state->dirty[--state->n_dirty];

        state->section[s].dirty = false;
        if (state->section[s].count == 0)
            continue;
        look_at(state, s);
        if (!apply_rules(state, s)) {
            /* What is dirty stays so, to be looked at after the undo.  */
            touch(state, s);
            return false;
        }
    }
    return true;
}

/* Only ratios of weights count, so all of them come down together before they
 * overflow; what would underflow stops at the least.  */
void section_state_grow(struct section_state *state, double factor)
{
    state->increment *= factor;
    if (state->increment < MOST_WEIGHT)
        return;
    state->increment *= LEAST_WEIGHT;
    for (size_t s = 0; s < state->problem->sections; s++) {
        double *weight = &state->section[s].weight;

        *weight = *weight * LEAST_WEIGHT > LEAST_WEIGHT ? *weight * LEAST_WEIGHT : LEAST_WEIGHT;
    }
}

/* --- moves --- */

bool section_state_reset(struct section_state *state, int64_t capacity)
{
    const struct section_problem *problem = state->problem;

    state->capacity = capacity;
    state->changes = 0;
    state->n_placed = 0;
    memset(state->start, 0, problem->n * sizeof *state->start);
    memset(state->placed, 0, problem->n * sizeof *state->placed);
    memcpy(state->member, problem->member,
           problem->start[problem->sections] * sizeof *state->member);
    for (size_t s = 0; s < problem->sections; s++) {
        struct section *section = &state->section[s];

        section->top = 0;
        section->total = problem->total[s];
        section->count = problem->start[s + 1] - problem->start[s];
        for (size_t i = 0; i < section->count; i++)
            *place_in(state, state->member[problem->start[s] + i], s) = i;
        touch(state, s);
    }
    return propagate(state);
}

bool section_state_place(struct section_state *state, size_t c)
{
    const struct section_problem *problem = state->problem;
    int64_t end = section_state_end(state, c);

    for (size_t s = problem->first[c]; s <= problem->last[c]; s++) {
        struct section *section = &state->section[s];
        const size_t *list = state->member + problem->start[s];

        record(state, (struct section_change){CHANGE_TOP, s, section->top});
        section->top = end;
        section->total -= problem->size[c];
        swap_members(state, s, *place_in(state, c, s), --section->count);
        for (size_t i = 0; i < section->count; i++)
            if (state->start[list[i]] < end)
                raise_start(state, list[i], end);
        touch(state, s);
    }
    record(state, (struct section_change){CHANGE_PLACED, c, 0});
    state->placed[c] = true;
    state->n_placed++;
    return propagate(state);
}

bool section_state_postpone(struct section_state *state, size_t b, int64_t start)
{
    raise_start(state, b, start);
    if (section_state_end(state, b) > state->capacity)
        return false;
    return propagate(state);
}

void section_state_neighbours(const struct section_state *state, size_t c, int64_t *least_start,
                              int64_t *least_end)
{
    const struct section_problem *problem = state->problem;

    *least_start = *least_end = INT64_MAX;
    for (size_t s = problem->first[c]; s <= problem->last[c]; s++) {
        const size_t *list = state->member + problem->start[s];

        for (size_t i = 0; i < state->section[s].count; i++)
            if (list[i] != c) {
                *least_start = min64(*least_start, state->start[list[i]]);
                *least_end = min64(*least_end, section_state_end(state, list[i]));
            }
    }
}
