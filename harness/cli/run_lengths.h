/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths that only a run knows, as a run on given inputs finds them.
 *
 * A model is read with the most that each may be (workloads/readers/onnx/lengths.h).  It is run,
 * and where an operator finds another number than there is room for, the model is read again with
 * that number under the value's name.  What hangs on a wrong length is wrong too, so that this is
 * repeated until all are right: as often as such operators stand one after the other.  */
#ifndef ARENABENCH_HARNESS_CLI_RUN_LENGTHS_H
#define ARENABENCH_HARNESS_CLI_RUN_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"
#include "runtime/run.h"

struct instance;
struct text_list;

/* How the network SPEC is read for a run; NULL with a message.  */
typedef struct instance *run_lengths_read(const char *spec, struct error *error);

/* *INSTANCE, which is that of SPEC, becomes the one with the lengths that a run finds on INPUTS
 * (texts NAME=FILE) with OPTIONS, and keeps its name.  Says on standard error which they are.
 * False with a message; *INSTANCE stays the caller's, or is NULL.  */
bool run_lengths_find(struct instance **instance, const char *spec, run_lengths_read *read,
                      const struct text_list *inputs, const struct run_options *options,
                      struct error *error);

#endif
