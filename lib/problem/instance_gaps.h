/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The column `gaps` of MiniMalloc's format: when a buffer is idle or partly used.
 *
 * A cell holds gaps, apart by blanks.  LO-HI: the buffer is not in use during the
 * steps [LO, HI).  LO-HI@FROM:TO: during these steps only its bytes [FROM, TO) are.
 * The buffer is one piece for each stretch of time in which the same bytes are in
 * use.  Gaps may stand in any order, but lie inside the lifetime and do not
 * overlap, and something of the buffer has to be left.  */
#ifndef ARENABENCH_LIB_PROBLEM_INSTANCE_GAPS_H
#define ARENABENCH_LIB_PROBLEM_INSTANCE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/csv.h"
#include "lib/base/error.h"

struct instance;
struct piece;

/* Reads cell CELL of the current row of CSV, whose buffer lives in [LOWER, UPPER)
 * and has SIZE bytes.  INCLUSIVE: the ends of gaps are last steps, as `end` is.
 * The caller frees *PIECE, which has *COUNT entries, none only if SIZE is 0.  */
bool gaps_read(const struct csv *csv, size_t cell, bool inclusive, int64_t lower, int64_t upper,
               int64_t size, struct piece **piece, size_t *count, struct error *error);

/* Writes the gaps of buffer B, nothing if it has none.  Where bytes are in use
 * that do not lie together, what lies between them is written as in use.  OUT may
 * be NULL.  Returns whether that was not needed.  */
bool gaps_write(FILE *out, const struct instance *instance, size_t b);

#endif
