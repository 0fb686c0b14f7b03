/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/bench/bench_runs.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

struct instance *bench_load(const char *spec)
{
    struct error error = {""};
    struct instance *instance = instance_from(spec, &error);

    if (instance == NULL)
        fprintf(stderr, "bench: %s\n", error.text);
    return instance;
}

struct instance *bench_load_data(const char *file)
{
    char *path = memory_printf("%s/%s", tap_data(), file);
    struct instance *instance = bench_load(path);

    free(path);
    return instance;
}

struct instance *bench_variant(const struct instance *instance, uint32_t seed, bool reverse)
{
    struct instance *copy = instance_new(instance->name);
    size_t *order = memory_alloc(instance->n, sizeof *order);
    struct rng *rng = rng_new(seed);
    struct error error = {""};

    for (size_t b = 0; b < instance->n; b++)
        order[b] = b;
    rng_shuffle(rng, order, instance->n, sizeof *order);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *b = &instance->buffer[order[i]];

        instance_add(copy, b->id, reverse ? -b->end : b->begin, reverse ? -b->begin : b->end,
                     b->size, b->alignment);
    }
    rng_free(rng);
    free(order);
    if (!instance_seal(copy, NULL, &error)) {
        fprintf(stderr, "bench: %s\n", error.text);
        exit(1);
    }
    return copy;
}

struct bench_run bench_measure_within(const char *name, const char *setting,
                                      const struct instance *instance, uint32_t seed,
                                      double limit_s, int64_t nodes)
{
    const struct solver *solver = solver_find(name)->solver;
    struct plan *plan = plan_new(instance);
    struct params params;
    struct error error = {""};
    struct solver_env env = {
        .params = &params, .seed = seed, .time_limit = limit_s, .work_limit = nodes};
    struct bench_run run = {0};
    double start;

    if (!params_parse(&params, name, setting, &solver->params, solver->params != NULL, &error)) {
        fprintf(stderr, "bench: %s\n", error.text);
        exit(1);
    }
    start = timer_now();
    run.optimal = solver->solve(instance, &env, plan) == OUTCOME_OPTIMAL;
    run.time = timer_now() - start;
    run.peak = plan->peak;
    run.bound = plan->lower_bound;
    if (!verify_plan(instance, plan, &error)) {
        fprintf(stderr, "bench: %s on %s: %s\n", name, instance->name, error.text);
        exit(1);
    }
    params_clear(&params);
    plan_free(plan);
    return run;
}

struct bench_run bench_measure(const char *name, const char *setting,
                               const struct instance *instance, uint32_t seed, double limit_s)
{
    return bench_measure_within(name, setting, instance, seed, limit_s, 0);
}
