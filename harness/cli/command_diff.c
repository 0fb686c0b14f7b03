/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff: what got better or worse between two results folders.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/commands.h"
#include "harness/io/format.h"
#include "harness/io/options.h"
#include "harness/report/diff.h"
#include "lib/base/error.h"
#include "lib/base/people.h"

enum part { PART_ALL, PART_CHANGES, PART_TIMES };

static const struct table_column change_columns[] = {
    {"change", NULL},      {"experiment", NULL}, {"workload", NULL},     {"solver", NULL},
    {"seed", ""},          {"repetition", ""},   {"old_outcome", NULL},  {"outcome", NULL},
    {"old_peak", "bytes"}, {"peak", "bytes"},    {"old_bound", "bytes"}, {"bound", "bytes"},
};
static const struct table_column time_columns[] = {
    {"solver", NULL}, {"runs", ""}, {"ratio", ""}, {"low", ""}, {"high", ""}, {"verdict", NULL},
};

/* The rows of a query as a table; REALS: from column 2 to 4 of the times.  */
static struct table *table_of(const struct rows *rows, const struct table_column *columns,
                              size_t count, bool times, enum table_format format)
{
    struct table *table = table_new(columns, count);

    for (size_t r = 0; r < rows->count; r++)
        for (size_t c = 0; c < count; c++) {
            const char *cell = rows_text(rows, r, c);

            if (times && c >= 2 && c <= 4 && format == TABLE_TEXT)
                table_cell(table, "%.3f", strtod(cell, NULL));
            else
                table_cell(table, "%s", cell);
        }
    return table;
}

static void print_summary(const struct diff *diff)
{
    char *text = diff_summary(diff);

    people_print(stdout, "%s\n", text);
    free(text);
    for (size_t r = 0; r < diff->only.count; r++)
        people_print(stdout, "experiment %s is in the %s results alone\n",
                     rows_text(&diff->only, r, 0), rows_text(&diff->only, r, 1));
}

static bool any_verdict(const struct diff *diff)
{
    for (size_t r = 0; r < diff->times.count; r++)
        if (rows_named(&diff->times, r, "verdict")[0] != '\0')
            return true;
    return false;
}

static int print_table(const struct rows *rows, const struct table_column *columns, size_t count,
                       bool times, enum table_format format)
{
    return table_finish(table_of(rows, columns, count, times, format), format);
}

static int print(const struct diff *diff, enum part part, enum table_format format)
{
    size_t n_changes = sizeof change_columns / sizeof change_columns[0];
    size_t n_times = sizeof time_columns / sizeof time_columns[0];
    int status = STATUS_DONE;

    if (part == PART_ALL && format == TABLE_TEXT)
        print_summary(diff);
    if (part != PART_TIMES &&
        (format != TABLE_TEXT || part == PART_CHANGES || diff->changes.count > 0)) {
        if (format == TABLE_TEXT && part == PART_ALL)
            putchar('\n');
        status = print_table(&diff->changes, change_columns, n_changes, false, format);
    }
    if (status == STATUS_DONE &&
        (part == PART_TIMES || (part == PART_ALL && format == TABLE_TEXT && any_verdict(diff)))) {
        if (part == PART_ALL)
            people_print(stdout, "\nTime, new over old%s:\n",
                         diff->one_machine ? "" : " (of different machines: it says little)");
        status = print_table(&diff->times, time_columns, n_times, true, format);
    }
    return status;
}

/* That nothing was compared is not what somebody wants to hear who asks whether all is the same. */
static bool is_same(const struct diff *diff)
{
    if (diff->compared == 0)
        complain("diff: the two have no run in common that could be compared");
    return diff->compared > 0 && diff->differ == 0;
}

int command_diff(int argc, char **argv)
{
    static const char *const words[] = {
        [PART_ALL] = "all", [PART_CHANGES] = "changes", [PART_TIMES] = "times"};
    const char *part_text = "all", *format_text = "text";
    bool same = false;
    const struct option_spec options[] = {
        {"table", OPTION_TEXT, &part_text, "WORD", "all, changes or times", 0, 0},
        {"same", OPTION_FLAG, &same, NULL, "status 1 unless all is the same that no limit cut", 0,
         0},
        {"format", OPTION_TEXT, &format_text, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "diff",
        "OLD NEW",
        "Compares the runs of two results folders: plans that got better or worse, outcomes and\n"
        "bounds that changed, runs that are new or gone, and times as ratios with their 95 %\n"
        "bootstrap intervals.  What a time limit cut stands apart: it need not mean anything.\n"
        "OLD or NEW may be a file that report --runs has written.\n"
        "Exit status: 0 nothing is worse, 1 a plan got worse or is there no more, a run is gone\n"
        "or has another outcome that no limit explains, 2 OLD or NEW can't be read.",
        options,
        2,
        2};
    enum table_format format;
    struct diff diff;
    struct error error = {""};
    size_t part;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    part = option_word(usage.name, "table", part_text, words, sizeof words / sizeof words[0]);
    if (part == sizeof words / sizeof words[0] || !format_parse(usage.name, format_text, &format))
        return STATUS_USAGE;
    if (diff_results(&diff, arguments[0], arguments[1], &error)) {
        status = print(&diff, (enum part)part, format);
        if (status == STATUS_DONE && (diff.bad > 0 || (same && !is_same(&diff))))
            status = STATUS_FAILED;
    } else {
        complain("diff: %s", error.text);
        status = STATUS_USAGE;
    }
    diff_clear(&diff);
    return status;
}
