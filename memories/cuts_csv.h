/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of buffers that can't be together in a memory, as CSV: `cut,memory,capacity,id`, a row for
 * each buffer of each set.  They are what the exact method has learned: the certificate of its
 * bound.  */
#ifndef ARENABENCH_MEMORIES_CUTS_CSV_H
#define ARENABENCH_MEMORIES_CUTS_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "memories/exact.h"

/* False on an output error, with errno.  */
bool cuts_csv_write(FILE *out, const struct split_problem *problem, const struct split_cuts *cuts);

/* Reads a whole stream: sets are numbered from 1, each has one memory of the problem's, one
 * capacity and no buffer twice.  PATH is for messages.  CUTS begins as zeros, and is the caller's
 * to clear in each case; nothing is checked (cuts_check).  */
bool cuts_csv_read(FILE *in, const char *path, const struct split_problem *problem,
                   struct split_cuts *cuts, struct error *error);

#endif
