#include <config.h>

#include "tests/run_solver.h"

#include <stdlib.h>
#include <string.h>

#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/params.h"
#include "lib/plan.h"
#include "lib/verify.h"
#include "solvers/solver.h"
#include "tests/tap.h"

static const struct solver *parse(const char *spec, struct params *params)
{
    const char *colon = strchrnul(spec, ':');
    char *name = memory_printf("%.*s", (int)(colon - spec), spec);
    const struct solver_entry *entry = solver_find(name);
    struct error error = {""};

    if (entry == NULL || !params_parse(params, name, *colon == ':' ? colon + 1 : "",
                                       &entry->solver->params, 1, &error)) {
        tap_diag("%s: %s", spec, entry == NULL ? "no such solver" : error.text);
        abort();
    }
    free(name);
    return entry->solver;
}

struct plan *solver_plan(const char *spec, const struct instance *instance, uint32_t seed)
{
    struct params params;
    const struct solver *solver = parse(spec, &params);
    struct plan *plan = plan_new(instance);
    struct error error;
    struct solver_env env = {.params = &params, .seed = seed};

    solver->solve(instance, &env, plan);
    if (!verify_plan(instance, plan, &error)) {
        tap_diag("%s on %s: %s", spec, instance->name, error.text);
        abort();
    }
    params_clear(&params);
    return plan;
}

int64_t run_solver_peak(const char *spec, const struct instance *instance)
{
    struct plan *plan = solver_plan(spec, instance, 1);
    int64_t peak = plan->peak;

    plan_free(plan);
    return peak;
}

bool solver_applies(const char *spec, const struct instance *instance)
{
    struct params params;
    const struct solver *solver = parse(spec, &params);
    struct error error;
    bool applies = solver->applicable == NULL || solver->applicable(instance, &params, &error);

    params_clear(&params);
    return applies;
}
