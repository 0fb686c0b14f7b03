/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/greedy/best_greedy.h"

#include <assert.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/greedy/fixed_first.h"
#include "planner/greedy/gap_index.h"
#include "planner/greedy/order.h"
#include "planner/greedy/path_groups.h"
#include "planner/greedy/skyline.h"
#include "planner/greedy/time_parts.h"

enum order { BY_SIZE, BY_INDEX, BY_LENGTH, BY_AREA, BY_BEGIN, BY_GROUP };
enum fit { IN_FIRST_GAP, IN_BEST_GAP, ON_TOP };

/* First the published planners, so that an exact model never starts from more
 * than they need: first-fit-by-size, greedy-by-size (whose ties go by index),
 * path-cover, duration-size.  */
static const struct {
    enum order order;
    enum fit fit;
    enum group_choice choice; /* BY_GROUP only */
} recipe[] = {
    {BY_SIZE, IN_FIRST_GAP, GROUP_FIRST}, {BY_INDEX, IN_BEST_GAP, GROUP_FIRST},
    {BY_GROUP, ON_TOP, GROUP_FIRST},      {BY_GROUP, ON_TOP, GROUP_LAST},
    {BY_GROUP, ON_TOP, GROUP_BEST},       {BY_LENGTH, ON_TOP, GROUP_FIRST},
    {BY_SIZE, IN_BEST_GAP, GROUP_FIRST},  {BY_LENGTH, IN_FIRST_GAP, GROUP_FIRST},
    {BY_AREA, IN_FIRST_GAP, GROUP_FIRST}, {BY_LENGTH, IN_BEST_GAP, GROUP_FIRST},
    {BY_AREA, IN_BEST_GAP, GROUP_FIRST},  {BY_BEGIN, IN_FIRST_GAP, GROUP_FIRST},
    {BY_BEGIN, IN_BEST_GAP, GROUP_FIRST},
};

enum { RECIPES = sizeof recipe / sizeof recipe[0], RECIPES_IF_LARGE = 6, LARGE = 5000 };

static struct order_key key_of(const struct buffer *buffer, enum order order, size_t index)
{
    uint64_t length = lifetime_length(buffer), size = (uint64_t)buffer->size, area;

    switch (order) {
    case BY_INDEX:
        return (struct order_key){~size, 0, index};
    case BY_LENGTH:
        return (struct order_key){~length, ~size, index};
    case BY_AREA:
        if (__builtin_mul_overflow(length, size, &area))
            area = UINT64_MAX;
        return (struct order_key){~area, ~size, index};
    case BY_BEGIN:
        return (struct order_key){key_ascending(buffer->begin), ~size, index};
    case BY_SIZE:
    case BY_GROUP: /* has keys of its own */
        break;
    }
    return (struct order_key){~size, ~length, index};
}

/* Of the recipes that INSTANCE is tried with, number NUMBER; RECIPES without so many.  Where
 * offsets are fixed these are the ones that fill gaps: others stack.  */
static size_t recipe_of(const struct instance *instance, size_t number)
{
    size_t recipes = instance->n > LARGE ? RECIPES_IF_LARGE : RECIPES;

    for (size_t r = 0; r < recipes; r++)
        if ((instance->fixed == 0 || recipe[r].fit != ON_TOP) && number-- == 0)
            return r;
    return RECIPES;
}

static void place(const struct instance *instance, size_t number, struct order_key *key,
                  struct plan *plan)
{
    size_t r = recipe_of(instance, number);

    assert(r < RECIPES);
    if (recipe[r].order == BY_GROUP) {
        path_groups_place(instance, recipe[r].choice, plan);
        return;
    }
    for (size_t b = 0; b < instance->n; b++)
        key[b] = key_of(&instance->buffer[b], recipe[r].order, b);
    order_sort(key, instance->n);
    if (recipe[r].fit == ON_TOP)
        skyline_place(instance, key, plan);
    else
        gap_place_rest(instance, key, fixed_first(instance, key, plan),
                       recipe[r].fit == IN_FIRST_GAP ? FIT_FIRST : FIT_BEST, plan);
    CHECK_INVARIANT(plan_check(instance, plan));
}

size_t greedy_plans(const struct instance *instance)
{
    size_t number = 0;

    while (recipe_of(instance, number) < RECIPES)
        number++;
    return number;
}

void greedy_plan(const struct instance *instance, size_t number, struct plan *plan)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    assert(number < greedy_plans(instance));
    place(instance, number, key, plan);
    memory_free(key);
}

/* Whether it is worth it, and there is time, to try another plan.  */
static bool goes_on(const struct instance *instance, const struct plan *plan, double deadline)
{
    return plan->peak > instance->load && timer_now() < deadline;
}

void best_greedy(const struct instance *instance, const size_t *part, size_t parts, double deadline,
                 struct plan *plan)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t recipes = greedy_plans(instance);
    int64_t *best = memory_alloc(parts, sizeof *best), *peak = memory_alloc(parts, sizeof *peak);
    struct plan *trial = plan_new(instance);

    assert(parts > 0 || instance->n == 0);
    for (size_t p = 0; p < parts; p++)
        best[p] = INT64_MAX;
    for (size_t r = 0; r < recipes && (r == 0 || goes_on(instance, plan, deadline)); r++) {
        place(instance, r, key, trial);
        time_parts_peaks(instance, part, parts, trial, peak);
        for (size_t b = 0; b < instance->n; b++)
            if (peak[part[b]] < best[part[b]])
                plan->offset[b] = trial->offset[b];
        for (size_t p = 0; p < parts; p++)
            best[p] = min64(best[p], peak[p]);
        plan->peak = plan_peak(instance, plan);
    }
    plan_free(trial);
    memory_free(peak);
    memory_free(best);
    memory_free(key);
}
