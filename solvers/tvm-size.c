/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tvm-size: the largest buffer first, each on top of the highest one it meets.
 *
 * Sizes descending, then the number of buffers met in time descending, then
 * names descending as strings.  Each goes on top of the highest placed buffer
 * that is alive at a common step; a gap is never used, though the planner is
 * often taken for one that does.
 *
 *   offset 11 +---+---+
 *             | d | e |     a, b, c, d, e have 4, 3, 2, 2, 2 bytes; e goes
 *           9 +---+---+     on top of c, though [0, 4) is free at its step.
 *             | c   c |
 *           7 +---+---+
 *             | b   b |
 *           4 +---+---+
 *             | a |   |
 *           0 +---+---+
 *
 * Source: Apache TVM, src/tir/usmp/algo/greedy.cc, greedy_by_size, the default of
 * its unified static memory planner (in the main branch until February 2025).
 * Published as O(conflicts) after an O(n^2) search for them; here O(n log n) on
 * a segment tree (lib/place/skyline.c), with the same plan.  Guarantee: none.
 * Differences: one pool without a limit, so the choice of a pool falls away.
 * Lifetimes are half-open; TVM's sweep starts buffers before it ends others at
 * the same tick, so it sees [begin, end - 1].  For alignments see solvers/shipped/tvm.h.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/skyline.h"
#include "solvers/fit/ties.h"
#include "solvers/shipped/tvm.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = tvm_order(instance, env, TVM_BY_SIZE);

    skyline_place(instance, key, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TVM_ROUNDING_PARAM, TIES_PARAM, PARAM_END};

const struct solver solver_tvm_size = {
    .name = "tvm-size",
    .title = "TVM USMP, greedy by size",
    .source = "Apache TVM, tir/usmp/algo/greedy.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = TVM_ALIGNMENT},
    .params = params,
    .applicable = tvm_applicable,
    .solve = solve,
};
