/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_rules.h"

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "planner/sections/section_state.h"

/* Starts and ends of the unplaced members.  */
static void look_at(struct section_state *state, size_t s)
{
    struct section *section = &state->section[s];
    const uint32_t *list = state->member + state->problem->start[s];
    const int64_t *size = state->problem->size;
    int64_t limit = state->capacity - section->total, least_start = INT64_MAX;
    int64_t end_1 = INT64_MAX, end_2 = INT64_MAX;
    size_t candidates = 0;

    for (size_t i = 0; i < section->count; i++) {
        int64_t start = state->start[list[i]], end = start + size[list[i]];

        least_start = min64(least_start, start);
        candidates += start <= limit;
        if (end < end_1) {
            end_2 = end_1;
            end_1 = end;
            section->holder = list[i];
        } else {
            end_2 = min64(end_2, end);
        }
    }
    section->least_start = least_start;
    section->candidates = candidates;
    section->end_1 = end_1;
    section->end_2 = end_2;
}

/* The same, and sorts the members by end, of which there are at least one.  They hardly
 * move between two looks, so insertion is fast.  */
static void look_and_sort(struct section_state *state, size_t s)
{
    struct section *section = &state->section[s];
    uint32_t *list = state->member + state->problem->start[s];
    size_t moved = SIZE_MAX;
    const int64_t *size = state->problem->size;
    int64_t *ends = state->sorted_end;
    int64_t limit = state->capacity - section->total, least_start = INT64_MAX;
    size_t candidates = 0;

    for (size_t i = 0; i < section->count; i++) {
        uint32_t b = list[i];
        size_t k = i;
        int64_t start = state->start[b], end = start + size[b];

        least_start = min64(least_start, start);
        candidates += start <= limit;
        for (; k > 0 && ends[k - 1] > end; k--) {
            list[k] = list[k - 1];
            ends[k] = ends[k - 1];
        }
        list[k] = b;
        ends[k] = end;
        if (k < i && k < moved)
            moved = k;
    }
    for (size_t i = moved; i < section->count; i++)
        state->incidence[state->slot[list[i]] + (s - state->problem->first[list[i]])] = i;
    section->least_start = least_start;
    section->candidates = candidates;
    section->end_1 = ends[0];
    section->end_2 = section->count > 1 ? ends[1] : INT64_MAX;
    section->holder = list[0];
}

/* Whether nothing follows: all members can be the lowest, so none is too late either, unless some
 * are fixed.  */
static bool is_idle(const struct section_state *state, const struct section *section)
{
    return section->candidates == section->count && section->candidates > 1 &&
           !state->problem->any_fixed;
}

static bool fail(struct section_state *state, size_t s, struct section_conflict conflict)
{
    state->section[s].weight += state->increment;
    state->conflict = conflict;
    return false;
}

/* The least end among the members of section S but B, which starts above LIMIT and so
 * is not the lowest.  INT64_MAX: there is no other, or all of them fit below B.  */
static int64_t end_below(const struct section_state *state, size_t s, size_t b, int64_t limit)
{
    const struct section *section = &state->section[s];
    const uint32_t *list = state->member + state->problem->start[s];
    int64_t slack = state->start[b] - limit - 1;

    if (!state->subsets)
        return b == section->holder ? section->end_2 : section->end_1;
    /* Ends are those of the look: starts that rose since then can only be later.  */
    for (size_t i = 0; i < section->count; i++) {
        if (list[i] == b)
            continue;
        slack -= state->problem->size[list[i]];
        if (slack < 0)
            return state->sorted_end[i];
    }
    return INT64_MAX;
}

/* Raises members of section S as its rules say.  */
static bool raise_members(struct section_state *state, size_t s)
{
    const struct section *section = &state->section[s];
    const uint32_t *list = state->member + state->problem->start[s];
    int64_t limit = state->capacity - section->total, only_end = INT64_MIN;
    size_t only = SIZE_MAX;

    if (section->candidates == 1)
        for (size_t i = 0; i < section->count; i++)
            if (state->start[list[i]] <= limit) {
                only = list[i];
                only_end = section_state_end(state, only);
            }
    for (size_t i = 0; i < section->count; i++) {
        size_t b = list[i];

        if (b != only && state->start[b] > limit && !state->cut_off) {
            enum section_rule rule = RULE_ONLY;
            int64_t least = only_end;

            if (!state->no_not_first) {
                int64_t end = end_below(state, s, b, limit);

                if (end != INT64_MAX && end > least) {
                    rule = RULE_NOT_FIRST;
                    least = end;
                }
            }
            if (state->start[b] < least)
                section_state_raise(state, b, least, rule, s, only);
        }
        if (state->start[b] > section_state_last_start(state, b))
            return fail(state, s, (struct section_conflict){SIZE_MAX, b});
    }
    return true;
}

/* The rules on section S, once.  */
static bool apply(struct section_state *state, size_t s)
{
    const struct section *section = &state->section[s];

    if (section->count == 0)
        return true;
    if (state->subsets)
        look_and_sort(state, s);
    else
        look_at(state, s);
    if (is_idle(state, section))
        return true;
    if (section->candidates == 0)
        return fail(state, s, (struct section_conflict){s, SIZE_MAX});
    return raise_members(state, s);
}

/* The rules on all sections that a move has touched, and on those that they touch.  */
static bool apply_all(struct section_state *state)
{
    size_t left = state->most_looks * state->problem->sections;

    state->cut_off = false;
    while (state->n_dirty > 0) {
        size_t s = state->dirty[--state->n_dirty];

        if (left == 0)
            state->cut_off = true;
        else
            left--;
        state->section[s].dirty = false;
        if (apply(state, s))
            continue;
        /* What is dirty stays so, to be looked at after the undo.  */
        section_state_touch(state, s);
        return false;
    }
    return true;
}

bool section_rules_apply(struct section_state *state)
{
    bool open = apply_all(state);

    CHECK_INVARIANT(section_state_check(state));
    return open;
}
