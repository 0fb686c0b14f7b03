/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that run a sweep's tasks.
 *
 * A worker is forked from the sweep, so it knows the tasks; it is told an index
 * and answers with the whole result, and before that, as soon as they are known, with the bounds of
 * the workload: what happens to the worker later takes them with it no more.  Of several workers
 * each has processors of its own, as long as there are enough.  It keeps the instance it made last,
 * for the next task of the same workload.  It touches neither the store nor the terminal, and it
 * dies with the sweep.  */
#ifndef ARENABENCH_HARNESS_SWEEP_WORKER_H
#define ARENABENCH_HARNESS_SWEEP_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/io/process.h"
#include "harness/run/runner.h"
#include "harness/sweep/sweep_fit.h"
#include "harness/timing/execution_process.h"
#include "lib/base/error.h"
#include "lib/judge/bounds.h"

struct sweep;

struct worker {
    struct process process;
    bool busy;
    size_t task;            /* the last one it was told */
    double end;             /* the moment when that one's time limit is over; INFINITY: never */
    bool frozen;            /* it was stopped then, and so killed */
    size_t number, workers; /* which of how many it is, from 0; set before worker_start */
};

/* The bounds of a task's workload.  */
struct worker_bounds {
    bool known; /* they could be computed */
    struct bounds bounds;
    struct error error; /* why they could not */
};

/* The answer to one task.  */
struct worker_result {
    struct run_result run;             /* the plan knows offsets, layout, objects and peak only */
    struct execution_result execution; /* of a task that runs a network */
    struct fit_result fit;             /* of a planner for several memories */
    double harness_s; /* of the task, beside the solver, the verifier and the replay */
};

bool worker_start(struct worker *worker, struct sweep *sweep, struct error *error);

/* Tells a worker that is not busy a task of SWEEP's.  A worker that has died is noticed
 * by worker_receive.  */
void worker_send(struct worker *worker, const struct sweep *sweep, size_t task, bool want_bounds);

/* Kills a worker that a signal has stopped and that stands still when the time of its task is over:
 * it can keep no limit itself.  */
void worker_look(struct worker *worker);

enum worker_news {
    WORKER_BOUNDS, /* BOUNDS has those that were asked for; the result follows */
    WORKER_RESULT, /* RESULT has it: the caller clears it with worker_result_clear */
    WORKER_DEAD,   /* ERROR says how it ended */
};

/* Reads what comes next, waiting for it.  */
enum worker_news worker_receive(struct worker *worker, struct worker_bounds *bounds,
                                struct worker_result *result, struct error *error);

void worker_result_clear(struct worker_result *result);

/* Kills the worker and what it runs.  */
void worker_stop(struct worker *worker);

#endif
