/* SPDX-License-Identifier: Apache-2.0 */
/* The planner section-first for rectangles.  Peel, merge, dive, put back:
 *
 *   1. What fits anywhere below the load is taken out (section_peel.h); of the rest,
 *      identical buffers become classes (section_classes.h).  Both keep all packings
 *      of the rest, so a packing of the classes within the load proves the load.
 *   2. In turn: a search at the load, with failures by Luby's sequence, and staged dives,
 *      which end with a packing below the best one or not at all (section_dives.h).
 *   3. A better packing becomes a plan: the peeled buffers go back by first fit, in
 *      the reverse order of their leaving, each below the packing's peak or the load.
 *   4. Where alignments count, the disjunctive search has half as many placements as the dives
 *      (pair_turns.h), and evictions have a share of all that grows with what they find
 *      (evictions.h).
 *
 * Most instances are solved before a greedy plan would have been of use, so all but the largest
 * and those of equal sizes get theirs only when the first search has failed: then all that there is
 * time for are compared, so that no plan is above one of them.  */
#include <config.h>

#include "planner/dives/section_plan.h"

#include <math.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/dive_settings.h"
#include "planner/dives/evictions.h"
#include "planner/dives/incumbent.h"
#include "planner/dives/pair_turns.h"
#include "planner/dives/section_classes.h"
#include "planner/dives/section_dives.h"
#include "planner/dives/section_peel.h"
#include "lib/place/best_greedy.h"
#include "lib/place/gap_index.h"
#include "lib/base/luby.h"
#include "lib/place/work_limit.h"

/* From so many buffers on a greedy plan comes first, and where less time is left than peeling and
 * merging take, in seconds a buffer.  */
enum { GREEDY_FIRST = 50000 };
#define BEGIN_SECONDS 3e-6
/* Up to so many classes the candidates of all sections are kept.  */
enum { MOST_EXACT = 3000 };
/* Failures of the first search: one for so many buffers, if that is more.  */
enum { BUFFERS_A_FAILURE = 25 };
/* Of ten staged dives, the last so many follow the best packing.  */
enum { GUIDED_OF_TEN = 2 };
/* Rounds before the first staged dives, up to so many buffers; how many placements these get for
 * one of the search while there are fewer than so many a buffer, and later.  */
enum { SEARCH_ROUNDS = 3, MOST_SEARCHED = 1000, EARLY_NODES_A_BUFFER = 10 };
#define EARLY_SHARE 4.0
#define LATE_SHARE 0.25
/* Later, too, where candidates are kept and the best plan is further above the load than that.  */
#define FAR_SHARE 1.0
/* A peak that is further above the load than one part in so many is far.  */
enum { FAR_ABOVE = 6 };
/* Staged dives before the first that begins in the middle, and at most between two of these.  */
enum { MIDDLE_FIRST = 8, MOST_WAIT = 31 };
/* There capacities rise by less at a time.  */
#define FINE_RISE 0.002
/* Where a buffer is on average one part of the load in so many, and there are MOST_SEARCHED of
 * them, they rise by much less, after more failures.  */
enum { SMALL_PART = 40, SMALL_FAILURES = 30 };
#define SMALL_RISE 0.0003
/* In how many of the tightest sections of a large instance the candidates are
 * counted, from round to round.  */
static const size_t looks_by_round[] = {4, 16, 4, 0};
enum { LOOKS_ROUNDS = sizeof looks_by_round / sizeof *looks_by_round };

/* Placements of dives for one of the disjunctive search.  */
enum { DIVES_A_PAIR = 2 };
/* Placements of evictions for one of all others: at first, by how much it changes with a better
 * packing and without one, and within what.  */
#define EVICTION_SHARE 1.0
#define SHARE_RISE 2.0
#define SHARE_FALL 0.9
#define LEAST_SHARE 0.25
#define MOST_SHARE 8.0
/* So many looks of theirs take as long as one of the disjunctive search.  */
#define CHEAPER_LOOK 1.75
/* A placement takes as long as so much work of the disjunctive search (pairs_rules.h) for a
 * neighbour.  */
