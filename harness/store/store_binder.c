#include <config.h>

#include "harness/store/store_binder.h"

#include <sqlite3.h>
#include <stdio.h>

struct binder binder_new(struct store *store, enum statement which)
{
    struct binder binder = {store, store_statement(store, which), 0, SQLITE_OK};

    if (binder.statement == NULL)
        binder.result = SQLITE_ERROR;
    return binder;
}

void binder_text(struct binder *binder, const char *text)
{
    if (binder->result == SQLITE_OK)
        binder->result =
            sqlite3_bind_text(binder->statement, ++binder->at, text, -1, SQLITE_STATIC);
}

void binder_real(struct binder *binder, double value)
{
    if (binder->result == SQLITE_OK)
        binder->result = sqlite3_bind_double(binder->statement, ++binder->at, value);
}

void binder_int(struct binder *binder, int64_t value)
{
    if (binder->result != SQLITE_OK)
        return;
    if (value == STORE_NULL)
        binder->result = sqlite3_bind_null(binder->statement, ++binder->at);
    else
        binder->result = sqlite3_bind_int64(binder->statement, ++binder->at, value);
}

void binder_blob(struct binder *binder, const void *data, size_t size)
{
    if (binder->result == SQLITE_OK)
        binder->result =
            sqlite3_bind_blob64(binder->statement, ++binder->at, data, size, SQLITE_STATIC);
}

bool binder_run(struct binder *binder, int64_t *id, char *outcome, struct error *error)
{
    bool done = binder->result == SQLITE_OK;

    if (id != NULL)
        *id = 0;
    if (done) {
        int step = sqlite3_step(binder->statement);

        done = step == SQLITE_ROW || step == SQLITE_DONE;
        if (step == SQLITE_ROW && id != NULL)
            *id = sqlite3_column_int64(binder->statement, 0);
        if (step == SQLITE_ROW && outcome != NULL)
            snprintf(outcome, 32, "%s", (const char *)sqlite3_column_text(binder->statement, 1));
    }
    if (!done)
        store_fault(binder->store, error);
    if (binder->statement != NULL) {
        sqlite3_reset(binder->statement);
        sqlite3_clear_bindings(binder->statement);
    }
    return done;
}

bool binder_plain(struct store *store, enum statement which, struct error *error)
{
    struct binder binder = binder_new(store, which);

    return binder_run(&binder, NULL, NULL, error);
}

bool binder_finish(struct store *store, bool done, struct error *error)
{
    if (done && binder_plain(store, STATEMENT_COMMIT, error)) {
        store->sweep_kept = store->sweep != 0;
        return true;
    }
    binder_plain(store, STATEMENT_ROLLBACK, NULL);
    if (!store->sweep_kept)
        store->sweep = 0;
    return false;
}
