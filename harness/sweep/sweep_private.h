/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep of kernels adds to one of planners.  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_PRIVATE_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_PRIVATE_H

#include "harness/sweep/sweep.h"

struct planning;

/* Adds the tasks of an experiment of kernels (sweep_layers.c).  */
void planning_layers(struct planning *planning, size_t experiment);

/* Runs the tasks of an experiment of kernels that are not done (sweep_conv.c);
 * as sweep_run.  */
bool sweep_run_layers(struct sweep *sweep, size_t experiment, int *signal, struct error *error);

#endif
