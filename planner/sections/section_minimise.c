/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_minimise.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/place/part_runs.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/disjunctive/pairs_log.h"
#include "planner/disjunctive/pairs_search.h"
#include "planner/dives/section_classes.h"
#include "planner/sections/section_divers.h"
#include "planner/sections/section_finder.h"
#include "planner/sections/section_search.h"

/* More pairs than this are not decided one by one.  */
#define MOST_PAIRS 30000
/* To learn from one placement costs more on a large instance, and to decide one order with the
 * square of its pairs: budgets are for one with fewer incidences of buffers and sections, and
 * fewer pairs.  */
#define USUAL_INCIDENCES 5000
#define USUAL_PAIRS 1000
/* Of what the planner has in a round, at first.  */
#define FIRST_SHARE 2.0
/* Placements of FIND in a round, some seconds, after which dives are less likely to pack than
 * it.  */
#define LATE 64000
/* Rounds for a capacity above the bound: where there is a packing it may be hard to find, and the
 * bound can still be refuted.  */
#define ROUNDS_AHEAD 6

enum { FIND, DIVE, PLAN, LEARN, PAIRS, TECHNIQUES };

struct minimiser {
    struct part_runs *runs;
    struct part_instance part;
    struct section_classes *problem;
    int64_t first;       /* the bound at first: the load, of this part or of another */
    int64_t low, high;   /* in units: less is refuted, there are packings for more */
    int64_t nodes, most; /* placements, and the most there may be */
    bool logged;         /* somebody asks for a certificate: only what decides pairs proves then */
    bool over;           /* a limit was reached */
    bool uses[TECHNIQUES];
    struct section_finder finder;
    struct section_search learning;
    struct section_divers divers;
    struct pairs_problem *pairs; /* made when they are decided first */
    struct pairs_search disjunctive;
    struct pairs_log log;          /* of that, where somebody asks for it */
    int64_t learn_cost, pair_cost; /* of a placement that learns, of an order: a measure */
    struct part_turns turns;       /* of the planner */
};

/* --- bounds --- */

/* Whether a packing within CAPACITY is neither known nor refuted.  */
static bool is_open(const struct minimiser *minimiser, int64_t capacity)
{
    return capacity >= minimiser->low && capacity <= minimiser->high && !minimiser->over;
}

/* Bounds in units from those in bytes.  High is below low once nothing is left to decide.  */
static void update_bounds(struct minimiser *minimiser)
{
    int64_t peak = minimiser->runs->peak[minimiser->part.part], bound = minimiser->runs->bound;

    minimiser->low = bound / minimiser->part.unit;
    minimiser->high = peak > bound ? (peak - 1) / minimiser->part.unit : minimiser->low - 1;
}

/* Capacities below LOW units are refuted.  */
static void raise_bound(struct minimiser *minimiser, int64_t low)
{
    part_runs_raise_bound(minimiser->runs, low * minimiser->part.unit);
    update_bounds(minimiser);
}

/* A packing in units.  */
static void offer_packing(struct minimiser *minimiser, const int64_t *start)
{
    part_runs_offer_packing(minimiser->runs, &minimiser->part, start);
    update_bounds(minimiser);
}

/* --- the techniques: each returns the placements that it took --- */

/* What a search of CAPACITY says, START of each class where it is solved.  What is refuted without
 * a log counts for nothing where one is asked for.  */
static void note_result(struct minimiser *minimiser, enum search_result result, int64_t capacity,
                        const int64_t *start)
{
    int64_t *buffer_start;

    if (result == SEARCH_SOLVED) {
        buffer_start = memory_alloc(minimiser->problem->n, sizeof *buffer_start);
        section_classes_starts(minimiser->problem, start, buffer_start);
        offer_packing(minimiser, buffer_start);
        memory_free(buffer_start);
    } else if (result == SEARCH_REFUTED && !minimiser->logged) {
        raise_bound(minimiser, capacity + 1);
    }
}

static int64_t find(struct minimiser *minimiser, int64_t capacity, int64_t nodes)
{
    int64_t used;
    enum search_result result =
        section_finder_run(&minimiser->finder, capacity, nodes, minimiser->runs->deadline, &used);

    note_result(minimiser, result, capacity, minimiser->finder.start);
    return used;
}

/* At least one where there is any.  */
static int64_t nodes_at(int64_t nodes, int64_t cost)
{
    return (nodes + cost - 1) / cost;
}

static int64_t learn(struct minimiser *minimiser, int64_t capacity, int64_t nodes)
{
    struct section_search *search = &minimiser->learning;
    int64_t before = search->nodes;
    enum search_result result = section_search_run(
        search, capacity, nodes_at(nodes, minimiser->learn_cost), minimiser->runs->deadline);

    note_result(minimiser, result, capacity, search->state.start);
    return search->nodes - before;
}

