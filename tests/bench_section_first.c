/* The goals of the planner section-first, and of branch-and-bound on large instances:
 * medians over seeds and both directions of time, as CSV with `met` or `missed`.
 *
 *   bench_section_first [SEEDS]
 *
 * SEEDS: 20 when not given.  Rows of real instances need ARENABENCH_DATA.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/params.h"
#include "lib/plan.h"
#include "lib/rng.h"
#include "lib/timer.h"
#include "lib/verify.h"
#include "solvers/solver.h"
#include "workloads/workload.h"

#define FIVE                                                                       \
    "data:minimalloc/A.1048576.csv+data:minimalloc/C.1048576.csv+data:minimalloc/" \
    "E.1048576.csv+data:minimalloc/G.1048576.csv+data:minimalloc/I.1048576.csv"

enum { MOST_RUNS = 400 };

struct goal {
    const char *label, *workload, *solver, *text;
    double ratio;   /* peak / load: the median at most */
    double seconds; /* the median at most, or all runs */
    bool all;
    int divide; /* of the seeds only one in so many */
};

static const struct goal goals[] = {
    {"A", "data:minimalloc/A.1048576.csv", "section-first", "", 1.0, 0.001, false, 1},
    {"C", "data:minimalloc/C.1048576.csv", "section-first", "", 1.0, 0.001, false, 1},
    {"E", "data:minimalloc/E.1048576.csv", "section-first", "", 1.0, 0.001, false, 1},
    {"G", "data:minimalloc/G.1048576.csv", "section-first", "", 1.0, 0.001, false, 1},
    {"I", "data:minimalloc/I.1048576.csv", "section-first", "deadline=10ms", 1.03, 0.011, false, 1},
    {"I", "data:minimalloc/I.1048576.csv", "section-first", "deadline=2s", 1.0, 0.1, false, 1},
    {"S_1", "data:idealloc/S_1.csv", "section-first", "deadline=1s", 1.001, 1.05, false, 4},
    {"S_1", "data:idealloc/S_1.csv", "branch-and-bound", "", 1.0, 2.0, true, 4},
    {"chained", "chained:of=" FIVE ",n=10000", "section-first", "deadline=3s", 1.12, 3.1, false, 2},
    {"overlaid", "overlaid:of=" FIVE ",n=10000", "section-first", "deadline=3s", 1.12, 3.1, false,
     2},
};

struct runs {
    int count, at_load;
    double time[MOST_RUNS], ratio[MOST_RUNS];
};

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static struct instance *read_workload(const char *spec)
{
    struct workload workload;
    struct instance *instance = NULL;
    struct error error;

    if (workload_parse(&workload, spec, &error)) {
        instance = workload_instance(&workload, &error);
        workload_clear(&workload);
    }
    if (instance == NULL) {
        fprintf(stderr, "bench_section_first: %s\n", error.text);
        exit(2);
    }
    return instance;
}

/* INSTANCE with its buffers shuffled, and with time reversed if BACKWARDS.  */
static struct instance *turned(const struct instance *instance, bool backwards, uint32_t seed)
{
    struct instance *copy = instance_new(instance->name);
    size_t *order = memory_alloc(instance->n, sizeof *order);
    struct rng *rng = rng_new(seed);
    struct error error;

    for (size_t b = 0; b < instance->n; b++)
        order[b] = b;
    rng_shuffle(rng, order, instance->n, sizeof *order);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[order[i]];

        instance_add(copy, buffer->id, backwards ? -buffer->end : buffer->begin,
                     backwards ? -buffer->begin : buffer->end, buffer->size, buffer->alignment);
    }
    if (!instance_seal(copy, NULL, &error)) {
        fprintf(stderr, "bench_section_first: %s\n", error.text);
        exit(2);
    }
    rng_free(rng);
    free(order);
    return copy;
}

