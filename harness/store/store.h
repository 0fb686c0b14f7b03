/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: one SQLite file a sweep.
 *
 * Its tables, with all columns and what they mean, are in store_tables.c, the contract between
 * sweep and report:
 *
 *   build, machine, sweep, provenance   where rows come from: every task refers to the sweep
 *                      that ran it, a sweep to its build and its machine
 *   experiment         with the time that went into it; experiment_task: its tasks; layer_use:
 *                      the layers of its networks
 *   workload, fact     what tasks run on
 *   task               one that has ended, however it ended; a planner's plan, a kernel's conv, the
 *                      execution of a network that is run;
 *                      constant: of the processor
 *   base               plans of large instances by which others are told
 *   statistic          what its search counted
 *   measurement        how a plan came to be, in the order of time
 *
 * A task is recorded in one transaction when it ends, whatever its end, and
 * gets its experiment_task rows in the same one.  A sweep first drops the
 * experiment_task rows of its experiments and writes them anew for the tasks
 * that are done already, so a task that no row refers to is superseded (its
 * contestant, its workload or the experiment changed): reports leave it out.
 *
 * A file of another schema is refused.
 *
 * The file is in WAL mode while it is open for writing and a plain rollback
 * database after store_close; SIGKILL at any moment loses at most the task that
 * was being recorded, a power failure what was recorded since store_settle.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_H
#define ARENABENCH_HARNESS_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct fact;
struct rows;
struct store;
struct store_conv;
struct store_execution;
struct store_split;

/* An INTEGER column without a value.  */
#define STORE_NULL INT64_MIN

/* A column of many numbers: a BLOB of doubles, 8 bytes each, the lowest first.  */
struct store_doubles {
    const double *value;
    size_t count; /* 0: NULL */
};

/* Opens DIR/results.db, makes it (and DIR) when it is not there and CREATE is
 * set.  NULL with a message otherwise, and for a file of another schema.  */
struct store *store_open(const char *dir, bool create, struct error *error);
/* An empty one without a file.  */
struct store *store_open_memory(struct error *error);
void store_close(struct store *store);

/* Makes this process the only one that writes into DIR until it ends or closes
 * the store, which it is of one that CREATE has opened.  False with a message when another one
 * does.  */
bool store_lock(struct store *store, struct error *error);

/* When it returns, a power failure loses nothing of what was recorded before, as far as file system
 * and disk keep what they have promised.  Until then it may lose the latest transactions, each of
 * them whole.  False with a message when that can't be had.  */
bool store_settle(struct store *store, struct error *error);
/* Whether anything has been recorded since.  */
bool store_is_settled(const struct store *store);

/* Rows that have no checksum, which anybody may have changed: of each table that has such how many
 * and the first of them, as a text for people.  The caller clears ROWS.  */
bool store_unsummed(struct store *store, struct rows *rows, struct error *error);

/* SQLite's version text, for provenance.  */
const char *store_library_version(void);

/* What follows writes; only the sweep does.  Texts are copied, NULL is NULL.  */

struct store_pair {
    const char *name, *value;
};

/* Says which sweep records what follows, by its provenance, which is written with
 * the first task, constant or final and not before.  A build or a machine that the
 * store knows is not written again.  */
void store_begin_sweep(struct store *store, const struct store_pair *pair, size_t count);

/* Adds one more pair to that sweep's own, in place of one with the name; to a sweep that has
 * recorded nothing, none.  */
bool store_add_pair(struct store *store, const char *name, const char *value, struct error *error);

/* The id of that sweep's machine, 0 while nothing of it has been recorded.  */
bool store_find_machine(struct store *store, int64_t *id, struct error *error);

struct store_workload {
    const char *label;
    uint64_t checksum;
    const char *kind, *name, *params;
    int64_t n, pairs, load, width, max_size, total;
    int64_t w, width_bound, w1_bound, w2_bound; /* STORE_NULL: none */
    bool applicable, w1_applicable;
    const char *reason;
};

