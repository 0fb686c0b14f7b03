/* What the files of the store share.  */
#ifndef ARENABENCH_HARNESS_STORE_PRIVATE_H
#define ARENABENCH_HARNESS_STORE_PRIVATE_H

#include <stdbool.h>

#include "lib/error.h"

struct sqlite3;
struct sqlite3_stmt;

enum statement {
    STATEMENT_BEGIN,
    STATEMENT_COMMIT,
    STATEMENT_ROLLBACK,
    STATEMENT_CLEAR_PROVENANCE,
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
    STATEMENT_PUT_MACHINE,
    STATEMENT_PUT_EVENT,
    STATEMENT_PUT_USE,
    STATEMENT_CLEAR_USES,
    STATEMENT_PUT_EXPERIMENT,
    STATEMENT_ADD_USED,
    STATEMENTS,
};

struct store {
    struct sqlite3 *db;
    char *dir, *path;                           /* the folder and the file in it */
    int lock;                                   /* descriptor of DIR/lock, or -1 */
    bool wal;                                   /* this process put the file in WAL mode */
    struct sqlite3_stmt *statement[STATEMENTS]; /* prepared at first use */
};

/* Fills in SQLite's last message; false.  */
bool store_fault(struct store *store, struct error *error);

/* NULL when it can't be prepared.  */
struct sqlite3_stmt *store_statement(struct store *store, enum statement which);

#endif