/* All divers in turn, so that none has to wait for rounds with more placements.  */
static int64_t dive(struct minimiser *minimiser, int64_t capacity, int64_t nodes)
{
    struct section_divers *divers = &minimiser->divers;
    const struct part_runs *runs = minimiser->runs;
    int64_t before = section_divers_nodes(divers), used = 0;

    while (used < nodes && is_open(minimiser, capacity) && timer_now() < runs->deadline) {
        int64_t some = min64(nodes - used, nodes / SECTION_DIVERS + 1);

        for (size_t b = 0; b < minimiser->problem->n; b++)
            divers->best[b] = runs->plan->offset[minimiser->part.member[b]] / minimiser->part.unit;
        if (section_divers_dive(divers, capacity, minimiser->high, capacity == minimiser->first,
                                some, runs->deadline))
            offer_packing(minimiser, divers->found);
        used = section_divers_nodes(divers) - before;
    }
    return used;
}

/* The planner from the best plan on.  */
static int64_t plan_on(struct minimiser *minimiser, int64_t capacity, int64_t nodes)
{
    struct part_runs *runs = minimiser->runs;
    const struct part_instance *part = &minimiser->part;
    struct part_turn turn = {minimiser->turns.seed, nodes, minimiser->low * part->unit,
                             runs->deadline, runs->env->statistics};
    struct plan *plan = plan_new(part->instance);
    int64_t before, spent;

    (void)capacity; /* below the best peak is what it looks for */
    part_runs_copy(runs, part, plan);
    before = plan->peak;
    runs->planner(part->instance, &turn, plan);
    spent = plan->nodes;
    part_turns_next(&minimiser->turns, plan->peak < before);
    part_runs_offer(runs, part, plan->offset, plan->peak);
    update_bounds(minimiser);
    plan_free(plan);
    return spent;
}

static void begin_pairs(struct minimiser *minimiser)
{
    const struct part_runs *runs = minimiser->runs;

    minimiser->pairs = pairs_problem_new(minimiser->part.instance, minimiser->part.unit);
    pairs_search_init(&minimiser->disjunctive, minimiser->pairs);
    if (!minimiser->logged)
        return;
    pairs_log_init(&minimiser->log, runs->instance, runs->env->sink);
    minimiser->log.member = minimiser->part.member;
    pairs_search_log(&minimiser->disjunctive, &minimiser->log);
}

static int64_t decide_pairs(struct minimiser *minimiser, int64_t capacity, int64_t nodes)
{
    int64_t before = minimiser->disjunctive.nodes;
    enum pairs_result result;

    if (minimiser->pairs == NULL)
        begin_pairs(minimiser);
    result = pairs_search_run(&minimiser->disjunctive, capacity,
                              nodes_at(nodes, minimiser->pair_cost), minimiser->runs->deadline);
    if (result == PAIRS_PACKED)
        offer_packing(minimiser, minimiser->disjunctive.start);
    else if (result == PAIRS_REFUTED)
        raise_bound(minimiser, capacity + 1);
    return minimiser->disjunctive.nodes - before;
}

/* --- turns --- */

/* Placements of each technique in a round, of which each has twice as many as the one before.  One
 * that learns costs five to ten times as much as one that does not, one of the planner a tenth or
 * less.  Above the load a refutation is likely.  At the load a packing is: what refutes has its
 * first round, in which most of what can be refuted is, and then a small share of what looks for
 * packings (FIND); the planner comes later.  */
static const struct technique {
    int64_t (*turn)(struct minimiser *minimiser, int64_t capacity, int64_t nodes);
    int64_t above;     /* above the load, in the first round */
    int64_t first;     /* at the load, in the first round */
    int64_t from;      /* later there once FIND has so many in a round, ... */
    int64_t many, one; /* ... MANY for ONE of FIND's, ... */
    int64_t late;      /* ... and such a part of that once FIND has LATE */
} minimiser_technique[TECHNIQUES] = {
    [FIND] = {find, 100, 1000, 0, 1, 1, 1},
    [DIVE] = {dive, 6400, 0, 8000, 16, 1, 8},
    [PLAN] = {plan_on, 3200, 0, 8000, 4, 1, 1},
    [LEARN] = {learn, 400, 200, 0, 1, 64, 1},
    [PAIRS] = {decide_pairs, 1600, 0, 16000, 1, 64, 1},
};

/* What technique T may spend in round ROUND, from 0.  */
static int64_t budget_of(const struct minimiser *minimiser, size_t t, int round, bool load)
{
    const struct technique *technique = &minimiser_technique[t];
    int64_t found = minimiser_technique[FIND].first << round, nodes;

    if (!load)
        nodes = technique->above << round;
    else if (round == 0)
        nodes = technique->first;
    else
        nodes = found < technique->from ? 0 : found * technique->many / technique->one;
    if (load && found >= LATE)
        nodes /= technique->late;
    if (t == PLAN)
        return (int64_t)(minimiser->turns.share * (double)nodes);
    /* Where only what decides pairs proves, it does so in place of what learns.  */
    if (t == PAIRS && minimiser->logged)
        return max64(nodes, budget_of(minimiser, LEARN, round, load));
    return nodes;
}

