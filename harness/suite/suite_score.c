/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/suite/suite_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/suite/suite.h"
#include "lib/base/csv.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"

enum { NAME, TIME, COLUMNS };

static const char *const columns[COLUMNS] = {[NAME] = "name", [TIME] = "time_s"};

/* --- the score --- */

static bool is_solved(const struct suite_entry *entry, const struct suite_run *run, double limit_s)
{
    return run->has_plan && run->peak <= entry->upper &&
           (isnan(run->time_s) || run->time_s <= limit_s);
}

/* Adds what the entry's plan says to SCORE, whose gap is a sum as yet.  */
static void add_plan(struct suite_score *score, const struct suite_entry *entry,
                     const struct suite_run *run)
{
    /* An upper bound of 0 is reached by every plan there is.  */
    double gap = entry->upper > 0 ? (double)run->peak / (double)entry->upper - 1.0 : 0.0;

    score->worst = score->plans == 0 ? gap : fmax(score->worst, gap);
    score->gap += gap;
    score->plans++;
    score->better += run->peak < entry->upper;
}

struct suite_score suite_score(const struct suite *suite, const struct suite_run *run,
                               const char *class_name, double limit_s)
{
    double *time = memory_alloc(suite->count, sizeof *time), penalised = 0.0;
    struct suite_score score = {.worst = NAN, .time_s = NAN, .par2_s = NAN};
    bool timed = true;

    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];
        bool solved = is_solved(entry, &run[i], limit_s);

        if (class_name != NULL && strcmp(entry->class_name, class_name) != 0)
            continue;
        time[score.instances++] = solved ? run[i].time_s : limit_s;
        penalised += solved ? run[i].time_s : 2.0 * limit_s;
        timed = timed && !(run[i].has_plan && isnan(run[i].time_s));
        score.refused += run[i].refused;
        score.solved += solved;
        if (run[i].has_plan)
            add_plan(&score, entry, &run[i]);
    }
    score.gap = score.plans > 0 ? score.gap / (double)score.plans : NAN;
    if (timed && score.plans > 0) {
        score.time_s = statistics_shifted_geometric_mean(time, score.instances, SUITE_SHIFT_S);
        score.par2_s = penalised / (double)score.instances;
    }
    free(time);
    return score;
}

/* --- times --- */

struct times {
    const struct suite *suite;
    double *time; /* one an entry; NaN: none */
};

static bool read_time(struct csv *csv, void *context, struct error *error)
{
    const struct suite *suite = ((const struct times *)context)->suite;
    double *time = ((const struct times *)context)->time;
    const size_t column = csv->cell[NAME].column;
    const struct suite_entry *entry;
    struct error unknown;
    double seconds;

    entry = suite_find(suite, csv_text(csv, NAME), &unknown);
    if (entry == NULL)
        return csv_error(csv, column, error, "%s", unknown.text);
    if (!isnan(time[entry - suite->entry]))
        return csv_error(csv, column, error, "'%s' stands there twice; expected a time once",
                         entry->name);
    if (!csv_real(csv, TIME, "time_s", 0.0, &seconds, error))
        return false;
    time[entry - suite->entry] = seconds;
    return true;
}

bool suite_read_times(const struct suite *suite, FILE *in, const char *path, struct suite_run *run,
                      struct error *error)
{
    struct times times = {suite, memory_alloc(suite->count, sizeof *times.time)};
    bool good;

    for (size_t i = 0; i < suite->count; i++)
        times.time[i] = NAN;
    good = csv_read_all(in, path, columns, COLUMNS, read_time, &times, error);
    for (size_t i = 0; good && i < suite->count; i++)
        run[i].time_s = times.time[i];
    free(times.time);
    return good;
}

bool suite_write_times(const struct suite *suite, const struct suite_run *run, FILE *out)
{
    fprintf(out, "%s,%s\n", columns[NAME], columns[TIME]);
    for (size_t i = 0; i < suite->count; i++)
        if (!isnan(run[i].time_s))
            fprintf(out, "%s,%.17g\n", suite->entry[i].name, run[i].time_s);
    return ferror(out) == 0;
}
