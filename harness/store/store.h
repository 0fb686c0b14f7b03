/* The results store: one SQLite file a sweep.
 *
 * The schema is in store_schema (store.c) and is the contract between sweep
 * and report:
 *
 *   build, machine (id INTEGER PRIMARY KEY,
 *                   key TEXT UNIQUE)    -- its rows of provenance as one text
 *   sweep (id INTEGER PRIMARY KEY, build INTEGER REFERENCES build,
 *          machine INTEGER REFERENCES machine)    -- one that recorded something
 *   provenance (kind TEXT,      -- build | machine | sweep
 *               id INTEGER,     -- of which of these
 *               name TEXT, value TEXT, PRIMARY KEY (kind, id, name))
 *       -- which name belongs to what: harness/store/store_provenance.c
 *   experiment (name TEXT, size TEXT, title TEXT, description TEXT,
 *               figures TEXT,       -- names, separated by spaces
 *               timing INTEGER, budget_s REAL,
 *               used_s REAL,        -- wall clock of all sweeps that ran tasks of it
 *               tasks INTEGER,      -- that it is made of, those of skipped workloads not counted
 *               skipped INTEGER,    -- workloads left out because their data are not there
 *               PRIMARY KEY (name, size))
 *   workload (id INTEGER PRIMARY KEY, label TEXT, checksum TEXT,
 *             kind TEXT,          -- network | generator | file | layer
 *             name TEXT,          -- registered name, or file name without folders
 *             params TEXT,        -- canonical
 *             n, pairs, load, width, max_size, total INTEGER,
 *             w INTEGER,          -- NULL without a graph
 *             width_bound, w1_bound, w2_bound INTEGER,   -- NULL: overflow or no graph
 *             applicable INTEGER, -- the article's bound holds: 1 or 0
 *             w1_applicable INTEGER,
 *             reason TEXT,        -- why not
 *             UNIQUE (label, checksum))
 *   fact (workload INTEGER REFERENCES workload, name TEXT, value REAL,
 *         PRIMARY KEY (workload, name))   -- harness/store/facts.h
 *   task (id INTEGER PRIMARY KEY, key TEXT UNIQUE,
 *         kind TEXT,              -- plan (planning) | conv (kernels)
 *         workload INTEGER REFERENCES workload,
 *         contestant TEXT,        -- registered name
 *         params TEXT,            -- canonical parameters of the contestant
 *         contestant_checksum TEXT,
 *         seed, repetition INTEGER, time_limit_s REAL, memory_limit, work_limit INTEGER,
 *         outcome TEXT,           -- outcome_name()
 *         reason TEXT, timed INTEGER,
 *         time_s, cpu_s, verify_s, replay_s, harness_s REAL, rss_bytes INTEGER,
 *         finished TEXT,          -- UTC, ISO 8601
 *         sweep INTEGER REFERENCES sweep)     -- that ran it
 *   plan (task INTEGER PRIMARY KEY REFERENCES task,
 *         layout TEXT, peak, lower_bound, nodes, objects INTEGER, replay TEXT,
 *         offsets BLOB)           -- int64, little endian; NULL: none
 *   conv (task INTEGER PRIMARY KEY REFERENCES task, ...)   -- instead of plan, for kernels:
 *       -- harness/store/store_conv.h, column for column
 *   layer_use (experiment TEXT, size TEXT, workload INTEGER REFERENCES workload,
 *              network TEXT, uses INTEGER,   -- how often the network has the layer
 *              PRIMARY KEY (experiment, size, workload, network))
 *   constant (sweep INTEGER REFERENCES sweep, isa TEXT, name TEXT, value REAL,
 *             PRIMARY KEY (sweep, isa, name))
 *       -- of the processor, measured by each sweep of kernels before its tasks
 *   measurement (task INTEGER REFERENCES task, seq INTEGER, name TEXT, at_s REAL, value REAL,
 *                PRIMARY KEY (task, seq))
 *       -- name: incumbent | bound | joined_bound; of kernels: turn | final, seconds of one run
 *   experiment_task (experiment TEXT, size TEXT, seq INTEGER, task INTEGER REFERENCES task,
 *                    PRIMARY KEY (experiment, size, seq))
 *       -- which tasks an experiment is made of; size: quick | full
 *
 * A task is recorded in one transaction when it ends, whatever its end, and
 * gets its experiment_task rows in the same one.  A sweep first drops the
 * experiment_task rows of its experiments and writes them anew for the tasks
 * that are done already, so a task that no row refers to is superseded (its
 * contestant, its workload or the experiment changed): reports leave it out.
 *
 * Schema 4 had one provenance a folder, that of the latest sweep into it.  Opening such a
 * file brings it up to date, at once or not at all: every row becomes one of a
 * sweep with that provenance and one pair more, `inherited`.
 *
 * The file is in WAL mode while it is open for writing and a plain rollback
 * database after store_close; SIGKILL at any moment loses at most the task that
 * was being recorded.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_H
#define ARENABENCH_HARNESS_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct fact;
struct store;
struct store_conv;

/* An INTEGER column without a value.  */
#define STORE_NULL INT64_MIN

/* Opens DIR/results.db, makes it (and DIR) when it is not there and CREATE is
 * set.  NULL with a message otherwise, and for a file of a schema that is neither ours
 * nor the one before.  */
struct store *store_open(const char *dir, bool create, struct error *error);
void store_close(struct store *store);

/* Makes this process the only one that writes into DIR until it ends or closes
 * the store.  False with a message when another one does.  */
bool store_lock(struct store *store, struct error *error);

/* Runs SQL and calls ROW for each row with the columns as text (NULL: missing).
 * PARAMETERS (COUNT texts, bound to ?1, ?2, ...) may be NULL.  Stops when ROW
 * returns false.  For reports.  */
typedef bool store_row(void *context, int columns, const char *const *value);
bool store_query(struct store *store, const char *sql, const char *const *parameters, int count,
                 store_row *row, void *context, struct error *error);

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
    const struct store_event *event;
    size_t n_events;
};

/* The place of a task in an experiment.  */
struct store_use {
    const char *experiment, *size;
    int64_t seq;
};

/* The id of the task with KEY, or 0 in *ID; OUTCOME (32 bytes) receives its outcome.  */
bool store_find_task(struct store *store, const char *key, int64_t *id, char outcome[32],
                     struct error *error);
/* Whether there is a task whose key starts with PREFIX, which ends in '='.  */
bool store_has_prefix(struct store *store, const char *prefix, bool *found, struct error *error);

/* Records a task that has ended, in place of one with the same key, with its
 * plan, measurements and places, in one transaction.  */
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
bool store_add_used(struct store *store, const char *experiment, const char *size, double seconds,
                    struct error *error);

#endif
