/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layers and kernels of an experiment.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_LAYERS_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_LAYERS_H

#include "harness/sweep/experiment_set.h"

experiment_add experiment_add_layers;
experiment_add experiment_add_kernels;
experiment_add experiment_add_isa; /* one, or all that the machine has */

/* Of runs: names as `arenabench run --kernels` takes them, with threads=N and groups=on where
 * wanted.  */
experiment_add experiment_add_run_kernels;

/* Whether an experiment of runs has the pair of these two: all_pairs, else each planner with the
 * first kernel, and each kernel with the last planner.  */
bool experiment_has_pair(const struct experiment_set *set, size_t solver, size_t kernel);

void experiment_layers_clear(struct experiment_layers *layers);
void experiment_runs_clear(struct experiment_runs *runs);

#endif
