/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of a sweep while they are collected: workloads and tasks once each, however
 * many experiments name them.  */
#ifndef ARENABENCH_HARNESS_SWEEP_PLANNING_H
#define ARENABENCH_HARNESS_SWEEP_PLANNING_H

#include "harness/sweep/sweep.h"

struct planning {
    struct sweep *sweep;
    struct error *error;
    void *workloads, *tasks; /* search trees of names that were seen */
    size_t workload_capacity, task_capacity, place_capacity;
};

/* The index of the workload LABEL; a new row, empty but for its label, where there is
 * none (*NEW).  LABEL lives as long as the planning.  */
size_t planning_workload(struct planning *planning, const char *label, bool *new);

/* The same for an instance, which is made once, for its checksum and figures.  WORKLOAD lives as
 * long as the sweep.  False with a message where it can't be made.  */
bool planning_add_workload(struct planning *planning, const struct workload *workload,
                           size_t *index);

/* Takes over TASK, unless its key is there already, and adds its place in
 * EXPERIMENT.  */
void planning_task(struct planning *planning, struct sweep_task *task, size_t experiment);

/* Adds the tasks of an experiment of kernels (sweep_layers.c).  */
void planning_layers(struct planning *planning, size_t experiment);

void planning_clear_task(struct sweep_task *task);

#endif
