/* compare: every solver on one instance, as a table.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/format.h"
#include "harness/io/interrupt.h"
#include "harness/io/options.h"
#include "harness/io/status_line.h"
#include "harness/io/watch.h"
#include "harness/run/comparison.h"
#include "harness/run/contestants.h"
#include "harness/run/runner.h"
#include "lib/base/error.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"

/* The first six are the contract; others are only appended.  `gap` is to the
 * optimum and stands only where one is proven, `gap_to_bound` to the best
 * lower bound.  */
static const char *const columns[] = {"solver", "outcome", "peak",         "lower_bound", "load",
                                      "time_s", "gap",     "gap_to_bound", "layout",      "reason"};

/* --- the table --- */

/* Exact for programs, DIGITS after the point for people.  */
static void add_real(struct table *table, enum table_format format, int digits, double value)
{
    if (format == TABLE_CSV)
        table_cell(table, "%.17g", value);
    else
        table_cell(table, "%.*f", digits, value);
}

static void add_gap(struct table *table, enum table_format format, const struct comparison_row *row,
                    bool known)
{
    if (!row->has_plan || !known || row->lower_bound == 0)
        table_cell(table, "%s", "");
    else
        add_real(table, format, 4, (double)row->peak / (double)row->lower_bound - 1.0);
}

static void add_row(struct table *table, enum table_format format,
                    const struct comparison *comparison, size_t i)
{
    const struct comparison_row *row = &comparison->row[i];
    const struct contestant *contestant = &comparison->contestants->item[i];

    table_cell(table, "%s", contestant->label);
    table_cell(table, "%s", outcome_name(row->outcome));
    if (row->has_plan)
        table_cell(table, "%" PRId64, row->peak);
    else
        table_cell(table, "%s", "");
    if (row->outcome == OUTCOME_SKIPPED) {
        for (int c = 0; c < 3; c++)
            table_cell(table, "%s", "");
    } else {
        table_cell(table, "%" PRId64, row->lower_bound);
        table_cell(table, "%" PRId64, row->load);
        add_real(table, format, 6, row->time_s);
    }
    add_gap(table, format, row,
            row->rounded ? row->outcome == OUTCOME_OPTIMAL : comparison->proven);
    add_gap(table, format, row, true);
    table_cell(table, "%s", layout_name(contestant->entry->solver->layout));
    table_cell(table, "%s", row->reason);
}

static void print_note(const struct comparison *comparison)
{
    const struct instance *instance = comparison->instance;

    fprintf(stderr,
            "\n%s: %zu buffer%s, load %" PRId64 ", width %" PRId64 "; best lower bound %" PRId64
            " (%s)%s\n",
            instance->name, instance->n, instance->n == 1 ? "" : "s", instance->load,
            instance->width, comparison->bound,
            comparison->prover == SIZE_MAX
                ? "the load"
                : comparison->contestants->item[comparison->prover].label,
            comparison->proven ? ", which is the optimum" : "");
}

static int report(const struct comparison *comparison, enum table_format format)
{
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);
    bool bad = false;
    int status;

    for (size_t i = 0; i < comparison->contestants->count; i++) {
        enum outcome outcome = comparison->row[i].outcome;

        if (comparison->row[i].missing)
            continue;
        bad = bad || outcome == OUTCOME_INVALID || outcome == OUTCOME_CRASHED;
        add_row(table, format, comparison, i);
    }
    status = table_finish(table, format);
    if (format == TABLE_TEXT)
        print_note(comparison);
    return bad ? STATUS_FAILED : status;
}

/* --- what goes on meanwhile --- */

struct watching {
    struct interrupt interrupt;
    struct status_line line;
    struct comparison *comparison;
};

static bool look(void *context)
{
    struct watching *watching = context;
    const struct comparison_view *view = &watching->comparison->view;
    char best[40] = "no plan yet";

    interrupt_take(&watching->interrupt);
    if (status_line_due(&watching->line)) {
        if (view->has_plan)
            snprintf(best, sizeof best, "best peak %" PRId64, view->peak);
        status_line_show(&watching->line, "%zu/%zu  %s  %s, lower bound %" PRId64 "  %.120s",
                         view->started, watching->comparison->contestants->count,
                         watching->line.elapsed, best, view->lower_bound,
                         view->label != NULL ? view->label : "");
    }
    return watching->interrupt.signal == 0;
}

