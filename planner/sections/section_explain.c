#include <config.h>

#include "planner/sections/section_explain.h"

#include <assert.h>
#include <stdlib.h>

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
        .most = memory_alloc(n, sizeof *explainer->most),
        .bounded = memory_alloc(n, sizeof *explainer->bounded),
        .was = memory_alloc(n, sizeof *explainer->was),
    };
    for (size_t b = 0; b < n; b++) {
        explainer->need[b] = explainer->condition[b] = -1;
        explainer->open_at[b] = SIZE_MAX;
        explainer->most[b] = INT64_MAX;
    }
}

void section_explainer_clear(struct section_explainer *explainer)
{
    free(explainer->reason);
    free(explainer->buffer);
    free(explainer->need);
    free(explainer->condition);
    free(explainer->floor);
    free(explainer->floor_round);
    free(explainer->conditional);
    free(explainer->open);
    free(explainer->open_at);
    free(explainer->most);
    free(explainer->bounded);
    free(explainer->was);
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

/* The least value that, aligned for B, is LEAST or more.  */
static int64_t unaligned(const struct section_explainer *explainer, size_t b, int64_t least)
{
    int64_t alignment = explainer->state->problem->alignment[b];

    return align_up(least, alignment) - (alignment - 1);
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

/* B is in the nogood and starts at MOST or earlier: until that is traced back to what
 * holds for every packing.  */
static void add_latest(struct section_explainer *explainer, size_t b, int64_t most)
{
    section_explain_literal(explainer, b, 0);
    if (most >= section_state_last_start(explainer->state, b))
        return;
    if (explainer->most[b] == INT64_MAX)
        explainer->bounded[explainer->n_bounded++] = b;
    explainer->most[b] = min64(explainer->most[b], most);
}

/* --- reasons of the rules --- */

/* The members of a section that were unplaced at some time.  */
struct members {
    const size_t *list;
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

/* --- reasons of the rules of latest starts --- */

/* The set K of such a rule: leaves was[i] at the start of those that are in it, and -1 of
 * the rest.  */
struct set {
    struct members members;
    int64_t total;
    int64_t earliest, last_end; /* the least start, the largest latest end */
};

/* Members of section S but B (SIZE_MAX: none) that started at EARLIEST or later and ended
 * at LAST_END at the latest.  */
static struct set set_of(struct section_explainer *explainer, size_t s, size_t count, size_t at,
                         size_t b, int64_t earliest, int64_t last_end)
{
    const struct section_state *state = explainer->state;
    struct set set = {members_of(explainer, s, count, at), 0, INT64_MAX, INT64_MIN};

    for (size_t i = 0; i < count; i++) {
        size_t d = set.members.list[i];
        int64_t end = section_state_latest_at(state, d, at) + state->problem->size[d];

        if (d == b || explainer->was[i] < earliest || end > last_end) {
            explainer->was[i] = -1;
            continue;
        }
        set.total += state->problem->size[d];
        set.earliest = min64(set.earliest, explainer->was[i]);
        set.last_end = max64(set.last_end, end);
    }
    return set;
}

/* The set starts at LEAST or later and ends at END or earlier.  */
static void add_set(struct section_explainer *explainer, const struct set *set, int64_t least,
                    int64_t end)
{
    for (size_t i = 0; i < set->members.count; i++) {
        size_t d = set->members.list[i];

        if (explainer->was[i] < 0)
            continue;
        section_explain_literal(explainer, d, least);
        add_latest(explainer, d, end - explainer->state->problem->size[d]);
    }
}

/* The largest end that is as good as END as long as it is below OVER: the capacity, which
 * needs no reason, if it is below OVER.  */
static int64_t largest_end(const struct section_explainer *explainer, int64_t end, int64_t over)
{
    return explainer->state->capacity < over ? explainer->state->capacity : end;
}

static void explain_overload(struct section_explainer *explainer,
                             const struct section_conflict *conflict)
{
    const struct section_state *state = explainer->state;
    struct set set = set_of(explainer, conflict->section, state->section[conflict->section].count,
                            state->changes, SIZE_MAX, state->start[conflict->earliest],
                            state->latest[conflict->last] + state->problem->size[conflict->last]);
    int64_t end = largest_end(explainer, set.last_end, set.earliest + set.total);

    add_set(explainer, &set, end - set.total + 1, end);
}

static void explain_above_all(struct section_explainer *explainer,
                              const struct section_change *change, size_t at, int64_t least)
{
    const struct section_state *state = explainer->state;
    size_t b = change->index, last = change->other;
    struct set set = set_of(explainer, change->section, change->count, at, b, 0,
                            section_state_latest_at(state, last, at) + state->problem->size[last]);
    int64_t total = set.total + state->problem->size[b], end, own;

    end = largest_end(explainer, set.last_end, min64(set.earliest, change->value) + total);
    own = end - total + 1;
    least = unaligned(explainer, b, least);
    section_explain_literal(explainer, b, own);
    add_set(explainer, &set, max64(least - set.total, own), end);
}

/* B starts at MOST or earlier.  */
static void explain_lower(struct section_explainer *explainer, const struct section_change *change,
                          size_t at, int64_t most)
{
    const struct section_state *state = explainer->state;
    size_t b = change->index;
    int64_t size = state->problem->size[b], own = section_state_last_start(state, b) + size, over;
    struct set set = set_of(explainer, change->section, change->count, at, b,
                            section_state_start_at(state, change->other, at), INT64_MAX);

    over = set.earliest + set.total + size;
    if (own >= over)
        own = change->value + size;
    add_latest(explainer, b, own - size);
    if (change->rule == RULE_NOT_LAST) {
        for (size_t i = 0; i < set.members.count; i++)
            if (explainer->was[i] >= 0) {
                section_explain_literal(explainer, set.members.list[i], own - set.total - size + 1);
                add_latest(explainer, set.members.list[i], most + size);
            }
    } else {
        int64_t end = min64(most + size + set.total, over - 1);

        add_set(explainer, &set, max64(end, own) - set.total - size + 1, end);
    }
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

/* Which change made the latest start of B as early as the nogood needs it.  */
static size_t cause_of_latest(const struct section_explainer *explainer, size_t b)
{
    const struct section_state *state = explainer->state;
    size_t at = state->last_latest[b];

    while (state->change[at].value <= explainer->most[b])
        at = state->change[at].previous;
    return at;
}

/* Explains the literal at place I of those that ask for an early start.  */
static void explain_latest(struct section_explainer *explainer, size_t i)
{
    size_t b = explainer->bounded[i], at = cause_of_latest(explainer, b);
    int64_t most = explainer->most[b];

    explainer->bounded[i] = explainer->bounded[--explainer->n_bounded];
    explainer->most[b] = INT64_MAX;
    explain_lower(explainer, &explainer->state->change[at], at, most);
}

static void explain_change(struct section_explainer *explainer, size_t at)
{
    const struct section_change *change = &explainer->state->change[at];
    int64_t least = take(explainer, change->index);

    if (change->rule == RULE_NOT_FIRST)
        explain_not_first(explainer, change, at, least);
    else if (change->rule == RULE_ONLY)
        explain_only(explainer, change, at, least);
    else if (change->rule == RULE_ABOVE_ALL)
        explain_above_all(explainer, change, at, least);
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

    if (conflict->earliest != SIZE_MAX) {
        explain_overload(explainer, conflict);
    } else if (conflict->section != SIZE_MAX) {
        explain_fail(explainer, conflict->section);
    } else if (state->start[b] > section_state_last_start(state, b)) {
        section_explain_literal(explainer, b, section_state_last_start(state, b) + 1);
    } else {
        section_explain_literal(explainer, b, state->latest[b] + 1);
        add_latest(explainer, b, state->latest[b]);
    }
}

/* Replaces the literal that became true last by its reason.  */
static void explain_last(struct section_explainer *explainer)
{
    size_t at = 0, latest = SIZE_MAX;

    for (size_t i = 0; i < explainer->n_open; i++) {
        size_t other = cause(explainer, explainer->open[i]);

        if (i == 0 || other > at)
            at = other;
    }
    for (size_t i = 0; i < explainer->n_bounded; i++) {
        size_t other = cause_of_latest(explainer, explainer->bounded[i]);

        if ((i == 0 && explainer->n_open == 0) || other > at) {
            at = other;
            latest = i;
        }
    }
    if (latest != SIZE_MAX)
        explain_latest(explainer, latest);
    else
        explain_change(explainer, at);
}

void section_explain_finish(struct section_explainer *explainer, struct section_nogood *nogood)
{
    while (explainer->n_open + explainer->n_bounded > 0)
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

    return b != c && !state->placed[b] && section_problem_neighbours(state->problem, b, c) &&
           literal.least > section_state_floor(state, b);
}

static void keep(struct section_explainer *explainer, int kind, size_t buffer, int64_t least)
{
    explainer->reason = memory_grow(explainer->reason, &explainer->reason_room,
                                    explainer->reasons + 1, sizeof *explainer->reason);
    explainer->reason[explainer->reasons++] = (struct section_reason_literal){kind, buffer, least};
}

size_t section_explain_postponement(struct section_explainer *explainer, size_t c,
                                    const struct section_nogood *nogood)
{
    const struct section_state *state = explainer->state;
    const struct section_problem *problem = state->problem;
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
        if (b != c && !state->placed[b] && section_problem_neighbours(problem, b, c))
            keep(explainer, REASON_CONDITION, b, 0);
    keep(explainer, REASON_END, SIZE_MAX, 0);
    return name;
}
