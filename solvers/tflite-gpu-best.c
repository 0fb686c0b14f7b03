/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite-gpu-best: the smaller one of two of the GPU delegate's plans.
 *
 * The plan of tflite-gpu-size-distance, unless that of tflite-gpu-breadth has a smaller
 * sum of object sizes.
 *
 * Source: TensorFlow Lite, delegates/gpu/common/memory_management (GREEDY_BEST).
 * Complexity and guarantee: those of the two; differences: as theirs.  */
#include <config.h>

#include "lib/problem/plan.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/ties.h"
#include "solvers/shipped/delegate_objects.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

static int64_t object_total(const struct plan *plan)
{
    int64_t total = 0;

    for (size_t o = 0; o < plan->objects; o++)
        total += plan->object_size[o];
    return total;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct plan *breadth = plan_new(instance);

    delegate_by_size_distance(instance, env, plan);
    delegate_by_breadth(instance, env, breadth);
    if (object_total(breadth) < object_total(plan))
        plan_copy(plan, breadth);
    plan_free(breadth);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflite_gpu_best = {
    .name = "tflite-gpu-best",
    .title = "TFLite GPU, best of two",
    .source = "TFLite GPU delegate, GREEDY_BEST",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
