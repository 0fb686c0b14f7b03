/* SPDX-License-Identifier: Apache-2.0 */
/* Most instances are solved before a greedy plan would have been of use, so of rectangles all but
 * the largest, those of equal sizes and those that have no time for a few dives get theirs only
 * when the first search has failed: then all that there is time for are compared, so that no plan
 * is above one of them.  */
#include <config.h>

#include "planner/dives/section_plan.h"

#include <math.h>

#include "lib/base/check.h"
#include "lib/base/small_rng.h"
#include "lib/base/timer.h"
#include "lib/place/aligned_bound.h"
#include "lib/place/best_greedy.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/aligned_plan.h"
#include "planner/dives/plan_ways.h"

/* Sets of buffers that are stacked to know what is out of reach (aligned_bound.h): a few
 * milliseconds.  */
#define BOUND_WORK 100000
#define LEAST_NODES 200000
#define NODES_A_BUFFER 10
/* From so many buffers on a greedy plan comes first, and where less time is left than peeling and
 * merging take, in seconds a buffer.  */
enum { GREEDY_FIRST = 50000 };
#define BEGIN_SECONDS 3e-6
/* What a placement of a dive takes, and what it takes for each neighbour, in seconds.  Where there
 * is no time for a few dives greedy plans come before all else and have half of it, or all of it
 * where there is none for one; else they have a share beside the dives.  */
#define PLACEMENT_SECONDS 0.5e-6
#define NEIGHBOUR_SECONDS 4e-9
#define FEW_DIVES 4.0
#define SHARE_BEFORE_FEW 0.5
#define SHARE_BESIDE 0.1
/* One part in so many of the limits is for the rectangles around pieces.  */
#define AROUND_SHARE 4
/* A placement of dives takes as long as so much work of the disjunctive search (pairs_rules.h) for
 * a neighbour, of those for rectangles and of those for pieces.  */
#define WORK_A_NEIGHBOUR 2.0
#define WORK_A_NEIGHBOUR_OF_PIECES 7.0
/* So many looks of evictions take as long as one of the disjunctive search.  */
#define CHEAPER_LOOK 1.75
/* Without alignments evictions are of use from so many buffers on, while the best peak is further
 * above the load than one part in so many: dives have had few placements a buffer then.  */
enum { MANY_BUFFERS = 1000, EVICTED_ABOVE = 16 };
/* Placements in a turn, for each buffer.  */
enum { SLICE = 2 };
/* What has found a better packing gets a larger share.  */
#define SHARE_RISE 2.0

int64_t section_plan_nodes(size_t n)
{
    return LEAST_NODES + NODES_A_BUFFER * (int64_t)n;
}

/* --- the ways --- */

enum { DIVES, PIECES, LEAST, BELOW, EVICTIONS, WAYS };

static bool has_dives(struct planner *planner)
{
    return planner->rectangles.classes != NULL;
}

static bool has_pieces(struct planner *planner)
{
    return planner->pieces.shapes != NULL;
}

/* The disjunctive search, once dives have had their time (pair_turns.h).  */
static bool has_pairs(struct planner *planner)
{
    return planner->pairs.instance != NULL && planner->staging &&
           pair_turns_begin(&planner->pairs, planner_dived(planner), planner_left(planner),
                            planner->limits->deadline,
                            (planner_upper(planner) - planner->load) / 2);
}

/* Whether evictions may find what dives do not.  */
static bool evictions_help(const struct planner *planner)
{
    const struct instance *instance = planner->best.instance;

    if (!planner->staging || instance->shapes || instance->fixed > 0 || planner->limits->proof)
        return false;
    return instance->max_alignment > planner->best.unit ||
           (instance->n >= MANY_BUFFERS &&
            planner_upper(planner) - planner->load > planner->load / EVICTED_ABOVE);
}

/* Of evictions, which are begun with once dives have had as many placements as that costs, if it is
 * done before the deadline.  */
