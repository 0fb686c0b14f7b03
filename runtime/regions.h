/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that share a step of the schedule, side by side on threads.
 *
 * The steps come one after the other, each as a parallel region: a thread that is free takes the
 * longest operator of the step that is left and does it alone, and at the end all wait for each
 * other (time_model.h has the model of that).  Lifetimes under such a schedule hold for whole steps
 * and no operator overwrites what another one of its step uses (lib/lifetimes/inplace.h), so
 * the order within a step is of no account for what comes out.  */
#ifndef ARENABENCH_RUNTIME_REGIONS_H
#define ARENABENCH_RUNTIME_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct network;
struct pool;
struct run_memory;
struct schedule;
struct step;

struct regions;

/* STEP has one for each operator of NETWORK, in any order; what is idle is left out.  TIME: seconds
 * of each operator, or what else is larger for the longer one; NULL: as the time model has it.  All
 * but SCHEDULE and TIME are borrowed until regions_free; kernels among the steps use no pool.  */
struct regions *regions_new(const struct network *network, const struct schedule *schedule,
                            const struct step *step, const double *time,
                            const struct run_memory *memory, struct pool *pool);
void regions_free(struct regions *regions);

/* Of all threads together.  */
int64_t regions_scratch_bytes(const struct regions *regions);

/* Runs all operators once; adds the seconds of each to SECONDS, which has one an operator in the
 * network's order, unless that is NULL.  An operator that fails ends the run after its step; of
 * several in one step the first in the network's order is reported.  */
bool regions_run(struct regions *regions, double *seconds, struct error *error);

#endif
