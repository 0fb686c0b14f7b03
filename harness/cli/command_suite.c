/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite: the project's set of instances for everybody who compares planners.  */
#include <config.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/suite_parts.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/suite/suite.h"
#include "lib/base/error.h"

enum part { PART_LIST, PART_EXPORT, PART_SCORE, PART_SUBMIT, PARTS };

static const char *const part_words[PARTS] = {"list", "export", "score", "submit"};

static bool find_part(const char *word, enum part *part)
{
    struct error error;

    for (*part = PART_LIST; *part < PARTS; ++*part)
        if (strcmp(part_words[*part], word) == 0)
            return true;
    error_unknown(&error, "part", word, part_words, PARTS,
                  "; expected list, export, score or submit");
    return complain("suite: %s", error.text);
}

/* Options that a part does not read are a mistake of who gives them.  */
static bool are_for(enum part part, const struct suite_options *options)
{
    const struct {
        bool given;
        const char *name;
        enum part part;
    } rows[] = {
        {options->solver != NULL, "solver", PART_SCORE},
        {options->output != NULL, "output", PART_SCORE},
        {options->each, "each", PART_SCORE},
        {options->no_plans, "no-plans", PART_EXPORT},
        {options->by != NULL, "by", PART_SUBMIT},
        {options->name != NULL, "name", PART_SUBMIT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].given && rows[i].part != part)
            return complain("suite %s: --%s is of 'suite %s'", part_words[part], rows[i].name,
                            part_words[rows[i].part]);
    return true;
}

/* What follows the part: export and submit take one, score a folder or --solver.  */
static bool are_enough(enum part part, int count, const struct suite_options *options)
{
    static const char *const expected[PARTS] = {"no argument", "one folder to write",
                                                "a folder of plans, or --solver NAME",
                                                "one file, a plan or a certificate"};
    bool wanted = part == PART_SCORE ? options->solver == NULL : part != PART_LIST;

    return count == (int)wanted ||
           complain("suite %s: expected %s", part_words[part], expected[part]);
}

static int select_and_run(enum part part, const char *argument, const struct suite_options *options)
{
    struct suite suite, all;
    struct error error = {""};
    int status = STATUS_USAGE;

    if (!suite_open(&all, options->folder, &error))
        return complain_as(STATUS_USAGE, "suite: %s", error.text);
    if (!suite_open(&suite, options->folder, &error) ||
        !suite_select(&suite, options->classes, options->most > 0 ? options->most : INT64_MAX,
                      &error))
        complain("suite: %s", error.text);
    else if (part == PART_LIST)
        status = suite_list(&suite, options);
    else if (part == PART_EXPORT)
        status = suite_export_command(&suite, argument, options);
    else
        status = suite_score_command(&suite, &all, argument, options);
    suite_clear(&suite);
    suite_clear(&all);
    return status;
}

static int run_part(char *const *arguments, int count, const char *folder,
                    struct suite_options *options)
{
    const char *argument = count > 1 ? arguments[1] : NULL;
    enum part part;
    char *whole;
    int status;

    if (!find_part(arguments[0], &part) || !are_for(part, options) ||
        !are_enough(part, count - 1, options))
        return STATUS_USAGE;
    whole = suite_folder(folder);
    options->folder = whole;
    status = part == PART_SUBMIT ? suite_submit_command(argument, options)
                                 : select_and_run(part, argument, options);
    free(whole);
    return status;
}

int command_suite(int argc, char **argv)
{
    struct suite_options set = {.time_limit_s = 60.0, .seed = 1};
    const char *folder = NULL;
    const struct option_spec options[] = {
        {"class", OPTION_TEXT, &set.classes, "A,B", "only instances of these classes", 0, 0},
        {"most", OPTION_INT, &set.most, "N", "only instances of at most N buffers; 0: all", 0,
         9.0e18},
        {"solver", OPTION_TEXT, &set.solver, "NAME",
         "score: plans that this solver makes; exec:COMMAND is a program of your own", 0, 0},
        {"time-limit", OPTION_SECONDS, &set.time_limit_s, "SECONDS",
         "score: of an instance; slower times in times.csv count as unsolved", 1e-6, 1e9},
        {"memory-limit", OPTION_MIB, &set.memory_mib, "MIB", "score: 0: half of the memory", 0,
         1e9},
        {"seed", OPTION_INT, &set.seed, "N", "score: for solvers that draw random numbers", 1,
         4294967295.0},
        {"each", OPTION_FLAG, &set.each, NULL, "score: a row for each instance, not for each class",
         0, 0},
        {"output", OPTION_TEXT, &set.output, "DIR", "score: keep the solver's plans and times", 0,
         0},
        {"no-plans", OPTION_FLAG, &set.no_plans, NULL, "export: only instances and tables", 0, 0},
        {"name", OPTION_TEXT, &set.name, "INSTANCE",
         "submit: the plan's or bound's instance, where the file is not called so", 0, 0},
        {"by", OPTION_TEXT, &set.by, "WHO", "submit: who found it, for the table", 0, 0},
        {"suite", OPTION_TEXT, &folder, "DIR", "the suite's table and plans are there", 0, 0},
        {"format", OPTION_FORMAT, &set.format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "suite",
        "list|export|score|submit [DIR|FILE]",
        "A named set of instances on which greedy plans are not optimal, with the best that is\n"
        "known of each: 'list' shows it, 'export DIR' writes it as CSV files, 'score DIR' judges\n"
        "the plans DIR/NAME.csv (and times.csv), 'score --solver NAME' a solver's, and 'submit\n"
        "FILE' merges a better plan, or a certificate of a better bound, into the table.",
        options,
        1,
        2};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    return run_part(arguments, count, folder, &set);
}
