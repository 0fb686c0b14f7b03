/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_explain.h"

#include <assert.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "planner/sections/section_state.h"

void section_explainer_init(struct section_explainer *explainer, const struct section_state *state)
{
    size_t n = state->problem->n;

    *explainer = (struct section_explainer){
        .state = state,
        .buffer = memory_alloc(n, sizeof *explainer->buffer),
        .need = memory_alloc(n, sizeof *explainer->need),
        .condition = memory_alloc(n, sizeof *explainer->condition),
        .floor = memory_alloc(n, sizeof *explainer->floor),
        .floor_round = memory_zalloc(n, sizeof *explainer->floor_round),
        .round = 1,
        .conditional = memory_alloc(n, sizeof *explainer->conditional),
        .open = memory_alloc(n, sizeof *explainer->open),
        .open_at = memory_alloc(n, sizeof *explainer->open_at),
        .was = memory_alloc(n, sizeof *explainer->was),
    };
    for (size_t b = 0; b < n; b++) {
        explainer->need[b] = explainer->condition[b] = -1;
        explainer->open_at[b] = SIZE_MAX;
    }
}

void section_explainer_clear(struct section_explainer *explainer)
{
    memory_free(explainer->reason);
    memory_free(explainer->buffer);
    memory_free(explainer->need);
    memory_free(explainer->condition);
    memory_free(explainer->floor);
    memory_free(explainer->floor_round);
    memory_free(explainer->conditional);
    memory_free(explainer->open);
    memory_free(explainer->open_at);
    memory_free(explainer->was);
    *explainer = (struct section_explainer){0};
}

/* --- the nogood in the making --- */

static int64_t floor_of(struct section_explainer *explainer, size_t b)
{
    if (explainer->floor_round[b] != explainer->round) {
        explainer->floor_round[b] = explainer->round;
        explainer->floor[b] = section_state_floor(explainer->state, b);
    }
    return explainer->floor[b];
}

/* The least value that leaves B no start below LEAST.  */
static int64_t unaligned(const struct section_explainer *explainer, size_t b, int64_t least)
{
    return section_classes_weakest(explainer->state->problem, b, least);
}

void section_explain_literal(struct section_explainer *explainer, size_t b, int64_t least)
{
    if (explainer->need[b] < 0) {
        explainer->buffer[explainer->n++] = b;
        explainer->need[b] = max64(0, explainer->condition[b]);
    }
    explainer->need[b] = max64(explainer->need[b], least);
    if (explainer->open_at[b] == SIZE_MAX && explainer->need[b] > floor_of(explainer, b)) {
        explainer->open_at[b] = explainer->n_open;
        explainer->open[explainer->n_open++] = b;
    }
}

/* A literal for B if it is in the nogood in the end.  */
static void add_condition(struct section_explainer *explainer, size_t b, int64_t least)
{
    if (explainer->need[b] >= 0) {
        section_explain_literal(explainer, b, least);
        return;
    }
    if (explainer->condition[b] < 0)
        explainer->conditional[explainer->n_conditional++] = b;
    explainer->condition[b] = max64(explainer->condition[b], max64(0, least));
}

/* Takes the literal of B, which is open, out of the nogood, but not B.  */
static int64_t take(struct section_explainer *explainer, size_t b)
{
    int64_t least = explainer->need[b];
    size_t last = explainer->open[--explainer->n_open];

    explainer->open[explainer->open_at[b]] = last;
    explainer->open_at[last] = explainer->open_at[b];
    explainer->open_at[b] = SIZE_MAX;
    explainer->need[b] = 0;
    return least;
}

/* --- reasons of the rules --- */

/* The members of a section that were unplaced at some time.  */
struct members {
    const uint32_t *list;
    size_t count, changes; /* the length of the trail then */
    int64_t limit;
};

static struct members members_of(struct section_explainer *explainer, size_t s, size_t count,
                                 size_t changes)
{
    const struct section_state *state = explainer->state;
    struct members members = {state->member + state->problem->start[s], count, changes,
                              state->capacity};

    for (size_t i = 0; i < count; i++) {
        size_t d = members.list[i];

        explainer->was[i] = section_state_start_at(state, d, changes);
        members.limit -= state->problem->size[d];
    }
    return members;
}

