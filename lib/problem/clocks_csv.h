/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances whose times are vector clocks, as OmniMalloc writes them (fpedd/omnimalloc, io.py,
 * 2026): the columns id, lower, upper, size and perhaps alignment, where a time is several numbers
 * with colons between, one for each stream: 3:0:7.  Its columns offset and kind, and a first line
 * "# pool_offset=", are passed over.
 *
 * One time is before another, or as it, when each of its numbers is at most the other's.  Two
 * buffers conflict unless the one's upper is before, or as, the other's lower.  */
#ifndef ARENABENCH_LIB_PROBLEM_CLOCKS_CSV_H
#define ARENABENCH_LIB_PROBLEM_CLOCKS_CSV_H

#include <stdio.h>

#include "lib/base/error.h"

struct instance;

/* The instance in IN, which messages call PATH: its steps are the clocks in lexicographic order,
 * which agrees with them, and pairs are apart that do not overlap there and conflict
 * (lib/problem/conflicts.h).  NULL with a message.  The caller frees it.  */
struct instance *clocks_csv_read(FILE *in, const char *path, struct error *error);

#endif
