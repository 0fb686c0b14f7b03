/* SPDX-License-Identifier: GPL-3.0-or-later */
/* telamalloc: by hand; what it promises; limits.  */
#include <config.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* The example in its head comment.  */
static void by_hand(void)
{
    static const struct record row[] = {{0, 3, 2}, {0, 2, 3}, {1, 4, 4}, {3, 5, 5}};
    static const int64_t offset[] = {4, 6, 0, 4};
    struct instance *instance = golden_instance("by hand", row, 4, 0, 1);
    struct solver_run run = solver_run("telamalloc", instance, 1, 0);

    golden_offsets("telamalloc", instance, offset);
    is_int(run.nodes, 4, "each buffer is placed once");
    is_int(run.statistics.count[STATISTIC_EVICTIONS], 0, "and none is evicted");
    instance_free(instance);
}

/* b, d, c and a come in this order: 0, 1, 2 and, above 7 bytes, 3.  a could have the place of b
 * and c, which meet six, or on b that of c alone, which meets three; c then goes on top.  */
static void one_eviction(void)
{
    static const struct record row[] = {{0, 1, 5}, {0, 3, 1}, {0, 2, 1}, {1, 4, 1}};
    static const int64_t offset[] = {1, 0, 6, 1};
    struct instance *instance = golden_instance("one eviction", row, 4, 0, 1);
    struct solver_run run = solver_run("telamalloc", instance, 1, 0);

    golden_offsets("telamalloc", instance, offset);
    is_int(run.nodes, 4 + 5, "first fit, then one of four is placed twice");
    is_int(run.statistics.count[STATISTIC_EVICTIONS], 1, "as it is evicted");
    instance_free(instance);
}

/* The smallest instance with an optimum above its load: no number of evictions gets there.  */
static void evicts(void)
{
    struct instance *instance = gap_gadget(1);
    struct solver_run run = solver_run("telamalloc", instance, 1, 0);

    is_int(run.peak, 5, "the gadget's optimum, above its load of 4");
    is_int(run.outcome, OUTCOME_FEASIBLE, "which it does not prove");
    is_int(run.bound, 0, "nor says anything of");
    ok(run.statistics.count[STATISTIC_EVICTIONS] > 4 * (int64_t)instance->n,
       "4 bytes were given up after evictions");
    instance_free(instance);
}

static struct plan *first_fit(const struct instance *instance)
{
    struct plan *plan = plan_new(instance);

    solver_run_into("telamalloc", instance, &(struct solver_limits){.seed = 1, .work = 1}, plan);
    return plan;
}

/* Against its own first plan, which a work limit of one leaves.  */
static void promises(void)
{
    struct rng *rng = rng_new(2023);
    int rounds = tap_tier(4, 20), good = 0, better = 0, same = 0, all = 0;

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++, all++) {
            size_t n = (size_t)rng_range(rng, 1, 60);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);
            struct plan *first = first_fit(instance);
            struct solver_run run = solver_run("telamalloc", instance, 3, 5000);
            struct solver_run again = solver_run("telamalloc", instance, 3, 5000);

            good += run.valid && run.streamed && run.peak <= first->peak &&
                    run.first_peak == first->peak && run.nodes <= 5000;
            better += run.peak < first->peak;
            same += run.offsets == again.offsets && run.nodes == again.nodes;
            plan_free(first);
            instance_free(instance);
        }
    is_int(good, all, "it streams ever better plans from first fit on, within the limit");
    ok(better > all / 2, "evictions make %d of %d plans better", better, all);
    is_int(same, all, "same seed and work limit, same plan");
    rng_free(rng);
}

static void times_out(void)
{
    struct instance *instance = gap_gadget(1);
    struct plan *plan = plan_new(instance);
    struct solver_run run = solver_run_into(
        "telamalloc", instance, &(struct solver_limits){.seed = 1, .seconds = 0.01}, plan);

    is_int(run.outcome, OUTCOME_TIMEOUT, "a time limit ends it");
    ok(run.valid && run.peak == 5, "with a plan");
    plan_free(plan);
    instance_free(instance);
}

int main(void)
{
    by_hand();
    one_eviction();
    evicts();
    promises();
    times_out();
    return tap_done();
}
