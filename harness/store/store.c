/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: statements and transactions.  */
#include <config.h>

#include "harness/store/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "harness/store/store_private.h"
#include "lib/base/memory.h"

const char *store_library_version(void)
{
    return sqlite3_libversion();
}

bool store_fault(struct store *store, struct error *error)
{
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
    struct kept_statement *kept;
    size_t at = 0;
    int result = SQLITE_OK;

    while (at < store->n_kept && strcmp(store->kept[at].sql, sql) != 0)
        at++;
    if (at == store->n_kept) {
        store->kept =
            memory_grow(store->kept, &store->kept_capacity, store->n_kept + 1, sizeof *store->kept);
        store->kept[store->n_kept++] = (struct kept_statement){sql, NULL};
    }
    kept = &store->kept[at];
    if (kept->statement == NULL)
        result = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &kept->statement,
                                    NULL);
    for (int i = 0; result == SQLITE_OK && i < sqlite3_bind_parameter_count(kept->statement); i++)
        result = sqlite3_bind_text(kept->statement, i + 1, text[i], -1, SQLITE_STATIC);
    return store_step(store, kept->statement, result, id, outcome, error);
}

bool store_begin(struct store *store, struct error *error)
{
    return store_run(store, "BEGIN IMMEDIATE", NULL, NULL, NULL, error);
}

bool store_end(struct store *store, bool done, struct error *error)
{
    if (done && store_run(store, "COMMIT", NULL, NULL, NULL, error)) {
        store->sweep_kept = store->sweep != 0;
        return true;
    }
    store_run(store, "ROLLBACK", NULL, NULL, NULL, NULL);
    if (!store->sweep_kept)
        store->sweep = 0;
    return false;
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
