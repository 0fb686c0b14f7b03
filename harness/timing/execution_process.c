/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/execution_process.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/io/placement.h"
#include "harness/io/process.h"
#include "harness/run/child.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/time_model.h"
#include "lib/problem/instance.h"

/* What the process leaves behind, in memory that both share.  */
struct remains {
    bool ended; /* OUTCOME and REASON hold */
    struct execution_result result;
    double round[];
};

struct job {
    const struct execution_request *request;
    struct remains *remains;
    size_t room; /* for rounds */
};

/* --- the process --- */

static void leave(struct job *job, const struct execution *execution)
{
    struct execution_result *result = &job->remains->result;
    struct error error = {""};

    result->outcome = execution_right(execution, &error) ? OUTCOME_MEASURED : OUTCOME_INVALID;
    snprintf(result->reason, sizeof result->reason, "%.250s", error.text);
    result->arena_bytes = execution->arena_bytes;
    result->own_bytes = execution->own_bytes;
    result->stored_bytes = execution->stored_bytes;
    result->resident_bytes = execution->resident_bytes;
    result->facts = execution->facts;
    result->same_as_plain = execution->differs == NULL;
    result->rounds = execution->rounds < job->room ? execution->rounds : job->room;
    memcpy(job->remains->round, execution->round, result->rounds * sizeof *execution->round);
}

/* The median of each operator's seconds; the caller frees them.  */
static double *operator_medians(const struct execution *execution)
{
    double *median = memory_alloc(execution->operators, sizeof *median);

    for (size_t o = 0; o < execution->operators; o++) {
        double *seconds = execution_operator(execution, o);

        median[o] = statistics_median(seconds, execution->rounds);
        free(seconds);
    }
    return median;
}

/* What the groups are held against.  */
static bool run_serially(struct job *job, struct error *error)
{
    const struct origin *origin = job->request->instance->origin;
    struct execution_request request = *job->request;
    struct time_model model = time_model_default;
    struct execution execution;
    double *median;

    model.threads = request.options.threads;
    request.options.threads = 1;
    request.options.groups = false;
    if (!execution_make(&execution, &request, error))
        return error_prefix(error, "one operator after the other");
    median = operator_medians(&execution);
    job->remains->result.serial_s = statistics_median(execution.round, execution.rounds);
    job->remains->result.modelled_speed_up =
        time_model_run(&model, origin->network, origin->schedule, median).speed_up;
    free(median);
    execution_clear(&execution);
    return true;
}

static void work(void *context)
{
    struct job *job = context;
    const struct run_options *options = &job->request->options;
    struct execution execution;
    struct error error = {""};

    if (options->threads == 1)
        (void)process_pin(process_last_processor());
    else
        (void)placement_bind((size_t)options->threads);
    job->remains->result.serial_s = job->remains->result.modelled_speed_up = NAN;
    if ((!options->groups || run_serially(job, &error)) &&
        execution_make(&execution, job->request, &error)) {
        leave(job, &execution);
        execution_clear(&execution);
    } else {
        job->remains->result.outcome = OUTCOME_CRASHED;
        snprintf(job->remains->result.reason, sizeof job->remains->result.reason, "%.250s",
                 error.text);
    }
    job->remains->ended = true;
}

/* --- who waits for it --- */

static void collect(const struct job *job, const struct child_end *end,
                    struct execution_result *result)
{
    const struct remains *remains = job->remains;

    if (!remains->ended) {
        result->outcome = child_outcome(end, result->reason, sizeof result->reason);
        return;
    }
    *result = remains->result;
    if (result->rounds > 0)
        result->round = memory_copy(remains->round, result->rounds, sizeof *result->round);
}

void execution_in_process(const struct execution_request *request, const struct run_limits *limits,
                          struct execution_result *result)
{
    struct job job = {.request = request, .room = EXECUTION_MOST_ROUNDS};
    const struct child_task task = {.work = work, .context = &job, .limits = limits};
    struct child_end end;
    struct error error = {""};
    size_t bytes;

    if (request->rounds > (int64_t)job.room)
        job.room = (size_t)request->rounds;
    bytes = sizeof *job.remains + job.room * sizeof *job.remains->round;
    job.remains = process_share(bytes);
    *result = (struct execution_result){.outcome = OUTCOME_CRASHED};
    if (job.remains == NULL) {
        snprintf(result->reason, sizeof result->reason, "no memory to share with a process: %s",
                 strerror(errno));
        return;
    }
    if (child_run(&task, &end, &error))
        collect(&job, &end, result);
    else
        snprintf(result->reason, sizeof result->reason, "%.250s", error.text);
    munmap(job.remains, bytes);
}

void execution_result_clear(struct execution_result *result)
{
    free(result->round);
    *result = (struct execution_result){.outcome = OUTCOME_CRASHED};
}
