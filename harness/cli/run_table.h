/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `run` shows of an execution.  */
#ifndef ARENABENCH_HARNESS_CLI_RUN_TABLE_H
#define ARENABENCH_HARNESS_CLI_RUN_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/io/table.h"

struct execution;
struct instance;
struct run_options;

struct run_row {
    const struct instance *instance;
    const char *planner;
    const struct run_options *options;
    const struct execution *execution;
};

/* One row; the caller frees the table, as that of run_profile.  */
struct table *run_summary(const struct run_row *row);

/* Cells with the median of COUNT times, and with its 95 % interval where there are enough.  */
void run_add_times(struct table *table, const double *seconds, size_t count);

/* The operators, those first that take longest.  */
struct table *run_profile(const struct instance *instance, const struct execution *execution);

/* Measured times as `schedule --times` takes them.  */
void run_write_times(const struct instance *instance, const struct execution *execution, FILE *out);

#endif
