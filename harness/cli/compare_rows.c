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
static const struct table_column columns[] = {
    {"solver", NULL},  {"outcome", NULL}, {"peak", "bytes"}, {"lower_bound", "bytes"},
    {"load", "bytes"}, {"time_s", ""},    {"gap", ""},       {"gap_to_bound", ""},
    {"layout", NULL},  {"reason", NULL},  {"limit_s", ""}};

/* Exact for programs, DIGITS after the point for people.  */
static void add_real(struct table *table, enum table_format format, int digits, double value)
{
    if (format == TABLE_TEXT)
        table_cell(table, "%.*f", digits, value);
    else
        table_cell(table, "%.17g", value);
}

static bool has_gap(const struct comparison_row *row)
{
    return row->has_plan && row->lower_bound != 0;
}

static double gap_of(const struct comparison_row *row)
{
    return (double)row->peak / (double)row->lower_bound - 1.0;
}

static void add_gap(struct table *table, enum table_format format, const struct comparison_row *row,
                    bool known)
{
    if (!known || !has_gap(row))
        table_cell(table, "%s", "");
    else
        add_real(table, format, 4, gap_of(row));
}

static void add_row(struct table *table, enum table_format format,
                    const struct comparison *comparison, size_t i)
{
    const struct comparison_row *row = &comparison->row[i];
    const struct contestant *contestant = &comparison->contestants->item[i];
    double limit = contestant_limits(contestant, &comparison->limits).time_s;

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
    if (format == TABLE_TEXT && row->outcome == OUTCOME_TIMEOUT && row->reason[0] == '\0')
        table_cell(table, "cut after %g s", limit);
    else
        table_cell(table, "%s", row->reason);
    if (format != TABLE_TEXT)
        table_cell(table, limit > 0.0 ? "%g" : "", limit);
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

    if (sorting->order == COMPARE_GAP)
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
    return result != 0 ? result : (i > j) - (i < j);
}

struct table *compare_table(const struct comparison *comparison,
                            const struct compare_layout *layout, bool *bad)
{
    size_t n_columns = sizeof columns / sizeof columns[0];
    struct table *table = table_new(columns, n_columns - (layout->format == TABLE_TEXT));
    struct sorting sorting = {comparison, layout->order};
    size_t count = 0, *place = memory_alloc(comparison->contestants->count, sizeof *place);

    *bad = false;
    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (!comparison->row[i].missing) {
            enum outcome outcome = comparison->row[i].outcome;

            place[count++] = i;
            *bad = *bad || outcome == OUTCOME_INVALID || outcome == OUTCOME_CRASHED;
        }
    qsort_r(place, count, sizeof *place, compare_rows, &sorting);
    if (layout->top > 0 && (size_t)layout->top < count)
        count = (size_t)layout->top;
    for (size_t r = 0; r < count; r++)
        add_row(table, layout->format, comparison, place[r]);
    free(place);
    return table;
}
