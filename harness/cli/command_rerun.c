/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun: whether the tasks of a sweep give the same again.  */
#include <config.h>

#include <stdio.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/io/format.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/sweep/rerun.h"
#include "lib/base/error.h"
#include "lib/base/people.h"

static int print_differences(const struct rerun *rerun, enum table_format format)
{
    static const struct table_column columns[] = {
        {"task", ""},       {"workload", NULL}, {"solver", NULL}, {"seed", ""},
        {"repetition", ""}, {"what", NULL},     {"then", NULL},   {"now", NULL}};
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);

    for (size_t r = 0; r < rerun->difference.count; r++)
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
            table_cell(table, "%s", rows_text(&rerun->difference, r, c));
    return table_finish(table, format);
}

static void add_count(FILE *out, size_t count, const char *what)
{
    if (count > 0)
        people_print(out, "; %zu %s", count, what);
}

/* What was compared and what not, in one line.  */
static void print_summary(const struct rerun_request *request, const struct rerun *rerun, FILE *out)
{
    people_print(out, "run again: %zu of %zu tasks (seed %u): %zu the same, %zu differ",
                 rerun->drawn, rerun->eligible, (unsigned)request->seed, rerun->same,
                 rerun->differ);
    add_count(out, rerun->cut_now, "cut by a limit now");
    add_count(out, rerun->lost, "without a result, as their processes were killed");
    add_count(out, rerun->absent, "whose solver or instance is not here");
    add_count(out, rerun->cut_then, "cut by a limit then, not drawn");
    add_count(out, rerun->other_version, "of another version of their solver, not drawn");
    add_count(out, rerun->others, "of kernels, whose results are times");
    putc('\n', out);
}

static int conclude(const struct rerun_request *request, const struct rerun *rerun,
                    enum table_format format)
{
    int status = STATUS_DONE;

    if (rerun->signal != 0) {
        complain("rerun: interrupted; nothing was compared");
        return 128 + rerun->signal;
    }
    for (size_t i = 0; i < rerun->unsummed.count; i++)
        complain("rerun: %s: %s", request->dir, rows_text(&rerun->unsummed, i, 0));
    if (rerun->absent > 0)
        complain("rerun: not here: %s", rerun->absence.text);
    if (format != TABLE_TEXT || rerun->differ > 0)
        status = print_differences(rerun, format);
    print_summary(request, rerun, format == TABLE_TEXT ? stdout : stderr);
    if (status != STATUS_DONE || rerun->differ > 0)
        return STATUS_FAILED;
    if (rerun->same > 0)
        return STATUS_DONE;
    complain("rerun: no task in %s could be compared%s", request->dir,
             rerun->other_version > 0 ? "; --any-version takes those of other versions, too" : "");
    return STATUS_FAILED;
}

static int run(const struct rerun_request *request, enum table_format format)
{
    struct rerun rerun;
    struct error error = {""};
    int status;

    if (rerun_run(request, &rerun, &error)) {
        status = conclude(request, &rerun, format);
    } else {
        complain("rerun: %s", error.text);
        status = STATUS_USAGE;
    }
    rerun_clear(&rerun);
    return status;
}

int command_rerun(int argc, char **argv)
{
    struct rerun_request request = {.share = 0.1};
    int64_t jobs = sysconf(_SC_NPROCESSORS_ONLN), seed = 1;
    const char *format_text = "text";
    const struct option_spec options[] = {
        {"sample", OPTION_REAL, &request.share, "SHARE",
         "of the tasks that can be compared, drawn at random; 1: all", 0, 1},
        {"seed", OPTION_INT, &seed, "N", "which tasks are drawn", 1, UINT32_MAX},
        {"jobs", OPTION_INT, &jobs, "N", "tasks that run at once", 1, 1024},
        {"any-version", OPTION_FLAG, &request.any_version, NULL,
         "also tasks that another version of their solver ran", 0, 0},
        {"format", OPTION_TEXT, &format_text, "FORMAT", "of the differences: " FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "rerun",
        "DIR",
        "Runs a random share of the tasks whose results are in DIR again, with the same solver,\n"
        "parameters, seed and limits, and compares all that must not hang on time: instances,\n"
        "bounds, outcomes, peaks, every offset, improvements, what searches counted, and of\n"
        "networks that run bytes and operators.  DIR stays as it is.  What can't be compared is\n"
        "counted: tasks that a limit of time or memory cut, those of another version of their\n"
        "solver, and kernels.\n"
        "Exit status 1: something differs, or nothing could be compared.",
        options,
        1,
        1};
    enum table_format format;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (!format_parse(usage.name, format_text, &format))
        return STATUS_USAGE;
    if (!(request.share > 0.0)) {
        complain("rerun: --sample 0: expected a share above 0");
        return STATUS_USAGE;
    }
    request.dir = arguments[0];
    request.jobs = (int)jobs;
    request.seed = (uint32_t)seed;
    return run(&request, format);
}
