/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The goals of branch-and-bound on instances that nobody tuned to: tests/support/families.h.
 *
 *   bench_families [tuning] [list] [nodes=N] [limit=S] [set=PARAMS] [NAME]...
 *
 * Without `tuning` the other half of each family is measured, one seed, one thread, in this
 * process: a run ends after S seconds (60) or N placements, which makes it the same
 * everywhere.  `list` says what would be run.  PARAMS are parameters of branch-and-bound.
 * NAME: of a family, or J, the accelerator instance with 409 buffers, 20 seeds.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_machine.h"
#include "tests/bench/bench_runs.h"
#include "tests/support/families.h"

#define SOON_S 10.0
#define SOON_SHARE 0.95
#define PROVEN_SHARE 0.99
enum { SEEDS_OF_J = 20, LEAST_OF_J = 18 };

struct options {
    bool tuning, list;
    int64_t nodes;
    double limit_s;
    const char *setting; /* of the solver; NULL: none */
    const char **name;   /* wanted; none: all */
    int names;
};

struct tally {
    int runs, proven, soon;
    double seconds, worst; /* of a processor, together; peak / bound */
};

/* Whatever else the machine does.  */
static double processor_time(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static bool is_wanted(const struct options *options, const char *name)
{
    for (int i = 0; i < options->names; i++)
        if (strcmp(options->name[i], name) == 0)
            return true;
    return options->names == 0;
}

static void run(const struct options *options, const struct instance *instance, uint32_t seed,
                struct tally *tally)
{
    double begun = processor_time(), seconds, ratio;
    struct bench_run result = bench_measure_within("branch-and-bound", options->setting, instance,
                                                   seed, options->limit_s, options->nodes);

    seconds = processor_time() - begun;
    ratio = (double)result.peak / (double)result.bound;
    tally->runs++;
    tally->proven += result.optimal;
    tally->soon += result.optimal && result.time <= SOON_S;
    tally->seconds += seconds;
    tally->worst = fmax(tally->worst, ratio);
    if (!result.optimal)
        printf("    seed %" PRIu32 " of %s: %" PRId64 " to %" PRId64 " after %.1f s\n", seed,
               instance->name, result.bound, result.peak, seconds);
    fflush(stdout);
}

static void print_tally(const char *name, const struct tally *tally)
{
    if (tally->runs > 0)
        printf("  %-14s %3d of %3d proven, %3d within %g s; %8.2f s of a processor; worst "
               "peak / bound %.4f\n",
               name, tally->proven, tally->runs, tally->soon, SOON_S, tally->seconds, tally->worst);
    fflush(stdout);
}

static void add_tally(struct tally *all, const struct tally *tally)
{
    all->runs += tally->runs;
    all->proven += tally->proven;
    all->soon += tally->soon;
    all->seconds += tally->seconds;
    all->worst = fmax(all->worst, tally->worst);
}

/* The members of family F in the half that is wanted.  */
static void measure_family(const struct options *options, size_t f, struct tally *all)
{
    struct tally tally = {0};
    char *spec;

    for (int member = 0; (spec = family_member(f, member)) != NULL; member++) {
        bool here = family_is_tuning(spec) == options->tuning && !family_is_missing(spec);
        struct instance *instance = here && !options->list ? bench_load(spec) : NULL;

        if (here && options->list)
            printf("%s\n", spec);
        if (instance != NULL)
            run(options, instance, 1, &tally);
        instance_free(instance);
        free(spec);
    }
    print_tally(family_name(f), &tally);
    add_tally(all, &tally);
}

/* In an order drawn by the seed and in one direction of time or the other, as a seed of a user's
 * would not.  */
static void measure_j(const struct options *options)
{
    struct tally tally = {0};
    struct instance *instance;

    if (real_inputs_missing("minimalloc/J.1048576.csv")) {
        fprintf(stderr, "bench_families: J is skipped: %s\n", real_inputs_reason());
        return;
    }
    instance = bench_load_data("minimalloc/J.1048576.csv");
    for (uint32_t seed = 1; instance != NULL && seed <= SEEDS_OF_J; seed++) {
        struct instance *copy = bench_variant(instance, seed, seed % 2 == 0);

        run(options, copy, seed, &tally);
        instance_free(copy);
    }
    instance_free(instance);
    print_tally("J", &tally);
    bench_goal(tally.soon >= LEAST_OF_J, "J: %d of %d seeds proven within %g s, expected %d",
               tally.soon, tally.runs, SOON_S, LEAST_OF_J);
}

static void judge(const struct tally *all)
{
    bench_goal(all->soon >= SOON_SHARE * all->runs, "%d of %d proven within %g s, expected %g %%",
               all->soon, all->runs, SOON_S, 100.0 * SOON_SHARE);
    bench_goal(all->proven >= PROVEN_SHARE * all->runs, "%d of %d proven, expected %g %%",
               all->proven, all->runs, 100.0 * PROVEN_SHARE);
}

/* Whether ARGUMENT is an option.  */
static bool read_option(struct options *options, const char *argument)
{
    if (strcmp(argument, "tuning") == 0)
        return options->tuning = true;
    if (strcmp(argument, "list") == 0)
        return options->list = true;
    if (strncmp(argument, "nodes=", 6) == 0)
        return (options->nodes = strtoll(argument + 6, NULL, 10)) > 0;
    if (strncmp(argument, "limit=", 6) == 0)
        return (options->limit_s = strtod(argument + 6, NULL)) > 0.0;
    if (strncmp(argument, "set=", 4) == 0)
        return (options->setting = argument + 4) != NULL;
    return false;
}

static bool is_name(const char *argument)
{
    bool known = strcmp(argument, "J") == 0;

    for (size_t f = 0; f < FAMILIES; f++)
        known = known || strcmp(argument, family_name(f)) == 0;
    return known;
}

int main(int argc, char **argv)
{
    struct options options = {.limit_s = 60.0,
                              .name = memory_alloc((size_t)argc, sizeof *options.name)};
    struct tally all = {0};

    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];

        if (read_option(&options, argument))
            continue;
        if (!is_name(argument)) {
            free(options.name);
            fprintf(stderr, "usage: bench_families [tuning] [list] [nodes=N] [limit=S] "
                            "[set=PARAMS] [FAMILY or J]...\n");
            return 2;
        }
        options.name[options.names++] = argument;
    }
    if (!options.list)
        bench_print_machine(argc - 1, argv + 1);
    for (size_t f = 0; f < FAMILIES; f++)
        if (is_wanted(&options, family_name(f)))
            measure_family(&options, f, &all);
    if (all.runs > 0) {
        print_tally("all", &all);
        judge(&all);
    }
    if (!options.list && is_wanted(&options, "J"))
        measure_j(&options);
    free(options.name);
    return 0;
}
