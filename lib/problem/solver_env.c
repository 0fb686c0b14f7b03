/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/solver_env.h"

#include <math.h>

#include "lib/base/timer.h"
#include "lib/problem/plan.h"

/* The share of the time limit that is used: searches look at the clock now and
 * then, and have to clear up after.  */
#define TIME_SHARE 0.98

double solver_deadline(const struct solver_env *env)
{
    return env->time_limit > 0.0 ? timer_now() + TIME_SHARE * env->time_limit : INFINITY;
}

void solver_stream(const struct solver_env *env, const struct plan *plan)
{
    if (env->incumbent != NULL)
        env->incumbent(env->context, plan);
}

bool solver_offer(const struct solver_env *env, const struct plan *trial, struct plan *plan)
{
    if (trial->peak >= plan->peak)
        return false;
    plan_copy(plan, trial);
    solver_stream(env, plan);
    return true;
}
