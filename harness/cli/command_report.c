/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report: figures, tables and the summary page from a results folder.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/io/figure.h"
#include "harness/io/gnuplot.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/report/report.h"
#include "harness/report/runs.h"
#include "harness/store/optima.h"
#include "harness/store/store.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"

/* Whether every name in LIST (commas between) is a figure's.  */
static bool check_names(const char *list)
{
    char *copy = memory_strdup(list), *state = NULL;
    struct error error;
    bool known = true;

    for (char *name = strtok_r(copy, ",", &state); known && name != NULL;
         name = strtok_r(NULL, ",", &state))
        known = figure_check_name(name, &error);
    if (!known)
        complain("report: %s", error.text);
    free(copy);
    return known;
}

/* Whether NAME is in LIST; NULL names every figure.  */
static bool named(const char *list, const char *name)
{
    size_t length = strlen(name);

    if (list == NULL)
        return true;
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* What became of one that was to be drawn in WIDTH, where there is something to say; false where it
 * failed.  */
static bool tell(const struct shown *shown, enum gnuplot_width width)
{
    if (shown->failed)
        complain("report: figure %s failed: %s", shown->name,
                 shown->undrawn != NULL ? shown->undrawn : shown->skipped);
    else if (shown->skipped != NULL)
        complain("report: figure %s is skipped: %s", shown->name, shown->skipped);
    else if (shown->drawn && width == GNUPLOT_COLUMN && shown->figure->page != NULL)
        complain("report: figure %s is as wide as a page: %s", shown->name, shown->figure->page);
    return !shown->failed;
}

/* *WHOLE: none has failed.  */
static bool make_figures(struct report *report, const char *list, bool *whole, struct error *error)
{
    for (const struct figure *figure = figure_registry; figure->name != NULL; figure++) {
        size_t first = report->figures;

        if (!named(list, figure->name))
            continue;
        if (!report_figure(report, figure, error))
            return false;
        for (size_t f = first; f < report->figures; f++)
            *whole &= tell(&report->figure[f], report->width);
        if (list != NULL && first == report->figures)
            complain("report: figure %s is skipped: no experiment in this folder has data for it",
                     figure->name);
    }
    return true;
}

/* Sees to it, before any work, that there is room for the output.  */
static bool make_folders(const char *dir, struct error *error)
{
    static const char *const folders[] = {"", "/figures", "/tables"};
    bool done = true;

    for (size_t i = 0; done && i < sizeof folders / sizeof folders[0]; i++) {
        char *path = memory_printf("%s%s", dir, folders[i]);

        done = output_folder(path, error);
        free(path);
    }
    return done;
}

/* Merges what this folder's runs have proven into the table FILE.  */
static bool update_optima(const struct report *report, const char *path, struct error *error)
{
    struct optima optima;
    bool done;

    if (!optima_open(&optima, path, true, error))
        return false;
    done = optima_merge_store(&optima, report->store, error) && optima_save(&optima, path, error);
    optima_clear(&optima);
    return done;
}

/* Everything, or only the figures in LIST.  A figure that fails costs that figure alone, and
 * *WHOLE.
 */
static bool make(struct report *report, const char *list, bool figures, bool *whole,
                 struct error *error)
{
    char *missing;

    if (figures && !make_figures(report, list, whole, error))
        return false;
    if (list != NULL)
        return true;
    if (!report_tables(report, error) || !report_page(report, error))
        return false;
    report_print(report, "summary", stdout);
    putchar('\n');
    report_print(report, "experiments", stdout);
    putchar('\n');
    report_print(report, "builds", stdout);
    missing = report_left_out(report);
    if (missing[0] != '\0')
        people_print(stdout, "\nLeft out: %s.\n", missing);
    free(missing);
    complain("report: %s/report.html is written", report->dir);
    return true;
}

/* What is wrong with the results to compare with is said before any work.  */
static bool are_results(const char *path, struct error *error)
{
    struct store *store = store_open_memory(error);
    bool done = store != NULL && runs_add(store, "old", path, error);

    store_close(store);
    return done;
}

/* Writes the runs in DIR as the file PATH.  */
static int write_runs(const char *dir, const char *path)
{
    struct error error = {""};
    int status = STATUS_DONE;

    if (!are_results(dir, &error))
        status = STATUS_USAGE;
    else if (!runs_write(dir, path, &error))
        status = STATUS_FAILED;
    if (status != STATUS_DONE)
        complain("report: %s", error.text);
    return status;
}

/* False with a message where WORD, NULL where there is none, is no width.  */
static bool read_width(const char *word, enum gnuplot_width *width)
{
    static const char *const words[] = {[GNUPLOT_PAGE] = "page", [GNUPLOT_COLUMN] = "column"};

    *width = GNUPLOT_PAGE;
    if (word == NULL)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) {
            *width = (enum gnuplot_width)i;
            return true;
        }
    complain("report: unknown width '%s': page or column", word);
    return false;
}

int command_report(int argc, char **argv)
{
    const char *list = NULL, *optima = NULL, *against = NULL, *runs = NULL, *word = NULL;
    enum gnuplot_width width;
    bool no_figures = false, tex = false;
    const struct option_spec options[] = {
        {"figures", OPTION_TEXT, &list, "NAME,...", "draw these figures and make nothing else", 0,
         0},
        {"latex", OPTION_FLAG, &tex, NULL, "figures as LaTeX floats too: LaTeX sets their texts", 0,
         0},
        {"width", OPTION_TEXT, &word, "WIDTH",
         "of figures: page (default), or column, that of one of two (240 points)", 0, 0},
        {"optima", OPTION_TEXT, &optima, "FILE",
         "merge what was proven into this table of known optima and make nothing else", 0, 0},
        {"against", OPTION_TEXT, &against, "OLD",
         "add to the page what changed since the results in OLD", 0, 0},
        {"runs", OPTION_TEXT, &runs, "FILE",
         "write the planners' runs as a file that diff takes and make nothing else", 0, 0},
        {"no-figures", OPTION_FLAG, &no_figures, NULL, "make tables and the page only", 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "report",
        "DIR",
        "Makes figures, tables and a page from DIR/results.db, and prints the summary table.\n"
        "Figures go to DIR/figures (their data as CSV and, where gnuplot is installed, PDF, PNG\n"
        "and SVG), tables to DIR/tables (text, CSV, LaTeX), the page is DIR/report.html.",
        options,
        1,
        1};
    struct report report;
    struct error error;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);
    bool done, whole = true, draw = gnuplot_found();

    if (status >= 0)
        return status;
    if (runs != NULL)
        return write_runs(arguments[0], runs);
    if ((list != NULL && !check_names(list)) || !read_width(word, &width))
        return STATUS_USAGE;
    if (!draw && !no_figures && optima == NULL)
        complain("report: gnuplot is not installed: the figures' data are written, not drawn");
    if ((against != NULL && !are_results(against, &error)) ||
        !report_open(&report, arguments[0], draw, &error))
        return complain_as(STATUS_USAGE, "report: %s", error.text);
    if (optima == NULL && !make_folders(arguments[0], &error)) {
        report_clear(&report);
        return complain_as(STATUS_USAGE, "report: %s", error.text);
    }
    report.against = against;
    report.tex = tex;
    report.width = width;
    if (optima != NULL)
        done = report_check(&report, &error) && update_optima(&report, optima, &error);
    else
        done = make(&report, list, !no_figures, &whole, &error) && report_check(&report, &error);
    if (!done)
        complain("report: %s", error.text);
    report_clear(&report);
    return done && whole ? STATUS_DONE : STATUS_FAILED;
}
