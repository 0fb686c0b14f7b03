/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare: several solvers on one instance, as a table.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/compare_rows.h"
#include "harness/cli/input.h"
#include "harness/io/expand.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/io/vigil.h"
#include "harness/run/comparison.h"
#include "harness/run/contestants.h"
#include "harness/run/runner.h"
#include "lib/base/error.h"
#include "lib/base/people.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"

static void print_note(const struct comparison *comparison)
{
    const struct instance *instance = comparison->instance;

    people_print(stderr,
                 "\n%s: %zu buffer%s, load %" PRId64 ", width %" PRId64
                 "; best lower bound %" PRId64 " (%s)%s\n",
                 instance->name, instance->n, instance->n == 1 ? "" : "s", instance->load,
                 instance->width, comparison->bound,
                 comparison->prover == SIZE_MAX
                     ? "the load"
                     : comparison->contestants->item[comparison->prover].label,
                 comparison->proven ? ", which is the optimum" : "");
}

/* How many plans fit, and what is known of those that nobody found.  */
static void print_fits(const struct comparison *comparison, int64_t capacity)
{
    size_t plans = 0, fitting = 0;

    for (size_t i = 0; i < comparison->contestants->count; i++) {
        const struct comparison_row *row = &comparison->row[i];

        plans += row->has_plan;
        fitting += row->has_plan && row->peak <= capacity;
    }
    people_print(stderr, "%zu of %zu plans fit in %" PRId64 " bytes%s\n", fitting, plans, capacity,
                 comparison->bound > capacity ? ", and none can: the lower bound is above that"
                                              : "");
}

/* Those that could not run here, and why the first of them could not.  */
static void print_skipped(const struct comparison *comparison)
{
    const struct comparison_row *first = NULL;
    size_t skipped = 0;

    for (size_t i = 0; i < comparison->contestants->count; i++) {
        const struct comparison_row *row = &comparison->row[i];

        if (row->missing || row->outcome != OUTCOME_SKIPPED)
            continue;
        first = first == NULL ? row : first;
        skipped++;
    }
    if (first != NULL)
        people_print(stderr, "%zu skipped, the first of them: %s\n", skipped, first->reason);
}

static int report(const struct comparison *comparison, const struct compare_layout *layout)
{
    bool bad;
    struct table *table = compare_table(comparison, layout, &bad);
    int status = table_finish(table, layout->format);

    if (layout->format == TABLE_TEXT) {
        print_note(comparison);
        if (layout->people)
            print_skipped(comparison);
        if (layout->capacity > 0)
            print_fits(comparison, layout->capacity);
    }
    return bad ? STATUS_FAILED : status;
}

/* --- what goes on meanwhile --- */

struct comparing {
    struct comparison *comparison;
    bool streams; /* rows as they come */
    struct compare_stream stream;
};

static void show(void *context, struct status_line *line)
{
    struct comparing *comparing = context;
    const struct comparison_view *view = &comparing->comparison->view;
    char best[40] = "no plan yet";

    if (comparing->streams)
        compare_stream_show(&comparing->stream, comparing->comparison, line);
    if (view->has_plan)
        snprintf(best, sizeof best, "best peak %" PRId64, view->peak);
    status_line_show(line, "%zu/%zu  %s  %s, lower bound %" PRId64 "  %.120s", view->started,
                     comparing->comparison->contestants->count, line->elapsed, best,
                     view->lower_bound, view->label != NULL ? view->label : "");
}

static size_t rows_missing(const struct comparison *comparison)
{
    size_t missing = 0;

    for (size_t i = 0; i < comparison->contestants->count; i++)
        missing += comparison->row[i].missing;
    return missing;
}

/* An interrupt ends the runs; what there is by then is the table.  */
static int compare(struct comparison *comparison, int64_t jobs, const struct compare_layout *layout)
{
    struct comparing comparing = {.comparison = comparison, .streams = layout->people};
    size_t count = comparison->contestants->count;
    struct vigil vigil;
    struct error error;
    int status = STATUS_FAILED;
    bool done;

    if (!vigil_begin(&vigil, show, &comparing, &error))
        return complain_as(STATUS_FAILED, "compare: %s", error.text);
    comparison->watch = &vigil.watch;
    done = comparison_run(comparison, jobs, &error);
    comparison->watch = NULL;
    status_line_clear(&vigil.line);
    compare_stream_clear(&comparing.stream);
    free(comparing.stream.shown);
    if (done)
        status = report(comparison, layout);
    else
        complain("compare: %s", error.text);
    if (done && vigil.interrupt.signal != 0)
        complain("compare: interrupted, with %zu of %zu solvers", count - rows_missing(comparison),
                 count);
    comparison_clear(comparison);
    return vigil_end(&vigil, status);
}

/* --- what is asked for --- */

/* Seconds a solver, where nobody says anything.  */
#define TIME_LIMIT 10.0

/* Who answers at once on what people bring.  A limit for all is theirs too.  */
static const char at_once[] = "@heuristics,section-first@1s,branch-and-bound@2s";
static const char unlimited[] = "@heuristics,section-first,branch-and-bound";

