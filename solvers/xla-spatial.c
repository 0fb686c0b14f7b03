/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xla-spatial: the largest buffer first, the longest-lived of equal ones, each into
 * the tightest gap.
 *
 * Sizes descending, then durations on the event clock (solvers/shipped/xla.h) descending,
 * then by number.  Among the placed buffers that share a step, by ascending
 * offset, the smallest gap that is large enough takes the buffer, the lowest of
 * equal ones; where there is none it goes on top.  fit=lowest takes the lowest gap
 * that is large enough.  It is greedy-by-size with other ties.
 *
 * Source: XLA, xla/service/heap_simulator/heap_simulator.cc,
 * GlobalDecreasingSizeBestFitHeap, kSpatial; kLowestOffset for the fit.
 * Published as O(n x overlaps x log n); here near O(n log n) where the width is
 * bounded (lib/place/gap_index.c), with the same plan.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: XLA has one alignment for a heap, which each gap starts at a
 * multiple of; here it is that of the buffer that is placed.  Values that share a
 * buffer have been joined before (inplace=), so there are no colocations.  */
#include <config.h>

#include "solvers/fit/ties.h"
#include "solvers/shipped/xla.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    enum gap_fit fit = params_choice(env->params, "fit");

    xla_place(instance, env, XLA_SPATIAL, fit, plan);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {XLA_FIT_PARAM, TIES_PARAM, PARAM_END};

const struct solver solver_xla_spatial = {
    .name = "xla-spatial",
    .title = "XLA, largest first",
    .source = "XLA, service/heap_simulator",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.offset = XLA_ALIGNMENT},
    .params = params,
    .solve = solve,
};
