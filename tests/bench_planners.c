/* How long the planning heuristics take: the median of solve() in this process
 * in milliseconds, and peak over load, as CSV.
 *
 *   bench_planners [WORKLOAD...]
 *
 * Without workloads: a chain with skips, dense uniform lifetimes, and S_1 of
 * idealloc's benchmarks, which needs ARENABENCH_DATA.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/params.h"
#include "lib/plan.h"
#include "lib/timer.h"
#include "solvers/solver.h"
#include "tests/tap.h"
#include "workloads/workload.h"

enum { RUNS = 5 };

static int compare_times(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void bench_solver(const struct solver *solver, const char *text, const char *workload,
                         const struct instance *instance)
{
    struct params params;
    struct error error;
    struct solver_env env = {.params = &params, .seed = 1};
    double time[RUNS], ratio = 1.0;

    if (!params_parse(&params, solver->name, text, &solver->params, 1, &error)) {
        fprintf(stderr, "bench_planners: %s\n", error.text);
        exit(1);
    }
    for (int run = 0; run < RUNS; run++) {
        struct plan *plan = plan_new(instance);
        double start = timer_now();

        solver->solve(instance, &env, plan);
        time[run] = timer_now() - start;
        if (instance->load > 0)
            ratio = (double)plan->peak / (double)instance->load;
        plan_free(plan);
    }
    qsort(time, RUNS, sizeof *time, compare_times);
    printf("%s,%zu,%s%s%s,%.3f,%.4f\n", workload, instance->n, solver->name,
           text[0] == '\0' ? "" : ":", text, 1e3 * time[RUNS / 2], ratio);
    fflush(stdout);
    params_clear(&params);
}

static void bench_workload(const char *spec)
{
    const char *slash = strrchr(spec, '/'), *label = slash == NULL ? spec : slash + 1;
    struct workload workload;
    struct instance *instance = NULL;
    struct error error;

    if (workload_parse(&workload, spec, &error)) {
        instance = workload_instance(&workload, &error);
        workload_clear(&workload);
    }
    if (instance == NULL) {
        fprintf(stderr, "bench_planners: %s\n", error.text);
        exit(2);
    }
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        const struct solver *solver = entry->solver;

        if (solver->kind != SOLVER_HEURISTIC || (solver->capabilities & SOLVER_RAW_PARAMETER) != 0)
            continue;
        bench_solver(solver, "", label, instance);
    }
    bench_solver(solver_find("path-cover")->solver, "choice=best", label, instance);
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
    if (tap_data() != NULL) {
        char *path = memory_printf("%s/idealloc/S_1.csv", tap_data());

        bench_workload(path);
        free(path);
    } else {
        fprintf(stderr, "bench_planners: S_1.csv skipped: ARENABENCH_DATA is not set\n");
    }
    return 0;
}
