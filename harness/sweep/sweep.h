/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep: the tasks of some experiments, which of them are done, and how the
 * others are run.
 *
 *   planning.c      workloads and tasks, once each
 *   sweep_plan.c    experiments -> workloads, tasks and their keys
 *   sweep_layers.c  the same for kernels on layers
 *   sweep_sample.c  tasks that a store has, once more
 *   sweep_shard.c   which of them are another machine's
 *   sweep_force.c   what is done and has to be done again
 *   sweep_run.c     runs what is not done, with the workers of worker.h
 *   sweep_record.c  what goes into the store
 *   sweep_conv.c    the same for kernels on layers, with sessions
 *   sweep_execution.c   networks that run in planners' arenas: keys, runs, rows
 *   sweep_fit.c     planners for several memories: the same
 *   sweep_result.c  CSV files, counts, violations: what the store says at the end  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/run/runner.h"
#include "harness/sweep/experiment.h"
#include "harness/sweep/sweep_shard.h"
#include "lib/base/error.h"

struct fact;
struct store;
struct store_task;
struct store_used;

/* An instance, or a layer.  */
struct sweep_workload {
    const char *label;
    const struct workload *workload;      /* of the first experiment that has it; or NULL */
    const struct experiment_layer *layer; /* the same for a layer; or NULL */
    uint64_t checksum;
    int64_t n, pairs, load, width, max_size, total;
    struct fact *fact;
    size_t facts;
    int64_t row; /* id in the store; 0: its bounds are not known yet */
};

/* A kernel with parameters on one instruction set.  */
struct sweep_kernel {
    const struct experiment_kernel *kernel;
    enum isa isa;
    char *params; /* for the kernel; "rank=N": to be found out */
    char *label;
};

struct sweep_task {
    char *key;
    size_t workload;
    const struct contestant *contestant;        /* NULL: a kernel's task */
    struct sweep_kernel kernel;                 /* with a contestant: of a network that is run */
    const struct experiment_memories *memories; /* of a planner for several; else NULL */
    uint32_t seed;
    int64_t repetition; /* from 1 */
    int64_t rounds;     /* of a run of a network; 0: as many as fill a second */
    struct run_limits limits;
    int64_t done;   /* id in the store; 0: not done */
    bool changed;   /* done before, but by an earlier build of its contestant */
    bool forced;    /* done before, and to be done again all the same */
    bool elsewhere; /* another shard's (sweep_shard.h) */
    size_t place;   /* the first of its places */
};

/* A task has a place in each experiment that it belongs to.  */
struct sweep_place {
    size_t experiment;
    int64_t seq;
    size_t task;
    size_t next; /* the task's next place; SIZE_MAX: none */
};

/* What a task runs, and what it runs on, for people; and the registered name of
 * the former.  */
bool sweep_task_executes(const struct sweep_task *task); /* it runs a network */
bool sweep_task_waits(const struct sweep_task *task);    /* it is to be run */
const char *sweep_task_label(const struct sweep_task *task);
const char *sweep_task_name(const struct sweep_task *task);

struct sweep_options {
    const char *output;
    enum experiment_size size;
    int jobs;
    bool retry;        /* runs again what crashed, ran out of memory or was invalid */
    const char *force; /* pattern of what to run again (sweep_force); NULL: nothing */
    struct shard shard;
};

struct sweep {
    struct sweep_options options;
    struct store *store; /* NULL before sweep_look_up */
    size_t n_experiments;
    struct experiment **experiment; /* timing experiments last */
    size_t *first_place;            /* of each experiment; one more: the end */
    size_t *done_before;            /* tasks of each experiment, of this shard */
    size_t n_workloads;
    struct sweep_workload *workload;
    size_t n_tasks;
    struct sweep_task *task;
    size_t n_places;
    struct sweep_place *place;
    size_t lost;       /* tasks that have no result, as bounds of their workload never came ... */
    struct error loss; /* ... for this reason, of the last one */
};

/* Takes over EXPERIMENT; the names differ.  Makes every instance once, for its
 * checksum.  False with a message for bad input; SWEEP is to be cleared all the
 * same.  */
bool sweep_plan(struct sweep *sweep, const struct sweep_options *options,
                struct experiment **experiment, size_t count, struct error *error);
/* How many tasks of an experiment this sweep runs or has run: all, or those of its shard; and how
 * many of these are done.  */
size_t sweep_tasks_here(const struct sweep *sweep, size_t experiment);
size_t sweep_done_here(const struct sweep *sweep, size_t experiment);

/* Asks STORE, which SWEEP uses from now on, what is done.  */
bool sweep_look_up(struct sweep *sweep, struct store *store, struct error *error);
/* Takes the tasks as not done whose experiment, workload or contestant (with parameters or
 * only its name) matches PATTERN, as file names do in a shell; "": all.  False when there is
 * none.  After sweep_look_up.  */
bool sweep_force(struct sweep *sweep, const char *pattern, struct error *error);
/* Drops their results from the store, so that a sweep that is interrupted goes on
 * with them.  */
bool sweep_forget_forced(struct sweep *sweep, struct error *error);
void sweep_clear(struct sweep *sweep);

/* Writes into the store which tasks the experiments are made of.  */
bool sweep_register(struct sweep *sweep, struct error *error);

/* Runs the tasks of one experiment that are not done.  *SIGNAL receives the
 * signal that ended it early, or 0.  */
bool sweep_run(struct sweep *sweep, size_t experiment, int *signal, struct error *error);
/* The same, and where anything was recorded the store says how loaded the machine was: a pair "load
 * during NAME" of the sweep's provenance.  */
bool sweep_run_noted(struct sweep *sweep, size_t experiment, int *signal, struct error *error);

/* How long a sweep of an experiment has been at work, for its used time.  */
struct sweep_clock {
    const char *experiment, *size; /* the sweep's own */
    double used;                   /* by timer_now: until then it is in the store */
    double settled;                /* likewise: what was recorded is on the disk */
};

struct sweep_clock sweep_clock_start(const struct sweep *sweep, size_t experiment);
/* What has passed since the last time, for the store.  It goes there with each task, so that none
 * is there for which no time was used.  */
struct store_used sweep_clock_take(struct sweep_clock *clock);

/* Records that TASK has ended, as ROW, of which what the task itself says is filled in here: its
 * key, workload, seed, repetition, limit and places, and the time that CLOCK says.  */
bool sweep_record(struct sweep *sweep, struct sweep_task *task, struct store_task *row,
                  struct sweep_clock *clock, struct error *error);

/* At most once a second, or NOW: brings what was recorded and the time used to the disk.  So
 * whoever is killed, or whose machine is, loses no more than that.  */
bool sweep_settle(struct sweep *sweep, struct sweep_clock *clock, bool now, struct error *error);

/* Writes DIR/NAME.csv for one experiment, in place of an older one at once.  */
bool sweep_write_csv(struct sweep *sweep, size_t experiment, struct error *error);

/* Counts tasks of an experiment by outcome; COUNT is indexed by enum outcome.  */
bool sweep_count(struct sweep *sweep, size_t experiment, int64_t *count, struct error *error);

/* Names each invalid result and each violated bound on standard error, and
 * counts them.  */
bool sweep_violations(struct sweep *sweep, size_t experiment, size_t *count, struct error *error);

/* Wall clock that went into an experiment, of all sweeps.  */
bool sweep_used(struct sweep *sweep, size_t experiment, double *seconds, struct error *error);

#endif
