/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks of planners for several memories: their keys, how they are run, what is recorded.  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_FIT_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/run/runner.h"
#include "harness/store/store.h"
#include "harness/store/store_split.h"
#include "harness/sweep/sweep.h"

/* What came out, beside what struct run_result has; NAN: unknown, or there is none.  */
struct fit_result {
    int64_t capacity; /* of the first memory */
    double cost, lower_bound, flow_bound, outside;
};

extern const struct fit_result fit_result_missing;

bool sweep_task_fits(const struct sweep_task *task);

/* The key of TASK on WORKLOAD, MEMORY being the limit's text; the caller frees it.  */
char *sweep_fit_key(const struct sweep_workload *workload, const struct sweep_task *task,
                    const char *memory);

/* Runs TASK on INSTANCE in a process of its own, under its limits.  RUN has no plan.  */
void sweep_fit_run(const struct sweep_task *task, const struct instance *instance,
                   struct run_result *run, struct fit_result *result);

/* Makes ROW one of several memories, for which SPLIT is room; both borrow from TASK.  */
void sweep_fit_row(const struct sweep_task *task, const struct fit_result *result,
                   struct store_split *split, struct store_task *row);

#endif
