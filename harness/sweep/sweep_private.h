/* What the files of the sweep's planning share.  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_PRIVATE_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_PRIVATE_H

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

/* Takes over TASK, unless its key is there already, and adds its place in
 * EXPERIMENT.  */
void planning_task(struct planning *planning, struct sweep_task *task, size_t experiment);

/* The layers and kernels of an experiment (sweep_layers.c).  */
bool planning_layers(struct planning *planning, size_t experiment);

/* Runs the tasks of an experiment of kernels that are not done (sweep_conv.c);
 * as sweep_run.  */
bool sweep_run_layers(struct sweep *sweep, size_t experiment, int *signal, struct error *error);

#endif
