/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running the tasks of an experiment: hands them to workers, records what
 * comes back.  */
#include <config.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/interrupt.h"
#include "harness/io/progress.h"
#include "harness/store/store.h"
#include "harness/sweep/conv_record.h"
#include "harness/sweep/sweep_execution.h"
#include "harness/sweep/worker.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"

/* How often a worker may die at a task: then that is its result.  A worker that something else has
 * killed says nothing about the task.  */
enum { DEATHS = 3 };

/* The tasks of one workload that wait; they stand together in run.queue.  */
struct batch {
    size_t next, end;
};

struct run {
    struct sweep *sweep;
    struct error *error;
    struct progress progress;
    size_t n_workers;
    struct worker *worker;
    size_t *batch_of; /* of each worker; SIZE_MAX: none yet */
    size_t *queue;    /* tasks */
    size_t n_batches;
    struct batch *batch;
    size_t fresh; /* batches before this one have been begun */
    int *deaths;  /* of workers, a task of the sweep */
    size_t n_again, again_capacity;
    size_t *again; /* tasks whose worker has died */
    struct interrupt interrupt;
    struct sweep_clock clock;
};

/* --- what waits --- */

static void fill_queue(struct run *run, size_t experiment)
{
    const struct sweep *sweep = run->sweep;
    size_t first = sweep->first_place[experiment], end = sweep->first_place[experiment + 1];
    size_t count = 0, workload = SIZE_MAX;

    run->queue = memory_alloc(end - first, sizeof *run->queue);
    run->batch = memory_zalloc(end - first, sizeof *run->batch);
    for (size_t p = first; p < end; p++) {
        size_t t = sweep->place[p].task;

        if (!sweep_task_waits(&sweep->task[t]))
            continue;
        if (sweep->task[t].workload != workload) {
            workload = sweep->task[t].workload;
            run->batch[run->n_batches++].next = count;
        }
        run->queue[count++] = t;
        run->batch[run->n_batches - 1].end = count;
    }
}

static bool has_more(const struct batch *batch)
{
    return batch->next < batch->end;
}

/* The batch that a worker goes on with: its own; else one that nobody has
 * begun; else the one with the most left.  SIZE_MAX: nothing waits.  */
static size_t choose_batch(struct run *run, size_t worker)
{
    size_t mine = run->batch_of[worker], best = SIZE_MAX;

    if (mine != SIZE_MAX && has_more(&run->batch[mine]))
        return mine;
    if (run->fresh < run->n_batches)
        return run->fresh++;
    for (size_t b = 0; b < run->n_batches; b++)
        if (has_more(&run->batch[b]) &&
            (best == SIZE_MAX ||
             run->batch[b].end - run->batch[b].next > run->batch[best].end - run->batch[best].next))
            best = b;
    return best;
}

/* The next task for worker W; SIZE_MAX: nothing waits.  */
static size_t next_task(struct run *run, size_t w)
{
    size_t b;

    if (run->n_again > 0)
        return run->again[--run->n_again];
    b = choose_batch(run, w);
    run->batch_of[w] = b;
    return b == SIZE_MAX ? SIZE_MAX : run->queue[run->batch[b].next++];
}

static void give_work(struct run *run, size_t w)
{
    struct sweep *sweep = run->sweep;
    size_t t = next_task(run, w);
    const struct sweep_task *task;

    if (t == SIZE_MAX)
        return;
    task = &sweep->task[t];
    progress_task(&run->progress, sweep->workload[task->workload].label, sweep_task_label(task));
    worker_send(&run->worker[w], sweep, t, sweep->workload[task->workload].row == 0);
}

/* --- recording --- */

static const char *kind_name(enum workload_kind kind)
{
    switch (kind) {
    case WORKLOAD_NETWORK:
        return "network";
    case WORKLOAD_GENERATOR:
        return "generator";
    case WORKLOAD_FILE:
        return "file";
    }
    return "";
}

static int64_t bound_or_null(int64_t bound)
{
    return bound < 0 ? STORE_NULL : bound;
}

/* Writes the workload's row, with the bounds that came with its first task.  */
static bool record_workload(struct run *run, struct sweep_workload *workload,
                            const struct worker_bounds *known)
{
    const struct bounds *bounds = &known->bounds;
    const char *slash = strrchr(workload->workload->name, '/');
    char *params = params_canonical(&workload->workload->params);
    struct store_workload row = {
        .label = workload->label,
        .checksum = workload->checksum,
        .kind = kind_name(workload->workload->kind),
        .name = slash == NULL ? workload->workload->name : slash + 1,
        .params = params,
        .n = workload->n,
        .pairs = workload->pairs,
        .load = workload->load,
        .width = workload->width,
        .max_size = workload->max_size,
        .total = workload->total,
        .w = STORE_NULL,
        .width_bound = STORE_NULL,
        .w1_bound = STORE_NULL,
        .w2_bound = STORE_NULL,
        .reason = known->error.text,
    };
    bool done;

    if (known->known) {
        row.w = bounds->has_w ? bounds->w : STORE_NULL;
        row.width_bound = bound_or_null(bounds->width_bound);
        row.w1_bound = bound_or_null(bounds->w1_bound);
        row.w2_bound = bound_or_null(bounds->w2_bound);
        row.applicable = bounds->applicable;
        row.w1_applicable = bounds->w1_applicable;
        row.reason = bounds->reason;
    }
    done = store_put_workload(run->sweep->store, &row, &workload->row, run->error);
    free(params);
    return done && store_put_facts(run->sweep->store, workload->row, workload->fact,
                                   workload->facts, run->error);
}