#define WORK_A_NEIGHBOUR 2.0

/* What sections may hold for each buffer, too.  */
#define MOST_INCIDENCES_A_BUFFER 64

struct planner {
    struct incumbent best;
    const struct section_plan_limits *limits;
    bool compared; /* with greedy plans */
    int64_t load;  /* the goal, in units */
    size_t *order, kept;
    struct section_classes *classes;
    struct section_dives dives;
    struct pair_turns pairs; /* where ALIGNED */
    struct evictions evictions;
    double eviction_share;
    int64_t middle_next,
        middle_wait;  /* the next staged dive from the middle, and dives till then */
    int64_t answered; /* placements of all else that evictions have had their share of */
    bool aligned;     /* some alignment counts, and no proof is wanted */
    bool small;       /* buffers are many, and small parts of the load */
    double begun;
};

static bool is_done(const struct planner *planner)
{
    return incumbent_is_done(&planner->best);
}

static int64_t upper(const struct planner *planner)
{
    return incumbent_upper(&planner->best);
}

/* Once: no plan is to be above a greedy one for which there was time.  */
static void compare_greedy(struct planner *planner)
{
    if (planner->compared || timer_now() >= planner->limits->deadline)
        return;
    planner->compared = true;
    incumbent_compare_greedy(&planner->best);
}

/* Makes a plan of the dives' best packing.  */
static void take_packing(struct planner *planner)
{
    const struct section_classes *classes = planner->classes;
    const struct instance *instance = planner->best.instance;
    struct plan *trial = planner->best.trial;
    struct work_limit limit = work_until(planner->limits->deadline, 0);
    struct order_key *key;
    bool placed = true;

    for (size_t i = 0; i < planner->kept; i++)
        trial->offset[planner->order[classes->copy[i]]] =
            planner->dives.best[i] * planner->best.unit;
    if (planner->kept == instance->n) {
        trial->peak = plan_peak(instance, trial);
    } else {
        key = memory_alloc(instance->n, sizeof *key);
        for (size_t i = 0; i < instance->n; i++)
            key[i].index = planner->order[i];
        placed = gap_place_until(instance, key, planner->kept, FIT_FIRST, &limit, trial);
        memory_free(key);
    }
    if (placed)
        incumbent_take(&planner->best);
}

/* Peels and merges.  False when there is nothing to search: all was peeled, so
 * that first fit alone stays within the goal, or there is too much.  */
static bool make_classes(struct planner *planner, bool backwards)
{
    const struct instance *instance = planner->best.instance;
    size_t most = DIVE_MOST_INCIDENCES + MOST_INCIDENCES_A_BUFFER * instance->n;

    planner->order = memory_alloc(instance->n, sizeof *planner->order);
    planner->kept = section_peel(instance, planner->best.unit, planner->best.goal, planner->order);
    if (planner->kept == 0) {
        take_packing(planner);
        return false;
    }
    planner->classes = section_classes_new(instance, planner->best.unit, planner->order,
                                           planner->kept, true, backwards, most);
    return planner->classes != NULL;
}

/* One in four has the other order of ties, and one in four of those that could follow the best
 * packing does not.  */
static struct section_dive kind_of_search(const struct planner *planner, uint64_t round,
                                          size_t looks)
{
    int64_t best = planner->dives.best_peak;

    return (struct section_dive){
        .looks = looks,
        .rank = round % 8 == 6 || round % 8 == 0 ? RANK_FULLEST : RANK_LENGTH,
        .guided = round % 4 != 0 && best - planner->load <= planner->load / DIVE_NEAR_LOAD,
    };
}

/* Whether the candidates of all sections are kept.  */
static bool is_exact(const struct planner *planner)
{
    return planner->classes->n <= MOST_EXACT;
}

