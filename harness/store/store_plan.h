/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in SQL: functions about packed offsets (offsets.h), for the program's own queries.
 *
 *   offsets_pack(RAW)           packed, from 8 bytes each, the lowest first
 *   offsets_unpack(P, B)        and back; B: the number of their base, or NULL
 *   offsets_whole(P, B)         whether they can be unpacked
 *   offsets_same(P, B, Q, C)    whether two are
 *   offsets_count(RAW)          how many there are
 *   offsets_differ(RAW, RAW)    the first place, from 0, where two of one length differ
 *   offsets_at(RAW, I)          the offset there
 *
 * Of NULL they are NULL, but offsets_same; of what is damaged offsets_unpack fails.  A base is
 * looked for in all databases that are attached: its number is a checksum of its offsets.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_PLAN_H
#define ARENABENCH_HARNESS_STORE_STORE_PLAN_H

#include <stdbool.h>

#include "lib/base/error.h"

struct sqlite3;
struct store;
struct task_row;

/* Makes them known to DB.  */
bool plan_make_known(struct sqlite3 *db);

/* Writes the plan of ROW, of a large instance as what it does not have in common with another plan
 * of that.  */
bool plan_put(struct store *store, struct task_row *row, struct error *error);

#endif
