/* SPDX-License-Identifier: Apache-2.0 */
/* Dives for rectangles, as a way of section_plan.h.  Peel, merge, dive, put back:
 *
 *   1. What fits anywhere below the load is taken out (section_peel.h); of the rest,
 *      identical buffers become classes (section_classes.h).  Both keep all packings
 *      of the rest, so a packing of the classes within the load proves the load.
 *   2. In turn: a search at the load, with failures by Luby's sequence, and staged dives,
 *      which end with a packing below the best one or not at all (section_dives.h).
 *   3. A better packing becomes a plan: the peeled buffers go back by first fit, in
 *      the reverse order of their leaving, each below the packing's peak or the load.  */
#include <config.h>

#include "lib/base/luby.h"
#include "lib/base/memory.h"
#include "lib/place/gap_index.h"
#include "lib/place/work_limit.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/dive_settings.h"
#include "planner/dives/plan_ways.h"
#include "planner/dives/section_classes.h"
#include "planner/dives/section_peel.h"

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

/* What sections may hold for each buffer, too.  */
#define MOST_INCIDENCES_A_BUFFER 64

/* Makes a plan of the dives' best packing.  */
static void take_packing(struct planner *planner)
{
    const struct section_classes *classes = planner->rectangles.classes;
    const struct instance *instance = planner->best.instance;
    struct plan *trial = planner->best.trial;
    struct work_limit limit = work_until(planner->limits->deadline, 0);
    struct order_key *key;
    bool placed = true;

    for (size_t i = 0; i < planner->rectangles.kept; i++)
        trial->offset[planner->rectangles.order[classes->copy[i]]] =
            planner->rectangles.dives.best[i] * planner->best.unit;
    if (planner->rectangles.kept == instance->n) {
        trial->peak = plan_peak(instance, trial);
    } else {
        key = memory_alloc(instance->n, sizeof *key);
        for (size_t i = 0; i < instance->n; i++)
            key[i].index = planner->rectangles.order[i];
        placed = gap_place_until(instance, key, planner->rectangles.kept, FIT_FIRST, &limit, trial);
        memory_free(key);
    }
    if (placed)
        incumbent_take(&planner->best);
}

/* One in four has the other order of ties, and one in four of those that could follow the best
 * packing does not.  */
static struct section_dive kind_of_search(const struct planner *planner, uint64_t round,
                                          size_t looks)
{
    int64_t best = planner->rectangles.dives.best_peak;

    return (struct section_dive){
        .looks = looks,
        .rank = round % 8 == 6 || round % 8 == 0 ? RANK_FULLEST : RANK_LENGTH,
        .guided = round % 4 != 0 && best - planner->load <= planner->load / DIVE_NEAR_LOAD,
    };
}

/* Whether the candidates of all sections are kept.  */
static bool is_exact(const struct planner *planner)
{
    return planner->rectangles.classes->n <= MOST_EXACT;
}

static bool are_small(const struct planner *planner)
{
    const struct section_classes *classes = planner->rectangles.classes;
    double sum = 0.0;

    for (size_t c = 0; c < classes->n; c++)
        sum += (double)classes->size[c] * classes->copies[c];
    return planner->rectangles.kept >= MOST_SEARCHED &&
           sum / (double)planner->rectangles.kept * (double)SMALL_PART <= (double)planner->load;
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

    if (planner->rectangles.small)
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
    return dive >= planner->rectangles.middle_next &&
           planner_upper(planner) - planner->load > planner->load / FAR_ABOVE;
}

static void note_middle(struct planner *planner, int64_t dive, bool found)
{
    planner->rectangles.middle_wait =
        found ? 0 : min64(2 * planner->rectangles.middle_wait + 1, MOST_WAIT);
    planner->rectangles.middle_next = dive + 1 + planner->rectangles.middle_wait;
}

/* Staged dives with NODES placements or a few more.  */
static void dive_for(struct planner *planner, int64_t nodes, size_t looks)
{
    struct section_dives *dives = &planner->rectangles.dives;
    int64_t end = dives->nodes + nodes;

    do {
        int64_t dive = planner->rectangles.staged++;
        bool middle = is_from_middle(planner, dive);
        int64_t above = middle ? (planner_upper(planner) - planner->load) / 2 : 0;
        bool found = section_dives_stage(dives, planner->load + above, planner_upper(planner),
                                         kind_of_stage(planner, dive, looks));

        if (found)
            take_packing(planner);
        if (middle)
            note_middle(planner, dive, found);
    } while (!planner_is_done(planner) && dives->nodes < end && !section_dives_spent(dives));
}