static bool are_small(const struct planner *planner)
{
    const struct section_classes *classes = planner->classes;
    double sum = 0.0;

    for (size_t c = 0; c < classes->n; c++)
        sum += (double)classes->size[c] * classes->copies[c];
    return planner->kept >= MOST_SEARCHED &&
           sum / (double)planner->kept * (double)SMALL_PART <= (double)planner->load;
}

/* Of small buffers: with candidates, the sections with little slack come first.  */
static struct section_dive kind_of_small_stage(const struct planner *planner,
                                               struct section_dive kind)
{
    kind.tight = is_exact(planner);
    kind.rise = SMALL_RISE;
    kind.failures = SMALL_FAILURES;
    return kind;
}

/* Of four where candidates are kept, two take large buffers first, and one of these looks at slack,
 * too.  */
static struct section_dive kind_of_stage(const struct planner *planner, int64_t dive, size_t looks)
{
    enum section_rank fourth = dive % 4 == 2 ? RANK_FULLEST : RANK_LENGTH;
    bool guided = dive % 10 >= 10 - GUIDED_OF_TEN;
    struct section_dive kind = {.looks = looks, .rank = fourth, .guided = guided};

    if (planner->small)
        return kind_of_small_stage(planner, kind);
    if (!is_exact(planner))
        return kind;
    return (struct section_dive){
        .rank = dive % 4 >= 2 ? RANK_SIZE : RANK_LENGTH,
        .guided = guided,
        .tight = dive % 4 == 3,
        .rise = FINE_RISE,
    };
}

/* Where the load is out of reach what is placed within it leaves no room for the rest, up to any
 * capacity.  So while the best peak is far above it some staged dives begin between the two: the
 * more of them fail, the fewer.  */
static bool is_from_middle(const struct planner *planner, int64_t dive)
{
    return dive >= planner->middle_next &&
           upper(planner) - planner->load > planner->load / FAR_ABOVE;
}

static void note_middle(struct planner *planner, int64_t dive, bool found)
{
    planner->middle_wait = found ? 0 : min64(2 * planner->middle_wait + 1, MOST_WAIT);
    planner->middle_next = dive + 1 + planner->middle_wait;
}

/* Staged dives with NODES placements or a few more.  */
static void dive_for(struct planner *planner, int64_t nodes, size_t looks, int64_t *dive)
{
    struct section_dives *dives = &planner->dives;
    int64_t end = dives->nodes + nodes;

    do {
        bool middle = is_from_middle(planner, *dive);
        int64_t above = middle ? (upper(planner) - planner->load) / 2 : 0;
        bool found = section_dives_stage(dives, planner->load + above, upper(planner),
                                         kind_of_stage(planner, *dive, looks));

        if (found)
            take_packing(planner);
        if (middle)
            note_middle(planner, *dive, found);
        ++*dive;
    } while (!is_done(planner) && dives->nodes < end && !section_dives_spent(dives));
}

/* One turn of the disjunctive search of NODES placements at most, at the load or BELOW the best
 * peak.  */
static void turn_of_pairs(struct planner *planner, int64_t nodes, bool below)
{
    struct pair_turns *pairs = &planner->pairs;
    double deadline = planner->limits->deadline;

    if (below ? pair_turns_ask_below(pairs, planner->load, upper(planner), nodes, deadline)
              : pair_turns_ask(pairs, planner->load, nodes, deadline))
        incumbent_take_packing(&planner->best, pairs->start);
}

static int64_t nodes_left(const struct planner *planner)
{
    return max64(0, planner->limits->nodes - planner->dives.nodes - planner->pairs.nodes -
                        planner->evictions.nodes);
}

