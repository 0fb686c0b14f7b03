/* The layers and kernels of an experiment.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_LAYERS_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_LAYERS_H

#include "harness/sweep/experiment_set.h"

experiment_add experiment_add_layers;
experiment_add experiment_add_kernels;
experiment_add experiment_add_isa; /* one, or all that the machine has */

void experiment_layers_clear(struct experiment_layers *layers);

#endif