static void check_limits(struct minimiser *minimiser)
{
    struct part_runs *runs = minimiser->runs;

    runs->timed_out = runs->timed_out || timer_now() >= runs->deadline;
    minimiser->over = runs->timed_out || minimiser->nodes >= minimiser->most;
}

/* Until CAPACITY is decided or a limit is reached, or it is above the bound and hard.  */
static void decide(struct minimiser *minimiser, int64_t capacity)
{
    bool load = capacity == minimiser->first;

    for (int round = 0; capacity == minimiser->low || round < ROUNDS_AHEAD; round++) {
        for (size_t t = 0; t < TECHNIQUES; t++) {
            int64_t nodes =
                min64(budget_of(minimiser, t, round, load), minimiser->most - minimiser->nodes);

            if (minimiser->uses[t] && nodes > 0 && is_open(minimiser, capacity) &&
                timer_now() < minimiser->runs->deadline)
                minimiser->nodes += minimiser_technique[t].turn(minimiser, capacity, nodes);
        }
        if (!is_open(minimiser, capacity))
            return;
        check_limits(minimiser);
    }
}

/* The next capacity to ask about: the lower bound at first; after STEP - 1 more
 * units were refuted in a row, as many above it, but no further than half way.  */
static int64_t next_capacity(int64_t low, int64_t high, int64_t step)
{
    return step == 1 ? low : min64(clipped_add(low, step - 1), low + (high - low) / 2);
}

static void close_bounds(struct minimiser *minimiser)
{
    int64_t step = 1;

    while (is_open(minimiser, minimiser->low)) {
        int64_t capacity = next_capacity(minimiser->low, minimiser->high, step);

        decide(minimiser, capacity);
        step = minimiser->low > capacity ? clipped_add(step, step) : 1;
    }
}

/* --- begin and end --- */

static void minimiser_init(struct minimiser *minimiser, struct part_runs *runs, size_t part,
                           const struct section_minimise_options *options)
{
    uint32_t seed = runs->env->seed;
    const struct instance *instance;
    int64_t all_pairs, pairs, incidences;

    *minimiser = (struct minimiser){.runs = runs, .most = part_runs_nodes_left(runs)};
    part_instance_begin(&minimiser->part, runs, part);
    instance = minimiser->part.instance;
    minimiser->problem = section_classes_of(instance, minimiser->part.unit, false, false);
    all_pairs = instance_overlapping_pairs(instance);
    pairs = min64(all_pairs, MOST_PAIRS);
    incidences = (int64_t)minimiser->problem->start[minimiser->problem->sections];
    minimiser->logged = runs->env->sink != NULL && options->disjunctive && all_pairs <= MOST_PAIRS;
    minimiser->uses[FIND] = lanes_fit(minimiser->problem, runs->peak[part] / minimiser->part.unit);
    minimiser->uses[DIVE] = options->dives;
    minimiser->uses[PLAN] = runs->planner != NULL && instance->max_alignment > minimiser->part.unit;
    /* Without learning it searches on lists all the same, where nobody else would.  */
    minimiser->uses[LEARN] =
        !minimiser->logged && (options->refute.learning || !minimiser->uses[FIND]);
    minimiser->uses[PAIRS] = options->disjunctive && all_pairs <= MOST_PAIRS;
    minimiser->learn_cost = 1 + incidences / USUAL_INCIDENCES;
    minimiser->pair_cost = 1 + pairs * pairs / (USUAL_PAIRS * USUAL_PAIRS);
    minimiser->turns = part_turns_of(seed, FIRST_SHARE);
    if (minimiser->uses[FIND])
        section_finder_init(&minimiser->finder, minimiser->problem, options->refute.parts, seed);
    section_search_init(&minimiser->learning, minimiser->problem, &options->refute, seed);
    section_divers_init(&minimiser->divers, instance, minimiser->part.unit, seed);
    update_bounds(minimiser);
    minimiser->first = minimiser->low;
}

/* Adds what it counted to those of the run.  */
static void minimiser_clear(struct minimiser *minimiser)
{
    struct search_statistics *sum = minimiser->runs->env->statistics;

    if (minimiser->uses[FIND]) {
        section_finder_count(&minimiser->finder, sum);
        section_finder_clear(&minimiser->finder);
    }
    section_search_count(&minimiser->learning, sum);
    section_divers_count(&minimiser->divers, sum);
    if (minimiser->pairs != NULL) {
        pairs_search_count(&minimiser->disjunctive, sum);
        pairs_search_clear(&minimiser->disjunctive);
        pairs_log_clear(&minimiser->log);
    }
    minimiser->runs->plan->nodes += minimiser->nodes;
    pairs_problem_free(minimiser->pairs);
    section_search_clear(&minimiser->learning);
    section_divers_clear(&minimiser->divers);
    section_classes_free(minimiser->problem);
    part_instance_end(&minimiser->part);
}

bool section_minimise(struct part_runs *runs, size_t part,
                      const struct section_minimise_options *options)
{
    struct minimiser minimiser;

    minimiser_init(&minimiser, runs, part, options);
    close_bounds(&minimiser);
    minimiser_clear(&minimiser);
    return !minimiser.over;
}
