/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a query, and what differs between two results folders, as tables on standard output.  */
#ifndef ARENABENCH_HARNESS_CLI_DIFF_TABLES_H
#define ARENABENCH_HARNESS_CLI_DIFF_TABLES_H

#include "harness/io/table.h"

struct diff;
struct rows;

/* ROWS as a table with the columns COLUMNS (table_named), which the query calls so.  For people,
 * numbers with a fraction have three digits behind the point.  Returns the exit status.  */
int rows_print(const struct rows *rows, const char *columns, enum table_format format);

/* Each returns the exit status, too.  */
int diff_print_changes(const struct diff *diff, enum table_format format);
int diff_print_times(const struct diff *diff, enum table_format format);
int diff_print_values(const struct diff *diff, enum table_format format);

#endif
