/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as CSV: `id,lower,upper,size,offset`.  */
#ifndef ARENABENCH_LIB_PROBLEM_PLAN_CSV_H
#define ARENABENCH_LIB_PROBLEM_PLAN_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;
struct plan;

/* Reads a plan of INSTANCE: every buffer once, in any order; `id` and `offset`
 * are required, and lifetimes and sizes have to agree where they are given.
 * Empty buffers may stand in it or not.  NULL when it is malformed or not of
 * this instance.  Offsets are not judged here (negative ones come through):
 * that is verify_plan's job.  The peak is computed.  */
struct plan *plan_csv_read(FILE *in, const char *path, const struct instance *instance,
                           struct error *error);

/* Rows in the instance's order, empty buffers last at offset 0.  False on an output
 * error, with errno.  */
bool plan_csv_write(FILE *out, const struct instance *instance, const struct plan *plan);

#endif
