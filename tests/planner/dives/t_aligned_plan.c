/* SPDX-License-Identifier: GPL-3.0-or-later */
/* section-first where all alignments have a divisor that sizes do not: against the verifier, first
 * fit, exhaustive search, and what it finds when the sizes are rounded up beforehand.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "planner/dives/aligned_plan.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* Alignments are QUANTUM times 1, 2 or 4; with ROUNDED sizes are multiples of it.  The same SEED
 * gives the same buffers.  */
static struct instance *aligned(uint32_t seed, size_t n, int64_t quantum, bool rounded)
{
    struct instance *instance = instance_new("aligned");
    struct rng *rng = rng_new(seed);

    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, (int64_t)n / 2), size = rng_range(rng, 1, 8 * quantum);

        add_buffer(instance, begin, begin + rng_range(rng, 1, 4),
                   rounded ? align_up(size, quantum) : size,
                   quantum << rng_range(rng, 0, n > 8 ? 2 : 1));
    }
    rng_free(rng);
    return sealed(instance);
}

static void random_plans(void)
{
    int rounds = tap_tier(50, 1000), good = 0, no_worse = 0, near = 0, needed = 0;

    for (int round = 0; round < rounds; round++) {
        size_t n = 10 + (size_t)round % 60;
        struct instance *instance = aligned((uint32_t)round + 1, n, 16, false);
        struct instance *rounded = aligned((uint32_t)round + 1, n, 16, true);
        struct solver_run run = solver_run("section-first", instance, 1, 1500);
        int64_t whole = solver_run("section-first", rounded, 1, 1500).peak;

        needed += aligned_plan_quantum(instance) % 16 == 0 && aligned_plan_quantum(instance) > 0 &&
                  aligned_plan_quantum(rounded) % 32 == 0;
        good += run.valid && run.streamed && run.nodes <= 1500 && run.peak >= instance->load;
        no_worse += run.peak <= run_solver_peak("first-fit-by-size", instance);
        near += run.peak <= whole;
        instance_free(instance);
        instance_free(rounded);
    }
    is_int(good, rounds, "plans are plans, ever better ones");
    is_int(no_worse, rounds, "none is worse than first fit");
    is_int(near, rounds, "none is above what is found for rounded sizes");
    is_int(needed, rounds, "the common divisor is found, and not where sizes have it");
}

static void tiny(void)
{
    int rounds = tap_tier(50, 600), below = 0, optimal = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = aligned((uint32_t)round + 1, 5, 3, false);
        int64_t optimum = brute_force_optimum(instance);
        int64_t peak = solver_run("section-first", instance, 1, 1500).peak;

        below += peak < optimum;
        optimal += peak == optimum;
        above += optimum > instance->load;
        instance_free(instance);
    }
    is_int(below, 0, "no plan is below the optimum");
    ok(optimal > rounds / 2, "%d of %d are optimal", optimal, rounds);
    ok(above > rounds / 4, "%d optima are above the load", above);
}

/* Packings with alignments, of which dives alone find a quarter.  */
static void planted(void)
{
    int rounds = tap_tier(5, 20), packed = 0;

    for (int round = 1; round <= 2 * rounds; round++) {
        char *spec = memory_printf(round % 2 == 0 ? "cuts:n=120,unit=64,align=1024,slack=3,seed=%d"
                                                  : "cuts:n=150,unit=64,align=256,slack=4,skew=2,"
                                                    "seed=%d",
                                   (round + 1) / 2);
        struct instance *instance = instance_of(spec);
        struct solver_run run = solver_run("section-first", instance, 1, 100000);

        packed += run.outcome == OUTCOME_OPTIMAL && run.valid && run.nodes <= 100000;
        instance_free(instance);
        free(spec);
    }
    ok(5 * packed >= 2 * 2 * rounds, "of %d planted packings %d are found", 2 * rounds, packed);
}

int main(void)
{
    random_plans();
    tiny();
    planted();
    return tap_done();
}
