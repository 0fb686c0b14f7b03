/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in SQL: functions about packed offsets (offsets.h), for the program's own queries.
 *
 *   offsets_pack(RAW)      packed, from 8 bytes each, the lowest first
 *   offsets_unpack(P)      and back
 *   offsets_count(P)       how many there are
 *   offsets_differ(P, Q)   the first place, from 0, where two of one length have different ones
 *   offsets_at(P, I)       the offset there
 *   offsets_whole(P)       whether they can be unpacked
 *
 * Of NULL they are NULL; of what is damaged all but the last fail.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_PLAN_H
#define ARENABENCH_HARNESS_STORE_STORE_PLAN_H

#include <stdbool.h>

struct sqlite3;

/* Makes them known to DB.  */
bool plan_make_known(struct sqlite3 *db);

#endif
