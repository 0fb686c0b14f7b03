/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "planner/sections/section_state.h"

/* The list of section S: its members, the unplaced ones first.  */
static void check_list(const struct section_state *state, size_t s)
{
    const struct section_classes *problem = state->problem;
    const struct section *section = &state->section[s];
    size_t from = problem->start[s], members = problem->start[s + 1] - from;
    size_t unplaced = 0, crossing = 0;
    int64_t total = 0, top = 0;

    for (size_t i = 0; i < members; i++) {
        size_t b = state->member[from + i];

        CHECK(problem->first[b] <= s && s <= problem->last[b] &&
                  state->incidence[state->slot[b] + (s - problem->first[b])] == i,
              "section state", "a member knows where its section's list keeps it");
        CHECK(state->placed[b] == (i >= section->count), "section state",
              "the unplaced members of a section come first");
        if (state->placed[b]) {
            top = max64(top, section_state_end(state, b));
            continue;
        }
        unplaced++;
        crossing += s < problem->last[b];
        total += problem->size[b];
    }
    CHECK(section->count == unplaced, "section state", "a section counts its unplaced members");
    CHECK(section->crossing == crossing, "section state",
          "a section counts the unplaced members that cross into the next");
    CHECK(section->total == total, "section state", "a section's total is of what is unplaced");
    CHECK(section->top == top, "section state",
          "a section's top is the highest end of what is placed there");
}

/* What the last look at section S found still holds.  */
static void check_look(const struct section_state *state, size_t s)
{
    const struct section *section = &state->section[s];
    const uint32_t *list = state->member + state->problem->start[s];
    int64_t least = INT64_MAX, end_1 = INT64_MAX, end_2 = INT64_MAX;
    size_t candidates = 0;

    for (size_t i = 0; i < section->count; i++) {
        int64_t start = state->start[list[i]], end = section_state_end(state, list[i]);

        least = min64(least, start);
        end_2 = min64(end_2, max64(end_1, end));
        end_1 = min64(end_1, end);
        candidates += start <= state->capacity - section->total;
    }
    CHECK(section->least_start == least, "section state", "the least start of a section is known");
    CHECK(section->candidates == candidates, "section state",
          "a section's candidates are the members that start within its limit");
    CHECK(section->end_1 == end_1 && section->end_2 == end_2 &&
              section_state_end(state, section->holder) == end_1,
          "section state", "the two least ends of a section are known, and whose the first is");
}

static void check_buffer(const struct section_state *state, size_t b)
{
    uint32_t last = state->last_change[b];

    CHECK(state->start[b] >= section_state_floor(state, b), "section state",
          "nothing starts below what is placed there");
    CHECK(!state->placed[b] || state->problem->fixed[b] < 0 ||
              state->start[b] == state->problem->fixed[b],
          "section state", "what is placed lies where it is fixed");
    CHECK(state->start[b] == section_classes_next(state->problem, b, state->start[b]),
          "section state", "starts are aligned, and beside nothing that is fixed");
    CHECK(last == NO_CHANGE
              ? state->start[b] ==
                    section_classes_next(state->problem, b, max64(0, state->problem->fixed[b]))
              : last < state->changes && state->change[last].index == b &&
                    state->change[last].value < state->start[b],
          "section state", "the last change of a start on the trail is where it rose");
}

void section_state_check(const struct section_state *state)
{
    size_t placed = 0;

    if (!check_due(state->changes, state->problem->start[state->problem->sections]))
        return;
    for (size_t s = 0; s < state->problem->sections; s++) {
        check_list(state, s);
        if (!state->section[s].dirty && state->section[s].count > 0)
            check_look(state, s);
    }
    for (size_t b = 0; b < state->problem->n; b++) {
        check_buffer(state, b);
        placed += state->placed[b];
    }
    CHECK(placed == state->n_placed, "section state", "the placed ones are counted");
}
