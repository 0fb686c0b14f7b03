/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/run_solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/support/tap.h"

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
    struct error error = {""};
    struct solver_env env = {.params = &params, .seed = seed};

    solver->solve(instance, &env, plan);
    if (!verify_plan(instance, plan, &error)) {
        tap_diag("%s on %s: %s", spec, instance->name, error.text);
        abort();
    }
    params_clear(&params);
    return plan;
}

/* What is streamed while a solver runs.  */
struct stream {
    const struct instance *instance;
    int64_t first_peak, peak, bound;
    int incumbents;
    bool good;
};

static void take_incumbent(void *context, const struct plan *plan)
{
    struct stream *stream = context;
    struct error error = {""};

    stream->good = stream->good && (stream->peak < 0 || plan->peak < stream->peak) &&
                   verify_plan(stream->instance, plan, &error);
    if (stream->peak < 0)
        stream->first_peak = plan->peak;
    stream->peak = plan->peak;
    stream->incumbents++;
}

static void take_bound(void *context, int64_t bound)
{
    struct stream *stream = context;

    stream->good = stream->good && bound > stream->bound;
    stream->bound = bound;
}

struct solver_run solver_run_into(const char *spec, const struct instance *instance,
                                  const struct solver_limits *limits, struct plan *plan)
{
    struct stream stream = {instance, -1, -1, -1, 0, true};
    struct params params;
    const struct solver *solver = parse(spec, &params);
    struct error error = {""};
    struct solver_run run = {.note = ""};
    struct solver_env env = {.params = &params,
                             .seed = limits->seed,
                             .work_limit = limits->work,
                             .time_limit = limits->seconds,
                             .incumbent = take_incumbent,
                             .bound = take_bound,
                             .context = &stream,
                             .statistics = &run.statistics};

    run.outcome = solver->solve(instance, &env, plan);
    run.peak = plan->peak;
    run.bound = plan->lower_bound;
    run.nodes = plan->nodes;
    run.valid = verify_plan(instance, plan, &error);
    for (size_t b = 0; b < instance->n; b++)
        run.offsets = run.offsets * UINT64_C(6364136223846793005) + (uint64_t)plan->offset[b];
    run.incumbents = stream.incumbents;
    run.streamed = stream.good && stream.incumbents > 0 && stream.peak == plan->peak;
    run.first_peak = stream.first_peak;
    run.last_bound = stream.bound;
    snprintf(run.note, sizeof run.note, "%s", plan->note);
    if (!run.valid)
        tap_diag("%s on %s: %s", spec, instance->name, error.text);
    params_clear(&params);
    return run;
}

struct solver_run solver_run(const char *spec, const struct instance *instance, uint32_t seed,
                             int64_t work)
{
    const struct solver_limits limits = {.seed = seed, .work = work};
    struct plan *plan = plan_new(instance);
    struct solver_run run = solver_run_into(spec, instance, &limits, plan);

    plan_free(plan);
    return run;
}

bool solver_run_proves(const struct solver_run *run, int64_t optimum)
{
    return run->valid && run->outcome == OUTCOME_OPTIMAL && run->peak == optimum &&
           run->bound == optimum;
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
    struct error error = {""};
    bool applies = (instance->fixed == 0 || (solver->capabilities & SOLVER_FIXED) != 0) &&
                   (solver->applicable == NULL || solver->applicable(instance, &params, &error));

    params_clear(&params);
    return applies;
}
