/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/aligned_plan.h"

#include "lib/base/checked.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/section_plan.h"
#include "planner/greedy/gap_index.h"
#include "planner/greedy/order.h"

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

/* first-fit-by-size of the sizes as they are, which no plan is to be worse than.  */
static void plan_greedily(struct taker *taker, struct plan *trial)
{
    const struct instance *instance = taker->instance;
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        key[b] = (struct order_key){key_descending(buffer->size), ~lifetime_length(buffer), b};
    }
    order_sort(key, instance->n);
    gap_place(instance, key, FIT_FIRST, trial);
    memory_free(key);
    take_incumbent(taker, trial);
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
    if (plan->peak > max64(instance->load, env->goal))
        plan_greedily(&taker, trial);
    plan_free(trial);
    instance_free(rounded);
    return late && plan->peak > max64(instance->load, env->goal);
}
