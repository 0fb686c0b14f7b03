/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact solver on buffers of several pieces, against all plans of tiny
 * instances.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* Two steps that interlock with two others like two hooks: 3 bytes high each,
 * 4 together, 6 as rectangles.
 *
 *      step 0: a [0, 1)          b [0, 3)
 *      step 1: a [0, 3)          b [2, 3)     a at 0, b at 1  */
static void hooks(void)
{
    struct instance *instance = instance_of_rows("a 0 1 0-1 + 1 2 0-3; b 0 1 0-3 + 1 2 2-3");
    struct solver_run pieces, joined, bigm;

    pieces = solver_run("glpk", instance, 1, 0);
    bigm = solver_run("glpk:model=bigm", instance, 1, 0);
    joined = solver_run("glpk:pieces=off", instance, 1, 0);
    ok(pieces.valid && pieces.outcome == OUTCOME_OPTIMAL && pieces.peak == 4 && pieces.bound == 4,
       "two hooks interlock: peak %" PRId64, pieces.peak);
    ok(bigm.valid && bigm.outcome == OUTCOME_OPTIMAL && bigm.peak == 4, "with big M too");
    ok(joined.valid && joined.outcome == OUTCOME_FEASIBLE && joined.peak == 6 && joined.bound == 4,
       "as rectangles they do not, and nothing is proven: peak %" PRId64 ", bound %" PRId64,
       joined.peak, joined.bound);
    instance_free(instance);
}

static void against_all_plans(void)
{
    struct rng *rng = rng_new(61);
    int rounds = tap_tier(60, 400), same = 0, bigm_same = 0, rectangles = 0, gained = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = piece_case_random(rng);
        int64_t optimum = piece_case_optimum(instance);
        struct solver_run pieces = solver_run("glpk", instance, 1, 0),
                          bigm = solver_run("glpk:model=bigm", instance, 1, 0);
        struct solver_run joined = solver_run("glpk:pieces=off", instance, 1, 0);

        same += pieces.valid && pieces.outcome == OUTCOME_OPTIMAL && pieces.peak == optimum;
        bigm_same += bigm.valid && bigm.outcome == OUTCOME_OPTIMAL && bigm.peak == optimum;
        rectangles += joined.valid && joined.peak >= optimum && joined.bound <= optimum &&
                      (joined.outcome != OUTCOME_OPTIMAL || !instance->shapes);
        gained += joined.peak > optimum;
        instance_free(instance);
    }
    is_int(same, rounds, "the optimum of pieces is that of all plans");
    is_int(bigm_same, rounds, "with big M too");
    is_int(rectangles, rounds, "rectangles are never better and prove nothing");
    ok(gained > rounds / 20, "and often worse: %d of %d", gained, rounds);
    rng_free(rng);
}

int main(void)
{
    hooks();
    against_all_plans();
    return tap_done();
}
