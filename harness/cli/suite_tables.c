/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite score: its tables, and the line to paste.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/suite_parts.h"
#include "harness/io/format.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_score.h"
#include "lib/base/people.h"

enum { GAP_DECIMALS = 3, TIME_DECIMALS = 4 };

/* A number, or nothing where there is none.  */
static void number_cell(struct table *table, double value, int decimals)
{
    if (isnan(value))
        table_cell(table, "%s", "");
    else
        table_cell(table, "%.*f", decimals, value);
}

static void add_row(struct table *table, const char *class_name, const struct suite_score *score)
{
    table_cell(table, "%s", class_name);
    table_cell(table, "%zu", score->instances);
    table_cell(table, "%zu", score->plans);
    table_cell(table, "%zu", score->refused);
    table_cell(table, "%zu", score->solved);
    table_cell(table, "%zu", score->better);
    number_cell(table, 100.0 * score->gap, GAP_DECIMALS);
    number_cell(table, 100.0 * score->worst, GAP_DECIMALS);
    number_cell(table, score->time_s, TIME_DECIMALS);
    number_cell(table, score->par2_s, TIME_DECIMALS);
}

static bool is_first_of_class(const struct suite *suite, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(suite->entry[j].class_name, suite->entry[i].class_name) == 0)
            return false;
    return true;
}

static struct table *class_table(const struct suite *suite, const struct suite_run *run,
                                 double limit_s)
{
    static const struct table_column columns[] = {
        {"class", NULL}, {"instances", ""},  {"plans", ""},        {"refused", ""}, {"solved", ""},
        {"better", ""},  {"gap", "percent"}, {"worst", "percent"}, {"time_s", ""},  {"par2_s", ""},
    };
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);
    struct suite_score score;

    for (size_t i = 0; i < suite->count; i++)
        if (is_first_of_class(suite, i)) {
            score = suite_score(suite, run, suite->entry[i].class_name, limit_s);
            add_row(table, suite->entry[i].class_name, &score);
        }
    score = suite_score(suite, run, NULL, limit_s);
    add_row(table, "all", &score);
    return table;
}

static const char *standing(const struct suite_entry *entry, const struct suite_run *run)
{
    if (run->refused)
        return "refused";
    if (!run->has_plan)
        return "no plan";
    if (run->peak > entry->upper)
        return "above";
    return run->peak < entry->upper ? "better" : "solved";
}

static struct table *instance_table(const struct suite *suite, const struct suite_run *run)
{
    static const struct table_column columns[] = {
        {"name", NULL},     {"class", NULL},    {"buffers", ""},
        {"lower", "bytes"}, {"upper", "bytes"}, {"peak", "bytes"},
        {"gap", "percent"}, {"time_s", ""},     {"standing", NULL},
    };
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];
        double gap = entry->upper > 0 ? (double)run[i].peak / (double)entry->upper - 1.0 : 0.0;

        table_cell(table, "%s", entry->name);
        table_cell(table, "%s", entry->class_name);
        table_cell(table, "%" PRId64, entry->buffers);
        table_cell(table, "%" PRId64, entry->lower);
        table_cell(table, "%" PRId64, entry->upper);
        if (run[i].has_plan)
            table_cell(table, "%" PRId64, run[i].peak);
        else
            table_cell(table, "%s", "");
        number_cell(table, run[i].has_plan ? 100.0 * gap : NAN, GAP_DECIMALS);
        number_cell(table, run[i].time_s, TIME_DECIMALS);
        table_cell(table, "%s", standing(entry, &run[i]));
    }
    return table;
}

/* What everybody quotes: version, whose plans, which part of the suite, and the score.  */
static void print_line(FILE *out, const struct suite *suite, const struct suite_run *run,
                       const char *label, const struct suite_options *options)
{
    struct suite_score score = suite_score(suite, run, NULL, options->time_limit_s);

    people_print(out, "suite " SUITE_VERSION ", %s", label);
    if (options->classes != NULL)
        people_print(out, ", of %s", options->classes);
    if (options->most > 0)
        people_print(out, ", up to %" PRId64 " buffers", options->most);
    people_print(out, ": %zu of %zu solved", score.solved, score.instances);
    if (score.plans < score.instances)
        people_print(out, ", %zu without a valid plan", score.instances - score.plans);
    if (score.plans > 0)
        people_print(out, ", gap %.3f %% (worst %.3f %%)", 100.0 * score.gap, 100.0 * score.worst);
    if (!isnan(score.time_s))
        people_print(out, ", time %.4g s, PAR-2 %.4g s, limit %g s", score.time_s, score.par2_s,
                     options->time_limit_s);
    fputc('\n', out);
}

int suite_print_score(const struct suite *suite, const struct suite_run *run, const char *label,
                      const struct suite_options *options)
{
    struct table *table =
        options->each ? instance_table(suite, run) : class_table(suite, run, options->time_limit_s);
    int status = table_finish(table, options->format);

    print_line(options->format == TABLE_TEXT ? stdout : stderr, suite, run, label, options);
    return status;
}
