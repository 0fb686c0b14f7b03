/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks that run a network in a planner's arena: their keys, how they are run, what is recorded.
 * Planning and verifying such a task is as of any planner's; then the plan is executed in one more
 * process (harness/timing/execution_process.h).  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_EXECUTION_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_EXECUTION_H

#include "harness/run/runner.h"
#include "harness/store/store.h"
#include "harness/store/store_execution.h"
#include "harness/sweep/sweep.h"
#include "harness/timing/execution_process.h"

/* The kernel number KERNEL of a task of CONTESTANT; the planning frees its texts.  */
struct sweep_kernel sweep_execution_kernel(const struct contestant *contestant,
                                           const struct experiment_runs *runs, size_t kernel);

/* What a task of CONTESTANT on KERNEL is run by: checksums of both and of what runs networks, as
 * they stand at the end of its key.  The caller frees it.  */
char *sweep_execution_build(const struct contestant *contestant,
                            const struct experiment_kernel *kernel);

/* The key of TASK on WORKLOAD, MEMORY being the limit's text; the caller frees it.  */
char *sweep_execution_key(const struct sweep_workload *workload, const struct sweep_task *task,
                          const char *memory);

/* The instance that the task runs, as workload_runnable makes it; NULL with the reason where it can
 * not be run.  */
struct instance *sweep_execution_instance(const struct workload *workload, struct error *error);

/* Whether the kernel of TASK is here; else RESULT is skipped, with the reason.  */
bool sweep_execution_possible(const struct sweep_task *task, struct run_result *result);

/* Runs the plan that PLANNED, the run of the task's planner on INSTANCE, has.  How both went is
 * PLANNED's outcome and reason afterwards.  The caller clears RESULT.  */
void sweep_execute(const struct sweep_task *task, const struct instance *instance,
                   struct run_result *planned, struct execution_result *result);

/* Makes ROW, that of the task's planner, one of an execution, for which EXECUTION is room; both
 * borrow from TASK and RESULT.  */
void sweep_execution_row(const struct sweep_task *task, const struct execution_result *result,
                         struct store_execution *execution, struct store_task *row);

#endif
