/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of a merge share.  A store that is merged is attached as `part`; what is known of
 * all parts is in temporary tables:
 *
 *   folder (part, dir)       the folders, from 1
 *   part_sweep (part, sweep) which sweeps of the new store each part has
 *   definition               rows of experiment, with their part, a checksum of what a sweep writes
 *                            there, and when the last of their tasks ended
 *   place, uses              of tasks and layers, in a definition (its rowid)
 *   double (task)            such as several parts have
 *   conflict (kind, text)
 *   unsummed (dir, text)     rows without a checksum, in one part
 *
 * and for build, machine, sweep, workload and task, of this part:
 *
 *   TABLE_map (old, new, take, double)
 *                            from a row's number to that in the new store; take: the row goes
 *                            there, as it is new or better than the one that is there (double)  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_MERGE_PRIVATE_H
#define ARENABENCH_HARNESS_STORE_STORE_MERGE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/store/store_private.h"
#include "lib/base/error.h"

/* Executes SQL, and frees it.  */
bool merge_execute(struct store *store, char *sql, struct error *error);

/* Makes the temporary tables.  */
bool merge_begin(struct store *store, struct error *error);
/* Takes over the rows of the PART-th folder, which is attached: tasks, with where they come from
 * and what they are about; experiments.  */
bool merge_rows(struct store *store, size_t part, struct error *error);
bool merge_experiments(struct store *store, size_t part, struct error *error);
/* When all parts have been taken over: experiments with their places.  */
bool merge_end(struct store *store, struct error *error);

#endif
