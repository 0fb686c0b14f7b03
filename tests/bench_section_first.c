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
#include "lib/params.h"
#include "tests/bench_runs.h"
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

static void judge(const struct goal *goal, int seeds)
{
    struct instance *instance;
    struct runs runs = {0};
    int most = (seeds + goal->divide - 1) / goal->divide;

    if (strstr(goal->workload, "data:") != NULL && workload_data_missing("data:")) {
        fprintf(stderr, "bench_section_first: %s skipped: ARENABENCH_DATA is not set\n",
                goal->label);
        return;
    }
    instance = bench_load(goal->workload);
    if (instance == NULL)
        exit(2);
    for (int seed = 1; seed <= most && runs.count + 2 <= MOST_RUNS; seed++)
        for (int backwards = 0; backwards < 2; backwards++) {
            struct instance *copy = bench_variant(instance, (uint32_t)seed, backwards == 1);
            struct bench_run run =
                bench_measure(goal->solver, goal->text, copy, (uint32_t)seed, 0.0);

            runs.at_load += run.peak == copy->load;
            runs.time[runs.count] = run.time;
            runs.ratio[runs.count++] = (double)run.peak / (double)copy->load;
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
    struct instance *instance = bench_load(goal.workload);
    struct bench_run greedy, mine;
    struct runs runs = {.count = 1};

    if (instance == NULL)
        exit(2);
    greedy = bench_measure("greedy-by-size", "", instance, 1, 0.0);
    mine = bench_measure(goal.solver, goal.text, instance, 1, 0.0);
    goal.ratio = (double)greedy.peak / (double)instance->load;
    runs.at_load = mine.peak == instance->load;
    runs.time[0] = mine.time;
    runs.ratio[0] = (double)mine.peak / (double)instance->load;
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
        judge(&goals[i], (int)seeds);
    bench_million();
    return 0;
}
