/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/sweep_execution.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/isa.h"
#include "kernels/kernel.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/run.h"

/* --- planning --- */

struct sweep_kernel sweep_execution_kernel(const struct contestant *contestant,
                                           const struct experiment_runs *runs, size_t kernel)
{
    const struct experiment_kernel *k = &runs->kernel[kernel];

    return (struct sweep_kernel){
        .kernel = k,
        .isa = runs->isa,
        .params = memory_strdup(""),
        .label = memory_printf("%s, %s, %d thread%s%s", contestant->label, k->name, k->threads,
                               k->threads == 1 ? "" : "s", k->groups ? " for groups" : ""),
    };
}

char *sweep_execution_build(const struct contestant *contestant,
                            const struct experiment_kernel *kernel)
{
    return memory_printf("%s-%s-%s", contestant->build,
                         kernel->entry == NULL ? "none" : kernel->entry->checksum,
                         runner_registry[0].checksum);
}

char *sweep_execution_key(const struct sweep_workload *workload, const struct sweep_task *task,
                          const char *memory)
{
    const struct experiment_kernel *kernel = task->kernel.kernel;

    char *build = sweep_execution_build(task->contestant, kernel);
    char *key = memory_printf(
        "run %s %016" PRIx64 " %s kernels=%s isa=%s threads=%d%s rounds=%" PRId64 " seed=%" PRIu32
        " time=%.17g memory=%s work=%" PRId64 " repetition=%" PRId64 " build=%s",
        workload->label, workload->checksum, task->contestant->spec, kernel->name,
        isa_name(task->kernel.isa), kernel->threads, kernel->groups ? " groups" : "", task->rounds,
        task->seed, task->limits.time_s, memory, task->limits.work, task->repetition, build);

    free(build);
    return key;
}

/* --- running --- */

struct instance *sweep_execution_instance(const struct workload *workload, struct error *error)
{
    struct instance *instance = workload_runnable(workload, error);

    if (instance == NULL)
        return NULL;
    if (run_check(instance->origin->network, error))
        return instance;
    instance_free(instance);
    return NULL;
}

bool sweep_execution_possible(const struct sweep_task *task, struct run_result *result)
{
    const struct experiment_kernel *kernel = task->kernel.kernel;
    const struct conv_peer *peer = conv_peer_find(kernel->name);

    if (kernel->entry != NULL || peer == NULL)
        return true;
    result->outcome = OUTCOME_SKIPPED;
    snprintf(result->reason, sizeof result->reason, "not built in: %.200s", peer->absent);
    return false;
}

void sweep_execute(const struct sweep_task *task, const struct instance *instance,
                   struct run_result *planned, struct execution_result *result)
{
    const struct experiment_kernel *kernel = task->kernel.kernel;
    const struct execution_request request = {
        .instance = instance,
        .plan = planned->plan,
        .options = {.kernel = kernel->entry == NULL ? NULL : kernel->entry->kernel,
                    .isa = task->kernel.isa,
                    .threads = kernel->threads,
                    .groups = kernel->groups},
        .rounds = task->rounds,
    };

    *result = (struct execution_result){.outcome = planned->outcome};
    if (planned->plan == NULL || planned->outcome == OUTCOME_INVALID)
        return;
    execution_in_process(&request, &task->limits, result);
    planned->outcome = result->outcome;
    snprintf(planned->reason, sizeof planned->reason, "%s", result->reason);
}

/* --- recording --- */

/* What only a run that was timed has.  */
static void fill_timed(struct store_execution *row, const struct execution_result *result)
{
    const struct run_facts *facts = &result->facts;
    struct interval interval;

    if (statistics_median_interval(result->round, result->rounds, &interval)) {
        row->low_s = interval.low;
        row->high_s = interval.high;
    }
    row->serial_s = result->serial_s;
    row->modelled_speed_up = result->modelled_speed_up;
    row->arena_bytes = result->arena_bytes;
    row->own_bytes = result->own_bytes;
    row->stored_bytes = result->stored_bytes;
    row->packed_bytes = facts->weight_bytes;
    row->scratch_bytes = facts->scratch_bytes;
    row->workspace_bytes = facts->workspace_bytes;
    row->resident_bytes = result->resident_bytes > 0 ? result->resident_bytes : STORE_NULL;
    row->copied_bytes = facts->copied_bytes;
    row->operators = (int64_t)facts->operators;
    row->idle = (int64_t)facts->idle;
    row->on_kernel = (int64_t)facts->convolutions;
    row->other_convolutions = (int64_t)facts->others;
    row->same_as_plain = result->same_as_plain;
}

void sweep_execution_row(const struct sweep_task *task, const struct execution_result *result,
                         struct store_execution *execution, struct store_task *row)
{
    const struct experiment_kernel *kernel = task->kernel.kernel;

    *execution = store_execution_missing;
    execution->kernels = kernel->name;
    execution->isa = isa_name(task->kernel.isa);
    execution->threads = kernel->threads;
    execution->groups = kernel->groups;
    execution->rounds = (int64_t)result->rounds;
    execution->round_s = (struct store_doubles){result->round, result->rounds};
    if (result->rounds > 0)
        fill_timed(execution, result);
    row->kind = "run";
    row->n_events = 0;
    row->execution = execution;
    row->time_s = result->rounds > 0 ? statistics_median(result->round, result->rounds) : NAN;
}
