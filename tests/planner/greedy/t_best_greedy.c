/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where exact models start: never above what the planners of the registry need.  */
#include <config.h>

#include <stdint.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
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
    struct error error;
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
    struct error error;
    bool good;

    best_greedy(instance, part, parts, plan);
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
    rng_free(rng);
    return tap_done();
}
