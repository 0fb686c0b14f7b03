/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of a merge share.  A store that is merged is attached as `part`; what is known of
 * all parts is in temporary tables:
 *
 *   folder (part, dir)       the folders, from 1
 *   known_sweep              the sweeps of the new store, with their provenance as a text
 *   part_sweep (part, sweep) which of them each part has
 *   definition               experiments as parts have them, each kind once
 *   place, uses              of tasks and layers, in a definition
 *   used                     wall clock, of an experiment in a part
 *   conflict (kind, text)
 *   unsummed (dir, text)     rows without a checksum, in one part
 *   build_map, machine_map, sweep_map, workload_map, task_map (old, new)
 *                            from numbers of this part to those of the new store  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_MERGE_PRIVATE_H
#define ARENABENCH_HARNESS_STORE_STORE_MERGE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/store/store_private.h"
#include "lib/base/error.h"

/* What a column is in the new store, where it is not what the part's row P has.  */
struct merge_column {
    const char *name, *value; /* SQL */
};

/* Copies rows of the part's table, "P", to that of the new store with VERB ("INSERT", or another).
 * BEHIND (SQL) stands behind the table's name.  A column `id` that SET does not name is SQLite's.
 * A row without a checksum stays without.  */
bool merge_copy(struct store *store, enum table_id which, const char *verb,
                const struct merge_column *set, size_t count, const char *behind,
                struct error *error);

/* SQL of the columns of a table that rows in C bring, each behind PREFIX, or as FORM with its name
 * in place of both %s; between them BETWEEN.  The caller frees it.  */
char *merge_columns(enum table_id which, const char *form, const char *between);

/* Executes SQL, and frees it.  */
bool merge_execute(struct store *store, char *sql, struct error *error);

/* Makes the temporary tables.  */
bool merge_begin(struct store *store, struct error *error);
/* Takes over the rows of the PART-th folder, which is attached: where they come from and what they
 * are about; tasks; experiments.  */
bool merge_origins(struct store *store, size_t part, struct error *error);
bool merge_tasks(struct store *store, struct error *error);
bool merge_experiments(struct store *store, size_t part, struct error *error);
/* When all parts have been taken over: experiments with their places.  */
bool merge_end(struct store *store, struct error *error);

#endif
