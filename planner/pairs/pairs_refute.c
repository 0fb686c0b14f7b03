#include <config.h>

#include "planner/pairs/pairs_refute.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "planner/greedy/dsa_pieces.h"
#include "planner/pairs/pairs_search.h"

/* Steps are linked, as those of a case are found from the last to the first.  */
struct link {
    struct refute_step step;
    size_t next; /* SIZE_MAX: none */
};

struct chain {
    size_t first, last; /* SIZE_MAX: no link */
};

static const struct chain no_steps = {SIZE_MAX, SIZE_MAX};

/* A choice, one for each level of the bounds.  */
struct choice {
    struct pairs_literal literal; /* the side that comes first */
    bool second;                  /* that is refuted, by */
    struct chain steps;
    struct pairs_literals needed; /* literals that held before the choice */
};

struct refutation {
    const struct pairs_problem *problem;
    struct pairs_search search;
    int64_t capacity; /* units */
    struct choice *choice;
    size_t choices; /* for which there is room */
    struct link *link;
    size_t links, link_capacity;
    struct chain steps;  /* of the case at hand */
    struct chain unused; /* links */
};

/* --- steps --- */

static void join(struct refutation *at, struct chain *chain, struct chain behind)
{
    if (chain->last == SIZE_MAX) {
        *chain = behind;
    } else if (behind.first != SIZE_MAX) {
        at->link[chain->last].next = behind.first;
        chain->last = behind.last;
    }
}

/* STEP comes before those of the case at hand.  */
static void say(struct refutation *at, struct refute_step step)
{
    size_t i = at->unused.first;

    if (i == SIZE_MAX) {
        at->link = memory_grow(at->link, &at->link_capacity, at->links + 1, sizeof *at->link);
        i = at->links++;
    } else {
        at->unused.first = at->link[i].next;
        if (at->unused.first == SIZE_MAX)
            at->unused = no_steps;
    }
    at->link[i] = (struct link){step, at->steps.first};
    at->steps.first = i;
    if (at->steps.last == SIZE_MAX)
        at->steps.last = i;
}

/* LITERAL, if it is of a difference, holds: so that lies above, or below, the gap that LITERAL
 * is in, if it is in any.  A branch, or not.  */
static void say_crossed(struct refutation *at, struct pairs_literal literal, bool branch)
{
    const struct pairs_problem *problem = at->problem;
    bool above = literal.index % 2 == 0;
    const struct pairs_pair *pair;

    if (literal.index < 2 * problem->n)
        return;
    pair = &problem->pair[literal.index / 2 - problem->n];
    for (size_t g = pair->gap; g < pair->gap + pair->gaps; g++) {
        const struct pairs_gap *gap = &problem->gap[g];

        if (above ? literal.least > gap->below && literal.least <= gap->above
                  : literal.least > -gap->above && literal.least <= -gap->below)
            say(at, (struct refute_step){.kind = branch  ? REFUTE_BRANCH
                                                 : above ? REFUTE_ABOVE
                                                         : REFUTE_BELOW,
                                         .a = pair->a,
                                         .b = pair->b,
                                         .low = gap->below * problem->unit,
                                         .high = gap->above * problem->unit});
    }
}

/* The conflict at hand.  A window may have been widened beyond what there is.  Ends are units: a
 * byte less than a unit above the last one fits as little.  */
static void say_conflict(struct refutation *at)
{
    const struct pairs_bounds *bounds = &at->search.bounds;
    const struct pairs_reasons *reasons = &at->search.trace.reasons;
    int64_t unit = at->problem->unit;

    if (bounds->reason.rule != PAIRS_OVERLOAD)
        say(at, (struct refute_step){.kind = REFUTE_PATH});
    else
        say(at, (struct refute_step){.kind = REFUTE_OVERLOAD,
                                     .step = at->problem->step[bounds->reason.second],
                                     .low = max64(0, reasons->from) * unit,
                                     .high = min64(at->capacity, reasons->to) * unit + unit - 1});
    if (bounds->clash.index != SIZE_MAX)
        say_crossed(at, bounds->clash, false);
}

/* --- cases --- */

/* Traces the conflict back through the last level, which is undone but for its choice.
 * Whether it needed that.  */
static bool trace_level(struct refutation *at)
{
    struct pairs_trace *trace = &at->search.trace;
    const struct pairs_bounds *bounds = &at->search.bounds;

    for (size_t r = bounds->rises; r-- > pairs_trace_level_start(trace);) {
        size_t index = bounds->rise[r].index;
        bool chosen = bounds->rise[r].reason.rule == PAIRS_CHOICE;

        if (!pairs_trace_has(trace, r))
            continue;
        if (!chosen)
            say_crossed(at, (struct pairs_literal){index, trace->least[index]}, false);
        pairs_trace_replace(trace, r);
        if (chosen)
            return true;
    }
    return false;
}