/* Whether (B, LEAST) asks for more than is there already.  */
static bool costs(struct section_explainer *explainer, size_t b, int64_t least)
{
    return least > max64(explainer->need[b], floor_of(explainer, b));
}

/* Members start at limit + 1 or later, but for FIRST (SIZE_MAX: none): leaves out what
 * the conclusion, which is about KEEP (or SIZE_MAX), does not need.  Returns the least
 * start that is asked of the rest.  */
static int64_t leave_out_above(struct section_explainer *explainer, const struct members *members,
                               size_t first, size_t keep)
{
    int64_t least = members->limit + 1;
    size_t left = members->count;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < members->count; i++) {
            size_t d = members->list[i];
            int64_t more = least + explainer->state->problem->size[d];
            bool enough = left > 1 && d != first && d != keep && explainer->was[i] >= 0 &&
                          (pass == 0 ? costs(explainer, d, least) : explainer->need[d] < 0);

            for (size_t k = 0; enough && k < members->count; k++)
                if (k != i && explainer->was[k] >= 0 && members->list[k] != first)
                    enough = explainer->was[k] >= more &&
                             (pass == 0 || !costs(explainer, members->list[k], more));
            if (enough) {
                explainer->was[i] = -1;
                least = more;
                left--;
            }
        }
    return least;
}

static void explain_fail(struct section_explainer *explainer, size_t s)
{
    const struct section_state *state = explainer->state;
    struct members members = members_of(explainer, s, state->section[s].count, state->changes);
    int64_t least = leave_out_above(explainer, &members, SIZE_MAX, SIZE_MAX);

    for (size_t i = 0; i < members.count; i++)
        if (explainer->was[i] >= 0)
            section_explain_literal(explainer, members.list[i], least);
}

static void explain_only(struct section_explainer *explainer, const struct section_change *change,
                         size_t at, int64_t least)
{
    struct members members = members_of(explainer, change->section, change->count, at);
    size_t first = change->other, b = change->index;
    int64_t others = leave_out_above(explainer, &members, first, b);

    least = unaligned(explainer, b, least);
    for (size_t i = 0; i < members.count; i++)
        if (members.list[i] == first)
            section_explain_literal(explainer, first,
                                    least - explainer->state->problem->size[first]);
        else if (explainer->was[i] >= 0)
            section_explain_literal(explainer, members.list[i], others);
}

static void explain_not_first(struct section_explainer *explainer,
                              const struct section_change *change, size_t at, int64_t least)
{
    const int64_t *size = explainer->state->problem->size;
    struct members members = members_of(explainer, change->section, change->count, at);
    int64_t slack = change->value - members.limit - 1, own;

    least = unaligned(explainer, change->index, least);
    own = members.limit + 1;
    for (size_t i = 0; i < members.count; i++)
        if (members.list[i] != change->index && explainer->was[i] + size[members.list[i]] < least) {
            slack -= size[members.list[i]];
            own += size[members.list[i]];
            explainer->was[i] = -1;
        }
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < members.count; i++) {
            size_t d = members.list[i];

            if (d != change->index && explainer->was[i] >= 0 && size[d] <= slack &&
                (pass == 0
                     ? costs(explainer, d, least - size[d])
                     : explainer->need[d] < 0 && !costs(explainer, change->index, own + size[d]))) {
                slack -= size[d];
                own += size[d];
                explainer->was[i] = -1;
            }
        }
    for (size_t i = 0; i < members.count; i++)
        if (members.list[i] == change->index)
            section_explain_literal(explainer, change->index, own);
        else if (explainer->was[i] >= 0)
            section_explain_literal(explainer, members.list[i], least - size[members.list[i]]);
}

static void explain_postponed(struct section_explainer *explainer,
                              const struct section_change *change, int64_t least)
{
    const struct section_reason_literal *reason = explainer->reason + change->other;

    least = unaligned(explainer, change->index, least);
    for (; reason->kind != REASON_END; reason++)
        if (reason->kind == REASON_LITERAL)
            section_explain_literal(explainer, reason->buffer, reason->least);
        else
            add_condition(explainer, reason->buffer,
                          least - explainer->state->problem->size[reason->buffer]);
}

