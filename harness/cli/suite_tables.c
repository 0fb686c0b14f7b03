/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite score: its tables, and the line to paste.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/suite_parts.h"
#include "harness/io/table.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_score.h"
#include "lib/base/people.h"

#define GAP_FORMAT "%.3f"
#define TIME_FORMAT "%.4f"

static void add_row(struct table *table, const char *class_name, const struct suite_score *score)
{
    table_texts(table, class_name);
    table_ints(table, (int64_t)score->instances, (int64_t)score->plans, (int64_t)score->refused,
               (int64_t)score->solved, (int64_t)score->better);
    table_real(table, GAP_FORMAT, 100.0 * score->gap);
    table_real(table, GAP_FORMAT, 100.0 * score->worst);
    table_real(table, TIME_FORMAT, score->time_s);
    table_real(table, TIME_FORMAT, score->par2_s);
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
    struct table *table = table_named("class instances: plans: refused: solved: better: "
                                      "gap:percent worst:percent time_s: par2_s:");
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
    struct table *table = table_named("name class buffers: lower:bytes upper:bytes peak:bytes "
                                      "gap:percent time_s: standing");

    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];
        double gap = entry->upper > 0 ? (double)run[i].peak / (double)entry->upper - 1.0 : 0.0;

        table_texts(table, entry->name, entry->class_name);
        table_ints(table, entry->buffers, entry->lower, entry->upper,
                   run[i].has_plan ? run[i].peak : TABLE_NONE);
        table_real(table, GAP_FORMAT, run[i].has_plan ? 100.0 * gap : NAN);
        table_real(table, TIME_FORMAT, run[i].time_s);
        table_texts(table, standing(entry, &run[i]));
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
