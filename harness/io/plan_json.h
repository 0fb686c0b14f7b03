/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as JSON, for compilers that read no CSV.  */
#ifndef ARENABENCH_HARNESS_IO_PLAN_JSON_H
#define ARENABENCH_HARNESS_IO_PLAN_JSON_H

#include <stdio.h>

struct instance;
struct plan;

/* Writes one array to OUT, with an object for each row that plan_csv_write would write, whose
 * members are that file's columns.  Closing OUT sees what went wrong.  */
void plan_json_write(FILE *out, const struct instance *instance, const struct plan *plan);

#endif
