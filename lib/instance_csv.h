/* Instances as CSV: `id,lower,upper,size[,alignment]`, the format of the
 * MiniMalloc benchmark (half-open lifetimes, no quoting).  */
#ifndef ARENABENCH_LIB_INSTANCE_CSV_H
#define ARENABENCH_LIB_INSTANCE_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/error.h"

struct instance;

/* Reads a whole stream.  PATH is for messages (file, line, column, what was
 * expected).  NOTICES (ignored columns, an inclusive `end`) go to that stream
 * unless it is NULL.  Returns a sealed instance named after PATH without
 * folders, or NULL.  */
struct instance *instance_csv_read(FILE *in, const char *path, FILE *notices, struct error *error);

/* Writes the header and one row a buffer, empty buffers last; the alignment
 * column only where one is above 1.  Only rectangles can be written.  False
 * on an output error.  */
bool instance_csv_write(FILE *out, const struct instance *instance);

#endif
