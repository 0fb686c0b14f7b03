/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows are shared among processes, so they hold no pointers.  */
#include <config.h>

#include "harness/run/comparison.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/io/process.h"
#include "harness/io/watch.h"
#include "harness/run/process_stat.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"

enum progress { WAITING, RUNNING, ENDED };

struct entry {
    _Atomic(int) progress;
    _Atomic(pid_t) runner;  /* the process that runs it */
    _Atomic(double) end;    /* the moment when its time is over; INFINITY: never */
    _Atomic(bool) has_plan; /* these three while it runs */
    _Atomic(int64_t) peak, lower_bound;
    struct comparison_row row; /* when it has ended */
};

struct board {
    _Atomic(size_t) next; /* contestant to run */
    _Atomic(bool) stop;   /* there is to be no next one, and who runs is to end */
    struct entry entry[];
};

/* --- a process that runs contestants --- */

/* Seconds after which it knows that all is to end.  */
#define LOOK_PERIOD 0.05

struct turn {
    struct board *board;
    struct entry *entry;
    struct run_view view;
};

static bool look(void *context)
{
    const struct turn *turn = context;

    atomic_store(&turn->entry->peak, turn->view.peak);
    atomic_store(&turn->entry->lower_bound, turn->view.lower_bound);
    atomic_store(&turn->entry->has_plan, turn->view.has_plan);
    return !atomic_load(&turn->board->stop);
}

static void run_one(const struct comparison *comparison, struct board *board, size_t i)
{
    struct entry *entry = &board->entry[i];
    struct comparison_row *row = &entry->row;
    struct turn turn = {.board = board, .entry = entry};
    const struct watch watch = {look, &turn, LOOK_PERIOD, -1};
    const double limit_s =
        contestant_limits(&comparison->contestants->item[i], &comparison->limits).time_s;
    struct run_result result;

    atomic_store(&entry->runner, getpid());
    atomic_store(&entry->end, limit_s > 0.0 ? timer_now() + limit_s : INFINITY);
    atomic_store(&entry->progress, RUNNING);
    run_solver_watched(comparison->instance, &comparison->contestants->item[i], comparison->seed,
                       &comparison->limits, &watch, &turn.view, &result);
    row->outcome = result.outcome;
    row->has_plan = result.plan != NULL && result.outcome != OUTCOME_INVALID;
    row->peak = row->has_plan ? result.plan->peak : 0;
    row->load = result.load;
    row->lower_bound = result.lower_bound;
    row->rounded = result.rounded;
    row->time_s = result.time_s;
    memcpy(row->reason, result.reason, sizeof row->reason);
    atomic_store(&entry->progress, ENDED);
    run_result_clear(&result);
}

/* What a process that runs contestants, and the one that looks on, share.  */
struct job {
    struct comparison *comparison;
    struct board *board;
};

static void work(void *context, int socket)
{
    const struct job *job = context;
    size_t i;

    (void)socket;
    while (!atomic_load(&job->board->stop) &&
           (i = atomic_fetch_add(&job->board->next, 1)) < job->comparison->contestants->count)
        run_one(job->comparison, job->board, i);
}

/* --- the process that looks on --- */

/* Seconds between two looks at processes that may have been stopped.  */
#define FROZEN_PERIOD 0.2

/* Shared objects and rounded buffers are other problems: what is proven there is
 * no bound here.  */
static bool proves(const struct comparison *comparison, size_t i, const struct comparison_row *row)
{
    return row->outcome != OUTCOME_SKIPPED && row->outcome != OUTCOME_INVALID && !row->rounded &&
           comparison->contestants->item[i].entry->solver->layout == LAYOUT_ARENA;
}

