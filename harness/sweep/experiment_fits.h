/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planners and the memories of an experiment on several memories.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_FITS_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_FITS_H

#include "harness/sweep/experiment_set.h"

struct contestant;

/* A planner for several memories (memories/splitter.h), or several by braces.  */
experiment_add experiment_add_splitters;

/* That planner alone, ready for contestant_identify; the caller clears it.  */
bool experiment_find_splitter(struct contestant *contestant, const char *name, struct error *error);

/* "MEMORY; MEMORY", each as `arenabench fit --memory` takes it, the fastest first; several such by
 * braces.  */
experiment_add experiment_add_memories;

void experiment_fits_clear(struct experiment_fits *fits);

#endif
