/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits as CSV: `id,lower,upper,size,memory,offset`.  */
#ifndef ARENABENCH_MEMORIES_SPLIT_CSV_H
#define ARENABENCH_MEMORIES_SPLIT_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

struct split;
struct split_problem;

/* One row a buffer, but for those of size 0.  False on an output error, with errno.  SPLIT is
 * whole.  */
bool split_csv_write(FILE *out, const struct split_problem *problem, const struct split *split);

/* Reads a whole stream with the columns id, memory and offset among others: each buffer once, each
 * memory one of the problem's.  PATH is for messages (file, line, column, what was expected). SPLIT
 * is the caller's, and has its cost then; nothing is judged (split_verify).  */
bool split_csv_read(FILE *in, const char *path, const struct split_problem *problem,
                    struct split *split, struct error *error);

#endif