/* The row of contestant I as far as it is.  */
static struct comparison_row row_so_far(const struct comparison *comparison,
                                        const struct board *board, size_t i)
{
    const struct entry *entry = &board->entry[i];

    if (atomic_load(&entry->progress) == ENDED)
        return entry->row;
    /* Whether it sees rounded sizes will be known when it has ended.  */
    return (struct comparison_row){
        .outcome = OUTCOME_FEASIBLE,
        .has_plan = atomic_load(&entry->has_plan),
        .peak = atomic_load(&entry->peak),
        .lower_bound = atomic_load(&entry->lower_bound),
        .rounded = comparison->limits.native,
    };
}

static struct comparison_view view_board(const struct comparison *comparison,
                                         const struct board *board)
{
    struct comparison_view view = {.lower_bound = comparison->instance->load};

    for (size_t i = 0; i < comparison->contestants->count; i++) {
        struct comparison_row row = row_so_far(comparison, board, i);
        int progress = atomic_load(&board->entry[i].progress);

        if (progress == WAITING)
            continue;
        view.started++;
        if (progress == RUNNING && view.label == NULL)
            view.label = comparison->contestants->item[i].label;
        if (row.has_plan && !row.rounded && (!view.has_plan || row.peak < view.peak)) {
            view.has_plan = true;
            view.peak = row.peak;
        }
        if (proves(comparison, i, &row))
            view.lower_bound = max64(view.lower_bound, row.lower_bound);
    }
    return view;
}

static void take_ended(struct comparison *comparison, const struct board *board)
{
    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (atomic_load(&board->entry[i].progress) == ENDED)
            comparison->row[i] = board->entry[i].row;
}

static bool look_on(void *context)
{
    const struct job *job = context;

    take_ended(job->comparison, job->board);
    job->comparison->view = view_board(job->comparison, job->board);
    return watch_goes_on(job->comparison->watch);
}

/* Whether WORKER was stopped and stands still though the time of what it runs is over: it can keep
 * no limit itself.  */
static bool is_frozen(const struct job *job, const struct process *worker)
{
    const double now = timer_now();

    for (size_t i = 0; i < job->comparison->contestants->count; i++) {
        const struct entry *entry = &job->board->entry[i];

        if (atomic_load(&entry->progress) == RUNNING &&
            atomic_load(&entry->runner) == worker->pid && now >= atomic_load(&entry->end))
            return process_stopped(worker->pid);
    }
    return false;
}

/* Waits for those that have ended, or are to; returns how many there still are.  */
static size_t reap(const struct job *job, struct process *worker, size_t count)
{
    size_t left = 0;

    for (size_t j = 0; j < count; j++) {
        if (worker[j].pid > 0 && (process_has_ended(&worker[j]) || is_frozen(job, &worker[j])))
            process_end(&worker[j]);
        left += worker[j].pid > 0;
    }
    return left;
}

/* Looks on until all workers have ended.  */
static void await_workers(struct job *job, struct process *worker, size_t count)
{
    const struct watch *given = job->comparison->watch, *looking = NULL;
    struct watch watch;

    if (given != NULL) {
        watch = (struct watch){look_on, job, given->period_s, given->fd};
        looking = &watch;
    }
    while (reap(job, worker, count) > 0) {
        if (!watch_goes_on(looking)) {
            atomic_store(&job->board->stop, true);
            looking = NULL;
        }
        process_sleep(worker, count, FROZEN_PERIOD, looking);
    }
}

/* JOBS processes take the contestants one after the other; those that can't be
 * started are done without.  */
static bool run_all(struct job *job, int64_t jobs, struct error *error)
{
    size_t wanted = (size_t)min64(jobs, (int64_t)job->comparison->contestants->count), count = 0;
    struct process *worker = memory_zalloc(wanted, sizeof *worker);

    for (size_t j = 0; j < wanted; j++)
        count += process_start(&worker[count], 0, work, job, error);
    await_workers(job, worker, count);
    free(worker);
    return count > 0 || wanted == 0;
}