/* The improvements, and the bound of the joined instance as one more.  */
static struct store_event *collect_events(const struct run_result *result, size_t *count)
{
    struct store_event *event = memory_alloc(result->n_events + 1, sizeof *event);

    for (size_t i = 0; i < result->n_events; i++)
        event[i] = (struct store_event){
            .name = result->event[i].kind == RUN_BOUND ? "bound" : "incumbent",
            .at_s = result->event[i].time_s,
            .value = (double)result->event[i].value,
        };
    *count = result->n_events;
    if (result->joined)
        event[(*count)++] =
            (struct store_event){"joined_bound", result->time_s, (double)result->joined_bound};
    return event;
}

/* What the search counted, where it did; returns how many rows of KEPT are filled.  */
static size_t collect_statistics(const struct run_result *result,
                                 struct store_statistic kept[STATISTICS])
{
    size_t count = 0;

    for (size_t i = 0; i < STATISTICS; i++)
        if (result->statistics.count[i] != 0)
            kept[count++] = (struct store_statistic){search_statistic_table[i].name,
                                                     result->statistics.count[i]};
    return count;
}

static bool record_task(struct run *run, struct sweep_task *task,
                        const struct worker_result *result)
{
    const struct run_result *r = &result->run;
    const char *colon = strchr(task->contestant->spec, ':');
    size_t n_events;
    struct store_statistic statistic[STATISTICS];
    const bool executes = sweep_task_executes(task);
    struct store_execution execution;
    struct store_split split;
    struct store_event *event = collect_events(r, &n_events);
    struct store_task row = {
        .kind = "plan",
        .contestant = task->contestant->name,
        .params = colon == NULL ? "" : colon + 1,
        .contestant_checksum = task->contestant->build,
        .memory_limit = task->limits.memory_bytes,
        .work_limit = task->limits.work,
        .outcome = outcome_name(r->outcome),
        .reason = r->reason,
        .timed = r->timed,
        .time_s = r->time_s,
        .cpu_s = r->cpu_s,
        .verify_s = r->verify_s,
        .replay_s = r->replay_s,
        .harness_s = result->harness_s,
        .rss_bytes = r->rss_bytes,
        .layout = r->plan == NULL ? NULL : layout_name(r->plan->layout),
        .replay = replay_name(r->replay),
        .peak = r->plan == NULL ? STORE_NULL : r->plan->peak,
        .lower_bound = r->lower_bound,
        .nodes = r->nodes,
        .objects = r->plan == NULL ? STORE_NULL : (int64_t)r->plan->objects,
        .offset = r->plan == NULL ? NULL : r->plan->offset,
        .n = r->plan == NULL ? 0 : r->plan->n,
        .event = event,
        .n_events = n_events,
        .statistic = statistic,
        .n_statistics = collect_statistics(r, statistic),
    };
    bool done;

    if (executes)
        sweep_execution_row(task, &result->execution, &execution, &row);
    else if (sweep_task_fits(task))
        sweep_fit_row(task, &result->fit, &split, &row);
    done = sweep_record(run->sweep, task, &row, &run->clock, run->error);
    free(event);
    return done;
}

/* The worker has died at TASK: somebody tries it again, unless it has been tried often enough.
 * What nothing is known of but that is not recorded, and so is run again by the next sweep.  */
static bool take_death(struct run *run, size_t t, const struct error *died)
{
    struct sweep_task *task = &run->sweep->task[t];
    struct worker_result result = {.run = {.outcome = OUTCOME_CRASHED}, .fit = fit_result_missing};

    if (++run->deaths[t] < DEATHS) {
        run->again =
            memory_grow(run->again, &run->again_capacity, run->n_again + 1, sizeof *run->again);
        run->again[run->n_again++] = t;
        return true;
    }
    progress_ended(&run->progress, true);
    if (run->sweep->workload[task->workload].row == 0) {
        run->sweep->lost++;
        run->sweep->loss = *died;
        return true;
    }
    snprintf(result.run.reason, sizeof result.run.reason, "%.200s, %d times", died->text, DEATHS);
    return record_task(run, task, &result);
}

