/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The portfolio: as good as its members, ends at the load, what it streams.  */
#include <config.h>

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* The plan of a run with limits; *GOOD: the stream began with a plan no worse than
 * first-fit-by-size and ended with this one.  */
static struct plan *plan_with(const struct instance *instance, uint32_t seed, int64_t work,
                              double seconds, bool *good)
{
    const struct solver_limits limits = {seed, work, seconds};
    struct plan *plan = plan_new(instance);
    struct solver_run run = solver_run_into("portfolio", instance, &limits, plan);

    *good = run.valid && run.streamed &&
            (instance->n == 0 || run.first_peak <= run_solver_peak("first-fit-by-size", instance));
    return plan;
}

/* The example in portfolio.c.  */
static void by_hand(void)
{
    static const int64_t offsets[] = {0, 5, 4, 0};
    struct instance *instance = instance_new("by hand");
    struct plan *plan;
    bool good;

    rows_add(instance, "a 0 2 4; b 1 3 3; c 0 1 2; d 2 3 5");
    plan = plan_with(sealed(instance), 1, 0, 0, &good);
    for (size_t b = 0; b < 4; b++)
        is_int(plan->offset[b], offsets[b], "offset of %s", instance->buffer[b].id);
    is_int(plan->nodes, 0, "the load is reached before the search");
    ok(good, "one plan is streamed");
    plan_free(plan);
    instance_free(instance);
}

/* The smallest instance with an optimum above the load: only limits end it.  */
static void gadget(void)
{
    struct instance *instance = gap_gadget(1);
    struct plan *plan;
    bool good;

    plan = plan_with(instance, 1, 0, 0, &good);
    ok(good && plan->peak == 5, "its optimum is found, and it ends");
    plan_free(plan);
    plan = plan_with(instance, 1, 10, 0, &good);
    ok(good && plan->nodes < 1000, "a work limit ends it sooner");
    plan_free(plan);
    plan = plan_with(instance, 1, 0, 0.01, &good);
    ok(good && plan->peak == 5, "so does a time limit");
    plan_free(plan);
    instance_free(instance);
}

static void random_ones(void)
{
    struct rng *rng = rng_new(64);
    int rounds = tap_tier(5, 25), good = 0, not_worse = 0, same = 0, better = 0, above = 0;

    for (int round = 0; round < rounds; round++)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            struct instance *instance =
                random_instance(rng, (enum random_kind)kind, (size_t)rng_range(rng, 0, 70));
            struct plan *trial = plan_new(instance);
            int64_t greedy = INT64_MAX;
            bool streamed, again;
            struct plan *plan = plan_with(instance, 3, 3000, 0, &streamed);
            struct plan *other = plan_with(instance, 3, 3000, 0, &again);

            for (size_t g = 0; g < greedy_plans(); g++) {
                greedy_plan(instance, g, NULL, trial);
                greedy = min64(greedy, trial->peak);
            }
            above += plan->peak > solver_run("section-first", instance, 3, 3000).peak;
            good += streamed && again;
            not_worse += plan->peak <= greedy;
            better += plan->peak < greedy;
            same += memcmp(plan->offset, other->offset, instance->n * sizeof *plan->offset) == 0;
            plan_free(other);
            plan_free(plan);
            plan_free(trial);
            instance_free(instance);
        }
    is_int(good, rounds * RANDOM_KINDS, "incumbents are valid, get better and end with the plan");
    is_int(not_worse, rounds * RANDOM_KINDS, "never worse than the greedy plans");
    is_int(above, 0, "nor than section-first with as many placements");
    ok(better > 0, "the search makes some better");
    is_int(same, rounds * RANDOM_KINDS, "same seed and work limit, same plan");
    rng_free(rng);
}

/* A clock that goes on at each look.  */
static double look(void *context)
{
    double *looks = context;

    return (*looks)++;
}

/* Greedy plans are no use where the search is at the load in the time that they take: that of so
 * many looks at the clock as there are of them.  */
static void soon(void)
{
    struct instance *instance = instance_of("lstm_lm");
    double looks = 0.0;
    struct timer_source clock = {look, &looks};
    struct plan *plan = plan_new(instance);
    const struct timer_source *before = timer_use(&clock);
    double seconds = (double)greedy_plans();
    struct solver_run run =
        solver_run_into("portfolio", instance, &(struct solver_limits){1, 0, seconds}, plan);

    timer_use(before);
    is_int(run.peak, instance->load, "the search comes before most greedy plans");
    plan_free(plan);
    instance_free(instance);
}

/* What section-first knows, it has to know, or it is given less: these networks have buffers of
 * several pieces, and plans of the rectangles around them end above.  */
static void pieces(void)
{
    static const char *const network[] = {"lstm_lm", "gru_lm"};
    unsigned has = solver_find("portfolio")->solver->capabilities;
    unsigned needs = solver_find("section-first")->solver->capabilities;

    is_int(has & needs, needs, "it is given what section-first is given");
    for (size_t i = 0; i < 2; i++) {
        struct instance *instance = instance_of(network[i]);
        struct instance *joined = instance_joined(instance);

        ok(solver_run("portfolio", instance, 1, 0).peak == instance->load &&
               instance->load < joined->load,
           "%s: at the load of the pieces, below that of the rectangles", network[i]);
        instance_free(joined);
        instance_free(instance);
    }
}

/* Above 5,000 buffers, with fewer greedy plans.  */
static void large(void)
{
    struct rng *rng = rng_new(65);
    struct instance *instance = random_instance(rng, RANDOM_CHAIN, 6000);
    bool good;
    struct plan *plan = plan_with(instance, 1, 20000, 0, &good);

    ok(good && plan->peak <= run_solver_peak("greedy-by-size", instance), "6,000 buffers");
    plan_free(plan);
    instance_free(instance);
    rng_free(rng);
}

int main(void)
{
    by_hand();
    gadget();
    random_ones();
    soon();
    pieces();
    large();
    return tap_done();
}