/* The disjunctive search until it has had its share.  */
static void order_pairs(struct planner *planner)
{
    struct pair_turns *pairs = &planner->pairs;
    struct section_dives *dives = &planner->dives;
    double deadline = planner->limits->deadline;
    int64_t before = -1;

    if (!pair_turns_begin(pairs, dives->nodes, nodes_left(planner), planner->begun, deadline,
                          (upper(planner) - planner->load) / 2))
        return;
    /* With nothing left to ask a turn takes no placements.  */
    while (!is_done(planner) && pairs->nodes > before && timer_now() < deadline) {
        int64_t nodes = min64(nodes_left(planner), dives->nodes / DIVES_A_PAIR - pairs->nodes);

        if (nodes <= 0)
            break;
        before = pairs->nodes;
        turn_of_pairs(planner, (nodes + 1) / 2, false);
        if (!is_done(planner))
            turn_of_pairs(planner, nodes / 2, true);
    }
}

/* Whether there are evictions: once dives have had as many placements as beginning costs, if that
 * is done before the deadline.  */
static bool begin_evictions(struct planner *planner)
{
    double work_a_node = CHEAPER_LOOK * planner->pairs.work_a_node, now = timer_now(), seconds;
    int64_t cost = evictions_cost(planner->best.instance, planner->pairs.overlaps, work_a_node);

    if (planner->evictions.n > 0)
        return true;
    if (planner->best.instance->fixed > 0 || planner->dives.nodes < cost ||
        nodes_left(planner) < cost)
        return false;
    seconds = (now - planner->begun) * (double)cost / (double)planner->dives.nodes;
    if (planner->limits->deadline - now < seconds)
        return false;
    evictions_begin(&planner->evictions, planner->best.instance, planner->best.unit,
                    planner->pairs.overlaps, work_a_node);
    return true;
}

/* Evictions, for their share of what all else has had since the last time.  */
static void evict(struct planner *planner)
{
    struct evictions *evictions = &planner->evictions;
    int64_t others = planner->dives.nodes + planner->pairs.nodes, end;
    double deadline = planner->limits->deadline, change = SHARE_FALL;

    if (!begin_evictions(planner))
        return;
    end = (int64_t)(planner->eviction_share * (double)(others - planner->answered));
    end = evictions->nodes + min64(nodes_left(planner), end);
    planner->answered = others;
    evictions_follow(evictions, planner->best.plan->offset, planner->best.unit, upper(planner));
    while (!is_done(planner) && evictions->nodes < end && timer_now() < deadline)
        if (evictions_turn(evictions, planner->load, end - evictions->nodes, deadline)) {
            incumbent_take_packing(&planner->best, evictions->best);
            change = SHARE_RISE;
        }
    planner->eviction_share = fmax(LEAST_SHARE, fmin(MOST_SHARE, planner->eviction_share * change));
}

/* Where alignments count all else takes turns with dives.  */
static void take_turns(struct planner *planner)
{
    order_pairs(planner);
    if (!is_done(planner))
        evict(planner);
    planner->dives.node_end = planner->dives.nodes + nodes_left(planner);
}

/* How many placements staged dives have for one of the search.  */
static double share_of_dives(const struct planner *planner)
{
    int64_t above = planner->best.plan->peak / planner->best.unit - planner->load;

    if (planner->dives.nodes < EARLY_NODES_A_BUFFER * (int64_t)planner->kept)
        return EARLY_SHARE;
    return is_exact(planner) && above > planner->load / DIVE_NEAR_LOAD ? FAR_SHARE : LATE_SHARE;
}

static void search(struct planner *planner)
{
    struct section_dives *dives = &planner->dives;
    int64_t unit = max64(DIVE_SEARCH_FAILURES, (int64_t)(planner->kept / BUFFERS_A_FAILURE)),
            dive = 0;

    /* A large instance has to have something sooner, unless it is a proof that is wanted.  */
    uint64_t search_rounds =
        planner->kept < MOST_SEARCHED || planner->limits->proof ? SEARCH_ROUNDS : 0;

    for (uint64_t round = 1; !section_dives_spent(dives); round++) {
        int64_t before = dives->nodes;
        size_t looks = is_exact(planner) ? 0 : looks_by_round[(round - 1) % LOOKS_ROUNDS];

        if (section_dives_search(dives, planner->load, unit * luby(round),
                                 kind_of_search(planner, round, looks))) {
            take_packing(planner);
            if (is_done(planner))
                return;
        }
        if (round <= search_rounds)
            continue;
        if (!planner->best.given)
            incumbent_take_greedy(&planner->best);
        compare_greedy(planner);
        if (is_done(planner))
            return;
        dive_for(planner, (int64_t)(share_of_dives(planner) * (double)(dives->nodes - before)),
                 looks, &dive);
        if (planner->aligned)
            take_turns(planner);
        if (is_done(planner))
            return;
    }
}

