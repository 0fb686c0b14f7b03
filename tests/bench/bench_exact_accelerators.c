/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A, C, E, G, I: branch-and-bound against MiniMalloc's search in the same run.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/statistics.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_exact.h"
#include "tests/bench/bench_runs.h"

static const char baseline[] = "minimalloc";

/* Seconds of one instance.  */
struct row {
    double capacity;   /* the baseline, asked for 1048576: median */
    double single;     /* by the best of its orders alone */
    const char *order; /* that is it */
    struct bench_run minimiser;
    struct exact_summary ours;
};

static double median_capacity(const struct instance *instance, int rounds)
{
    double time[9];

    for (int i = 0; i < rounds; i++)
        time[i] = bench_measure(baseline, "capacity=1048576", instance, 1, 0.0).time;
    return statistics_median(time, (size_t)rounds);
}

/* The best of the published orders alone; each may take as long as the best so far.  */
static double best_order(const struct instance *instance, int rounds, const char **name)
{
    static const char *const order[] = {"TWA", "TAW", "WAT"};
    double best = 10.0, time[9];

    *name = "none";
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        char *setting = memory_printf("capacity=1048576,orders=%s", order[i]);
        int round;

        for (round = 0; round < rounds; round++) {
            struct bench_run run = bench_measure(baseline, setting, instance, 1, 2.0 * best);

            time[round] = run.time;
            if (run.peak > 1048576)
                break;
        }
        if (round == rounds && statistics_median(time, (size_t)rounds) < best) {
            best = statistics_median(time, (size_t)rounds);
            *name = order[i];
        }
        free(setting);
    }
    return best;
}

static struct row measure_row(const struct instance *instance, const struct exact_effort *effort)
{
    struct row row;

    row.ours = exact_measure(instance, effort->seeds, effort->limit_s, effort->patience_s);
    row.capacity = median_capacity(instance, effort->baselines);
    row.single = best_order(instance, effort->baselines, &row.order);
    row.minimiser = bench_measure(baseline, NULL, instance, 1, effort->minimiser_s);
    return row;
}

static void print_row(char letter, const struct row *row)
{
    printf("  %c  %8.4f  %8.4f (%s)  %8.4f%s  median %.5f, slowest %.5f, %zu of %zu proven\n",
           letter, row->capacity, row->single, row->order, row->minimiser.time,
           row->minimiser.optimal ? "" : " (open)", row->ours.median, row->ours.slowest,
           row->ours.proven, row->ours.runs);
    fflush(stdout);
}

void exact_accelerators(const struct exact_effort *effort)
{
    static const char letters[] = "ACEGI";
    double sum = 0.0, base = 0.0, slowest = 0.0;
    size_t proven = 0, runs = 0, slower = 0;

    printf("\nA, C, E, G, I: seconds; %s asked for 1048576 (median of %d), its best order, as a "
           "minimiser; ours, %u seeds in both directions\n",
           baseline, effort->baselines, effort->seeds);
    for (const char *letter = letters; *letter != '\0'; letter++) {
        char *file = memory_printf("minimalloc/%c.1048576.csv", *letter);
        struct instance *instance = bench_load_data(file);
        struct row row;

        free(file);
        if (instance == NULL)
            continue;
        row = measure_row(instance, effort);
        instance_free(instance);
        print_row(*letter, &row);
        sum += row.ours.median;
        base += row.capacity;
        slowest = fmax(slowest, row.ours.slowest);
        proven += row.ours.proven;
        runs += row.ours.runs;
        slower += row.ours.median > row.single;
    }
    bench_goal(proven == runs, "A to I: %zu of %zu runs proven optimal", proven, runs);
    bench_goal(100.0 * sum <= base, "sum of medians %.4f s, 1/%.0f of %.3f s, expected 1/100", sum,
               base / sum, base);
    bench_goal(10.0 * slowest <= base, "slowest run %.4f s, 1/%.0f of that sum, expected 1/10",
               slowest, base / slowest);
    bench_goal(slower == 0, "%zu instances slower than its best order", slower);
}
