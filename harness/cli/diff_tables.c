/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/diff_tables.h"

#include <stdlib.h>
#include <string.h>

#include "harness/io/format.h"
#include "harness/report/diff.h"

/* For people, numbers with a fraction have three digits behind the point.  */
static int print(const struct rows *rows, const struct table_column *columns, size_t count,
                 enum table_format format)
{
    struct table *table = table_new(columns, count);

    for (size_t r = 0; r < rows->count; r++)
        for (size_t c = 0; c < count; c++) {
            const char *cell = rows_named(rows, r, columns[c].name);

            if (format == TABLE_TEXT && columns[c].unit != NULL && strchr(cell, '.') != NULL)
                table_cell(table, "%.3f", strtod(cell, NULL));
            else
                table_cell(table, "%s", cell);
        }
    return table_finish(table, format);
}

int diff_print_changes(const struct diff *diff, enum table_format format)
{
    static const struct table_column columns[] = {
        {"change", NULL},      {"experiment", NULL}, {"workload", NULL},     {"solver", NULL},
        {"seed", ""},          {"repetition", ""},   {"old_outcome", NULL},  {"outcome", NULL},
        {"old_peak", "bytes"}, {"peak", "bytes"},    {"old_bound", "bytes"}, {"bound", "bytes"}};

    return print(&diff->changes, columns, sizeof columns / sizeof columns[0], format);
}

int diff_print_times(const struct diff *diff, enum table_format format)
{
    static const struct table_column columns[] = {{"solver", NULL}, {"runs", ""},
                                                  {"ratio", ""},    {"low", ""},
                                                  {"high", ""},     {"verdict", NULL}};

    return print(&diff->times, columns, sizeof columns / sizeof columns[0], format);
}

int diff_print_values(const struct diff *diff, enum table_format format)
{
    static const struct table_column columns[] = {
        {"task", ""},       {"workload", NULL}, {"solver", NULL}, {"seed", ""},
        {"repetition", ""}, {"what", NULL},     {"then", NULL},   {"now", NULL}};

    return print(&diff->values, columns, sizeof columns / sizeof columns[0], format);
}