/* The row's id, or 0 in *ID where there is none.  */
bool store_find_workload(struct store *store, const char *label, uint64_t checksum, int64_t *id,
                         struct error *error);
/* Finds the row or inserts it.  */
bool store_put_workload(struct store *store, const struct store_workload *workload, int64_t *id,
                        struct error *error);

/* Writes the facts of workload ID, in place of older values.  */
bool store_put_facts(struct store *store, int64_t id, const struct fact *fact, size_t count,
                     struct error *error);

struct store_event {
    const char *name;
    double at_s, value;
};

/* What a search counted (conflicts, restarts, ...); a task has no two of one name.  */
struct store_statistic {
    const char *name;
    int64_t value;
};

/* SQL of what people call the contestant of t, a planner's row of task: the solver with its
 * parameters.  A command that has a name is exec:NAME, without them.  */
#define STORE_TASK_LABEL                                                              \
    "t.contestant || case when t.params = '' or instr(t.contestant, ':') > 0 then ''" \
    " else ':' || t.params end"

/* What a sweep of an experiment took.  */
struct store_used {
    const char *experiment, *size; /* NULL: of none */
    double seconds;
};

struct store_task {
    const char *key, *kind;
    int64_t workload; /* id of its row */
    const char *contestant, *params, *contestant_checksum;
    int64_t seed, repetition;
    double time_limit_s;
    int64_t memory_limit, work_limit;
    const char *outcome, *reason;
    bool timed;
    double time_s, cpu_s, verify_s, replay_s, harness_s;
    int64_t rss_bytes;
    /* The plan row; LAYOUT and PEAK are missing where there is no plan.  */
    const char *layout, *replay;
    int64_t peak, lower_bound, nodes, objects;
    const int64_t *offset; /* N offsets; NULL: none */
    size_t n;
    const struct store_conv *conv; /* a kernel's: written instead of the plan; else NULL */
    const struct store_execution *execution; /* of a network that is run: likewise */
    const struct store_split *split;         /* of a planner for several memories: likewise */
    const struct store_event *event;
    size_t n_events;
    const struct store_statistic *statistic;
    size_t n_statistics;
    struct store_used used; /* goes to that experiment */
};

/* The place of a task in an experiment.  */
struct store_use {
    const char *experiment, *size;
    int64_t seq;
};

/* The id of the task with KEY, or 0 in *ID; OUTCOME (32 bytes) receives its outcome.  */
bool store_find_task(struct store *store, const char *key, int64_t *id, char outcome[32],
                     struct error *error);
/* Whether there is a task whose key starts with PREFIX, which ends in " build=".  */
bool store_has_prefix(struct store *store, const char *prefix, bool *found, struct error *error);

/* Records a task that has ended, in place of one with the same key, with its
 * plan, measurements, statistics, places and the time used, in one transaction.  */
bool store_record_task(struct store *store, const struct store_task *task,
                       const struct store_use *use, size_t uses, struct error *error);

/* Drops the tasks with these keys, with all that belongs to them, in one transaction.  */
bool store_drop_tasks(struct store *store, const char *const *key, size_t count,
                      struct error *error);

struct store_experiment {
    const char *name, *size, *title, *description, *figures;
    bool timing;
    double budget_s;
    int64_t tasks, skipped;
    const char *tasks_checksum; /* of what they are, whatever builds run them; NULL: unknown */
};

/* A task of an experiment that is done already.  */
struct store_place {
    int64_t seq, task;
};

/* Writes the experiment's row and its experiment_task rows anew.  Its used
 * time starts again at 0 when none of its tasks is done.  */
bool store_put_experiment(struct store *store, const struct store_experiment *experiment,
                          const struct store_place *place, size_t places, struct error *error);
/* Adds to the experiment's used time.  */
bool store_add_used(struct store *store, const struct store_used *used, struct error *error);

#endif