static bool has_evictions(struct planner *planner)
{
    struct pair_turns *pairs = &planner->pairs;
    const struct instance *instance = planner->best.instance;
    double work_a_node, now, seconds;
    int64_t cost, dived = planner_dived(planner);

    if (planner->evictions.n > 0)
        return true;
    if (!evictions_help(planner))
        return false;
    if (pairs->instance == NULL)
        pair_turns_measure(pairs, instance, planner->best.unit, WORK_A_NEIGHBOUR);
    work_a_node = CHEAPER_LOOK * pairs->work_a_node;
    cost = evictions_cost(instance, pairs->overlaps, work_a_node);
    if (dived < cost || planner_left(planner) < cost)
        return false;
    now = timer_now();
    seconds = (now - planner->begun) * (double)cost / (double)dived;
    if (planner->limits->deadline - now < seconds)
        return false;
    evictions_begin(&planner->evictions, instance, planner->best.unit, pairs->overlaps,
                    work_a_node);
    return true;
}

static int64_t slice_of(const struct planner *planner)
{
    return min64(SLICE * (int64_t)planner->best.instance->n, planner_left(planner));
}

static void take_pairs(struct planner *planner)
{
    if (has_pieces(planner))
        pieces_take_packing(planner, planner->pairs.start);
    else
        incumbent_take_packing(&planner->best, planner->pairs.start);
}

static void ask_for_least(struct planner *planner)
{
    if (pair_turns_ask(&planner->pairs, planner->load, slice_of(planner),
                       planner->limits->deadline))
        take_pairs(planner);
}

static void ask_below(struct planner *planner)
{
    if (pair_turns_ask_below(&planner->pairs, planner->load, planner_upper(planner),
                             slice_of(planner), planner->limits->deadline))
        take_pairs(planner);
}

static void evict(struct planner *planner)
{
    struct evictions *evictions = &planner->evictions;

    evictions_follow(evictions, planner->best.plan->offset, planner->best.unit,
                     planner_upper(planner));
    if (evictions_turn(evictions, planner->load, slice_of(planner), planner->limits->deadline))
        incumbent_take_packing(&planner->best, evictions->best);
}

/* Shares of the work at first, beside dives for rectangles alone and where there are dives for
 * pieces; and by how much they fall after a turn without a better packing (1: they stay), within
 * what.  METHOD.md has what was measured, in "Alignments", "Buffers of several pieces" and "Fixed
 * offsets".  */
static const struct way {
    bool (*is_due)(struct planner *planner);
    void (*turn)(struct planner *planner);
    double share, beside_pieces;
    double fall, least, most;
} plan_way[WAYS] = {
    [DIVES] = {has_dives, rectangles_turn, 2.0, 4.0, 1.0, 0.0, 0.0},
    [PIECES] = {has_pieces, pieces_turn, 0.0, 2.0, 0.8, 0.25, 4.0},
    [LEAST] = {has_pairs, ask_for_least, 0.5, 6.0, 0.9, 0.5, 4.0},
    [BELOW] = {has_pairs, ask_below, 0.5, 0.5, 0.8, 0.25, 4.0},
    [EVICTIONS] = {has_evictions, evict, 3.0, 0.0, 0.97, 0.75, 24.0},
};

struct turn {
    double share;
    int64_t had; /* of the work */
};

/* The way that is due and has had the least for its share; WAYS: none is due.  */
static size_t next_way(struct planner *planner, const struct turn *turn)
{
    size_t best = WAYS;

    for (size_t w = 0; w < WAYS; w++)
        if (plan_way[w].is_due(planner) &&
            (best == WAYS ||
             (double)turn[w].had * turn[best].share < (double)turn[best].had * turn[w].share))
            best = w;
    return best;
}

static bool is_over(const struct planner *planner)
{
    return planner_is_done(planner) || planner_left(planner) == 0 ||
           timer_now() >= planner->limits->deadline;
}

