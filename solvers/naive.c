/* SPDX-License-Identifier: GPL-3.0-or-later */
/* naive: every buffer has memory of its own; nothing is shared.
 *
 * Source: the NAIVE strategy of the TFLite GPU delegate (memory_management);
 * the baseline "no sharing" of every paper.  Buffers are stacked in input
 * order, each started at the next multiple of its alignment.  O(n).
 * Guarantee: none; the peak is the sum of the sizes plus padding.  */
#include <config.h>

#include "lib/problem/instance.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    (void)env;
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = instance->n;
    for (size_t b = 0; b < instance->n; b++)
        plan->object[b] = b;
    plan_stack_objects(instance, plan);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_naive = {
    .name = "naive",
    .title = "No sharing",
    .source = "TFLite GPU delegate, NAIVE",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_SHAPES | SOLVER_ALIGNMENT | SOLVER_FIRST_PLAN | SOLVER_PAIRS,
    .layout = LAYOUT_OBJECTS,
    .solve = solve,
};
