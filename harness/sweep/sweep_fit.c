/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/sweep_fit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/io/process.h"
#include "harness/run/child.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/split.h"
#include "memories/splitter.h"

/* A planner ends at its limit by itself; one that has not after that many times the limit, and a
 * second, is killed.  */
#define GRACE 1.5

/* What the process leaves behind, in memory that both share.  */
struct remains {
    bool ended; /* the rest holds */
    enum outcome outcome;
    bool timed;
    double time_s;
    char reason[256];
    struct fit_result result;
};

struct job {
    const struct sweep_task *task;
    const struct instance *instance;
    struct remains *remains;
};

const struct fit_result fit_result_missing = {STORE_NULL, NAN, NAN, NAN, NAN};

bool sweep_task_fits(const struct sweep_task *task)
{
    return task->memories != NULL;
}

char *sweep_fit_key(const struct sweep_workload *workload, const struct sweep_task *task,
                    const char *memory)
{
    return memory_printf("fit %s %016" PRIx64 " %s memories=%s time=%.17g memory=%s work=%" PRId64
                         " repetition=%" PRId64 " build=%s",
                         workload->label, workload->checksum, task->contestant->spec,
                         task->memories->text, task->limits.time_s, memory, task->limits.work,
                         task->repetition, task->contestant->build);
}

/* --- the process --- */

static enum outcome outcome_of(const struct splitter *splitter, const struct split_result *result,
                               bool good, bool invalid, bool late)
{
    if (invalid)
        return OUTCOME_INVALID;
    if (!good)
        return late ? OUTCOME_TIMEOUT : OUTCOME_SKIPPED;
    if (splitter->kind == SPLITTER_MOVES)
        return result->moves_cost <= result->moves_bound ? OUTCOME_OPTIMAL : OUTCOME_TIMEOUT;
    if (result->outcome == SPLIT_OPTIMAL)
        return OUTCOME_OPTIMAL;
    return splitter->kind == SPLITTER_EXACT ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

static double in_units(int64_t cost)
{
    return (double)cost / MEMORY_COST_UNIT;
}

static void leave(struct job *job, const struct split_problem *problem, const struct split *split,
                  const struct split_result *result, bool good)
{
    const bool moves = splitter_find(job->task->contestant->spec)->kind == SPLITTER_MOVES;
    struct fit_result *left = &job->remains->result;

    if (problem->memory[0].capacity != INT64_MAX)
        left->capacity = problem->memory[0].capacity;
    if (good) {
        left->cost = in_units(split->cost);
        left->outside = split_outside(problem, split);
    }
    if (result->bound > 0 && result->bound != SPLIT_NEVER)
        left->lower_bound = in_units(result->bound);
    if (good && moves) {
        left->cost = in_units(result->moves_cost);
        left->lower_bound = in_units(result->moves_bound);
        left->outside = NAN; /* copies are outside, too */
    }
    if (result->flow_proven)
        left->flow_bound = in_units(result->flow_bound);
}

static void run_splitter(struct job *job, const struct split_problem *problem)
{
    const struct run_limits *limits = &job->task->limits;
    const struct splitter *splitter = splitter_find(job->task->contestant->spec);
    const double start = timer_now();
    const struct split_limits own = {limits->work > 0 ? limits->work : SPLIT_USUAL_WORK,
                                     limits->time_s > 0.0 ? start + limits->time_s : INFINITY};
    struct remains *remains = job->remains;
    struct split_result result;
    struct split split;
    struct error reason = {""};
    bool good, invalid, late;

    split_init(&split, problem);
    good = splitter_run(splitter, problem, &own, &split, &result, &invalid, &reason);
    remains->time_s = timer_now() - start;
    late = timer_now() > own.deadline;
    remains->outcome = outcome_of(splitter, &result, good, invalid, late);
    remains->timed = remains->outcome == OUTCOME_TIMEOUT;
    snprintf(remains->reason, sizeof remains->reason, "%.250s", good ? "" : reason.text);
    leave(job, problem, &split, &result, good);
    split_clear(&split);
}

static void work(void *context)
{
    struct job *job = context;
    struct memories memories = job->task->memories->memories; /* capacities of its own */
    struct remains *remains = job->remains;
    struct split_problem problem;
    struct error error = {""};

    memories.memory = memory_copy(memories.memory, memories.count, sizeof *memories.memory);
    remains->result = fit_result_missing;
    if (memories_size(&memories, job->instance->load, &error) &&
        split_problem_init(&problem, job->instance, &memories, &error)) {
        run_splitter(job, &problem);
        split_problem_clear(&problem);
    } else {
        remains->outcome = OUTCOME_SKIPPED;
        snprintf(remains->reason, sizeof remains->reason, "%.250s", error.text);
    }
    memory_free(memories.memory);
    remains->ended = true;
}

/* --- who waits for it --- */

static void collect(const struct remains *remains, const struct child_end *end,
                    struct run_result *run, struct fit_result *result)
{
    run->cpu_s = end->cpu_s;
    run->rss_bytes = end->rss_bytes;
    if (!remains->ended) {
        run->outcome = child_outcome(end, run->reason, sizeof run->reason);
        run->timed = run->outcome == OUTCOME_TIMEOUT;
        return;
    }
    run->outcome = remains->outcome;
    run->timed = remains->timed;
    run->time_s = remains->time_s;
    snprintf(run->reason, sizeof run->reason, "%s", remains->reason);
    *result = remains->result;
}

void sweep_fit_run(const struct sweep_task *task, const struct instance *instance,
                   struct run_result *run, struct fit_result *result)
{
    struct run_limits limits = task->limits;
    struct job job = {task, instance, process_share(sizeof *job.remains)};
    const struct child_task child = {.work = work, .context = &job, .limits = &limits};
    struct child_end end;
    struct error error = {""};

    limits.time_s = limits.time_s > 0.0 ? GRACE * limits.time_s + 1.0 : 0.0;
    *result = fit_result_missing;
    run->outcome = OUTCOME_CRASHED;
    if (job.remains == NULL) {
        snprintf(run->reason, sizeof run->reason, "no memory to share with a process: %s",
                 strerror(errno));
        return;
    }
    if (child_run(&child, &end, &error))
        collect(job.remains, &end, run, result);
    else
        snprintf(run->reason, sizeof run->reason, "%.250s", error.text);
    munmap(job.remains, sizeof *job.remains);
}

/* --- recording --- */

void sweep_fit_row(const struct sweep_task *task, const struct fit_result *result,
                   struct store_split *split, struct store_task *row)
{
    *split = (struct store_split){
        .memories = task->memories->text,
        .capacity = result->capacity,
        .cost = result->cost,
        .lower_bound = result->lower_bound,
        .flow_bound = result->flow_bound,
        .outside = result->outside,
    };
    row->kind = "fit";
    row->split = split;
}
