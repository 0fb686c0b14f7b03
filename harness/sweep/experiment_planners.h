/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads and solvers of an experiment.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_PLANNERS_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_PLANNERS_H

#include "harness/sweep/experiment_set.h"

experiment_add experiment_add_workloads;
experiment_add experiment_add_solvers;

/* Forgets which labels SET has, before its workloads are.  */
void experiment_clear_labels(struct experiment_set *set);

#endif
