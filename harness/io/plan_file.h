/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in CSV files.  */
#ifndef ARENABENCH_HARNESS_IO_PLAN_FILE_H
#define ARENABENCH_HARNESS_IO_PLAN_FILE_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;
struct plan;

/* Reads a plan of INSTANCE from the file PATH, "-" being standard input.  NULL with a message where
 * it is malformed; it is not judged.  The caller frees it.  */
struct plan *plan_file_read(const char *path, const struct instance *instance, struct error *error);

/* Writes PLAN to the file PATH (harness/io/output.h).  False with a message.  */
bool plan_file_write(const char *path, const struct instance *instance, const struct plan *plan,
                     struct error *error);

#endif
