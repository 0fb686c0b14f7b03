/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/moves_solve.h"

#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/moves_place.h"
#include "memories/moves_program.h"
#include "memories/split.h"

/* The plan in which nothing moves.  */
static void take_split(const struct moves_problem *problem, const struct split *split,
                       struct move_plan *plan)
{
    struct move_choice choice;

    move_choice_init(&choice, problem);
    move_choice_stay(&choice, problem, split);
    move_plan_derive(plan, problem, &choice);
    for (size_t i = 0; i < plan->stays; i++)
        plan->stay[i].offset = split->offset[plan->stay[i].buffer];
    move_choice_clear(&choice);
}

/* What the program chose, if it is better and can be placed.  */
static void take_choice(const struct moves_problem *problem, const struct move_choice *choice,
                        const struct split_limits *limits, struct move_plan *plan)
{
    struct move_plan made;
    bool good;

    move_plan_init(&made, problem);
    move_plan_derive(&made, problem, choice);
    good = made.cost < plan->cost;
    for (size_t m = 0; good && m < problem->split->memories; m++)
        good = moves_place(problem, m, limits, &made) == PLACING_FITS;
    if (good) {
        const struct move_plan worse = *plan;

        *plan = made;
        made = worse;
    }
    move_plan_clear(&made);
}

static void solve_program(const struct moves_problem *problem, const struct split_limits *limits,
                          struct move_plan *plan, struct moves_result *result)
{
    struct move_choice choice;
    enum master_result master;

    move_choice_init(&choice, problem);
    master = moves_program_solve(problem, false, limits->deadline, &result->bound, &choice);
    result->program_proven = master == MASTER_OPTIMAL;
    if (master == MASTER_OPTIMAL)
        take_choice(problem, &choice, limits, plan);
    if (master == MASTER_INFEASIBLE)
        result->bound = SPLIT_NEVER;
    move_choice_clear(&choice);
}

struct moves_result moves_solve(const struct moves_problem *problem, const struct split *split,
                                const struct split_limits *limits, struct move_plan *plan)
{
    struct moves_result result = {.bound = moves_step_bound(problem)};
    const bool whole = split->cost != SPLIT_NEVER;

    if (whole)
        take_split(problem, split, plan);
    for (int way = 0; whole && way < VISIT_WAYS && plan->cost > result.bound; way++)
        moves_by_visits(problem, split, (enum visit_way)way, limits, plan);
    if (plan->cost > result.bound && timer_now() < limits->deadline)
        moves_program_solve(problem, true, limits->deadline, &result.bound, NULL);
    if (plan->cost > result.bound && timer_now() < limits->deadline)
        solve_program(problem, limits, plan, &result);
    if (plan->cost == SPLIT_NEVER)
        result.outcome = result.bound == SPLIT_NEVER ? SPLIT_INFEASIBLE : SPLIT_UNKNOWN;
    else
        result.outcome = plan->cost <= result.bound ? SPLIT_OPTIMAL : SPLIT_FEASIBLE;
    return result;
}
