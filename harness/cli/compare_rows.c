/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/compare_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/io/status_line.h"
#include "harness/run/comparison.h"
#include "lib/problem/instance.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "solvers/solver.h"

/* --- as they come --- */

enum { WIDEST_LABEL = 40 };

/* The caller frees it.  */
static char *short_label(const struct comparison *comparison, size_t i)
{
    char *label = people_text(comparison->contestants->item[i].label);

    people_cut(label, WIDEST_LABEL);
    return label;
}

static void show_row(struct compare_stream *stream, const struct comparison *comparison, size_t i)
{
    const struct comparison_row *row = &comparison->row[i];
    char *label = short_label(comparison, i), peak[24] = "";

    if (row->has_plan)
        snprintf(peak, sizeof peak, "%" PRId64, row->peak);
    people_print(stderr, "%s%*s  %-10s  %15s  %.6f s\n", label,
                 stream->width - (int)people_width(label), "", outcome_name(row->outcome), peak,
                 row->time_s);
    stream->lines++;
    free(label);
}

void compare_stream_show(struct compare_stream *stream, const struct comparison *comparison,
                         struct status_line *line)
{
    size_t count = comparison->contestants->count;

    if (!line->terminal)
        return;
    if (stream->shown == NULL) {
        stream->shown = memory_zalloc(count, sizeof *stream->shown);
        for (size_t i = 0; i < count; i++) {
            char *label = short_label(comparison, i);

            stream->width = (int)max64(stream->width, (int64_t)people_width(label));
            free(label);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!stream->shown[i] && !comparison->row[i].missing) {
            status_line_clear(line);
            show_row(stream, comparison, i);
            stream->shown[i] = true;
        }
}

void compare_stream_clear(struct compare_stream *stream)
{
    struct winsize size = {.ws_row = 0};

    if (stream->lines == 0)
        return;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && stream->lines < size.ws_row)
        fprintf(stderr, "\033[%dA\033[J", stream->lines);
    else
        fputc('\n', stderr);
    fflush(stderr);
    stream->lines = 0;
}

/* --- the table --- */

/* The first six are the contract; others are only appended.  `gap` is to the
 * optimum and stands only where one is proven, `gap_to_bound` to the best
 * lower bound.  People are told of a limit where it cut the run, in place of the last.  */
#define COLUMNS                                                                                 \
    "solver outcome peak:bytes lower_bound:bytes load:bytes time_s: gap: gap_to_bound: layout " \
    "reason"

#define LIMIT " limit_s:"
#define COLUMNS_FITS " fits"

static const char *fits(const struct compare_layout *layout, const struct comparison_row *row)
{
    return !row->has_plan ? NULL : row->peak <= layout->capacity ? "yes" : "no";
}

static bool has_gap(const struct comparison_row *row)
{
    return row->has_plan && row->lower_bound != 0;
}

static double gap_of(const struct comparison_row *row)
{
    return has_gap(row) ? (double)row->peak / (double)row->lower_bound - 1.0 : NAN;
}

/* The reason, or what cut it.  */
static void add_reason(struct table *table, const struct comparison_row *row, double limit)
{
    if (row->outcome == OUTCOME_TIMEOUT && row->reason[0] == '\0')
        table_cell(table, "cut after %g s", limit);
    else
        table_texts(table, row->reason);
}

static void add_row(struct table *table, const struct compare_layout *layout,
                    const struct comparison *comparison, size_t i)
{
    const enum table_format format = layout->format;
    const struct comparison_row *row = &comparison->row[i];
    const struct contestant *contestant = &comparison->contestants->item[i];
    double limit = contestant_limits(contestant, &comparison->limits).time_s;
    bool ran = row->outcome != OUTCOME_SKIPPED;
    bool known = row->rounded ? row->outcome == OUTCOME_OPTIMAL : comparison->proven;
    const char *gap = format == TABLE_TEXT ? "%.4f" : "%.17g"; /* exact for programs */

    table_texts(table, contestant->label, outcome_name(row->outcome));
    table_ints(table, row->has_plan ? row->peak : TABLE_NONE, ran ? row->lower_bound : TABLE_NONE,
               ran ? row->load : TABLE_NONE);
    table_real(table, format == TABLE_TEXT ? "%.6f" : "%.17g", ran ? row->time_s : NAN);
    table_real(table, gap, known ? gap_of(row) : NAN);
    table_real(table, gap, gap_of(row));
    table_texts(table, layout_name(contestant->entry->solver->layout));
    if (format == TABLE_TEXT) {
        add_reason(table, row, limit);
    } else {
        table_texts(table, row->reason);
        table_real(table, "%g", limit > 0.0 ? limit : NAN);
    }
    if (layout->capacity > 0)
        table_texts(table, fits(layout, row));
}

