/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that a page can show: what its rows' data-tasks name.  */
#ifndef ARENABENCH_HARNESS_REPORT_PAGE_RUNS_H
#define ARENABENCH_HARNESS_REPORT_PAGE_RUNS_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

struct report;

/* Writes them for plots/page_task.js, packed (page_code.h), as one JSON object with the members
 *
 *   results     the folder, for commands
 *   most        pictures are there of instances of up to so many buffers
 *   run, workload, planner, event, statistic, kernel, execution
 *               tables: {"column": [...], ...}; of `task` its difference from the row before
 *   instance    {"columns": [...], "rows": [[...], ...]}
 *   plan        [offsets, ...]
 *
 * in which `workload`, `planner`, `instance` and `plan` of a row are places in the table of that
 * name, from 0.  A plan's offsets and an instance's pieces are numbers as page_code.h has them:
 *
 *   offsets     their unit, then each in that unit
 *   pieces      their unit, then for each: begin less that of the one before (signed); twice its
 *               length, and 1 more where the buffer's next piece follows; bytes; first byte
 *
 * Of kernels there are those that were in a final, of networks those that ran to the end. Instances
 * are made anew from their labels; where that fails, `left_out` says why.  */
bool page_write_runs(const struct report *report, FILE *out, struct error *error);

#endif
