/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the sort-and-fit planners grow: time and memory on chains with skips of width at
 * most 64, from 10,000 to a million buffers, sizes uniform and heavy-tailed, with the
 * goals: a million in under 2 s, an exponent of at most 1.15, under 200 bytes a buffer
 * beside the input.  Each run is a process of its own; naive's is what a run itself needs.
 *
 *   bench_scaling [SOLVER...]  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench_machine.h"
#include "tests/support/instances.h"

enum { RUNS = 3, MOST_POINTS = 64 };
static const double goal_s = 2, goal_exponent = 1.15, goal_bytes = 200;
static const int64_t lengths[] = {10000, 30000, 100000, 300000, 1000000};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
static const char *const laws[] = {"uniform", "heavy"};
enum { LAWS = sizeof laws / sizeof laws[0] };
static const char *const planners[] = {"greedy-by-size",
                                       "first-fit-by-size",
                                       "first-fit-by-start",
                                       "duration-size",
                                       "path-cover",
                                       "tflite-arena",
                                       "tflm",
                                       "iree",
                                       "onnxruntime",
                                       "xnnpack",
                                       "tvm-size",
                                       "tvm-conflicts",
                                       "xla-spatial",
                                       "xla-temporal",
                                       "xla-area",
                                       "linear",
                                       "megengine-best-fit"};
enum { PLANNERS = sizeof planners / sizeof planners[0] };

/* The runs of one planner under one law.  */
struct line {
    const char *planner;
    double n[MOST_POINTS], time_s[MOST_POINTS];
    size_t points;
    double last_s, bytes; /* at the largest n */
};

static struct instance *chain(int64_t n, const char *law)
{
    char *spec = memory_printf("chain:n=%lld,length=62,high=1000000,sizes=%s", (long long)n, law);
    struct error error = {""};
    struct instance *instance = instance_from(spec, &error);

    if (instance == NULL) {
        fprintf(stderr, "bench_scaling: %s\n", error.text);
        exit(2);
    }
    free(spec);
    return instance;
}

/* One run; its resident memory in bytes, 0 when it gave no plan.  */
static int64_t run_once(const struct instance *instance, const char *planner, double *time_s)
{
    const struct run_limits limits = {.time_s = 60};
    struct contestant contestant;
    struct run_result result;
    struct error error = {""};
    int64_t rss = 0;

    if (!contestant_parse(&contestant, planner, &error)) {
        fprintf(stderr, "bench_scaling: %s\n", error.text);
        exit(2);
    }
    run_solver(instance, &contestant, 1, &limits, &result);
    *time_s = result.time_s;
    if (result.outcome == OUTCOME_FEASIBLE || result.outcome == OUTCOME_OPTIMAL)
        rss = result.rss_bytes;
    else
        printf("%s on %zu buffers: %s\n", planner, instance->n, outcome_name(result.outcome));
    run_result_clear(&result);
    contestant_clear(&contestant);
    return rss;
}

static void measure(struct line *line, const struct instance *instance)
{
    double time_s[RUNS], bytes[RUNS], unused;

    for (int r = 0; r < RUNS; r++) {
        int64_t base = run_once(instance, "naive", &unused);
        int64_t rss = run_once(instance, line->planner, &time_s[r]);

        bytes[r] = (double)(rss - base) / (double)instance->n;
        line->n[line->points] = (double)instance->n;
        line->time_s[line->points++] = time_s[r];
    }
    line->last_s = statistics_median(time_s, RUNS);
    line->bytes = statistics_median(bytes, RUNS);
}

static bool wanted(int argc, char **argv, const char *planner)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], planner) == 0)
            return true;
    return argc == 1;
}

static void report(const char *law, const struct line *line)
{
    struct interval interval;
    double exponent = statistics_exponent(line->n, line->time_s, line->points, &interval);
    bool met = line->last_s < goal_s && exponent <= goal_exponent && line->bytes < goal_bytes;

    printf("%-8s %-20s %8.3f s  exponent %.3f [%.3f, %.3f]  %6.1f bytes a buffer  %s\n", law,
           line->planner, line->last_s, exponent, interval.low, interval.high, line->bytes,
           met ? "met" : "NOT MET");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static struct line line[PLANNERS];

    bench_print_machine(argc, argv);
    printf("Medians of %d runs at %lld buffers; least squares on logarithms over all runs from\n"
           "%lld buffers on, 95 %% interval.\n",
           RUNS, (long long)lengths[LENGTHS - 1], (long long)lengths[0]);
    for (size_t law = 0; law < LAWS; law++) {
        for (size_t p = 0; p < PLANNERS; p++)
            line[p] = (struct line){.planner = planners[p]};
        for (size_t k = 0; k < LENGTHS; k++) {
            struct instance *instance = chain(lengths[k], laws[law]);

            for (size_t p = 0; p < PLANNERS; p++)
                if (wanted(argc, argv, planners[p]))
                    measure(&line[p], instance);
            instance_free(instance);
        }
        for (size_t p = 0; p < PLANNERS; p++)
            if (line[p].points > 0)
                report(laws[law], &line[p]);
    }
    return 0;
}
