/* SPDX-License-Identifier: GPL-3.0-or-later */
/* portfolio: cheap planners first, then the search, until the peak is the load.
 *
 * 1. Largest first in the lowest gap: for many networks that is the load already.
 * 2. Up to 5,000 buffers the other greedy plans of planner/greedy/best_greedy.h: best fit by
 *    size, path-cover, duration-size, first and best fit by length of life, area and
 *    begin.  Together they cost a few milliseconds for some hundred buffers.
 * 3. The search of section-first (planner/dives/section_plan.h), which starts from the best of
 *    them, until a limit or, where there is none, a number of placements that suits the
 *    size.
 * 4. Above 5,000 buffers, where one greedy plan takes longer than a dive of the search,
 *    what is left of them.
 *
 * Each better plan is streamed at once, and the first one whose peak is the load ends it,
 * because no plan can be better.
 *
 * An example: a lives in [0,2) and has 4 bytes, b [1,3) 3, c [0,1) 2, d [2,3) 5.  Largest
 * first gives d and a at 0, b on them at 5, c on a at 4: peak 8, the load of step 2, and
 * nothing else is tried.
 *
 * Source: this project; the members are named above.
 * Complexity: that of its members.
 * Guarantee: never worse than first-fit-by-size, greedy-by-size, path-cover and
 * duration-size, unless a time limit cuts it before it has tried them.
 * Goes on until the peak is the load or a limit is reached; a work limit counts the
 * placements of the search.  */
#include <config.h>

#include <math.h>

#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/dives/section_plan.h"
#include "planner/greedy/best_greedy.h"
#include "solvers/solver.h"

/* The share of the time limit that is used.  */
#define TIME_SHARE 0.95

enum { LARGE = 5000 };

struct run {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan; /* the best so far */
    struct section_plan_limits limits;
    bool timed_out;
};

static bool over(struct run *run)
{
    if (run->plan->peak == INT64_MAX) /* there has to be a plan */
        return false;
    if (timer_now() >= run->limits.deadline)
        run->timed_out = true;
    return run->timed_out || run->plan->peak <= run->instance->load;
}

/* The greedy plans FIRST to LAST - 1.  */
static void try_greedy(struct run *run, size_t first, size_t last)
{
    struct plan *trial = plan_new(run->instance);

    for (size_t number = first; number < last && !over(run); number++) {
        greedy_plan(run->instance, number, trial);
        if (trial->peak >= run->plan->peak)
            continue;
        trial->nodes = run->plan->nodes;
        plan_copy(run->plan, trial);
        if (run->env->incumbent != NULL)
            run->env->incumbent(run->env->context, run->plan);
    }
    plan_free(trial);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t greedy = greedy_plans(instance), before = instance->n > LARGE ? 1 : greedy;
    struct run run = {instance, env, plan, {INT64_MAX, INFINITY, false}, false};

    if (env->time_limit > 0.0)
        run.limits.deadline = timer_now() + TIME_SHARE * env->time_limit;
    if (env->work_limit > 0)
        run.limits.nodes = env->work_limit;
    else if (env->time_limit <= 0.0)
        run.limits.nodes = section_plan_nodes(instance->n);
    plan->peak = INT64_MAX;
    try_greedy(&run, 0, before);
    if (!over(&run) && section_plan(instance, env, &run.limits, true, plan))
        run.timed_out = true;
    try_greedy(&run, before, greedy);
    plan->lower_bound = instance->load;
    return run.timed_out && plan->peak > instance->load ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

const struct solver solver_portfolio = {
    .name = "portfolio",
    .title = "Portfolio: greedy plans, then the search",
    .source = "this project",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_ANYTIME,
    .layout = LAYOUT_ARENA,
    .solve = solve,
};
