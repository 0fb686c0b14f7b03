/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xla-temporal: the longest-lived buffer first, the largest of equal ones, each
 * into the tightest gap.
 *
 * Durations on the event clock (solvers/shipped/xla.h) descending, then sizes descending,
 * then by number; placed as xla-spatial does.
 *
 * Source: XLA, xla/service/heap_simulator/heap_simulator.cc,
 * GlobalDecreasingSizeBestFitHeap, kTemporal.  For a long time XLA took the better
 * one of this and xla-spatial.
 * Complexity, guarantee and differences: those of xla-spatial.  */
#include <config.h>

#include "solvers/fit/ties.h"
#include "solvers/shipped/xla.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    enum gap_fit fit = params_choice(env->params, "fit");

    xla_place(instance, env, XLA_TEMPORAL, fit, plan);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {XLA_FIT_PARAM, TIES_PARAM, PARAM_END};

const struct solver solver_xla_temporal = {
    .name = "xla-temporal",
    .title = "XLA, longest life first",
    .source = "XLA, service/heap_simulator",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.offset = XLA_ALIGNMENT},
    .params = params,
    .solve = solve,
};
