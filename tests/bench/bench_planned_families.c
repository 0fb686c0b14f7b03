/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The goals of section-first on instances that nobody tuned to: tests/support/families.h.
 *
 *   bench_planned_families [tuning] [each] [seeds=N] [SETTING] [FAMILY]...
 *
 * Without `tuning` the other half of each family is measured.  Seeds are those from 1 to N (1), and
 * a family's figures are those of all its runs.  Peaks are in proven bounds, which are the load or
 * what alignments say (lib/place/aligned_bound.h): in the families `mixed` and `stretches`
 * neither is a planted optimum, and some optima are above it.  `each` prints every run.  SETTING:
 * of section-first, instead of deadline=100ms; with nodes=N peaks are the same everywhere.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/statistics.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_machine.h"
#include "tests/bench/bench_runs.h"
#include "tests/support/families.h"

enum { MOST_RUNS = 640, MOST_SEEDS = 20 };

struct options {
    bool tuning, each;
    int64_t seeds;
    const char *setting; /* of the solver */
    const char **name;   /* wanted; none: all */
    int names;
};

/* Peaks of a family, in bounds.  */
struct peaks {
    size_t instances, count, met; /* the last two of runs */
    double ratio[MOST_RUNS], sum, worst;
    double slowest; /* seconds */
};

/* The most that the median peak of a family may be, in bounds.  */
static double goal(const char *family)
{
    static const struct {
        const char *family;
        double ratio;
    } goals[] = {
        {"aligned", 1.02}, {"mixed", 1.02}, {"stretches", 1.05}, {"grown", 1.05}, {"joined", 1.05}};

    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        if (strcmp(goals[i].family, family) == 0)
            return goals[i].ratio;
    return 1.01;
}

static bool is_wanted(const struct options *options, const char *name)
{
    for (int i = 0; i < options->names; i++)
        if (strcmp(options->name[i], name) == 0)
            return true;
    return options->names == 0;
}

static void run(const struct options *options, const char *spec, const struct instance *instance,
                uint32_t seed, struct peaks *peaks)
{
    struct bench_run run = bench_measure("section-first", options->setting, instance, seed, 0.0);
    double ratio = (double)run.peak / (double)run.bound;

    peaks->ratio[peaks->count++] = ratio;
    peaks->met += run.peak == run.bound;
    peaks->sum += ratio;
    peaks->worst = fmax(peaks->worst, ratio);
    peaks->slowest = fmax(peaks->slowest, run.time);
    if (options->each)
        printf("    %.4f %s, %zu buffers, load %.4f, seed %" PRIu32 ": peak %" PRId64 "\n", ratio,
               spec, instance->n, (double)instance->load / (double)run.bound, seed, run.peak);
    fflush(stdout);
}

static void run_seeds(const struct options *options, const char *spec, struct peaks *peaks)
{
    struct instance *instance = bench_load(spec);

    if (instance == NULL)
        exit(2);
    for (uint32_t seed = 1; seed <= (uint32_t)options->seeds; seed++)
        run(options, spec, instance, seed, peaks);
    peaks->instances++;
    instance_free(instance);
}

/* The members of family F in the half that is wanted.  */
static void measure(const struct options *options, size_t f)
{
    struct peaks peaks = {0};
    char *spec;
    double median;

    for (int member = 0; (spec = family_member(f, member)) != NULL; member++) {
        if (family_is_tuning(spec) == options->tuning && !family_is_missing(spec) &&
            peaks.count + (size_t)options->seeds <= MOST_RUNS)
            run_seeds(options, spec, &peaks);
        free(spec);
    }
    if (peaks.count == 0)
        return;
    median = statistics_median(peaks.ratio, peaks.count);
    bench_goal(median <= goal(family_name(f)),
               "%-12s %2zu instances, %2zu of %zu runs at the bound: median %.4f of it (expected "
               "%g), mean %.4f, worst %.4f; slowest %.0f ms",
               family_name(f), peaks.instances, peaks.met, peaks.count, median,
               goal(family_name(f)), peaks.sum / (double)peaks.count, peaks.worst,
               1e3 * peaks.slowest);
}

static bool is_family(const char *name)
{
    for (size_t f = 0; f < FAMILIES; f++)
        if (strcmp(name, family_name(f)) == 0)
            return true;
    return false;
}

/* Whether ARGUMENT is one that can be.  */
static bool read_argument(struct options *options, const char *argument)
{
    if (strcmp(argument, "tuning") == 0)
        options->tuning = true;
    else if (strcmp(argument, "each") == 0)
        options->each = true;
    else if (strncmp(argument, "seeds=", 6) == 0)
        return parse_int(argument + 6, 1, MOST_SEEDS, &options->seeds);
    else if (strchr(argument, '=') != NULL)
        options->setting = argument;
    else if (is_family(argument))
        options->name[options->names++] = argument;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.seeds = 1,
                              .setting = "deadline=100ms",
                              .name = memory_alloc((size_t)argc, sizeof *options.name)};

    for (int i = 1; i < argc; i++)
        if (!read_argument(&options, argv[i])) {
            free(options.name);
            fprintf(stderr, "usage: bench_planned_families [tuning] [each] [seeds=N] [SETTING] "
                            "[FAMILY]...\n");
            return 2;
        }
    bench_print_machine(argc - 1, argv + 1);
    for (size_t f = 0; f < FAMILIES; f++)
        if (is_wanted(&options, family_name(f)))
            measure(&options, f);
    free(options.name);
    return 0;
}
