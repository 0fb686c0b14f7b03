/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the store share.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_PRIVATE_H
#define ARENABENCH_HARNESS_STORE_STORE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

/* How long to wait for another program that reads or writes the file.  */
#define STORE_PATIENCE_MS 10000

/* harness/store/store_tables.c has them.  */
enum table_id {
    TABLE_BUILD,
    TABLE_MACHINE,
    TABLE_SWEEP,
    TABLE_PROVENANCE,
    TABLE_CONSTANT,
    TABLE_EXPERIMENT,
    TABLE_WORKLOAD,
    TABLE_FORM,
    TABLE_FACT,
    TABLE_LAYER_USE,
    TABLE_BASE,
    TABLE_TASK,
    TABLE_PLAN,
    TABLE_CONV,
    TABLE_EXECUTION,
    TABLE_SPLIT,
    TABLE_MEASUREMENT,
    TABLE_STATISTIC,
    TABLE_EXPERIMENT_TASK,
    TABLES,
};

/* A pair of a sweep's provenance; the texts are the store's.  */
struct kept_pair {
    char *name, *value;
};

struct kept_statement {
    const char *sql;
    struct sqlite3_stmt *statement;
};

struct store {
    struct sqlite3 *db;
    char *dir, *path; /* the folder and the file in it */
    int lock;         /* descriptor of DIR/lock, or -1 */
    bool opened;      /* as one of ours */
    bool wal;         /* this process put the file in WAL mode */
    bool unsettled;   /* there are transactions since store_settle */
    struct sqlite3_stmt *insert[TABLES], *complete[TABLES]; /* prepared at first use */
    struct kept_statement *kept;                            /* so are those of store_run */
    size_t n_kept, kept_capacity;
    struct kept_pair *pair; /* of the sweep that records; NULL: none does */
    size_t pairs;
    int64_t sweep;   /* its row; 0: not written yet */
    bool sweep_kept; /* its transaction has ended well */
};

struct store_task;

/* SQL: what a task is found by, a checksum of its key up to the build, which stands last.  */
#define KEY_CHECKSUM(key) "row_sum(substr(" key ", 1, instr(" key ", ' build=')))"

/* SQL: the key of the task with number ID, in a database.  */
#define KEY_OF(schema, id) "(SELECT key FROM " schema ".task_key WHERE task = " id ")"

/* For builds with checks: TASK is one that has ended as its outcome says.  */
void store_check_task(const struct store_task *task);

/* Fills in SQLite's last message; false.  */
bool store_fault(struct store *store, struct error *error);

/* Whether the file has lost its name since it was opened.  SQLite would go on writing into it, and
 * remove what has the name of its log.  */
bool store_has_moved(struct store *store);

/* Runs STATEMENT, which is prepared and bound where RESULT says so; of its rows only the first
 * matters, which gives *ID (0: no row) and OUTCOME (32 bytes) where they are wanted.  */
bool store_step(struct store *store, struct sqlite3_stmt *statement, int result, int64_t *id,
                char *outcome, struct error *error);

/* The same for SQL, which is static, with as many texts as it has parameters.  */
bool store_run(struct store *store, const char *sql, const char *const *text, int64_t *id,
               char *outcome, struct error *error);

/* A transaction; its end keeps it when DONE, else undoes it.  */
bool store_begin(struct store *store, struct error *error);
bool store_end(struct store *store, bool done, struct error *error);

/* Runs statements without rows; undoes an open transaction when one fails.  */
bool store_execute(struct store *store, const char *sql, struct error *error);

/* The row of the sweep that records, within the transaction that is open; writes
 * it where that has not been done yet.  */
bool store_sweep(struct store *store, int64_t *id, struct error *error);
void store_end_sweep(struct store *store);

/* That REASON is why the file can't be trusted, and what saves the rest; false.  */
bool store_damaged(struct store *store, const char *reason, struct error *error);

/* Whether all that the file holds can be read, refers to what is there, has words and numbers that
 * we write, and the checksums that were written with it.  False with a message that names the row
 * otherwise.  */
bool store_verify(struct store *store, struct error *error);

#endif