static void take_rows(struct comparison *comparison, const struct board *board)
{
    take_ended(comparison, board);
    for (size_t i = 0; i < comparison->contestants->count; i++) {
        struct comparison_row *row = &comparison->row[i];

        if (atomic_load(&board->entry[i].progress) == ENDED)
            continue;
        if (atomic_load(&board->entry[i].progress) == WAITING && atomic_load(&board->stop)) {
            *row = (struct comparison_row){.outcome = OUTCOME_SKIPPED, .missing = true};
            continue;
        }
        *row = (struct comparison_row){.outcome = OUTCOME_CRASHED,
                                       .load = comparison->instance->load,
                                       .lower_bound = comparison->instance->load};
        snprintf(row->reason, sizeof row->reason, "the process that judges it died");
    }
}

/* --- what the rows say about one another --- */

/* The row with the lowest verified peak, or SIZE_MAX.  */
static size_t best_plan(const struct comparison *comparison)
{
    const struct comparison_row *row = comparison->row;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (row[i].has_plan && (best == SIZE_MAX || row[i].peak < row[best].peak))
            best = i;
    return best;
}

/* A bound above another contestant's verified peak is refuted.  */
static void refute_bounds(const struct comparison *comparison, size_t best)
{
    for (size_t i = 0; i < comparison->contestants->count; i++) {
        struct comparison_row *row = &comparison->row[i];
        int64_t peak = comparison->row[best].peak;

        if (!proves(comparison, i, row) || row->lower_bound <= peak)
            continue;
        snprintf(row->reason, sizeof row->reason,
                 "it claims a lower bound of %" PRId64 ", %.99s has a plan of peak %" PRId64,
                 row->lower_bound, comparison->contestants->item[best].label, peak);
        row->outcome = OUTCOME_INVALID;
        row->has_plan = false;
        row->lower_bound = comparison->instance->load;
    }
}

/* Who proved the highest bound above the load, or SIZE_MAX.  */
static size_t best_bound(const struct comparison *comparison)
{
    const struct comparison_row *row = comparison->row;
    int64_t bound = comparison->instance->load;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (proves(comparison, i, &row[i]) && row[i].lower_bound > bound) {
            bound = row[i].lower_bound;
            best = i;
        }
    return best;
}

/* The rule is run_result_apply_bound's, which looks at no offsets.  */
static void apply_bound(struct comparison_row *row, int64_t bound)
{
    struct plan plan = {.peak = row->peak};
    struct run_result result = {
        .outcome = row->outcome,
        .plan = row->has_plan ? &plan : NULL,
    };

    run_result_apply_bound(&result, bound);
    row->outcome = result.outcome;
    row->lower_bound = result.lower_bound; /* no lower than its own, unless that was no bound */
}

static void judge(struct comparison *comparison)
{
    size_t best = best_plan(comparison);

    if (best != SIZE_MAX)
        refute_bounds(comparison, best);
    comparison->prover = best_bound(comparison);
    comparison->bound = comparison->prover == SIZE_MAX
                            ? comparison->instance->load
                            : comparison->row[comparison->prover].lower_bound;
    best = best_plan(comparison); /* a liar's plan does not count */
    comparison->proven = best != SIZE_MAX && comparison->row[best].peak == comparison->bound;
    for (size_t i = 0; i < comparison->contestants->count; i++)
        if (!comparison->row[i].rounded)
            apply_bound(&comparison->row[i], comparison->bound);
}

bool comparison_run(struct comparison *comparison, int64_t jobs, struct error *error)
{
    size_t count = comparison->contestants->count;
    size_t bytes = sizeof(struct board) + count * sizeof(struct entry);
    struct board *board = process_share(bytes);
    bool done;

    if (board == NULL)
        return error_set(error, "no memory to share with processes: %s", strerror(errno));
    comparison->row = memory_zalloc(count, sizeof *comparison->row);
    for (size_t i = 0; i < count; i++)
        comparison->row[i].missing = true;
    done = run_all(&(struct job){comparison, board}, jobs, error);
    if (done) {
        take_rows(comparison, board);
        judge(comparison);
    }
    munmap(board, bytes);
    return done;
}

void comparison_clear(struct comparison *comparison)
{
    free(comparison->row);
    comparison->row = NULL;
}
