/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of a sweep as a table, for a dry run.  */
#ifndef ARENABENCH_HARNESS_CLI_SWEEP_TASKS_H
#define ARENABENCH_HARNESS_CLI_SWEEP_TASKS_H

#include "harness/io/table.h"

struct sweep;

/* Prints a row for each place of a task, of this shard where there are some, in FORMAT.  Returns
 * the exit status.  */
int sweep_tasks_print(const struct sweep *sweep, enum table_format format);

#endif
