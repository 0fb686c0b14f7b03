/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xla-search: the best of XLA's orders and fits.
 *
 * Best fit with the orders of xla-spatial, xla-temporal and xla-area, then lowest
 * offset with the same; the first one of the least peak is taken.
 *
 * Source: XLA, CreateHeapWithPackingSearch (new in 2026), which gives these six
 * heaps to ChooseBestHeapAlgorithm (xla/service/heap_simulator/heap_simulator.cc):
 * it keeps the first result of the least size.
 * Complexity: six runs.  It stops at the first that reaches the load: none could
 * be better, and before the time limit (solvers/fit/turns.h).  Guarantee: none above any of the
 * six. Differences: those of xla-spatial.  */
#include <config.h>

#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/shipped/xla.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    static const enum gap_fit fits[] = {FIT_BEST, FIT_FIRST};
    static const enum xla_order orders[] = {XLA_SPATIAL, XLA_TEMPORAL, XLA_AREA};
    struct turns turns = turns_under(env);
    struct plan *trial = plan_new(instance);
    bool timed_out = false;

    plan->peak = INT64_MAX;
    for (size_t f = 0; f < sizeof fits / sizeof fits[0]; f++)
        for (size_t o = 0; o < sizeof orders / sizeof orders[0]; o++) {
            timed_out = timed_out || !turns_next(&turns);
            if (timed_out || plan->peak == instance->load)
                break;
            xla_place(instance, env, orders[o], fits[f], trial);
            solver_offer(env, trial, plan);
        }
    plan_free(trial);
    return timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_xla_search = {
    .name = "xla-search",
    .title = "XLA, best of six",
    .source = "XLA, service/heap_simulator",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.offset = XLA_ALIGNMENT},
    .params = params,
    .solve = solve,
};