/* --- the walk --- */

/* Which change made B start where the nogood needs it, or later.  */
static size_t cause(const struct section_explainer *explainer, size_t b)
{
    const struct section_state *state = explainer->state;
    size_t at = state->last_change[b];

    while (state->change[at].value >= explainer->need[b])
        at = state->change[at].previous;
    return at;
}

static void explain_change(struct section_explainer *explainer, size_t at)
{
    const struct section_change *change = &explainer->state->change[at];
    int64_t least = take(explainer, change->index);

    if (change->rule == RULE_NOT_FIRST)
        explain_not_first(explainer, change, at, least);
    else if (change->rule == RULE_ONLY)
        explain_only(explainer, change, at, least);
    else if (change->rule == RULE_POSTPONED)
        explain_postponed(explainer, change, least);
    else
        assert(!"a rise to a floor needs no reason");
}

void section_explain_conflict(struct section_explainer *explainer)
{
    const struct section_state *state = explainer->state;
    const struct section_conflict *conflict = &state->conflict;
    size_t b = conflict->buffer;

    if (conflict->section != SIZE_MAX)
        explain_fail(explainer, conflict->section);
    else
        section_explain_literal(explainer, b, section_state_last_start(state, b) + 1);
}

/* Replaces the literal that became true last by its reason.  */
static void explain_last(struct section_explainer *explainer)
{
    size_t at = 0;

    for (size_t i = 0; i < explainer->n_open; i++) {
        size_t other = cause(explainer, explainer->open[i]);

        if (i == 0 || other > at)
            at = other;
    }
    explain_change(explainer, at);
}

void section_explain_finish(struct section_explainer *explainer, struct section_nogood *nogood)
{
    while (explainer->n_open > 0)
        explain_last(explainer);
    nogood->n = 0;
    for (size_t i = 0; i < explainer->n; i++) {
        size_t b = explainer->buffer[i];

        section_nogood_add(nogood, b, explainer->need[b]);
        explainer->need[b] = -1;
    }
    for (size_t i = 0; i < explainer->n_conditional; i++)
        explainer->condition[explainer->conditional[i]] = -1;
    explainer->n = explainer->n_conditional = 0;
    explainer->round++;
}

/* --- postponements --- */

/* Whether LITERAL is one of R in the header: it asks more than the floor of an unplaced
 * neighbour of C.  */
static bool is_raised(const struct section_explainer *explainer, size_t c,
                      struct section_literal literal)
{
    const struct section_state *state = explainer->state;
    size_t b = literal.buffer;

    return b != c && !state->placed[b] && section_classes_meet(state->problem, b, c) &&
           literal.least > section_state_floor(state, b);
}

static void keep(struct section_explainer *explainer, enum section_reason_kind kind, size_t buffer,
                 int64_t least)
{
    explainer->reason = memory_grow(explainer->reason, &explainer->reason_room,
                                    explainer->reasons + 1, sizeof *explainer->reason);
    explainer->reason[explainer->reasons++] = (struct section_reason_literal){kind, buffer, least};
}

size_t section_explain_postponement(struct section_explainer *explainer, size_t c,
                                    const struct section_nogood *nogood)
{
    const struct section_state *state = explainer->state;
    const struct section_classes *problem = state->problem;
    size_t name = explainer->reasons;
    int64_t own = 0;

    for (size_t i = 0; i < nogood->n; i++) {
        struct section_literal literal = nogood->literal[i];

        if (literal.buffer == c) {
            own = max64(own, literal.least);
        } else if (is_raised(explainer, c, literal)) {
            own =
                max64(own, unaligned(explainer, literal.buffer, literal.least) - problem->size[c]);
            keep(explainer, REASON_LITERAL, literal.buffer, 0);
        } else {
            keep(explainer, REASON_LITERAL, literal.buffer, literal.least);
        }
    }
    keep(explainer, REASON_LITERAL, c, own);
    for (size_t b = 0; b < problem->n; b++)
        if (b != c && !state->placed[b] && section_classes_meet(problem, b, c))
            keep(explainer, REASON_CONDITION, b, 0);
    keep(explainer, REASON_END, SIZE_MAX, 0);
    return name;
}
