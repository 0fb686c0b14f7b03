/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/best_greedy.h"

#include <assert.h>
#include <math.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/place/gap_index.h"
#include "lib/place/path_groups.h"
#include "lib/place/skyline.h"
#include "lib/place/time_parts.h"
#include "lib/place/work_limit.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Looks of the first plan that the clock is not asked about: some milliseconds, and so many for
 * each buffer; where lives are short it takes fewer.  */
enum { FREE_LOOKS = 500000, FREE_LOOKS_A_BUFFER = 200 };
/* Looks of all the others together: some thousand buffers that live long take as many, and a
 * million that live shortly.  */
#define MOST_LOOKS INT64_C(400000000)
#define MOST_LOOKS_A_BUFFER 500
/* Where a search has less time than that left, in seconds, not all may be compared.  */
#define SOON 1.0
/* What stacking takes, for each buffer.  */
enum { LOOKS_TO_STACK = 30 };

enum fit { IN_FIRST_GAP, IN_BEST_GAP, IN_UNEVEN_GAP, ON_TOP, IN_ROWS };

/* Those of the registry that say so (SOLVER_FIRST_PLAN), then others.  What is above the rest on
 * few instances comes last.  */
static const struct {
    enum greedy_measure major, minor;
    enum fit fit;
    enum group_choice choice; /* IN_ROWS only */
} recipe[] = {
    {BY_SIZE, BY_LENGTH, IN_FIRST_GAP, GROUP_FIRST},
    {BY_NOTHING, BY_NOTHING, IN_ROWS, GROUP_FIRST},
    {BY_SIZE, BY_NOTHING, IN_BEST_GAP, GROUP_FIRST},
    {BY_NOTHING, BY_NOTHING, IN_ROWS, GROUP_LAST},
    {BY_NOTHING, BY_NOTHING, IN_ROWS, GROUP_BEST},
    {BY_LENGTH, BY_SIZE, ON_TOP, GROUP_FIRST},
    {BY_BEGIN, BY_NOTHING, IN_FIRST_GAP, GROUP_FIRST},
    {BY_BEGIN, BY_SIZE, ON_TOP, GROUP_FIRST},
    {BY_END, BY_SIZE, ON_TOP, GROUP_FIRST},
    {BY_SIZE, BY_LENGTH, IN_BEST_GAP, GROUP_FIRST},
    {BY_LENGTH, BY_SIZE, IN_FIRST_GAP, GROUP_FIRST},
    {BY_AREA, BY_SIZE, IN_FIRST_GAP, GROUP_FIRST},
    {BY_LENGTH, BY_SIZE, IN_BEST_GAP, GROUP_FIRST},
    {BY_AREA, BY_SIZE, IN_BEST_GAP, GROUP_FIRST},
    {BY_BEGIN, BY_SIZE, IN_FIRST_GAP, GROUP_FIRST},
    {BY_BEGIN, BY_SIZE, IN_BEST_GAP, GROUP_FIRST},
    {BY_MET, BY_SIZE, IN_FIRST_GAP, GROUP_FIRST},
    {BY_CROWD, BY_SIZE, IN_FIRST_GAP, GROUP_FIRST},
    {BY_BEGIN, BY_END, IN_UNEVEN_GAP, GROUP_FIRST},
    {BY_SIZE, BY_NOTHING, IN_FIRST_GAP, GROUP_FIRST},
    {BY_LENGTH, BY_NOTHING, IN_FIRST_GAP, GROUP_FIRST},
    {BY_AREA, BY_NOTHING, IN_FIRST_GAP, GROUP_FIRST},
    {BY_NOTHING, BY_NOTHING, IN_FIRST_GAP, GROUP_FIRST},
    {BY_NOTHING, BY_NOTHING, IN_UNEVEN_GAP, GROUP_FIRST},
};

enum { RECIPES = sizeof recipe / sizeof recipe[0] };

static enum gap_fit gap_fit_of(enum fit fit)
{
    return fit == IN_FIRST_GAP ? FIT_FIRST : fit == IN_BEST_GAP ? FIT_BEST : FIT_UNEVEN;
}

size_t greedy_plans(void)
{
    return RECIPES;
}

bool greedy_plan(const struct instance *instance, size_t number, struct work_limit *limit,
                 struct plan *plan)
{
    enum fit fit = recipe[number].fit;
    struct order_key *key;
    bool placed = true;
    size_t fixed;

    assert(number < RECIPES);
    if ((fit == ON_TOP || fit == IN_ROWS) && limit != NULL &&
        !work_goes_on(limit, LOOKS_TO_STACK * (int64_t)instance->n))
        return false;
    if (fit == IN_ROWS) {
        path_groups_place(instance, recipe[number].choice, plan);
        return true;
    }
    key = memory_alloc(instance->n, sizeof *key);
    greedy_order(instance, recipe[number].major, recipe[number].minor, NULL, key);
    fixed = fixed_first(instance, key, plan);
    if (fit == ON_TOP)
        skyline_place_rest(instance, key, fixed, plan);
    else
        placed = gap_place_until(instance, key, fixed, gap_fit_of(fit), limit, plan);
    memory_free(key);
    CHECK_INVARIANT(placed ? plan_check(instance, plan) : (void)0);
    return placed;
}