/* How many placements staged dives have for one of the search.  */
static double share_of_stages(const struct planner *planner)
{
    int64_t above = planner->best.plan->peak / planner->best.unit - planner->load;

    if (planner->rectangles.dives.nodes < EARLY_NODES_A_BUFFER * (int64_t)planner->rectangles.kept)
        return EARLY_SHARE;
    return is_exact(planner) && above > planner->load / DIVE_NEAR_LOAD ? FAR_SHARE : LATE_SHARE;
}

void rectangles_turn(struct planner *planner)
{
    struct rectangles *rectangles = &planner->rectangles;
    struct section_dives *dives = &rectangles->dives;
    uint64_t round = ++rectangles->rounds;
    int64_t unit = max64(DIVE_SEARCH_FAILURES, (int64_t)(rectangles->kept / BUFFERS_A_FAILURE));
    int64_t before = dives->nodes;
    size_t looks = is_exact(planner) ? 0 : looks_by_round[(round - 1) % LOOKS_ROUNDS];
    /* A large instance has to have something sooner, unless it is a proof that is wanted.  */
    bool search_only =
        (rectangles->kept < MOST_SEARCHED || planner->limits->proof) && round <= SEARCH_ROUNDS;

    dives->node_end = dives->nodes + planner_left(planner);
    if (section_dives_search(dives, planner->load, unit * luby(round),
                             kind_of_search(planner, round, looks)))
        take_packing(planner);
    if (search_only || planner_is_done(planner))
        return;
    planner->staging = true;
    if (!planner->best.given)
        incumbent_take_greedy(&planner->best);
    planner_compare_greedy(planner);
    if (!planner_is_done(planner))
        dive_for(planner, (int64_t)(share_of_stages(planner) * (double)(dives->nodes - before)),
                 looks);
}

/* The dives follow the plan that is given, one of much the same instance, from the first on.  */
static void follow_plan(struct planner *planner)
{
    struct rectangles *rectangles = &planner->rectangles;
    int64_t *start = memory_alloc(rectangles->kept, sizeof *start);

    for (size_t i = 0; i < rectangles->kept; i++)
        start[i] = planner->best.plan->offset[rectangles->order[i]] / planner->best.unit;
    section_dives_follow(&rectangles->dives, start, planner_upper(planner));
    memory_free(start);
}

void rectangles_begin(struct planner *planner, bool backwards)
{
    const struct instance *instance = planner->best.instance;
    const struct solver_env *env = planner->best.env;
    struct rectangles *rectangles = &planner->rectangles;
    size_t most = DIVE_MOST_INCIDENCES + MOST_INCIDENCES_A_BUFFER * instance->n;

    rectangles->order = memory_alloc(instance->n, sizeof *rectangles->order);
    rectangles->kept =
        section_peel(instance, planner->best.unit, planner->best.goal, rectangles->order);
    if (rectangles->kept == 0) {
        take_packing(planner);
        return;
    }
    rectangles->classes = section_classes_new(instance, planner->best.unit, rectangles->order,
                                              rectangles->kept, true, backwards, most);
    if (rectangles->classes == NULL)
        return;
    section_dives_init(&rectangles->dives, rectangles->classes, DIVE_LOG_BYTES, env->seed);
    rectangles->dives.deadline = planner->limits->deadline;
    if (planner->best.given && env->follow)
        follow_plan(planner);
    rectangles->middle_next = MIDDLE_FIRST;
    rectangles->small = are_small(planner);
    if (is_exact(planner))
        section_classes_ranks(rectangles->classes, "ZWAT", rectangles->classes->rank[RANK_SIZE]);
}

void rectangles_end(struct planner *planner)
{
    struct rectangles *rectangles = &planner->rectangles;

    section_dives_count(&rectangles->dives, planner->best.env->statistics);
    if (rectangles->classes != NULL)
        section_dives_clear(&rectangles->dives);
    section_classes_free(rectangles->classes);
    memory_free(rectangles->order);
}
