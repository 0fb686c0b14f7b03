/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of planners in a results folder or in a file of them, for SQL.  */
#ifndef ARENABENCH_HARNESS_REPORT_RUNS_H
#define ARENABENCH_HARNESS_REPORT_RUNS_H

#include <stdbool.h>

#include "lib/base/error.h"

struct store;

/* Whether PATH is a file, which then is one of runs (harness/store/run_table.h), and not a
 * folder.  */
bool runs_is_file(const char *path);

/* Makes the temporary table NAME_run in STORE of the runs in PATH, a folder or a file, or of its
 * own where that is NULL:
 *
 *   task          its number in the store; null in a file
 *   experiment, workload, solver (with parameters), seed, repetition, outcome, checksum,
 *   peak, bound   null where there is none
 *   time_s        null in a file
 *   timed         a limit ended it: what it has is not reproducible
 *   cut           the same in a file, which does not say what that was
 *
 * Of an experiment that has been run in full size that one, as in a report.  A folder's store is
 * attached to STORE as NAME.  */
bool runs_add(struct store *store, const char *name, const char *path, struct error *error);

/* Writes the runs in the folder DIR as the file PATH.  */
bool runs_write(const char *dir, const char *path, struct error *error);

#endif
