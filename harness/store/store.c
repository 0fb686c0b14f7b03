/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: statements and transactions.  */
#include <config.h>

#include "harness/store/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "harness/store/store_private.h"
#include "lib/base/memory.h"

const char *store_library_version(void)
{
    return sqlite3_libversion();
}

/* SQLite takes a full disk for a thing of its own, without the system's number.  */
bool store_fault(struct store *store, struct error *error)
{
    const int fault = sqlite3_errcode(store->db);
    const int reason = fault == SQLITE_FULL ? ENOSPC
                       : fault == SQLITE_IOERR || fault == SQLITE_CANTOPEN
                           ? sqlite3_system_errno(store->db)
                           : 0;

    if (fault == SQLITE_BUSY)
        return error_set(error, "%s: another program has not let go of it for %d seconds",
                         store->path, STORE_PATIENCE_MS / 1000);
    if (reason != 0)
        return error_set(error, "%s: %s (%s)", store->path, strerror(reason),
                         sqlite3_errmsg(store->db));
    return error_set(error, "%s: %s", store->path, sqlite3_errmsg(store->db));
}

bool store_step(struct store *store, sqlite3_stmt *statement, int result, int64_t *id,
                char *outcome, struct error *error)
{
    if (id != NULL)
        *id = 0;
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result == SQLITE_ROW && id != NULL)
        *id = sqlite3_column_int64(statement, 0);
    if (result == SQLITE_ROW && outcome != NULL)
        snprintf(outcome, 32, "%s", (const char *)sqlite3_column_text(statement, 1));
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        store_fault(store, error);
    if (statement != NULL) {
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    }
    return result == SQLITE_ROW || result == SQLITE_DONE;
}

bool store_run(struct store *store, const char *sql, const char *const *text, int64_t *id,
               char *outcome, struct error *error)
{
    struct kept_statement *kept = store->kept;
    const struct kept_statement *end = kept + store->n_kept;
    int result = SQLITE_OK;

    while (kept < end && strcmp(kept->sql, sql) != 0)
        kept++;
    if (kept == end) {
        store->kept =
            memory_grow(store->kept, &store->kept_capacity, store->n_kept + 1, sizeof *store->kept);
        kept = &store->kept[store->n_kept++];
        *kept = (struct kept_statement){sql, NULL};
    }
    if (kept->statement == NULL)
        result = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &kept->statement,
                                    NULL);
    for (int i = 0; result == SQLITE_OK && i < sqlite3_bind_parameter_count(kept->statement); i++)
        result = sqlite3_bind_text(kept->statement, i + 1, text[i], -1, SQLITE_STATIC);
    return store_step(store, kept->statement, result, id, outcome, error);
}

bool store_has_moved(struct store *store)
{
    int moved = 0;

    return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
           moved != 0;
}

static bool is_in_place(struct store *store, struct error *error)
{
    return !store_has_moved(store) ||
           error_set(error, "%s: was removed or renamed while it was written to", store->path);
}

bool store_begin(struct store *store, struct error *error)
{
    return is_in_place(store, error) &&
           store_run(store, "BEGIN IMMEDIATE", NULL, NULL, NULL, error);
}

bool store_end(struct store *store, bool done, struct error *error)
{
    if (done && store_run(store, "COMMIT", NULL, NULL, NULL, error)) {
        store->sweep_kept = store->sweep != 0;
        store->unsettled = true;
        return true;
    }
    store_run(store, "ROLLBACK", NULL, NULL, NULL, NULL);
    if (!store->sweep_kept)
        store->sweep = 0;
    return false;
}

bool store_settle(struct store *store, struct error *error)
{
    sqlite3_file *log = NULL;

    if (!store->unsettled)
        return true;
    if (!is_in_place(store, error))
        return false;
    if (store->wal &&
        (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK ||
         log->pMethods == NULL || log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) != SQLITE_OK))
        return error_set(error, "%s: what was recorded could not be brought to the disk: %s",
                         store->path, strerror(errno));
    store->unsettled = false;
    return true;
}

bool store_is_settled(const struct store *store)
{
    return !store->unsettled;
}

bool store_execute(struct store *store, const char *sql, struct error *error)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    store_fault(store, error);
    /* Fails where no transaction is open: nothing to undo then.  */
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
