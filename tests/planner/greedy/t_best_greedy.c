/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where exact models start: never above what the planners of the registry need, and of so many
 * greedy plans as there is time for.  */
#include <config.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/greedy/best_greedy.h"
#include "planner/greedy/time_parts.h"
#include "solvers/solver.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

static const struct {
    const char *name, *setting;
} planner[] = {
    {"first-fit-by-size", ""},      {"greedy-by-size", ""},        {"duration-size", ""},
    {"path-cover", "choice=first"}, {"path-cover", "choice=last"}, {"path-cover", "choice=best"},
};

static int64_t peak_of(const struct instance *instance, size_t p)
{
    const struct solver *solver = solver_find(planner[p].name)->solver;
    struct plan *plan = plan_new(instance);
    struct solver_env env = {.seed = 1};
    struct params params;
    struct error error = {""};
    int64_t peak;

    if (!params_parse(&params, solver->name, planner[p].setting, &solver->params,
                      solver->params != NULL, &error)) {
        tap_diag("%s", error.text);
        abort();
    }
    env.params = &params;
    solver->solve(instance, &env, plan);
    peak = plan->peak;
    params_clear(&params);
    plan_free(plan);
    return peak;
}

static bool good_start(const struct instance *instance)
{
    size_t *part = memory_alloc(instance->n, sizeof *part);
    size_t parts = time_parts(instance, part);
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    bool good;

    best_greedy(instance, part, parts, INFINITY, plan);
    good = verify_plan(instance, plan, &error);
    if (!good)
        tap_diag("%s: %s", instance->name, error.text);
    for (size_t p = 0; good && p < sizeof planner / sizeof planner[0]; p++)
        if (peak_of(instance, p) < plan->peak) {
            tap_diag("%s of %zu: %s:%s needs less", instance->name, instance->n, planner[p].name,
                     planner[p].setting);
            good = false;
        }
    plan_free(plan);
    free(part);
    return good;
}

/* A clock that is a second further at each look.  */
static double count_looks(void *context)
{
    double *looks = context;

    return ++*looks;
}

/* What the best of the first PLANS greedy plans needs, taken part by part.  */
static int64_t best_of(const struct instance *instance, const size_t *part, size_t parts,
                       size_t plans)
{
    struct plan *plan = plan_new(instance);
    int64_t best = 0;

    for (size_t p = 0; p < parts; p++) {
        int64_t least = INT64_MAX;

        for (size_t i = 0; i < plans; i++) {
            int64_t peak = 0;

            greedy_plan(instance, i, plan);
            for (size_t b = 0; b < instance->n; b++)
                if (part[b] == p && plan->offset[b] + instance->buffer[b].size > peak)
                    peak = plan->offset[b] + instance->buffer[b].size;
            least = peak < least ? peak : least;
        }
        best = least > best ? least : best;
    }
    plan_free(plan);
    return best;
}

/* With time for MOST plans these are compared and no more, fewer only where the load is reached. */
static bool ends_in_time(const struct instance *instance, size_t most)
{
    size_t *part = memory_alloc(instance->n, sizeof *part);
    size_t parts = time_parts(instance, part), plans = greedy_plans(instance);
    struct plan *plan = plan_new(instance);
    double looks = 0.0;
    struct timer_source source = {count_looks, &looks};
    const struct timer_source *before = timer_use(&source);
    struct error error = {""};
    bool good;

    best_greedy(instance, part, parts, (double)most, plan);
    timer_use(before);
    most = most < plans ? most : plans;
    good = verify_plan(instance, plan, &error) && looks <= (double)most &&
           (plan->peak == instance->load || looks >= (double)most - 1.0) &&
           plan->peak == best_of(instance, part, parts, most);
    if (!good)
        tap_diag("%s of %zu, time for %zu plans: peak %lld after %.0f looks; %s", instance->name,
                 instance->n, most, (long long)plan->peak, looks, error.text);
    plan_free(plan);
    free(part);
    return good;
}

static void in_time(struct rng *rng)
{
    int64_t rounds = tap_tier(60, 400), good = 0, better = 0;

    for (int64_t r = 0; r < rounds; r++) {
        struct instance *instance =
            random_instance(rng, r % 2 == 0 ? RANDOM_UNIFORM : RANDOM_CHAIN, (size_t)(20 + r % 40));
        size_t *part = memory_alloc(instance->n, sizeof *part), parts = time_parts(instance, part);

        good += ends_in_time(instance, 1 + (size_t)r % 15);
        better += best_of(instance, part, parts, 4) < best_of(instance, part, parts, 1);
        free(part);
        instance_free(instance);
    }
    is_int(good, rounds, "as many greedy plans are compared as there is time for, one at least");
    ok(better > rounds / 10, "further ones are better at times (%lld)", (long long)better);
}

int main(void)
{
    struct rng *rng = rng_new(20);
    int64_t rounds = tap_tier(20, 200);

    for (enum random_kind kind = 0; kind < RANDOM_KINDS; kind++) {
        int64_t good = 0;

        for (int64_t r = 0; r < rounds; r++) {
            struct instance *instance = random_instance(rng, kind, (size_t)(1 + r % 60));

            good += good_start(instance);
            instance_free(instance);
        }
        is_int(good, rounds, "%s: no planner needs less than the start", random_kind_name(kind));
    }
    /* More buffers than all orders are tried for.  */
    {
        struct instance *instance = random_instance(rng, RANDOM_UNIFORM, 5100);

        ok(good_start(instance), "nor where there are many buffers");
        instance_free(instance);
    }
    in_time(rng);
    rng_free(rng);
    return tap_done();
}
