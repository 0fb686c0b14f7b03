/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A checksum a row, and what else must hold of rows whoever wrote them.
 *
 * Each table has a column `row_checksum`, which no row in C brings: 32 bits of the checksum of all
 * other columns but `id`, which references hold.  Where it is NULL, as somebody has to leave it who
 * changes a row by hand, it is not looked at.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_CHECKSUM_H
#define ARENABENCH_HARNESS_STORE_STORE_CHECKSUM_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/store/store_table.h"
#include "lib/base/error.h"

struct sqlite3;

/* Makes the function that works it out known to DB, and those about plans (store_plan.h).  */
bool sum_make_known(struct sqlite3 *db);

/* Whether the checksum is of COLUMN too: all are but `id`, in the order of the table.  */
bool sum_includes(const struct column *column);

/* Writes the call of that function for a row that is being written: of the columns that the
 * statement brings, as write_row binds them, and of the others as they are in a row that is there.
 */
void sum_write_call(FILE *out, const struct table *table, bool later);

/* Gives the row of TABLE that WHERE finds (SQL, with COUNT parameters), or all of them where that
 * is empty, the checksum of what it has now.  */
bool sum_anew(struct store *store, enum table_id which, const char *where,
              const char *const *parameters, int count, struct error *error);

/* SQL for what names a row of TABLE to people, and for what is wrong with it: a text, or NULL.  The
 * caller frees them.  */
char *sum_row_name(const struct table *table);
char *sum_fault(const struct table *table);

/* The columns that are a row's key, separated by a comma and a blank.  The caller frees it.  */
char *sum_key(const struct table *table);

#endif
