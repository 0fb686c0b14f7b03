/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/shape_plan.h"

#include <math.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/shape_fit.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/dive_settings.h"
#include "planner/dives/incumbent.h"
#include "planner/dives/pair_turns.h"
#include "planner/dives/section_plan.h"
#include "planner/dives/shape_dives.h"

/* shape_place looks at all pairs of buffers: up to so many of these.  */
enum { MOST_PLACED = 5000 };
/* One part in so many of the limits is for rectangles: where they are around pieces, and where it
 * is fixed offsets alone that the dives for rectangles share with those for pieces.  */
enum { AROUND_SHARE = 4, FIXED_SHARE = 2 };
/* A placement takes as long as so much work of the disjunctive search (pairs_rules.h) for a
 * neighbour.  */
#define WORK_A_NEIGHBOUR 7.0
/* Placements in a turn of the disjunctive search, for each buffer.  */
enum { SLICE = 2 };
/* What has found a better packing gets a larger share, what has not a smaller one.  */
#define SHARE_RISE 2.0
#define SHARE_FALL 0.8
#define LEAST_FALL 0.9
#define MOST_SHARE 4.0
#define LEAST_SHARE 0.25
/* Of ten dives the last so many follow the best plan.  */
enum { GUIDED_OF_TEN = 3 };
/* From dive to dive.  */
static const struct shape_dive kinds[] = {{4, DIVE_STAGE_FAILURES, NULL},
                                          {16, DIVE_STAGE_FAILURES, NULL}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct planner {
    struct incumbent best;
    int64_t *guide; /* the best plan, in units */
    struct order_key *key;
};

static bool is_done(const struct planner *planner)
{
    return incumbent_is_done(&planner->best);
}

/* Places all again, each where it fits, in the order of the trial's offsets.  */
static void drop_all(struct planner *planner)
{
    const struct instance *instance = planner->best.instance;

    if (instance->n > MOST_PLACED)
        return;
    for (size_t b = 0; b < instance->n; b++)
        planner->key[b] = (struct order_key){key_ascending(planner->best.trial->offset[b]), 0, b};
    order_sort(planner->key, instance->n);
    if (shape_place_until(instance, planner->key, planner->best.deadline, planner->best.trial))
        incumbent_take(&planner->best);
}

static void take_packing(struct planner *planner, const int64_t *start)
{
    incumbent_take_packing(&planner->best, start);
    drop_all(planner);
}

/* What is searched by in turn: dives; the disjunctive search at the load; and below the best peak.
 */
enum engine { DIVES, LEAST, BELOW, ENGINES };

struct search {
    struct planner *planner;
    struct shape_sections *shapes;
    struct shape_dives dives;
    struct pair_turns pairs;
    int64_t load; /* in units */
    int64_t end;  /* of placements */
    double begun, deadline;
    uint64_t dived;
    int64_t spent[ENGINES]; /* placements */
    double share[ENGINES];
};

static int64_t upper(const struct search *search)
{
    return incumbent_upper(&search->planner->best);
}

static int64_t nodes_left(const struct search *search)
{
    return max64(0, search->end - search->dives.nodes - search->pairs.nodes);
}

static bool is_over(const struct search *search)
{
    return is_done(search->planner) || nodes_left(search) == 0 || timer_now() >= search->deadline;
}

static void dive(struct search *search)
{
    struct planner *planner = search->planner;
    uint64_t round = search->dived++;
    struct shape_dive kind = kinds[round % KINDS];
    int64_t high = upper(search), low = search->load;

    if (round % 10 >= 10 - GUIDED_OF_TEN) {
        for (size_t b = 0; b < planner->best.instance->n; b++)
            planner->guide[b] = planner->best.plan->offset[b] / planner->best.unit;
        kind.guide = planner->guide;
    }
    search->dives.node_end = search->dives.nodes + nodes_left(search);
    if (shape_dives_stage(&search->dives, round % 2 == 0 ? low : low + (high - low) / 2, high,
                          kind))
        take_packing(planner, search->dives.start);
}

static bool has_pairs(struct search *search)
{
    return pair_turns_begin(&search->pairs, search->dives.nodes, nodes_left(search), search->begun,
                            search->deadline, (upper(search) - search->load) / 2);
}

/* A slice of the work of ENGINE.  */
static void work(struct search *search, enum engine engine)
{
    struct pair_turns *pairs = &search->pairs;
    int64_t slice = min64(SLICE * (int64_t)search->planner->best.instance->n, nodes_left(search));
    bool packed = false;

    if (engine == DIVES)
        dive(search);
    else if (engine == LEAST)
        packed = pair_turns_ask(pairs, search->load, slice, search->deadline);
    else
        packed = pair_turns_ask_below(pairs, search->load, upper(search), slice, search->deadline);
    if (packed)
        take_packing(search->planner, pairs->start);
}

/* The engine that has had the least for its share.  */
static enum engine next_engine(const struct search *search)
{
    int best = DIVES;

    for (int engine = LEAST; engine < ENGINES; engine++)
        if ((double)search->spent[engine] * search->share[best] <
            (double)search->spent[best] * search->share[engine])
            best = engine;
    return (enum engine)best;
}

static void search_in_turn(struct search *search)
{
    while (!is_over(search)) {
        enum engine engine = has_pairs(search) ? next_engine(search) : DIVES;
        int64_t before = nodes_left(search), peak = search->planner->best.plan->peak, spent;

        work(search, engine);
        spent = before - nodes_left(search); /* none: it has nothing to do */
        search->spent[engine] +=
            spent > 0 ? spent : SLICE * (int64_t)search->planner->best.instance->n;
        if (search->planner->best.plan->peak < peak)
            search->share[engine] = fmin(search->share[engine] * SHARE_RISE, MOST_SHARE);
        else
            search->share[engine] = fmax(
                search->share[engine] * (engine == LEAST ? LEAST_FALL : SHARE_FALL), LEAST_SHARE);
    }
}

/* Where the pieces are hardly less than the rectangles around them, these are planned better.  Not
 * streamed: the plan is one of another instance.  */
static void plan_rectangles(struct planner *planner, const struct section_plan_limits *limits)
{
    struct instance *joined = instance_joined(planner->best.instance);
    int part = planner->best.instance->shapes ? AROUND_SHARE : FIXED_SHARE;
    struct section_plan_limits share = {limits->nodes / part, limits->deadline, false, true};
    struct solver_env env = *planner->best.env;
    double now = timer_now();

    if (joined == NULL)
        return;
    share.deadline = now + (limits->deadline - now) / part;
    env.incumbent = NULL;
    env.bound = NULL;
    if (joined->load < planner->best.plan->peak) {
        planner->best.trial->nodes = 0;
        if (joined->fixed > 0)
            section_plan_rectangles(joined, &env, &share, false, planner->best.trial);
        else
            section_plan(joined, &env, &share, false, planner->best.trial);
        planner->best.plan->nodes += planner->best.trial->nodes;
        incumbent_take(&planner->best);
    }
    instance_free(joined);
}

static void search_shapes(struct planner *planner, const struct section_plan_limits *limits)
{
    struct search search = {
        .planner = planner,
        .shapes =
            shape_sections_new(planner->best.instance, planner->best.unit, DIVE_MOST_INCIDENCES),
        .load = planner->best.instance->load / planner->best.unit,
        .deadline = limits->deadline,
        .share = {2.0, 6.0, 0.5},
    };
    struct search_statistics *sum = planner->best.env->statistics;

    plan_rectangles(planner, limits);
    if (search.shapes == NULL || is_done(planner)) {
        shape_sections_free(search.shapes);
        return;
    }
    search.begun = timer_now();
    search.end = max64(0, limits->nodes - planner->best.plan->nodes);
    pair_turns_init(&search.pairs, planner->best.instance, planner->best.unit, WORK_A_NEIGHBOUR);
    shape_dives_init(&search.dives, search.shapes, planner->best.env->seed);
    search.dives.deadline = limits->deadline;
    search_in_turn(&search);
    planner->best.plan->nodes += search.dives.nodes + search.pairs.nodes;
    shape_dives_count(&search.dives, sum);
    pair_turns_count(&search.pairs, sum);
    shape_dives_clear(&search.dives);
    pair_turns_clear(&search.pairs);
    shape_sections_free(search.shapes);
}

bool shape_plan(const struct instance *instance, const struct solver_env *env,
                const struct section_plan_limits *limits, bool given, struct plan *plan)
{
    struct planner planner = {
        .best = incumbent_of(instance, env, limits->deadline, given, plan),
        .guide = memory_alloc(instance->n, sizeof *planner.guide),
        .key = memory_alloc(instance->n, sizeof *planner.key),
    };
    bool done;

    incumbent_take_greedy(&planner.best);
    if (instance->n <= MOST_PLACED && !is_done(&planner) &&
        shape_place_best_until(instance, limits->deadline, planner.best.trial))
        incumbent_take(&planner.best);
    /* No plan is to be above a greedy one of the rectangles around pieces for which there was
     * time.  */
    if (!limits->compared)
        incumbent_compare_greedy(&planner.best);
    if (!is_done(&planner) && timer_now() < limits->deadline && !incumbent_is_huge(instance) &&
        instance->n > 0)
        search_shapes(&planner, limits);
    CHECK_INVARIANT(plan_check(instance, plan));
    done = is_done(&planner);
    incumbent_clear(&planner.best);
    memory_free(planner.guide);
    memory_free(planner.key);
    return !done && timer_now() >= limits->deadline;
}
