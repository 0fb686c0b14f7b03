/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/incumbent.h"

#include "lib/base/checked.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "lib/place/best_greedy.h"
#include "lib/place/dsa_pieces.h"

struct incumbent incumbent_of(const struct instance *instance, const struct solver_env *env,
                              double deadline, bool given, struct plan *plan)
{
    return (struct incumbent){
        .instance = instance,
        .env = env,
        .plan = plan,
        .trial = plan_new(instance),
        .given = given,
        .unit = dsa_unit(instance),
        .goal = max64(instance->load, min64(env->goal, INCUMBENT_MOST_TOTAL)),
        .deadline = deadline,
    };
}

void incumbent_clear(struct incumbent *incumbent)
{
    plan_free(incumbent->trial);
}

void incumbent_take(struct incumbent *incumbent)
{
    struct plan *plan = incumbent->plan;

    if (incumbent->given && incumbent->trial->peak >= plan->peak)
        return;
    for (size_t b = 0; b < incumbent->instance->n; b++)
        plan->offset[b] = incumbent->trial->offset[b];
    plan->peak = incumbent->trial->peak;
    incumbent->given = true;
    if (incumbent->env->incumbent != NULL)
        incumbent->env->incumbent(incumbent->env->context, plan);
}

void incumbent_take_packing(struct incumbent *incumbent, const int64_t *start)
{
    for (size_t b = 0; b < incumbent->instance->n; b++)
        incumbent->trial->offset[b] = start[b] * incumbent->unit;
    incumbent->trial->peak = plan_peak(incumbent->instance, incumbent->trial);
    incumbent_take(incumbent);
}

void incumbent_take_greedy(struct incumbent *incumbent)
{
    greedy_first(incumbent->instance, incumbent->deadline, incumbent->trial);
    incumbent_take(incumbent);
}

void incumbent_compare_greedy(struct incumbent *incumbent, double share)
{
    if (!incumbent_is_done(incumbent) &&
        best_greedy_in_share(incumbent->instance, share, incumbent->deadline, incumbent->trial))
        incumbent_take(incumbent);
}

bool incumbent_is_done(const struct incumbent *incumbent)
{
    return incumbent->given && incumbent->plan->peak <= incumbent->goal;
}

int64_t incumbent_upper(const struct incumbent *incumbent)
{
    return (incumbent->plan->peak - 1) / incumbent->unit + 1;
}

bool incumbent_is_huge(const struct instance *instance)
{
    return instance->total > INCUMBENT_MOST_TOTAL || instance->load > INCUMBENT_MOST_TOTAL ||
           instance->max_alignment > INCUMBENT_MOST_TOTAL;
}
