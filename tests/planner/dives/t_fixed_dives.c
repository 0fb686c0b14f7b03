/* SPDX-License-Identifier: GPL-3.0-or-later */
/* section-first with fixed offsets: valid, never worse than greedy plans, never better than what
 * is proven, and ended by any limit.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>

#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/best_greedy.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/section_plan.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

static int64_t first_fit_peak(const struct instance *instance)
{
    struct plan *plan = plan_new(instance);
    int64_t peak;

    greedy_plan(instance, 0, NULL, plan);
    peak = plan->peak;
    plan_free(plan);
    return peak;
}

static void tiny(bool pieces, uint32_t seed)
{
    const char *what = pieces ? "pieces" : "rectangles";
    struct rng *rng = rng_new(seed);
    int rounds = tap_tier(60, 300), good = 0, best = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = fixed_case_random(rng, pieces);
        int64_t optimum = piece_case_optimum(instance);
        struct solver_run run = solver_run("section-first", instance, (uint32_t)round + 1, 2000);

        good += run.valid && run.streamed && run.peak >= optimum && run.bound <= optimum &&
                run.peak <= first_fit_peak(instance) &&
                (run.outcome == OUTCOME_OPTIMAL) == (run.peak == run.bound);
        best += run.peak == optimum;
        instance_free(instance);
    }
    is_int(good, rounds, "%s: between the optimum and first fit", what);
    ok(best > rounds * 9 / 10, "%s: at the optimum on %d of %d", what, best, rounds);
    rng_free(rng);
}

/* The dives for rectangles alone, which have to keep what is fixed by themselves.  */
static bool dives_keep(const struct instance *instance, uint32_t seed, int64_t nodes)
{
    struct solver_env env = {.seed = seed};
    struct section_plan_limits limits = {nodes, INFINITY, seed % 2 == 0, false};
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    bool good;

    section_plan(instance, &env, &limits, false, plan);
    good = verify_plan(instance, plan, &error) && plan->peak <= first_fit_peak(instance) &&
           plan->nodes <= nodes + 1;
    if (!good)
        tap_diag("%s of %zu: %s", instance->name, instance->n, error.text);
    plan_free(plan);
    return good;
}

/* They know what is fixed beside a buffer before it is placed, and rise from a load that this keeps
 * out of reach.  */
static void tiny_dives(void)
{
    enum { NODES = 300 };
    struct rng *rng = rng_new(294);
    int rounds = tap_tier(60, 300), good = 0, best = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = fixed_case_random(rng, false);
        int64_t optimum = piece_case_optimum(instance);
        struct solver_env env = {.seed = (uint32_t)round + 1};
        struct section_plan_limits limits = {NODES, INFINITY, false, false};
        struct plan *plan = plan_new(instance);
        struct error error = {""};

        section_plan(instance, &env, &limits, false, plan);
        good += verify_plan(instance, plan, &error);
        best += plan->peak == optimum;
        above += optimum > instance->load;
        plan_free(plan);
        instance_free(instance);
    }
    is_int(good, rounds, "dives for rectangles alone are right");
    ok(best > rounds * 199 / 200, "at the optimum on %d of %d, %d of them above the load", best,
       rounds, above);
    rng_free(rng);
}

static void larger(void)
{
    struct rng *rng = rng_new(293);
    int rounds = tap_tier(12, 60), good = 0, better = 0, kept = 0;

    for (int round = 0; round < rounds; round++) {
        enum random_kind kind = (enum random_kind)(round % (RANDOM_KINDS - 1)); /* none is huge */
        struct instance *all = random_instance(rng, kind, (size_t)rng_range(rng, 20, 120));
        struct plan *plan = solver_plan("section-first:nodes=5000", all, 1);
        struct instance *instance = fixed_case_of_plan(rng, all, plan);
        int64_t greedy = first_fit_peak(instance);
        struct solver_run run = solver_run("section-first", instance, (uint32_t)round + 1, 5000);

        good += run.valid && run.streamed && run.peak <= greedy;
        better += run.peak < greedy;
        kept += dives_keep(instance, (uint32_t)round + 1, rng_range(rng, 1, 5000));
        instance_free(instance);
        plan_free(plan);
        instance_free(all);
    }
    is_int(good, rounds, "larger ones: never worse than first fit");
    is_int(kept, rounds, "dives for rectangles keep what is fixed");
    ok(better > rounds / 4, "better on %d of %d", better, rounds);
    rng_free(rng);
}

/* Numbers that are too large for dives, and fixed buffers alone.  */
static void extremes(void)
{
    struct instance *instance = instance_new("far");
    struct solver_run run;

    rows_add(instance, "far 0 4 5; a 0 2 7; b 1 4 7");
    instance_fix(instance, 0, INT64_MAX / 2);
    run = solver_run("section-first", sealed(instance), 1, 1000);
    ok(run.valid && run.peak == INT64_MAX / 2 + 5 && run.outcome == OUTCOME_OPTIMAL,
       "far above all else: peak %" PRId64, run.peak);
    instance_free(instance);
    instance = instance_new("all");
    rows_add(instance, "a 0 2 7; b 1 4 7");
    instance_fix(instance, 0, 8);
    instance_fix(instance, 1, 1);
    run = solver_run("section-first", sealed(instance), 1, 1000);
    ok(run.valid && run.peak == 15 && run.outcome == OUTCOME_OPTIMAL, "nothing left to plan");
    instance_free(instance);
}

int main(void)
{
    tiny(false, 291);
    tiny(true, 292);
    tiny_dives();
    larger();
    extremes();
    return tap_done();
}
