/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflm: TensorFlow Lite Micro's greedy planner.
 *
 * Sizes descending, of equal ones the buffer that was added last first (upstream
 * fills its array from the tail and then sorts it stably), each into the lowest
 * gap that is large enough.
 *
 *     in the order of placement (inclusive steps):
 *         e  50 bytes  [0, 1]  at 0
 *         d  40 bytes  [3, 4]  at 0
 *         c  30 bytes  [2, 3]  at 40, above d
 *         b  20 bytes  [1, 2]  at 70, above e and c
 *         a  10 bytes  [0, 1]  at 50, between e and b
 *
 * Source: tflite-micro, memory_planner/greedy_memory_planner.cc; its test has the
 * example.  Published as O(n^2); here near O(n log n) where the width is bounded
 * (lib/place/gap_index.c), with the same plan.  Guarantee: none is known but peak <=
 * sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last step).  Offsets
 * that were fixed offline do not exist in our instances.  Upstream counts bytes in
 * 32-bit integers: an instance whose load does not fit is refused; where only the
 * peak does not, a note says so.  An alignment moves the start of a gap up;
 * upstream knows none, its caller rounds sizes up to 16 bytes.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

static bool applicable(const struct instance *instance, const struct params *given,
                       struct error *reason)
{
    (void)given;
    return instance->load <= INT32_MAX ||
           error_set(reason, "a load of %" PRId64 " bytes does not fit in its 32-bit integers",
                     instance->load);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_LAST, BY_SIZE, BY_NOTHING);

    gap_place(instance, key, FIT_FIRST, plan);
    if (plan->peak > INT32_MAX)
        snprintf(plan->note, sizeof plan->note, "the peak does not fit in upstream's 32 bits");
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflm = {
    .name = "tflm",
    .title = "TFLite Micro, greedy",
    .source = "tflite-micro, greedy_memory_planner.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.size = 16},
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
