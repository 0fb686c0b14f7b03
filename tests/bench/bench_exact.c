/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The goals of exact solving, measured in one run: branch-and-bound against MiniMalloc's
 * search, which is asked for one capacity, and on what is hard to prove.
 *
 *   bench_exact [full] [accelerators] [tight] [large] [others] [te_0]...
 *
 * Times are of solve() in this process, one thread, plans verified.  Ours see the input
 * shuffled, with different seeds, in both directions of time; MiniMalloc's sees it as it
 * is.  The usual run takes five to eight minutes; `full` has at least 20 seeds of everything
 * and longer limits.  The name of a tight instance, or its beginning, runs those alone.
 *   Real instances are those of lib/base/real_inputs.h.  */
#include <config.h>

#include "tests/bench/bench_exact.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/base/statistics.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_machine.h"
#include "tests/bench/bench_runs.h"

const char exact_ours[] = "branch-and-bound";

struct exact_summary exact_measure(const struct instance *instance, uint32_t seeds, double limit_s,
                                   double patience_s)
{
    struct exact_summary all = {.peak = INT64_MAX};
    double *time = memory_alloc(2 * (size_t)seeds, sizeof *time), spent = 0.0;

    for (uint32_t i = 0; i < 2 * seeds && (i < 2 || spent < patience_s); i++) {
        struct instance *copy = bench_variant(instance, i / 2 + 1, i % 2 == 1);
        struct bench_run run = bench_measure(exact_ours, NULL, copy, i / 2 + 1, limit_s);

        time[i] = run.time;
        spent += run.time;
        all.runs++;
        all.proven += run.optimal;
        all.slowest = fmax(all.slowest, run.time);
        all.peak = run.peak < all.peak ? run.peak : all.peak;
        all.bound = run.bound > all.bound ? run.bound : all.bound;
        instance_free(copy);
    }
    all.median = statistics_median(time, all.runs);
    free(time);
    return all;
}

/* S_1 in a process of its own, so that its memory can be told.  */
void exact_large(const struct exact_effort *effort)
{
    uint32_t runs = 2 * effort->large_seeds;
    long most = 0;
    size_t met = 0;

    printf("\nidealloc/S_1.csv: seconds, MiB\n");
    fflush(stdout);
    for (uint32_t i = 0; i < runs; i++) {
        struct rusage usage;
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            struct instance *instance = bench_load_data("idealloc/S_1.csv");
            struct instance *copy = bench_variant(instance, i / 2 + 1, i % 2 == 1);
            struct bench_run run = bench_measure(exact_ours, NULL, copy, i / 2 + 1, 10.0);

            printf("  %.3f s, %s", run.time, run.optimal ? "proven" : "not proven");
            fflush(stdout);
            _exit(run.optimal && run.time <= 2.0 ? 0 : 1);
        }
        if (child < 0 || wait4(child, &status, 0, &usage) < 0)
            continue;
        printf(", %.0f MiB with the instance\n", (double)usage.ru_maxrss / 1024.0);
        fflush(stdout);
        most = usage.ru_maxrss > most ? usage.ru_maxrss : most;
        met += WIFEXITED(status) && WEXITSTATUS(status) == 0 && usage.ru_maxrss < 100L * 1024L;
    }
    bench_goal(met == runs, "S_1: %zu of %u runs proven within 2 s and 100 MiB (at most %ld)", met,
               runs, most / 1024);
}

/* Without any part named, all are run.  */
static bool wanted(int argc, char **argv, const char *part)
{
    bool any = false;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], part) == 0)
            return true;
        any = any || strcmp(argv[i], "full") != 0;
    }
    return !any && strcmp(part, "full") != 0;
}

/* Whether each argument is a part, or may begin the name of a tight instance.  */
static bool known_arguments(int argc, char **argv)
{
    static const char *const part[] = {"full", "accelerators", "tight", "large", "others"};

    for (int i = 1; i < argc; i++) {
        bool known = argv[i][0] == 't' && argv[i][1] >= 'a' && argv[i][1] <= 'f';

        for (size_t k = 0; k < sizeof part / sizeof *part; k++)
            known = known || strcmp(argv[i], part[k]) == 0;
        if (!known)
            return false;
    }
    return true;
}

/* Whether these real instances can be had; says so where not.  */
static bool here(const char *file)
{
    bool missing = real_inputs_missing(file);

    if (missing)
        fprintf(stderr, "bench_exact: %s is skipped: %s\n", file, real_inputs_reason());
    return !missing;
}

/* Of this process and those that it began.  */
static void judge_memory(void)
{
    struct rusage own, children;
    long most;

    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    most = own.ru_maxrss > children.ru_maxrss ? own.ru_maxrss : children.ru_maxrss;
    printf("\n");
    bench_goal(most < 2L * 1024L * 1024L, "at most %ld MiB in use, expected under 2 GiB",
               most / 1024);
}

int main(int argc, char **argv)
{
    static const struct exact_effort usual = {20, 3, 4, 1, 5, 5, 3, 10.0, 10.0, 5.0, 60.0};
    static const struct exact_effort paper = {50, 20, 20, 3, 20, 5, 5, 60.0, 120.0, 60.0, INFINITY};
    const struct exact_effort *effort = wanted(argc, argv, "full") ? &paper : &usual;

    if (!known_arguments(argc, argv)) {
        fprintf(stderr, "usage: bench_exact [full] [accelerators] [tight] [large] [others] "
                        "[te_0]...\n");
        return 2;
    }
    bench_print_machine(argc - 1, argv + 1);
    if (wanted(argc, argv, "accelerators") && here("minimalloc"))
        exact_accelerators(effort);
    if (wanted(argc, argv, "tight") && here("tight/optima.csv"))
        exact_tight(effort, NULL);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == 't' && strcmp(argv[i], "tight") != 0 && here("tight/optima.csv"))
            exact_tight(effort, argv[i]);
    if (wanted(argc, argv, "large") && here("idealloc/S_1.csv"))
        exact_large(effort);
    if (wanted(argc, argv, "others"))
        exact_others(effort);
    judge_memory();
    return 0;
}
