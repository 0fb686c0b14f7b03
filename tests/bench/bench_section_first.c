/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The goals of the planner section-first: medians over seeds and both directions of time.
 *
 *   bench_section_first [SEEDS] [LABEL]...
 *
 * SEEDS: 20 when not given, which takes three minutes.  LABEL: these goals alone.  Rows of
 * real instances (lib/base/real_inputs.h) are left out where they are missing.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/real_inputs.h"
#include "lib/base/statistics.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_machine.h"
#include "tests/bench/bench_runs.h"
#include "workloads/workload.h"

#define FIVE                                                                       \
    "data:minimalloc/A.1048576.csv+data:minimalloc/C.1048576.csv+data:minimalloc/" \
    "E.1048576.csv+data:minimalloc/G.1048576.csv+data:minimalloc/I.1048576.csv"

enum { MOST_RUNS = 400 };

struct goal {
    const char *label, *workload, *text;
    double ratio;   /* peak / load: the median at most */
    double seconds; /* the median at most */
    int divide;     /* of the seeds only one in so many */
};

static const char planner[] = "section-first";

static const struct goal goals[] = {
    {"A", "data:minimalloc/A.1048576.csv", "", 1.0, 0.001, 1},
    {"C", "data:minimalloc/C.1048576.csv", "", 1.0, 0.001, 1},
    {"E", "data:minimalloc/E.1048576.csv", "", 1.0, 0.001, 1},
    {"G", "data:minimalloc/G.1048576.csv", "", 1.0, 0.001, 1},
    {"I", "data:minimalloc/I.1048576.csv", "deadline=10ms", 1.03, 0.011, 1},
    {"I", "data:minimalloc/I.1048576.csv", "deadline=2s", 1.0, 0.1, 1},
    {"S_1", "data:idealloc/S_1.csv", "deadline=1s", 1.001, 1.05, 4},
    {"chained", "chained:of=" FIVE ",n=10000", "deadline=3s", 1.12, 3.1, 2},
    {"overlaid", "overlaid:of=" FIVE ",n=10000", "deadline=1s", 1.02, 1.05, 2},
};

struct runs {
    int count, at_load;
    double time[MOST_RUNS], ratio[MOST_RUNS];
};

/* In KiB: the most that this process has used.  */
static long most_memory(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void print_goal(const struct goal *goal, size_t n, struct runs *runs)
{
    double median = statistics_median(runs->time, (size_t)runs->count);
    double ratio = statistics_median(runs->ratio, (size_t)runs->count);
    double slowest = 0.0, worst = 0.0;

    for (int i = 0; i < runs->count; i++) {
        slowest = fmax(slowest, runs->time[i]);
        worst = fmax(worst, runs->ratio[i]);
    }
    bench_goal(
        ratio <= goal->ratio && median <= goal->seconds,
        "%s, %zu buffers%s%s: median %.2f ms (expected %g), of the load %.4f (%.4f); slowest "
        "%.2f ms, worst %.4f, %d of %d runs at the load; %ld MiB",
        goal->label, n, *goal->text != '\0' ? ", " : "", goal->text, 1e3 * median,
        1e3 * goal->seconds, ratio, goal->ratio, 1e3 * slowest, worst, runs->at_load, runs->count,
        most_memory() / 1024);
}

/* Whether one of the real instances that WORKLOAD is made of is missing.  */
static bool lacks_data(const char *workload)
{
    bool missing = false;

    for (const char *at = strstr(workload, "data:"); at != NULL && !missing;
         at = strstr(at + 1, "data:")) {
        char *spec = memory_printf("%.*s", (int)strcspn(at, "+,"), at);

        missing = workload_data_missing(spec);
        free(spec);
    }
    return missing;
}

static void judge(const struct goal *goal, int seeds)
{
    struct instance *instance;
    struct runs runs = {0};
    int most = (seeds + goal->divide - 1) / goal->divide;

    if (lacks_data(goal->workload)) {
        fprintf(stderr, "bench_section_first: %s skipped: %s\n", goal->label, real_inputs_reason());
        return;
    }
    instance = bench_load(goal->workload);
    if (instance == NULL)
        exit(2);
    for (int seed = 1; seed <= most && runs.count + 2 <= MOST_RUNS; seed++)
        for (int backwards = 0; backwards < 2; backwards++) {
            struct instance *copy = bench_variant(instance, (uint32_t)seed, backwards == 1);
            struct bench_run run = bench_measure(planner, goal->text, copy, (uint32_t)seed, 0.0);

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
    struct goal goal = {"chain", "chain:n=1000000,length=62", "deadline=9s", 1.0, 10.0, 1};
    struct instance *instance = bench_load(goal.workload);
    struct bench_run greedy, mine;
    struct runs runs = {.count = 1};

    if (instance == NULL)
        exit(2);
    greedy = bench_measure("greedy-by-size", "", instance, 1, 0.0);
    mine = bench_measure(planner, goal.text, instance, 1, 0.0);
    goal.ratio = (double)greedy.peak / (double)instance->load;
    runs.at_load = mine.peak == instance->load;
    runs.time[0] = mine.time;
    runs.ratio[0] = (double)mine.peak / (double)instance->load;
    print_goal(&goal, instance->n, &runs);
    instance_free(instance);
}

/* Without any label named, all are.  */
static bool wanted(int count, char **labels, const char *label)
{
    for (int i = 0; i < count; i++)
        if (strcmp(labels[i], label) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    int64_t seeds = 20;
    int labels = 1;

    if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9') {
        if (!parse_int(argv[1], 1, MOST_RUNS / 2, &seeds)) {
            fprintf(stderr, "usage: bench_section_first [SEEDS] [LABEL]...\n");
            return 2;
        }
        labels = 2;
    }
    bench_print_machine(argc - 1, argv + 1);
    printf("%s, %d seeds or a part of them, both directions of time; peaks in loads\n", planner,
           (int)seeds);
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        if (wanted(argc - labels, argv + labels, goals[i].label))
            judge(&goals[i], (int)seeds);
    if (wanted(argc - labels, argv + labels, "chain"))
        bench_million();
    return 0;
}
