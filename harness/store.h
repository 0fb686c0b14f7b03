/* The results store: one SQLite file a sweep.
 *
 * The schema is in store_schema (store.c) and is the contract between sweep
 * and report:
 *
 *   provenance (name TEXT PRIMARY KEY, value TEXT)
 *       of the latest sweep into this directory
 *   workload (id INTEGER PRIMARY KEY, label TEXT, checksum TEXT,
 *             kind TEXT,          -- network | generator | file
 *             name TEXT,          -- registered name, or file name without folders
 *             params TEXT,        -- canonical
 *             n, pairs, load, width, max_size, total INTEGER,
 *             w INTEGER,          -- NULL without a graph
 *             width_bound, w1_bound, w2_bound INTEGER,   -- NULL: overflow or no graph
 *             applicable INTEGER, -- the article's bound holds: 1 or 0
 *             w1_applicable INTEGER,
 *             reason TEXT,        -- why not
 *             UNIQUE (label, checksum))
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
 *         finished TEXT)          -- UTC, ISO 8601
 *   plan (task INTEGER PRIMARY KEY REFERENCES task,
 *         layout TEXT, peak, lower_bound, nodes, objects INTEGER, replay TEXT,
 *         offsets BLOB)           -- int64, little endian; NULL: none
 *   measurement (task INTEGER REFERENCES task, seq INTEGER, name TEXT, at_s REAL, value REAL,
 *                PRIMARY KEY (task, seq))
 *       -- name: incumbent | bound; later kernels' repetitions
 *   experiment_task (experiment TEXT, size TEXT, seq INTEGER, task INTEGER REFERENCES task,
 *                    PRIMARY KEY (experiment, size, seq))
 *       -- which tasks an experiment is made of; size: quick | full
 *
 * A task is recorded in one transaction when it ends, whatever its end.  */
#ifndef ARENABENCH_HARNESS_STORE_H
#define ARENABENCH_HARNESS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"

struct store;

/* Opens DIR/results.db, makes it (and DIR) when it is not there and CREATE is
 * set.  NULL with a message otherwise, and for a file of another schema.  */
struct store *store_open(const char *dir, bool create, struct error *error);
void store_close(struct store *store);

/* Runs SQL and calls ROW for each row with the columns as text (NULL: missing).
 * PARAMETERS (COUNT texts, bound to ?1, ?2, ...) may be NULL.  Stops when ROW
 * returns false.  For reports.  */
typedef bool store_row(void *context, int columns, const char *const *value);
bool store_query(struct store *store, const char *sql, const char *const *parameters, int count,
                 store_row *row, void *context, struct error *error);

#endif
