/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The real inputs: instances and models that others published and that are no
 * part of the project.
 *
 * They are in the folder that $ARENABENCH_DATA names (empty: none), else in data/
 * of the source tree where the program runs in one, which ./fetch_data fills.  */
#ifndef ARENABENCH_LIB_BASE_REAL_INPUTS_H
#define ARENABENCH_LIB_BASE_REAL_INPUTS_H

#include <stdbool.h>

/* The folder, or NULL where there is none.  The caller frees it.  */
char *real_inputs_folder(void);

/* Which folder that is, in words that hold on every machine.  */
const char *real_inputs_origin(void);

/* Whether FILE, named from the folder, is to be done without: there is no
 * folder, or one that lacks it.  False for a folder that is named and not there:
 * that is a mistake, which opening the file will tell.  */
bool real_inputs_missing(const char *file);

/* Why one is missing, and what helps.  */
const char *real_inputs_reason(void);

#endif
