/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between two results folders, as tables on standard output.  */
#ifndef ARENABENCH_HARNESS_CLI_DIFF_TABLES_H
#define ARENABENCH_HARNESS_CLI_DIFF_TABLES_H

#include "harness/io/table.h"

struct diff;

/* Each returns the exit status.  */
int diff_print_changes(const struct diff *diff, enum table_format format);
int diff_print_times(const struct diff *diff, enum table_format format);
int diff_print_values(const struct diff *diff, enum table_format format);

#endif