struct request {
    const char *instance, *sort;
    struct text_list solvers; /* lists of specs; none: those above */
    double time_s;            /* NAN: not given */
    int64_t jobs;
    struct compare_layout layout;
};

static bool parse_order(const char *text, enum compare_order *order)
{
    static const char *const words[] = {[COMPARE_USUAL] = "usual",
                                        [COMPARE_GIVEN] = "given",
                                        [COMPARE_GAP] = "gap",
                                        [COMPARE_TIME] = "time",
                                        [COMPARE_NAME] = "name"};
    size_t count = sizeof words / sizeof words[0];
    size_t index = option_word("compare", "sort", text, words, count);

    *order = (enum compare_order)index;
    return index < count;
}

static int prepare_and_compare(struct request *request, struct comparison *comparison)
{
    struct contestants contestants;
    struct instance *instance;
    struct error error = {""};
    int status = STATUS_USAGE;

    if (!parse_order(request->sort, &request->layout.order))
        return STATUS_USAGE;
    if (!contestants_of_lists(&contestants, &request->solvers,
                              isnan(request->time_s) ? at_once : unlimited, &error))
        return complain_as(STATUS_USAGE, "compare: %s", error.text);
    request->layout.people = request->layout.format == TABLE_TEXT && isatty(STDOUT_FILENO) == 1;
    instance = input_instance("compare", request->instance);
    comparison->instance = instance;
    comparison->limits.native = input_native(request->instance);
    comparison->contestants = &contestants;
    if (instance != NULL)
        status = compare(comparison, request->jobs, &request->layout);
    instance_free(instance);
    contestants_clear(&contestants);
    return status;
}

static const char summary[] =
    "Runs solvers on one instance and prints what each found.  Without --solvers: all\n"
    "heuristics, section-first for 1 s and branch-and-bound for 2 s.  The best lower bound\n"
    "that any of them proves counts for all.  `gap` is peak / optimum - 1, given only if the\n"
    "optimum is proven; `gap_to_bound` is peak / lower bound - 1.  An interrupt (Ctrl-C) ends\n"
    "the running solvers as their limit does and prints the rows so far, with status 130; a\n"
    "second one ends the program at once.\n"
    "Exit status 1: a plan was invalid or a solver crashed.\n\n"
    "--solvers takes names of solvers and of sets (@all, @heuristics, @anytime, @ties,\n"
    "@native, @shipped, @online), and can be given more than once.  NAME@5s is NAME with its\n"
    "own time limit.  NAME:KEY=VALUE,KEY=VALUE sets parameters.  exec:NAME=COMMAND is a\n"
    "program of your own; quotes in it, as the shell has them, may hold commas.\n"
    "exec:COMMAND, without a name, takes the rest of the text.";

int command_compare(int argc, char **argv)
{
    struct request request = {.sort = "usual", .time_s = NAN, .jobs = 1};
    struct comparison comparison = {.limits = {.time_s = TIME_LIMIT}};
    int64_t memory_mib = 0, seed = 1;
    const struct option_spec options[] = {
        {"solvers", OPTION_LIST, &request.solvers, "A,B:KEY=VALUE,...", "these instead", 0, 0},
        {"time-limit", OPTION_SECONDS, &request.time_s, "SECONDS",
         "of each solver without one of its own (default 10); 0: none", 0, 1e9},
        {"memory-limit", OPTION_MIB, &memory_mib, "MIB",
         "of a solver; 0: half of the memory, shared by the jobs", 0, 1 << 30},
        {"cpu-limit", OPTION_SECONDS, &comparison.limits.cpu_s, "SECONDS",
         "processor time of all its processes; 0: none", 0, 1e9},
        {"work-limit", OPTION_INT, &comparison.limits.work, "N", "nodes or iterations; 0: none", 0,
         1e18},
        {"seed", OPTION_INT, &seed, "N", "for solvers that draw random numbers", 1, UINT32_MAX},
        {"jobs", OPTION_INT, &request.jobs, "N", "solvers that run at the same time", 1, 1024},
        {"sort", OPTION_TEXT, &request.sort, "WORD",
         "order of the rows: gap, time, name, given, or usual: by gap at a terminal, else as given",
         0, 0},
        {"capacity", OPTION_BYTES, &request.layout.capacity, "BYTES",
         "say whose plan fits; 2MiB is 2 x 1024 x 1024, 2MB 2 x 1000 x 1000", 0, 9e18},
        {"top", OPTION_INT, &request.layout.top, "N", "only the first rows; 0: all", 0, INT32_MAX},
        {"format", OPTION_FORMAT, &request.layout.format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {"compare", "INSTANCE", summary, options, 1, 1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status < 0) {
        request.instance = arguments[0];
        if (!isnan(request.time_s))
            comparison.limits.time_s = request.time_s;
        comparison.seed = (uint32_t)seed;
        comparison.limits.memory_bytes =
            memory_mib > 0 ? memory_mib << 20 : run_default_memory(request.jobs);
        status = prepare_and_compare(&request, &comparison);
    }
    text_list_clear(&request.solvers);
    return status;
}