bool greedy_is_equal(const struct instance *instance)
{
    return !instance->shapes && instance->n > 0 &&
           instance->total / instance->max_size == (int64_t)instance->n;
}

struct work_limit greedy_limit(const struct instance *instance, double deadline)
{
    return work_until(deadline, FREE_LOOKS + FREE_LOOKS_A_BUFFER * (int64_t)instance->n);
}

/* Without time more buffers than this, some milliseconds, are not stacked beside rows: of 100,000
 * the plan took twice the time.  */
enum { MOST_STACKED = 20000 };

/* The longest lives below: where weights or an optimiser's state live all the time that is far
 * lower than rows.  */
static void stack_longest(const struct instance *instance, struct plan *plan)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    greedy_order(instance, BY_LENGTH, BY_SIZE, NULL, key);
    skyline_place_rest(instance, key, fixed_first(instance, key, plan), plan);
    memory_free(key);
}

void greedy_first(const struct instance *instance, double deadline, struct plan *plan)
{
    struct work_limit limit = greedy_limit(instance, deadline);
    bool equal = greedy_is_equal(instance);
    struct plan *stack;

    if (!equal && greedy_plan(instance, 0, &limit, plan))
        return;
    path_groups_place(instance, GROUP_FIRST, plan);
    if (!equal && instance->n <= MOST_STACKED) {
        stack = plan_new(instance);
        stack_longest(instance, stack);
        if (stack->peak < plan->peak)
            plan_copy(plan, stack);
        plan_free(stack);
    }
    CHECK_INVARIANT(plan_check(instance, plan));
}

/* Plans in turn, and what the parts of the time axis have taken of them.  */
struct parts {
    const size_t *part; /* of each buffer */
    size_t count;
    int64_t *best, *peak; /* of each part: the least so far; of the plan that is offered */
};

/* Parts for which TRIAL is better take it.  */
static void offer(const struct instance *instance, const struct parts *parts,
                  const struct plan *trial, struct plan *plan)
{
    time_parts_peaks(instance, parts->part, parts->count, trial, parts->peak);
    for (size_t b = 0; b < instance->n; b++)
        if (parts->peak[parts->part[b]] < parts->best[parts->part[b]])
            plan->offset[b] = trial->offset[b];
    for (size_t p = 0; p < parts->count; p++)
        parts->best[p] = min64(parts->best[p], parts->peak[p]);
    plan->peak = plan_peak(instance, plan);
}

/* Rows and stacks, which take O(n log n).  */
static bool is_quick(size_t number)
{
    return recipe[number].fit == ON_TOP || recipe[number].fit == IN_ROWS;
}

enum which { QUICK_ONES, SLOW_ONES, ALL_ONES };

/* The others, after greedy_first, in the table's order.  */
static void offer_others(const struct instance *instance, const struct parts *parts,
                         enum which which, struct work_limit *limit, struct plan *trial,
                         struct plan *plan)
{
    for (size_t r = greedy_is_equal(instance) ? 0 : 1; r < RECIPES; r++) {
        if (which != ALL_ONES && is_quick(r) != (which == QUICK_ONES))
            continue;
        if (plan->peak <= instance->load || timer_now() >= limit->deadline)
            break;
        limit->unseen = 0;
        if (greedy_plan(instance, r, limit, trial))
            offer(instance, parts, trial, plan);
    }
}

/* SOON: what is quick comes before what is not.  */
static void compare(const struct instance *instance, const size_t *part, size_t parts,
                    double deadline, bool soon, struct plan *plan)
{
    struct parts taken = {part, parts, memory_alloc(parts, sizeof *taken.best),
                          memory_alloc(parts, sizeof *taken.peak)};
    struct work_limit limit = work_until(deadline, 0);
    struct plan *trial = plan_new(instance);

    assert(parts > 0 || instance->n == 0);
    limit.left = MOST_LOOKS + MOST_LOOKS_A_BUFFER * (int64_t)instance->n;
    for (size_t p = 0; p < parts; p++)
        taken.best[p] = INT64_MAX;
    greedy_first(instance, deadline, trial);
    offer(instance, &taken, trial, plan);
    if (soon)
        offer_others(instance, &taken, QUICK_ONES, &limit, trial, plan);
    offer_others(instance, &taken, soon ? SLOW_ONES : ALL_ONES, &limit, trial, plan);
    plan_free(trial);
    memory_free(taken.peak);
    memory_free(taken.best);
}

void best_greedy(const struct instance *instance, const size_t *part, size_t parts, double deadline,
                 struct plan *plan)
{
    compare(instance, part, parts, deadline, false, plan);
}

static void compare_all(const struct instance *instance, double deadline, bool soon,
                        struct plan *plan)
{
    size_t *part = memory_alloc(instance->n, sizeof *part);

    compare(instance, part, time_parts(instance, part), deadline, soon, plan);
    memory_free(part);
}

void best_greedy_of_all(const struct instance *instance, double deadline, struct plan *plan)
{
    compare_all(instance, deadline, false, plan);
}

bool best_greedy_in_share(const struct instance *instance, double share, double deadline,
                          struct plan *plan)
{
    double now = timer_now(), left = deadline - now;

    if (left <= 0.0)
        return false;
    compare_all(instance, now + share * left, left < SOON, plan);
    return true;
}