/* --- for people --- */

static struct table *people_table(const struct comparison *comparison,
                                  const struct compare_layout *layout)
{
    char peak[16];
    const struct table_column columns[] = {{"solver", NULL}, {"outcome", NULL}, {peak, ""},
                                           {"gap %", ""},    {"time ms", ""},   {"layout", NULL},
                                           {"reason", NULL}, {"fits", NULL}};

    snprintf(peak, sizeof peak, "peak %s", people_unit(comparison->instance->load).name);
    return table_new(columns, sizeof columns / sizeof columns[0] - (layout->capacity <= 0));
}

static void add_people_row(struct table *table, const struct compare_layout *layout,
                           const struct comparison *comparison, size_t i)
{
    const struct comparison_row *row = &comparison->row[i];
    const struct contestant *contestant = &comparison->contestants->item[i];
    double limit = contestant_limits(contestant, &comparison->limits).time_s;
    const struct people_unit unit = people_unit(comparison->instance->load);

    table_texts(table, contestant->label, outcome_name(row->outcome));
    table_real(table, unit.bytes > 1.0 ? "%.2f" : "%.0f",
               row->has_plan ? (double)row->peak / unit.bytes : NAN);
    table_real(table, "%.2f", 100.0 * gap_of(row));
    table_real(table, "%.3f", 1000.0 * row->time_s);
    table_texts(table, layout_name(contestant->entry->solver->layout));
    add_reason(table, row, limit);
    if (layout->capacity > 0)
        table_texts(table, fits(layout, row));
}

struct sorting {
    const struct comparison *comparison;
    enum compare_order order;
};

static int compare_reals(double a, double b)
{
    return (a > b) - (a < b);
}

/* What has no gap, or did not run, comes last; what is equal as it was given.  */
static double key_of(const struct sorting *sorting, size_t i)
{
    const struct comparison_row *row = &sorting->comparison->row[i];

    if (sorting->order == COMPARE_GAP || sorting->order == COMPARE_USUAL)
        return has_gap(row) ? gap_of(row) : INFINITY;
    return row->outcome == OUTCOME_SKIPPED ? INFINITY : row->time_s;
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    int result = 0;

    if (sorting->order == COMPARE_NAME)
        result = strcmp(sorting->comparison->contestants->item[i].label,
                        sorting->comparison->contestants->item[j].label);
    else if (sorting->order != COMPARE_GIVEN)
        result = compare_reals(key_of(sorting, i), key_of(sorting, j));
    if (result == 0 && sorting->order == COMPARE_USUAL)
        result =
            compare_reals(sorting->comparison->row[i].time_s, sorting->comparison->row[j].time_s);
    return result != 0 ? result : (i > j) - (i < j);
}

struct table *compare_table(const struct comparison *comparison,
                            const struct compare_layout *layout, bool *bad)
{
    static const char *const columns[2][2] = {{COLUMNS, COLUMNS COLUMNS_FITS},
                                              {COLUMNS LIMIT, COLUMNS LIMIT COLUMNS_FITS}};
    struct table *table =
        layout->people ? people_table(comparison, layout)
                       : table_named(columns[layout->format != TABLE_TEXT][layout->capacity > 0]);
    struct sorting sorting = {comparison, layout->order == COMPARE_USUAL && !layout->people
                                              ? COMPARE_GIVEN
                                              : layout->order};
    size_t count = 0, *place = memory_alloc(comparison->contestants->count, sizeof *place);

    *bad = false;
    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (!comparison->row[i].missing) {
            enum outcome outcome = comparison->row[i].outcome;

            if (!layout->people || outcome != OUTCOME_SKIPPED)
                place[count++] = i;
            *bad = *bad || outcome == OUTCOME_INVALID || outcome == OUTCOME_CRASHED;
        }
    qsort_r(place, count, sizeof *place, compare_rows, &sorting);
    if (layout->top > 0 && (size_t)layout->top < count)
        count = (size_t)layout->top;
    for (size_t r = 0; r < count; r++)
        (layout->people ? add_people_row : add_row)(table, layout, comparison, place[r]);
    free(place);
    return table;
}