/* One timed run; the plan is verified after it.  Returns the peak.  */
static int64_t run(const char *name, const char *text, const struct instance *instance,
                   uint32_t seed, double *seconds)
{
    const struct solver *solver = solver_find(name)->solver;
    struct plan *plan = plan_new(instance);
    struct solver_env env = {.seed = seed};
    struct params params;
    struct error error;
    double start;
    int64_t peak;

    if (!params_parse(&params, name, text, &solver->params, solver->params != NULL, &error)) {
        fprintf(stderr, "bench_section_first: %s\n", error.text);
        exit(2);
    }
    env.params = &params;
    start = timer_now();
    solver->solve(instance, &env, plan);
    *seconds = timer_now() - start;
    if (!verify_plan(instance, plan, &error)) {
        fprintf(stderr, "bench_section_first: %s: %s\n", name, error.text);
        exit(1);
    }
    peak = plan->peak;
    plan_free(plan);
    params_clear(&params);
    return peak;
}

/* In KiB: the most that this process has used.  */
static long most_memory(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void print_goal(const struct goal *goal, size_t n, struct runs *runs)
{
    double median, ratio, slowest;
    bool met;

    qsort(runs->time, (size_t)runs->count, sizeof *runs->time, compare_numbers);
    qsort(runs->ratio, (size_t)runs->count, sizeof *runs->ratio, compare_numbers);
    median = runs->time[runs->count / 2];
    slowest = runs->time[runs->count - 1];
    ratio = runs->ratio[goal->all ? runs->count - 1 : runs->count / 2];
    met = ratio <= goal->ratio && (goal->all ? slowest : median) <= goal->seconds;
    printf("%s,%zu,%s,%d,%d,%.3f,%.3f,%.5f,%.5f,%.3f,%.5f,%ld,%s\n", goal->label, n, goal->solver,
           runs->count, runs->at_load, 1e3 * median, 1e3 * slowest, runs->ratio[runs->count / 2],
           runs->ratio[runs->count - 1], 1e3 * goal->seconds, goal->ratio, most_memory() / 1024,
           met ? "met" : "missed");
    fflush(stdout);
}

static void bench_goal(const struct goal *goal, int seeds)
{
    struct instance *instance;
    struct runs runs = {0};
    int most = (seeds + goal->divide - 1) / goal->divide;

    if (strstr(goal->workload, "data:") != NULL && workload_data_missing("data:")) {
        fprintf(stderr, "bench_section_first: %s skipped: ARENABENCH_DATA is not set\n",
                goal->label);
        return;
    }
    instance = read_workload(goal->workload);
    for (int seed = 1; seed <= most && runs.count + 2 <= MOST_RUNS; seed++)
        for (int backwards = 0; backwards < 2; backwards++) {
            struct instance *copy = turned(instance, backwards == 1, (uint32_t)seed);
            int64_t peak =
                run(goal->solver, goal->text, copy, (uint32_t)seed, &runs.time[runs.count]);

            runs.at_load += peak == copy->load;
            runs.ratio[runs.count++] = (double)peak / (double)copy->load;
            instance_free(copy);
        }
    print_goal(goal, instance->n, &runs);
    instance_free(instance);
}

/* One million buffers: no worse than greedy-by-size.  */
static void bench_million(void)
{
    struct goal goal = {"chain", "chain:n=1000000,length=62", "section-first", "", 1.0, 10.0, true,
                        1};
    struct instance *instance = read_workload(goal.workload);
    struct runs runs = {.count = 1};
    double ignored;
    int64_t greedy = run("greedy-by-size", "", instance, 1, &ignored);
    int64_t peak = run(goal.solver, goal.text, instance, 1, &runs.time[0]);

    goal.ratio = (double)greedy / (double)instance->load;
    runs.at_load = peak == instance->load;
    runs.ratio[0] = (double)peak / (double)instance->load;
    print_goal(&goal, instance->n, &runs);
    instance_free(instance);
}

int main(int argc, char **argv)
{
    int64_t seeds = 20;

    if (argc > 2 || (argc == 2 && !parse_int(argv[1], 1, MOST_RUNS / 2, &seeds))) {
        fprintf(stderr, "usage: bench_section_first [SEEDS]\n");
        return 2;
    }
    printf("workload,n,solver,runs,at_load,median_ms,slowest_ms,median_ratio,worst_ratio,goal_ms,"
           "goal_ratio,process_mib,verdict\n");
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        bench_goal(&goals[i], (int)seeds);
    bench_million();
    return 0;
}
