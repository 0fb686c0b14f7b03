/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of an experiment of runs.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_RUNS_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_RUNS_H

#include "harness/sweep/experiment_set.h"

/* Names as `arenabench run --kernels` takes them, with threads=N and groups=on where wanted.  */
experiment_add experiment_add_run_kernels;

/* Whether an experiment has the pair of these two: all_pairs, else each planner with the first
 * kernel, and each kernel with the last planner.  */
bool experiment_has_pair(const struct experiment_set *set, size_t solver, size_t kernel);

void experiment_runs_clear(struct experiment_runs *runs);

#endif
