/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite-gpu-breadth: the GPU delegate's shared objects, the widest steps first.
 *
 * The breadth of a step is the sum of the sizes that live at it.  Steps come by breadth
 * descending, the earlier of equal ones first; at each the buffers that have no object
 * yet, by size descending, ties in input order.  Of the objects none of whose tenants
 * meets it a buffer takes the smallest that is large enough; else the largest, which
 * grows; of equal ones the first that was opened; where none is free a new one is
 * opened.
 *
 *     step       0   1   2      a 4 bytes [0, 2), b 3 bytes [1, 2), c 5 bytes [2, 3)
 *     breadth    4   7   5      step 1: a opens object 0, b object 1;
 *                               step 2: c takes object 0, which grows to 5 bytes
 *
 * Source: TensorFlow Lite, delegates/gpu/common/memory_management,
 * greedy_by_breadth_assignment (GREEDY_BY_BREADTH).  Upstream sorts the steps by
 * breadth alone, with an unstable sort: up to 16 steps the one of libstdc++ leaves the
 * earlier one first, and its own test ComplexRecords asks for that.
 * Complexity: O(n * objects * log n) there; here O(n (log n + objects)) with a small
 * constant and O(log n) for each pair of buffers that meet.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last task); the objects are
 * stacked in the order of opening, each at a multiple of its tenants' alignments.  */
#include <config.h>

#include "lib/problem/plan.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/ties.h"
#include "solvers/shipped/delegate_objects.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    delegate_by_breadth(instance, env, plan);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflite_gpu_breadth = {
    .name = "tflite-gpu-breadth",
    .title = "TFLite GPU, by breadth",
    .source = "Pisarchyk and Lee 2020; TFLite GPU delegate, GREEDY_BY_BREADTH",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
