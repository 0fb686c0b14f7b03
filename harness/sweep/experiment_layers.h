/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layers and kernels of an experiment.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_LAYERS_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_LAYERS_H

#include "harness/sweep/experiment_set.h"

experiment_add experiment_add_layers;
experiment_add experiment_add_kernels;
experiment_add experiment_add_isa; /* one, or all that the machine has */

/* Takes `NAME:threads=N,rank=N,...` apart, of which only numbers are checked; what else stands
 * behind the colon are the parameters.  The caller clears KERNEL, after a failure too.  */
bool experiment_split_kernel(struct experiment_kernel *kernel, const char *spec,
                             struct error *error);
void experiment_clear_kernel(struct experiment_kernel *kernel);

void experiment_layers_clear(struct experiment_layers *layers);

#endif
