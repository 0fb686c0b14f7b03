/* SPDX-License-Identifier: Apache-2.0 */
/* Which planner an instance is for: with pieces or fixed offsets, with alignments, or neither.  */
#include <config.h>

#include "planner/dives/section_plan.h"

#include "lib/base/checked.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/aligned_plan.h"
#include "planner/dives/shape_plan.h"
#include "lib/place/aligned_bound.h"

/* Sets of buffers that are stacked to know what is out of reach (aligned_bound.h): a few
 * milliseconds.  */
#define BOUND_WORK 100000
#define LEAST_NODES 200000
#define NODES_A_BUFFER 10

int64_t section_plan_nodes(size_t n)
{
    return LEAST_NODES + NODES_A_BUFFER * (int64_t)n;
}

/* What alignments say that no plan gets below is as good a goal as the load.  Who wants a proof has
 * bounds of his own.  */
static int64_t find_bound(const struct instance *instance, const struct solver_env *env,
                          const struct section_plan_limits *limits, struct plan *plan)
{
    int64_t bound = aligned_bound(instance, BOUND_WORK, limits->deadline);

    if (bound > plan->lower_bound && bound > instance->load && !limits->proof) {
        plan->lower_bound = bound;
        if (env->bound != NULL)
            env->bound(env->context, bound);
    }
    return bound;
}

bool section_plan(const struct instance *instance, const struct solver_env *env,
                  const struct section_plan_limits *limits, bool given, struct plan *plan)
{
    int64_t quantum = instance->shapes ? 0 : aligned_plan_quantum(instance);
    struct solver_env inner = *env;
    bool done, late;

    if (instance->shapes || instance->fixed > 0)
        return shape_plan(instance, env, limits, given, plan);
    inner.goal = max64(env->goal, find_bound(instance, env, limits, plan));
    if (quantum > 0) {
        late = aligned_plan(instance, quantum, &inner, limits, given, plan, &done);
        if (done)
            return late;
    }
    return section_plan_rectangles(instance, &inner, limits, given, plan);
}
