/* SPDX-License-Identifier: GPL-3.0-or-later */
/* portfolio: cheap planners first, then the search, until the peak is the load.
 *
 * 1. Largest first in the lowest gap: for many networks that is the load already.
 * 2. The other greedy plans of planner/greedy/best_greedy.h: best fit by size, path-cover,
 *    duration-size, first and best fit by length of life, area and begin, and others.  Together
 *    they cost a few milliseconds for some hundred buffers.
 * 3. The search of section-first (planner/dives/section_plan.h), which starts from the best of
 *    them, until a limit or, where there is none, a number of placements that suits the
 *    size.
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
 * Guarantee: never worse than these greedy plans, unless a time limit cuts it before it has tried
 * them.
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

static void take(struct run *run, struct plan *trial)
{
    if (trial->peak >= run->plan->peak)
        return;
    plan_copy(run->plan, trial);
    if (run->env->incumbent != NULL)
        run->env->incumbent(run->env->context, run->plan);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct run run = {instance, env, plan, {INT64_MAX, INFINITY, false, true}, false};
    struct plan *trial = plan_new(instance);

    if (env->time_limit > 0.0)
        run.limits.deadline = timer_now() + TIME_SHARE * env->time_limit;
    if (env->work_limit > 0)
        run.limits.nodes = env->work_limit;
    else if (env->time_limit <= 0.0)
        run.limits.nodes = section_plan_nodes(instance->n);
    plan->peak = INT64_MAX;
    greedy_first(instance, run.limits.deadline, trial);
    take(&run, trial);
    if (!over(&run)) {
        best_greedy_of_all(instance, run.limits.deadline, trial);
        take(&run, trial);
    }
    plan_free(trial);
    if (!over(&run) && section_plan(instance, env, &run.limits, true, plan))
        run.timed_out = true;
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