static void take_turns(struct planner *planner)
{
    struct turn turn[WAYS];
    size_t w;

    for (w = 0; w < WAYS; w++)
        turn[w] =
            (struct turn){has_pieces(planner) ? plan_way[w].beside_pieces : plan_way[w].share, 0};
    while (!is_over(planner) && (w = next_way(planner, turn)) < WAYS) {
        const struct plan *plan = planner->best.plan;
        int64_t before = planner_spent(planner), spent;
        int64_t peak = planner->best.given ? plan->peak : INT64_MAX;

        plan_way[w].turn(planner);
        spent = planner_spent(planner) - before;
        /* None: it has nothing to do.  */
        turn[w].had += spent > 0 ? spent : slice_of(planner);
        if (plan_way[w].fall == 1.0)
            continue;
        if (planner->best.given && plan->peak < peak)
            turn[w].share = fmin(turn[w].share * SHARE_RISE, plan_way[w].most);
        else
            turn[w].share = fmax(turn[w].share * plan_way[w].fall, plan_way[w].least);
    }
}

/* --- all of it --- */

/* True: they were.  */
static bool compare_in_share(struct planner *planner, double share)
{
    if (planner->compared || timer_now() >= planner->limits->deadline)
        return false;
    planner->compared = true;
    incumbent_compare_greedy(&planner->best, share);
    return true;
}

void planner_compare_greedy(struct planner *planner)
{
    compare_in_share(planner, SHARE_BESIDE);
}

/* What alignments say that no plan gets below is as good a goal as the load.  Who wants a proof has
 * bounds of his own.  */
static int64_t find_bound(const struct instance *instance, const struct solver_env *env,
                          const struct section_plan_limits *limits, struct plan *plan)
{
    int64_t bound = aligned_bound(instance, BOUND_WORK, limits->deadline);

    if (bound > plan->lower_bound && bound > instance->load && !limits->proof) {
        plan->lower_bound = bound;
        if (env->bound != NULL)
            env->bound(env->context, bound);
    }
    return bound;
}

/* Where the pieces are hardly less than the rectangles around them, these are planned better.  Not
 * streamed: the plan is one of another instance.  */
static void plan_around(struct planner *planner)
{
    struct instance *joined = instance_joined(planner->best.instance);
    const struct section_plan_limits *limits = planner->limits;
    double now = timer_now();
    struct section_plan_limits share = {limits->nodes / AROUND_SHARE,
                                        now + (limits->deadline - now) / AROUND_SHARE, false, true};
    struct solver_env env = *planner->best.env;
    struct plan *trial = planner->best.trial;

    env.incumbent = NULL;
    env.bound = NULL;
    if (joined != NULL && joined->load < planner->best.plan->peak) {
        trial->nodes = 0;
        section_plan(joined, &env, &share, false, trial);
        planner->best.plan->nodes += trial->nodes;
        planner->nodes = max64(0, planner->nodes - trial->nodes);
        incumbent_take(&planner->best);
    }
    instance_free(joined);
}

/* Whether there may be no time for more than a greedy plan.  */
static bool is_soon(const struct instance *instance, const struct section_plan_limits *limits)
{
    return limits->deadline - timer_now() < BEGIN_SECONDS * (double)instance->n;
}

/* Dives of all buffers that there is time for; many: for a few at least.  */
static double dives_in_time(const struct instance *instance, double seconds)
{
    double n = (double)instance->n;

    /* Where even all neighbours would leave time enough, they need not be counted.  */
    if (seconds > FEW_DIVES * n * (PLACEMENT_SECONDS + n * NEIGHBOUR_SECONDS))
        return FEW_DIVES;
    return seconds / (n * PLACEMENT_SECONDS +
                      2.0 * (double)instance_overlapping_pairs(instance) * NEIGHBOUR_SECONDS);
}

