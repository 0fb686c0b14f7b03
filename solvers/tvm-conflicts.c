/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tvm-conflicts: the buffer that meets most others first, each on top of the
 * highest one it meets.
 *
 * The number of buffers met in time descending, then sizes descending, then
 * names descending as strings; placed as tvm-size does, without using a gap.
 *
 * Source: Apache TVM, src/tir/usmp/algo/greedy.cc, greedy_by_conflicts, of its
 * unified static memory planner (in the main branch until February 2025).
 * Published as O(conflicts) after an O(n^2) search for them; here O(n log n),
 * counting by prefix sums (lib/problem/instance_axis.c) and stacking on a segment tree
 * (lib/place/skyline.c), with the same plan.  Guarantee: none.
 * Differences: those of tvm-size.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/skyline.h"
#include "solvers/fit/ties.h"
#include "solvers/shipped/tvm.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = tvm_order(instance, env, TVM_BY_CONFLICTS);

    skyline_place(instance, key, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TVM_ROUNDING_PARAM, TIES_PARAM, PARAM_END};

const struct solver solver_tvm_conflicts = {
    .name = "tvm-conflicts",
    .title = "TVM USMP, greedy by conflicts",
    .source = "Apache TVM, tir/usmp/algo/greedy.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = TVM_ALIGNMENT},
    .params = params,
    .applicable = tvm_applicable,
    .solve = solve,
};
