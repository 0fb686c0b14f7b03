/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances as CSV: `id,lower,upper,size[,alignment][,offset][,reads,writes][,memories][,gaps]`,
 * the format of the MiniMalloc benchmark (half-open lifetimes, no quoting).  Reads and writes are
 * bytes over the buffer's life, memories names apart by '+'; an empty cell says nothing.  */
#ifndef ARENABENCH_LIB_PROBLEM_INSTANCE_CSV_H
#define ARENABENCH_LIB_PROBLEM_INSTANCE_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

/* Reads a whole stream.  PATH is for messages (file, line, column, what was
 * expected).  NOTICES (ignored columns, an inclusive `end`) go to that stream
 * unless it is NULL.  Returns a sealed instance named after PATH without
 * folders, or NULL.  */
struct instance *instance_csv_read(FILE *in, const char *path, FILE *notices, struct error *error);

/* The same of a file whose column `offset` has where buffers were placed by somebody else (bytes;
 * instance_fix); an empty cell leaves a buffer to the planner.  Without that column it is refused,
 * and instance_csv_read refuses a file with it: most such files are plans.  Where a buffer of size
 * 0 lies means nothing.  */
struct instance *instance_csv_read_fixed(FILE *in, const char *path, FILE *notices,
                                         struct error *error);

/* Writes the header and one row a buffer, empty buffers last; the alignment
 * column only where one is above 1, that of offsets only where one is fixed, the column of gaps
 * only where some buffer is no rectangle.  False on an output error, with errno.  What overwrites
 * what is not written.  */
bool instance_csv_write(FILE *out, const struct instance *instance);

/* The number of buffers that the format can't say exactly: at some step bytes are
 * in use that do not lie together, and what lies between them is written as in
 * use too.  A plan for what is written is a plan for INSTANCE.  */
size_t instance_csv_widened(const struct instance *instance);

#endif
