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
 *
 * in which `workload`, `planner` and `instance` of a row are places in the table of that name,
 * from 0, and `plan` is one in its instance's `plans`.  A plan and an instance's pieces are numbers
 * as page_code.h has them:
 *
 *   plan        the unit of offsets, then for each buffer 0: it lies at the bottom; 1, and its
 *               offset in that unit; 3 D: where the buffer D before it lies; 3 D - 1 or 3 D + 1: on
 *               the buffer D before it or behind it
 *   pieces      their unit, then for each: begin less that of the one before (signed); twice its
 *               length, and 1 more where the buffer's next piece follows; bytes; first byte
 *
 * Of kernels there are those that were in a final, of networks those that ran to the end. Instances
 * are made anew from their labels; where that fails, `left_out` says why.  */
bool page_write_runs(const struct report *report, FILE *out, struct error *error);

#endif
