/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs of a run from files, and its outputs in files.  */
#ifndef ARENABENCH_HARNESS_CLI_RUN_FILES_H
#define ARENABENCH_HARNESS_CLI_RUN_FILES_H

#include <stdbool.h>

#include "lib/base/error.h"

struct elements;
struct network;
struct text_list;

/* The inputs of NETWORK that GIVEN, texts NAME=FILE, has: one a value, NULL for those that are
 * drawn.  A file is NumPy's (npy) of the input's type and shape, or its bytes alone.  The caller
 * frees it with run_files_free.  NULL with a message.  */
struct elements **run_files_read(const struct text_list *given, const struct network *network,
                                 struct error *error);
void run_files_free(struct elements **given, const struct network *network);

/* Writes each output of NETWORK to DIR/NAME.npy, what has no place in a file's name as %XX.  DIR is
 * there.  */
bool run_files_write(const char *dir, const struct network *network, struct elements *const *output,
                     struct error *error);

#endif