/* The dives follow the plan that is given, one of much the same instance, from the first on.  */
static void follow_plan(struct planner *planner)
{
    int64_t *start = memory_alloc(planner->kept, sizeof *start);

    for (size_t i = 0; i < planner->kept; i++)
        start[i] = planner->best.plan->offset[planner->order[i]] / planner->best.unit;
    section_dives_follow(&planner->dives, start, upper(planner));
    memory_free(start);
}

static void search_all(struct planner *planner)
{
    const struct solver_env *env = planner->best.env;

    section_dives_init(&planner->dives, planner->classes, DIVE_LOG_BYTES, env->seed);
    planner->dives.node_end = planner->limits->nodes;
    planner->dives.deadline = planner->limits->deadline;
    if (planner->best.given && env->follow)
        follow_plan(planner);
    planner->begun = timer_now();
    planner->middle_next = MIDDLE_FIRST;
    planner->small = are_small(planner);
    if (is_exact(planner))
        section_classes_ranks(planner->classes, "ZWAT", planner->classes->rank[RANK_SIZE]);
    planner->aligned =
        planner->best.instance->max_alignment > planner->best.unit && !planner->limits->proof;
    if (planner->aligned) {
        pair_turns_init(&planner->pairs, planner->best.instance, planner->best.unit,
                        WORK_A_NEIGHBOUR);
        evictions_init(&planner->evictions, env->seed);
        planner->eviction_share = EVICTION_SHARE;
    }
    search(planner);
    planner->best.plan->nodes +=
        planner->dives.nodes + planner->pairs.nodes + planner->evictions.nodes;
    section_dives_count(&planner->dives, env->statistics);
    pair_turns_count(&planner->pairs, env->statistics);
    section_dives_clear(&planner->dives);
    pair_turns_clear(&planner->pairs);
    evictions_clear(&planner->evictions);
}

/* Whether there may be no time for more than a greedy plan.  */
static bool is_soon(const struct instance *instance, const struct section_plan_limits *limits)
{
    return limits->deadline - timer_now() < BEGIN_SECONDS * (double)instance->n;
}

bool section_plan_rectangles(const struct instance *instance, const struct solver_env *env,
                             const struct section_plan_limits *limits, bool given,
                             struct plan *plan)
{
    struct planner planner = {
        .best = incumbent_of(instance, env, limits->deadline, given, plan),
        .limits = limits,
        .compared = limits->compared,
    };
    struct small_rng rng;

    small_rng_seed(&rng, env->seed);
    planner.load = planner.best.goal / planner.best.unit;
    if (instance->n >= GREEDY_FIRST || incumbent_is_huge(instance) || is_soon(instance, limits) ||
        greedy_is_equal(instance))
        incumbent_take_greedy(&planner.best);
    if (!is_done(&planner) && (!planner.best.given || timer_now() < limits->deadline) &&
        !incumbent_is_huge(instance) && instance->n > 0 &&
        make_classes(&planner, small_rng_bit(&rng)))
        search_all(&planner);
    if (!planner.best.given)
        incumbent_take_greedy(&planner.best);
    if (!is_done(&planner))
        compare_greedy(&planner);
    CHECK_INVARIANT(plan_check(instance, plan));
    section_classes_free(planner.classes);
    memory_free(planner.order);
    incumbent_clear(&planner.best);
    return plan->peak > planner.best.goal && timer_now() >= limits->deadline;
}
