/* SPDX-License-Identifier: GPL-3.0-or-later */
/* portfolio: the search, and cheap planners beside it, until the peak is the load.
 *
 * 1. Largest first in the lowest gap: for many networks that is the load already.
 * 2. The search of section-first (planner/dives/section_plan.h), from that plan on, which compares
 *    the other greedy plans of lib/place/best_greedy.h: best fit by size, path-cover,
 *    duration-size, first and best fit by length of life, area and begin, and others.  A time limit
 *    leaves a tenth of itself for what follows, and ends it after a number of placements that suits
 *    the size; a work limit is all for it.
 * 3. With a time limit the search again, with another seed, from the best of these on.
 *
 * Each better plan is streamed at once, and the first one whose peak is the load ends it,
 * because no plan can be better.
 *
 * An example: a lives in [0,2) and has 4 bytes, b [1,3) 3, c [0,1) 2, d [2,3) 5.  Largest
 * first gives d and a at 0, b on them at 5, c on a at 4: peak 8, the load of the second step of
 * time, and nothing else is tried.
 *
 * Source: this project; the members are named above.
 * Complexity: that of its members.
 * Guarantee: never worse than these greedy plans, unless a time limit cuts it before it has tried
 * them; with a work limit never worse than section-first with the same one.
 * Goes on until the peak is the load or a limit is reached; a work limit counts the
 * placements of the search.  */
#include <config.h>

#include <math.h>

#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/dives/section_plan.h"
#include "solvers/solver.h"

/* The share of the time limit that is used.  */
#define TIME_SHARE 0.95

/* The share of that for the first search.  */
#define FIRST_SHARE 0.9

struct run {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan; /* the best so far */
    struct section_plan_limits limits;
    bool timed_out;
};

static bool over(struct run *run)
{
    if (timer_now() >= run->limits.deadline)
        run->timed_out = true;
    return run->timed_out || run->plan->peak <= run->instance->load;
}

/* The search until LIMITS, from the best plan on.  */
static void search(struct run *run, uint32_t seed, struct section_plan_limits limits)
{
    struct solver_env env = *run->env;

    env.seed = seed;
    if (!over(run))
        section_plan(run->instance, &env, &limits, true, run->plan);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct run run = {
        instance, env, plan, {section_plan_nodes(instance->n), INFINITY, false, false}, false};
    struct section_plan_limits first;
    double now = timer_now();

    if (env->time_limit > 0.0)
        run.limits.deadline = now + TIME_SHARE * env->time_limit;
    if (env->work_limit > 0)
        run.limits.nodes = env->work_limit;
    first = run.limits;
    if (env->time_limit > 0.0)
        first.deadline = now + FIRST_SHARE * TIME_SHARE * env->time_limit;
    greedy_first(instance, run.limits.deadline, plan);
    if (env->incumbent != NULL)
        env->incumbent(env->context, plan);
    search(&run, env->seed, first);
    run.limits.nodes = env->work_limit > 0 ? env->work_limit - plan->nodes : INT64_MAX;
    run.limits.compared = true;
    if (env->time_limit > 0.0 && run.limits.nodes > 0)
        search(&run, env->seed < UINT32_MAX ? env->seed + 1 : 1, run.limits);
    plan->lower_bound = instance->load;
    (void)over(&run);
    return run.timed_out && plan->peak > instance->load ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

const struct solver solver_portfolio = {
    .name = "portfolio",
    .title = "The search, then greedy plans",
    .source = "this project",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_ANYTIME | SOLVER_SHAPES | SOLVER_FIXED |
                    SOLVER_INPUT_ORDER | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .solve = solve,
};