static bool take_result(struct run *run, struct sweep_task *task, struct worker_result *result)
{
    bool done = record_task(run, task, result);

    progress_ended(&run->progress, result->run.outcome == OUTCOME_CRASHED ||
                                       result->run.outcome == OUTCOME_MEMOUT ||
                                       result->run.outcome == OUTCOME_INVALID);
    worker_result_clear(result);
    return done;
}

/* Takes what worker W says, or its death.  */
static bool take_answer(struct run *run, size_t w)
{
    struct worker *worker = &run->worker[w];
    const size_t t = worker->task;
    struct sweep_task *task = &run->sweep->task[t];
    struct sweep_workload *workload = &run->sweep->workload[task->workload];
    struct worker_bounds bounds;
    struct worker_result result;
    struct error died = {""};

    switch (worker_receive(worker, &bounds, &result, &died)) {
    case WORKER_BOUNDS: /* several may have asked */
        return workload->row != 0 || record_workload(run, workload, &bounds);
    case WORKER_RESULT:
        return take_result(run, task, &result);
    case WORKER_DEAD:
        return worker_start(worker, run->sweep, run->error) && take_death(run, t, &died);
    }
    return false;
}

/* --- the loop --- */

/* Waits for answers and signals and takes what is there.  *BUSY receives the
 * number of workers that were at work.  */
static bool wait_and_take(struct run *run, int timeout_ms, size_t *busy)
{
    struct pollfd *ready = memory_zalloc(run->n_workers + 1, sizeof *ready);
    bool done = true;

    *busy = 0;
    for (size_t w = 0; w < run->n_workers; w++) {
        ready[w].fd = run->worker[w].busy ? run->worker[w].process.fd : -1;
        ready[w].events = POLLIN;
        *busy += run->worker[w].busy;
    }
    ready[run->n_workers] = (struct pollfd){.fd = run->interrupt.fd, .events = POLLIN};
    if (*busy > 0 && poll(ready, run->n_workers + 1, timeout_ms) > 0) {
        for (size_t w = 0; done && w < run->n_workers; w++)
            if (ready[w].revents != 0)
                done = take_answer(run, w);
        if (ready[run->n_workers].revents != 0)
            interrupt_take(&run->interrupt);
    }
    free(ready);
    return done;
}

static bool run_all(struct run *run)
{
    size_t busy;

    do {
        for (size_t w = 0; w < run->n_workers; w++)
            if (run->worker[w].busy)
                worker_look(&run->worker[w]);
            else
                give_work(run, w);
        if (!wait_and_take(run, 200, &busy) ||
            !sweep_settle(run->sweep, &run->clock, false, run->error))
            return false;
        progress_tick(&run->progress);
    } while (busy > 0 && run->interrupt.signal == 0);
    /* What has come in since the signal is kept.  */
    return run->interrupt.signal == 0 || wait_and_take(run, 0, &busy);
}

static bool start_workers(struct run *run, size_t jobs)
{
    run->worker = memory_alloc(jobs, sizeof *run->worker);
    run->batch_of = memory_alloc(jobs, sizeof *run->batch_of);
    while (run->n_workers < jobs) {
        run->batch_of[run->n_workers] = SIZE_MAX;
        run->worker[run->n_workers] = (struct worker){.number = run->n_workers, .workers = jobs};
        if (!worker_start(&run->worker[run->n_workers], run->sweep, run->error))
            return false;
        run->n_workers++;
    }
    return true;
}

bool sweep_run(struct sweep *sweep, size_t experiment, int *signal, struct error *error)
{
    const struct experiment *e = sweep->experiment[experiment];
    const size_t total = sweep_tasks_here(sweep, experiment);
    const size_t waiting = total - sweep_done_here(sweep, experiment);
    size_t jobs = e->timing ? 1 : (size_t)sweep->options.jobs;
    struct run run = {
        .sweep = sweep, .error = error, .clock = sweep_clock_start(sweep, experiment)};
    bool done;

    *signal = 0;
    if (e->kind == EXPERIMENT_CONV)
        return sweep_run_layers(sweep, experiment, signal, error);
    fill_queue(&run, experiment);
    if (jobs > waiting)
        jobs = waiting;
    run.deaths = memory_zalloc(sweep->n_tasks, sizeof *run.deaths);
    progress_start(&run.progress, e->name, total, total - waiting);
    done = interrupt_watch(&run.interrupt, error) && start_workers(&run, jobs) && run_all(&run);
    if (done && waiting > 0)
        done = sweep_settle(sweep, &run.clock, true, error);
    for (size_t w = 0; w < run.n_workers; w++)
        worker_stop(&run.worker[w]);
    if (waiting > 0)
        progress_stop(&run.progress);
    *signal = run.interrupt.signal;
    interrupt_end(&run.interrupt);
    free(run.deaths);
    free(run.again);
    free(run.worker);
    free(run.batch_of);
    free(run.queue);
    free(run.batch);
    return done;
}
