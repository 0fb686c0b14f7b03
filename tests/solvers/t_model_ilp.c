/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MODeL's integer model: by hand, against exhaustive search and the project's own
 * models, what it refuses, limits, what it streams.  */
#include <config.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* Whether what it streamed and the plan agree; its first bound is that of the relaxation.  */
static bool good(const struct solver_run *run)
{
    return run->valid && run->streamed && run->last_bound <= run->bound;
}

/* The example in model-ilp.c, in units of 1024 bytes.  */
static void by_hand(void)
{
    struct instance *instance = instance_new("by hand");
    struct solver_run run;

    rows_add(instance, "a 0 2 2048; b 1 3 3072; c 2 4 4096");
    run = solver_run("model-ilp", sealed(instance), 1, 0);
    is_int(run.outcome, OUTCOME_OPTIMAL, "the example is solved");
    is_int(run.peak, 7168, "its peak");
    is_int(run.bound, 7168, "its proof, without being told the load");
    ok(good(&run), "what it streams");
    run = solver_run("model-ilp", instance, 1, 1);
    ok(good(&run) && run.outcome == OUTCOME_FEASIBLE && run.peak >= 7168,
       "a limit of one node leaves a plan");
    is_int(run.bound, 4096, "and the bound of the relaxation, the largest size");
    is_text(run.note, "work limit of 1 nodes", "and says so");
    instance_free(instance);
}

/* The smallest instance with an optimum above the load.  */
static void gadget(void)
{
    struct instance *instance = gap_gadget(1);
    struct solver_run run;

    is_int(instance->load, 4, "the gadget's load");
    for (int load = 0; load < 2; load++) {
        run = solver_run(load == 1 ? "model-ilp:load=on" : "model-ilp", instance, 1, 0);
        ok(run.outcome == OUTCOME_OPTIMAL && good(&run), "it is proven (load %d)", load);
        is_int(run.bound, 5, "to be 5");
    }
    instance_free(instance);
}

static void random_ones(void)
{
    struct rng *rng = rng_new(2023);
    int rounds = tap_tier(20, 150), optimal = 0, right = 0, told = 0, same = 0;

    for (int round = 0; round < rounds; round++) {
        enum random_kind kind = round % 2 == 0 ? RANDOM_TIES : RANDOM_UNIFORM;
        struct instance *instance = random_instance(rng, kind, (size_t)rng_range(rng, 0, 6));
        struct solver_run run = solver_run("model-ilp", instance, 1, 0);
        struct solver_run with_load = solver_run("model-ilp:load=on", instance, 1, 0);

        optimal += run.outcome == OUTCOME_OPTIMAL && good(&run) && run.bound == run.peak;
        right += run.peak == brute_force_optimum(instance);
        told += with_load.outcome == OUTCOME_OPTIMAL && good(&with_load) &&
                with_load.peak == run.peak && with_load.bound >= instance->load;
        same += run_solver_peak("glpk", instance) == run.peak;
        instance_free(instance);
    }
    is_int(optimal, rounds, "tiny instances are solved, with a proof");
    is_int(right, rounds, "exhaustive search finds the same optima");
    is_int(told, rounds, "also where the load is known");
    is_int(same, rounds, "and glpk does");
    rng_free(rng);
}

static void refusals(void)
{
    struct instance *instance = instance_new("wide"), *few = three(1);

    ok(solver_applies("model-ilp:max-pairs=2", few), "three buffers have two pairs");
    ok(!solver_applies("model-ilp:max-pairs=1", few), "which can be too many");
    instance_free(few);
    rows_add(instance, "a 0 2 50000001; b 1 3 50000000");
    ok(!solver_applies("model-ilp", sealed(instance)),
       "units that no tolerance tells apart are refused");
    instance_free(instance);
    instance = instance_new("coarse");
    instance_add(instance, "a", 0, 2, INT64_C(50000001) << 20, 1);
    instance_add(instance, "b", 1, 3, INT64_C(1) << 20, 1);
    ok(solver_applies("model-ilp", sealed(instance)), "units are what counts, not bytes");
    instance_free(instance);
}

int main(void)
{
    by_hand();
    gadget();
    random_ones();
    refusals();
    return tap_done();
}