/* Opens a level for LITERAL.  */
static void choose(struct refutation *at, struct pairs_literal literal)
{
    const struct pairs_reason reason = {.rule = PAIRS_CHOICE};
    struct pairs_bounds *bounds = &at->search.bounds;
    bool open;

    at->search.rules.head = bounds->rises;
    pairs_bounds_choose(bounds);
    open = pairs_bounds_raise(bounds, literal.index, literal.least, &reason);
    /* The rules would have decided on the gap.  */
    assert(open && bounds->rises == pairs_trace_level_start(&at->search.trace) + 1);
    (void)open;
}

/* The first side of CHOICE, the last one, is refuted by the case at hand: on to the second.  */
static void turn(struct refutation *at, struct choice *choice)
{
    choice->second = true;
    choice->steps = at->steps;
    at->steps = no_steps;
    pairs_trace_collect(&at->search.trace, &choice->needed);
    choose(at, (struct pairs_literal){choice->literal.index ^ 1, 1 - choice->literal.least});
}

/* Both sides of CHOICE are refuted, the second one by the case at hand; that is now the case
 * before the choice.  */
static void merge(struct refutation *at, struct choice *choice)
{
    struct chain first = choice->steps;

    if (choice->literal.index % 2 == 1) { /* it was below */
        join(at, &first, at->steps);
        at->steps = first;
    } else {
        join(at, &at->steps, first);
    }
    say_crossed(at, choice->literal, true);
    for (size_t i = 0; i < choice->needed.n; i++)
        pairs_trace_require(&at->search.trace, choice->needed.literal[i].index,
                            choice->needed.literal[i].least);
}

/* The case at hand is refuted.  On to the other side of the last choice that this needed; false:
 * it needed none.  */
static bool close_case(struct refutation *at)
{
    struct pairs_bounds *bounds = &at->search.bounds;

    at->steps = no_steps;
    pairs_trace_begin(&at->search.trace);
    say_conflict(at);
    pairs_trace_grow(&at->search.trace);
    for (;;) {
        bool needed = trace_level(at);
        struct choice *choice;

        if (bounds->levels == 0)
            return false;
        choice = &at->choice[bounds->levels - 1];
        pairs_bounds_back(bounds, bounds->levels - 1);
        if (needed && !choice->second)
            return turn(at, choice), true;
        if (needed)
            merge(at, choice);
        else if (choice->second)
            join(at, &at->unused, choice->steps);
    }
}

static void open_choice(struct refutation *at, struct pairs_literal literal)
{
    size_t level = at->search.bounds.levels, before = at->choices;

    at->choice = memory_grow(at->choice, &at->choices, level + 1, sizeof *at->choice);
    for (size_t i = before; i < at->choices; i++)
        at->choice[i].needed = (struct pairs_literals){0};
    at->choice[level].literal = literal;
    at->choice[level].second = false;
    choose(at, literal);
}

static bool refute(struct refutation *at, const struct refute_limits *limits, struct error *error)
{
    struct pairs_rules *rules = &at->search.rules;

    at->steps = no_steps;
    if (!pairs_bounds_reset(&at->search.bounds, at->capacity))
        return say(at, (struct refute_step){.kind = REFUTE_PATH}), true;
    pairs_rules_reset(rules);
    for (int64_t done = 0; done < limits->nodes && timer_now() < limits->deadline; done++) {
        struct pairs_literal literal;

        while (!pairs_rules_follow(rules))
            if (!close_case(at))
                return true;
        if (!pairs_search_choose(&at->search, &literal))
            return error_set(error, "there is a plan with a lower peak");
        open_choice(at, literal);
    }
    return error_set(error, "the refutation takes more than %" PRId64 " choices or too long",
                     limits->nodes);
}

/* The steps of the case at hand, in order.  */
static struct refute_step *list_steps(const struct refutation *at, size_t *count)
{
    struct refute_step *step = memory_alloc(at->links, sizeof *step);

    *count = 0;
    for (size_t i = at->steps.first; i != SIZE_MAX; i = at->link[i].next)
        step[(*count)++] = at->link[i].step;
    return step;
}

struct refute_step *pairs_refute(const struct instance *instance, int64_t peak,
                                 const struct refute_limits *limits, size_t *count,
                                 struct error *error)
{
    int64_t unit = dsa_unit(instance);
    struct pairs_problem *problem = pairs_problem_new(instance, unit);
    struct refutation at = {.problem = problem, .steps = no_steps, .unused = no_steps};
    struct refute_step *step = NULL;

    pairs_search_init(&at.search, problem);
    /* A checker that knows of alignments need not see that differences add up to too much.  */
    pairs_rules_be_plain(&at.search.rules, instance->max_alignment <= 1);
    /* Peaks are multiples of the unit in some optimal plan; in bytes each step is as
     * tight, as all that was rounded is less than a unit.  */
    at.capacity = (peak - 1) / unit;
    if (refute(&at, limits, error))
        step = list_steps(&at, count);
    for (size_t i = 0; i < at.choices; i++)
        free(at.choice[i].needed.literal);
    free(at.choice);
    free(at.link);
    pairs_search_clear(&at.search);
    pairs_problem_free(problem);
    return step;
}
