/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff: what got better or worse between two results folders.  */
#include <config.h>

#include <stdio.h>

#include "harness/cli/commands.h"
#include "harness/cli/diff_tables.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/report/diff.h"
#include "lib/base/error.h"
#include "lib/base/people.h"

enum part { PART_ALL, PART_CHANGES, PART_TIMES, PART_VALUES };

static void print_summary(const struct diff *diff)
{
    people_print(stdout, "%s\n", diff->summary);
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

/* For people, with a summary, and what has nothing to say left out.  */
static int print_all(const struct diff *diff)
{
    int status = STATUS_DONE;

    print_summary(diff);
    if (diff->changes.count > 0) {
        putchar('\n');
        status = diff_print_changes(diff, TABLE_TEXT);
    }
    if (status == STATUS_DONE && any_verdict(diff)) {
        people_print(stdout, "\nTime, new over old%s:\n",
                     diff->one_machine ? "" : " (of different machines: it says little)");
        status = diff_print_times(diff, TABLE_TEXT);
    }
    return status;
}

static int print(const struct diff *diff, enum part part, enum table_format format)
{
    switch (part) {
    case PART_TIMES:
        return diff_print_times(diff, format);
    case PART_VALUES:
        return diff_print_values(diff, format);
    case PART_ALL:
    case PART_CHANGES:
        break;
    }
    return part == PART_ALL && format == TABLE_TEXT ? print_all(diff)
                                                    : diff_print_changes(diff, format);
}

/* That nothing was compared is not what somebody wants to hear who asks whether all is the same. */
static bool is_same(const struct diff *diff)
{
    if (diff->compared == 0)
        complain("diff: the two have no run in common that could be compared");
    return diff->compared > 0 && diff->differ == 0 && diff->values_differ == 0;
}

int command_diff(int argc, char **argv)
{
    static const char *const words[] = {[PART_ALL] = "all",
                                        [PART_CHANGES] = "changes",
                                        [PART_TIMES] = "times",
                                        [PART_VALUES] = "values"};
    const char *part_text = "all";
    enum table_format format = TABLE_TEXT;
    bool same = false;
    const struct option_spec options[] = {
        {"table", OPTION_TEXT, &part_text, "WORD", "all, changes, times or values", 0, 0},
        {"same", OPTION_FLAG, &same, NULL, "status 1 unless all is the same that no limit cut", 0,
         0},
        {"format", OPTION_FORMAT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "diff",
        "OLD NEW",
        "Compares the runs of two results folders: plans that got better or worse, outcomes and\n"
        "bounds that changed, and runs that are new or gone.  Times are compared as ratios with\n"
        "95 % bootstrap intervals.  Runs ended by a time limit are listed apart, as their changes\n"
        "may mean nothing.  The table of values has everything that does not depend on time, as\n"
        "rerun compares it.  OLD or NEW may also be a file from 'report --runs', which has no\n"
        "values.\n"
        "Exit status 0: nothing is worse; 1: a plan is worse or missing, a run is missing, or its\n"
        "outcome changed without a limit; 2: OLD or NEW can't be read.",
        options,
        2,
        2};
    struct diff diff;
    struct error error = {""};
    size_t part;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    part = option_word(usage.name, "table", part_text, words, sizeof words / sizeof words[0]);
    if (part == sizeof words / sizeof words[0])
        return STATUS_USAGE;
    if (diff_results(&diff, arguments[0], arguments[1], part == PART_VALUES, &error)) {
        status = print(&diff, (enum part)part, format);
        if (status == STATUS_DONE && (diff.bad > 0 || (same && !is_same(&diff))))
            status = STATUS_FAILED;
    } else {
        status = complain_as(STATUS_USAGE, "diff: %s", error.text);
    }
    diff_clear(&diff);
    return status;
}