/* All that there is time for, where that is not enough for dives.  True: they were compared.  */
static bool compare_first(struct planner *planner)
{
    const struct instance *instance = planner->best.instance;
    double dives;

    if (planner->compared || instance->n == 0)
        return false;
    dives = dives_in_time(instance, planner->limits->deadline - timer_now());
    return dives < FEW_DIVES && compare_in_share(planner, dives < 1.0 ? 1.0 : SHARE_BEFORE_FEW);
}

static void plan_greedily(struct planner *planner, bool pieces)
{
    const struct instance *instance = planner->best.instance;

    if (!pieces && compare_first(planner))
        return;
    if (pieces || instance->n >= GREEDY_FIRST || incumbent_is_huge(instance) ||
        is_soon(instance, planner->limits) || greedy_is_equal(instance))
        incumbent_take_greedy(&planner->best);
    if (!pieces)
        return;
    if (!planner_is_done(planner))
        pieces_take_greedy(planner);
    planner_compare_greedy(planner);
    planner->staging = true;
}

static void search(struct planner *planner, bool pieces)
{
    const struct instance *instance = planner->best.instance;
    const struct solver_env *env = planner->best.env;
    struct small_rng rng;

    small_rng_seed(&rng, env->seed);
    if (instance->shapes)
        plan_around(planner);
    else
        rectangles_begin(planner, small_rng_bit(&rng));
    if (!planner_is_done(planner) && pieces)
        pieces_begin(planner);
    if (pieces || (instance->max_alignment > planner->best.unit && !planner->limits->proof))
        pair_turns_init(&planner->pairs, instance, planner->best.unit,
                        pieces ? WORK_A_NEIGHBOUR_OF_PIECES : WORK_A_NEIGHBOUR);
    evictions_init(&planner->evictions, env->seed);
    planner->begun = timer_now();
    take_turns(planner);
    planner->best.plan->nodes += planner_spent(planner);
    rectangles_end(planner);
    pieces_end(planner);
    pair_turns_count(&planner->pairs, env->statistics);
    pair_turns_clear(&planner->pairs);
    evictions_clear(&planner->evictions);
}

/* With the sizes as they are.  */
static bool plan_as_it_is(const struct instance *instance, const struct solver_env *env,
                          const struct section_plan_limits *limits, bool given, struct plan *plan)
{
    struct planner planner = {
        .best = incumbent_of(instance, env, limits->deadline, given, plan),
        .limits = limits,
        .nodes = limits->nodes,
        .compared = limits->compared,
    };
    bool pieces = instance->shapes || instance->fixed > 0, done;

    planner.load = planner.best.goal / planner.best.unit;
    plan_greedily(&planner, pieces);
    if (!planner_is_done(&planner) && (!planner.best.given || timer_now() < limits->deadline) &&
        !incumbent_is_huge(instance) && instance->n > 0)
        search(&planner, pieces);
    if (!planner.best.given)
        incumbent_take_greedy(&planner.best);
    if (!planner_is_done(&planner))
        planner_compare_greedy(&planner);
    CHECK_INVARIANT(plan_check(instance, plan));
    done = planner_is_done(&planner);
    incumbent_clear(&planner.best);
    return !done && timer_now() >= limits->deadline;
}

bool section_plan(const struct instance *instance, const struct solver_env *env,
                  const struct section_plan_limits *limits, bool given, struct plan *plan)
{
    struct solver_env inner = *env;
    int64_t quantum;
    bool done, late;

    if (instance->shapes || instance->fixed > 0)
        return plan_as_it_is(instance, env, limits, given, plan);
    quantum = aligned_plan_quantum(instance);
    inner.goal = max64(env->goal, find_bound(instance, env, limits, plan));
    if (quantum > 0) {
        late = aligned_plan(instance, quantum, &inner, limits, given, plan, &done);
        if (done)
            return late;
    }
    return plan_as_it_is(instance, &inner, limits, given, plan);
}
