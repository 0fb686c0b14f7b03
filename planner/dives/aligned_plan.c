/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/aligned_plan.h"

#include "lib/base/checked.h"
#include "lib/base/error.h"
#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/section_plan.h"

int64_t aligned_plan_quantum(const struct instance *instance)
{
    int64_t common = 0;
    bool rest = false;

    for (size_t b = 0; b < instance->n; b++)
        common = gcd64(common, instance->buffer[b].alignment);
    for (size_t b = 0; b < instance->n && common > 1; b++)
        rest = rest || instance->buffer[b].size % common != 0;
    return rest ? common : 0;
}

/* Where plans of the rounded instance become plans of the instance.  */
struct taker {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan;
    bool given;
};

/* What is better rounded need not be better.  */
static void take(const struct taker *taker, const int64_t *offset)
{
    struct plan *plan = taker->plan;
    int64_t peak = 0;

    for (size_t b = 0; b < taker->instance->n; b++)
        peak = max64(peak, offset[b] + taker->instance->buffer[b].size);
    if (taker->given && peak >= plan->peak)
        return;
    for (size_t b = 0; b < taker->instance->n; b++)
        plan->offset[b] = offset[b];
    plan->peak = peak;
    if (taker->env->incumbent != NULL)
        taker->env->incumbent(taker->env->context, plan);
}

static void take_incumbent(void *context, const struct plan *plan)
{
    struct taker *taker = context;

    take(taker, plan->offset);
    taker->given = true;
}

bool aligned_plan(const struct instance *instance, int64_t quantum, const struct solver_env *env,
                  const struct section_plan_limits *limits, bool given, struct plan *plan,
                  bool *done)
{
    struct taker taker = {instance, env, plan, given};
    struct solver_env inner = *env;
    struct error error;
    struct instance *rounded = instance_rounded(instance, quantum, 1, &error);
    struct plan *trial;
    bool late;

    *done = rounded != NULL;
    if (rounded == NULL)
        return false;
    trial = plan_new(instance);
    inner.context = &taker;
    inner.incumbent = take_incumbent;
    inner.bound = NULL;
    late = section_plan(rounded, &inner, limits, false, trial);
    plan->nodes += trial->nodes;
    take_incumbent(&taker, trial);
    /* No plan is to be above a greedy one of the sizes as they are.  */
    if (!limits->compared && plan->peak > max64(instance->load, env->goal) &&
        timer_now() < limits->deadline) {
        best_greedy_of_all(instance, limits->deadline, trial);
        take_incumbent(&taker, trial);
    }
    plan_free(trial);
    instance_free(rounded);
    return late && plan->peak > max64(instance->load, env->goal);
}
