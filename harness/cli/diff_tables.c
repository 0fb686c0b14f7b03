/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/diff_tables.h"

#include <stdlib.h>
#include <string.h>

#include "harness/io/table.h"
#include "harness/report/diff.h"

int rows_print(const struct rows *rows, const char *columns, enum table_format format)
{
    struct table *table = table_named(columns);

    for (size_t r = 0; r < rows->count; r++)
        for (size_t c = 0; c < table_columns(table); c++) {
            const struct table_column column = table_column(table, c);
            const char *cell = rows_named(rows, r, column.name);

            if (format == TABLE_TEXT && column.unit != NULL && strchr(cell, '.') != NULL)
                table_real(table, "%.3f", strtod(cell, NULL));
            else
                table_texts(table, cell);
        }
    return table_finish(table, format);
}

int diff_print_changes(const struct diff *diff, enum table_format format)
{
    return rows_print(&diff->changes,
                      "change experiment workload solver seed: repetition: old_outcome outcome "
                      "old_peak:bytes peak:bytes old_bound:bytes bound:bytes",
                      format);
}

int diff_print_times(const struct diff *diff, enum table_format format)
{
    return rows_print(&diff->times, "solver runs: ratio: low: high: verdict", format);
}

int diff_print_values(const struct diff *diff, enum table_format format)
{
    return rows_print(&diff->values, "task: workload solver seed: repetition: what then now",
                      format);
}
