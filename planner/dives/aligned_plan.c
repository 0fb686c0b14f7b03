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
#include "planner/dives/incumbent.h"
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

/* What is better rounded need not be better.  */
static void take_rounded(void *context, const struct plan *plan)
{
    struct incumbent *best = context;

    incumbent_take_packing(best, plan->offset);
}

bool aligned_plan(const struct instance *instance, int64_t quantum, const struct solver_env *env,
                  const struct section_plan_limits *limits, bool given, struct plan *plan,
                  bool *done)
{
    struct error error;
    struct instance *rounded = instance_rounded(instance, quantum, 1, &error);
    struct solver_env inner = *env;
    struct incumbent best;
    struct plan *trial;
    bool late;

    *done = rounded != NULL;
    if (rounded == NULL)
        return false;
    best = incumbent_of(instance, env, limits->deadline, given, plan);
    best.unit = 1;
    trial = plan_new(instance);
    inner.context = &best;
    inner.incumbent = take_rounded;
    inner.bound = NULL;
    late = section_plan(rounded, &inner, limits, false, trial);
    plan->nodes += trial->nodes;
    take_rounded(&best, trial);
    /* No plan is to be above a greedy one of the sizes as they are.  */
    if (!limits->compared && !incumbent_is_done(&best) && timer_now() < limits->deadline) {
        best_greedy_of_all(instance, limits->deadline, best.trial);
        incumbent_take(&best);
    }
    late = late && !incumbent_is_done(&best);
    plan_free(trial);
    instance_free(rounded);
    incumbent_clear(&best);
    return late;
}
