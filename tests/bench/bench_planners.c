/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the planning heuristics take: the median of solve() in milliseconds, and peak
 * over load, as CSV.  Those that go on until a limit are left out.
 *
 *   bench_planners [WORKLOAD...]
 *
 * Without workloads: a chain with skips, dense uniform lifetimes, and S_1 of
 * idealloc's benchmarks, where it is among the real inputs.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/real_inputs.h"
#include "lib/base/statistics.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"

enum { RUNS = 5 };

static void bench_solver(const char *spec, const char *workload, const struct instance *instance)
{
    const struct run_limits limits = {.time_s = 20};
    struct contestant contestant;
    struct error error = {""};
    double time[RUNS], ratio = 1.0;
    int done = 0;

    if (!contestant_parse(&contestant, spec, &error)) {
        fprintf(stderr, "bench_planners: %s\n", error.text);
        exit(1);
    }
    for (bool goes_on = true; goes_on && done < RUNS;) {
        struct run_result result;

        run_solver(instance, &contestant, 1, &limits, &result);
        goes_on = result.outcome == OUTCOME_FEASIBLE || result.outcome == OUTCOME_OPTIMAL;
        if (goes_on)
            time[done++] = result.time_s;
        if (goes_on && instance->load > 0)
            ratio = (double)result.plan->peak / (double)instance->load;
        else if (!goes_on && result.outcome != OUTCOME_SKIPPED)
            printf("%s,%zu,%s,%s,\n", workload, instance->n, contestant.label,
                   outcome_name(result.outcome));
        run_result_clear(&result);
    }
    if (done == RUNS)
        printf("%s,%zu,%s,%.3f,%.4f\n", workload, instance->n, contestant.label,
               1e3 * statistics_median(time, RUNS), ratio);
    fflush(stdout);
    contestant_clear(&contestant);
}

static void bench_workload(const char *spec)
{
    const char *slash = strrchr(spec, '/'), *label = slash == NULL ? spec : slash + 1;
    struct error error = {""};
    struct instance *instance = instance_from(spec, &error);

    if (instance == NULL) {
        fprintf(stderr, "bench_planners: %s\n", error.text);
        exit(2);
    }
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        const struct solver *solver = entry->solver;

        if (solver->kind == SOLVER_HEURISTIC &&
            (solver->capabilities & (SOLVER_RAW_PARAMETER | SOLVER_ANYTIME)) == 0)
            bench_solver(solver->name, label, instance);
    }
    bench_solver("path-cover:choice=best", label, instance);
    instance_free(instance);
}

int main(int argc, char **argv)
{
    printf("workload,n,solver,median_ms,peak_over_load\n");
    for (int i = 1; i < argc; i++)
        bench_workload(argv[i]);
    if (argc > 1)
        return 0;
    bench_workload("chain:n=20000");
    bench_workload("uniform:n=20000");
    if (!real_inputs_missing("idealloc/S_1.csv"))
        bench_workload("data:idealloc/S_1.csv");
    else
        fprintf(stderr, "bench_planners: S_1.csv skipped: %s\n", real_inputs_reason());
    return 0;
}
