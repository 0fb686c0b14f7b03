/* What the files of the store share.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_PRIVATE_H
#define ARENABENCH_HARNESS_STORE_STORE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

enum statement {
    STATEMENT_BEGIN,
    STATEMENT_COMMIT,
    STATEMENT_ROLLBACK,
    STATEMENT_FIND_BUILD,
    STATEMENT_PUT_BUILD,
    STATEMENT_FIND_MACHINE,
    STATEMENT_PUT_MACHINE,
    STATEMENT_PUT_SWEEP,
    STATEMENT_PUT_PROVENANCE,
    STATEMENT_FIND_WORKLOAD,
    STATEMENT_PUT_WORKLOAD,
    STATEMENT_PUT_FACT,
    STATEMENT_FIND_TASK,
    STATEMENT_HAS_PREFIX,
    STATEMENT_DROP_TASK,
    STATEMENT_PUT_TASK,
    STATEMENT_PUT_PLAN,
    STATEMENT_PUT_CONV,
    STATEMENT_DROP_FINALS,
    STATEMENT_PUT_FINAL,
    STATEMENT_CLEAR_LAYER_USES,
    STATEMENT_PUT_LAYER_USE,
    STATEMENT_PUT_CONSTANT,
    STATEMENT_PUT_EVENT,
    STATEMENT_PUT_USE,
    STATEMENT_CLEAR_USES,
    STATEMENT_PUT_EXPERIMENT,
    STATEMENT_ADD_USED,
    STATEMENTS,
};

/* A pair of a sweep's provenance; the texts are the store's.  */
struct kept_pair {
    char *name, *value;
};

struct store {
    struct sqlite3 *db;
    char *dir, *path;                           /* the folder and the file in it */
    int lock;                                   /* descriptor of DIR/lock, or -1 */
    bool wal;                                   /* this process put the file in WAL mode */
    struct sqlite3_stmt *statement[STATEMENTS]; /* prepared at first use */
    struct kept_pair *pair;                     /* of the sweep that records; NULL: none does */
    size_t pairs;
    int64_t sweep;   /* its row; 0: not written yet */
    bool sweep_kept; /* its transaction has ended well */
};

/* Fills in SQLite's last message; false.  */
bool store_fault(struct store *store, struct error *error);

/* NULL when it can't be prepared.  */
struct sqlite3_stmt *store_statement(struct store *store, enum statement which);

/* Runs statements without rows; undoes an open transaction when one fails.  */
bool store_execute(struct store *store, const char *sql, struct error *error);

/* The row of the sweep that records, within the transaction that is open; writes
 * it where that has not been done yet.  */
bool store_sweep(struct store *store, int64_t *id, struct error *error);
void store_end_sweep(struct store *store);

/* The tables of builds, machines, sweeps and what belongs to them.  */
extern const char store_provenance_schema[];

/* Brings a file of schema 4 up to date: its number in the file is the caller's
 * part, and so is the transaction.  */
bool store_migrate(struct store *store, struct error *error);

#endif
