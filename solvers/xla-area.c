/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xla-area: the buffer with the greatest size x duration first, each into the
 * tightest gap.
 *
 * The product of size and duration on the event clock (solvers/shipped/xla.h), in 128 bits,
 * descending, then by number; placed as xla-spatial does.
 *
 * Source: XLA, xla/service/heap_simulator/heap_simulator.cc,
 * GlobalDecreasingSizeBestFitHeap, kSpatialTemporal (new in 2026), by a summary of
 * it: the order is by the largest size of a colocation group times the length of
 * the union of its lives, which without colocations is this.
 * Complexity, guarantee and differences: those of xla-spatial.  */
#include <config.h>

#include "solvers/fit/ties.h"
#include "solvers/shipped/xla.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    enum gap_fit fit = params_choice(env->params, "fit");

    xla_place(instance, env, XLA_AREA, fit, plan);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {XLA_FIT_PARAM, TIES_PARAM, PARAM_END};

const struct solver solver_xla_area = {
    .name = "xla-area",
    .title = "XLA, size x duration",
    .source = "XLA, service/heap_simulator",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.offset = XLA_ALIGNMENT},
    .params = params,
    .solve = solve,
};