static size_t rows_missing(const struct comparison *comparison)
{
    size_t missing = 0;

    for (size_t i = 0; i < comparison->contestants->count; i++)
        missing += comparison->row[i].missing;
    return missing;
}

/* An interrupt ends the runs; what there is by then is the table.  */
static int compare(struct comparison *comparison, struct watching *watching, int64_t jobs,
                   enum table_format format)
{
    struct watch watch = {look, watching, 0.0, watching->interrupt.fd};
    size_t count = comparison->contestants->count;
    struct error error;
    int status;
    bool done;

    watching->comparison = comparison;
    status_line_start(&watching->line);
    watch.period_s = status_line_period(&watching->line);
    comparison->watch = &watch;
    done = comparison_run(comparison, jobs, &error);
    comparison->watch = NULL;
    status_line_clear(&watching->line);
    if (!done) {
        complain("compare: %s", error.text);
        return STATUS_FAILED;
    }
    status = report(comparison, format);
    if (watching->interrupt.signal != 0) {
        complain("compare: interrupted, with %zu of %zu solvers", count - rows_missing(comparison),
                 count);
        status = 128 + watching->interrupt.signal;
    }
    comparison_clear(comparison);
    return status;
}

static int prepare_and_compare(const char *spec, const char *solvers, int64_t jobs,
                               const char *format_text, struct comparison comparison)
{
    struct watching watching;
    struct contestants contestants;
    enum table_format format;
    struct instance *instance;
    struct error error;
    int status = STATUS_USAGE;

    if (!format_parse("compare", format_text, &format))
        return STATUS_USAGE;
    if (solvers == NULL) {
        contestants_all(&contestants);
    } else if (!contestants_parse(&contestants, solvers, &error)) {
        complain("compare: %s", error.text);
        return STATUS_USAGE;
    }
    instance = input_instance("compare", spec);
    comparison.instance = instance;
    comparison.contestants = &contestants;
    if (instance != NULL && interrupt_watch(&watching.interrupt, &error)) {
        status = compare(&comparison, &watching, jobs, format);
        interrupt_end(&watching.interrupt);
    } else if (instance != NULL) {
        complain("compare: %s", error.text);
        status = STATUS_FAILED;
    }
    instance_free(instance);
    contestants_clear(&contestants);
    return status;
}

int command_compare(int argc, char **argv)
{
    const char *solvers = NULL, *format = "text";
    struct comparison comparison = {.limits = {.time_s = 10}};
    int64_t memory_mib = 0, jobs = 1, seed = 1;
    const struct option_spec options[] = {
        {"solvers", OPTION_TEXT, &solvers, "A,B:KEY=VALUE,...", "these, not all", 0, 0},
        {"time-limit", OPTION_REAL, &comparison.limits.time_s, "SECONDS", "a solver; 0: none", 0,
         1e9},
        {"memory-limit", OPTION_INT, &memory_mib, "MIB", "a solver; 0: half of the memory / jobs",
         0, 1 << 30},
        {"work-limit", OPTION_INT, &comparison.limits.work, "N", "nodes or iterations; 0: none", 0,
         1e18},
        {"seed", OPTION_INT, &seed, "N", "for solvers that draw random numbers", 1, UINT32_MAX},
        {"jobs", OPTION_INT, &jobs, "N", "solvers that run at the same time", 1, 1024},
        {"format", OPTION_TEXT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "compare",
        "INSTANCE",
        "Runs every solver on one instance and prints what each found.  The best lower bound\n"
        "that any of them proved counts for all.  `gap` is peak / optimum - 1 and stands only\n"
        "where the optimum is proven; `gap_to_bound` is peak / lower bound - 1.  Exit status\n"
        "1: some plan was invalid or some solver crashed.  An interrupt (Ctrl-C) ends the\n"
        "solvers that run like their limit and prints the rows so far, with status 130; a\n"
        "second one ends the program at once.\n\n"
        "In --solvers the comma also separates parameters: KEY=VALUE after a solver that\n"
        "has a colon is one more parameter of it.  exec:COMMAND takes the rest of the text,\n"
        "so it stands last.",
        options,
        1,
        1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    comparison.seed = (uint32_t)seed;
    comparison.limits.memory_bytes = memory_mib > 0 ? memory_mib << 20 : run_default_memory(jobs);
    return prepare_and_compare(arguments[0], solvers, jobs, format, comparison);
}
