/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: whether a file is whole, which is looked at whenever one is opened.  */
#include <config.h>

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_private.h"
#include "harness/store/store_checksum.h"
#include "lib/base/memory.h"

/* SQLite's reason has a line before it that says which database it means.  */
bool store_damaged(struct store *store, const char *reason, struct error *error)
{
    const char *line = strchr(reason, '\n');

    if (line != NULL && strncmp(reason, "***", 3) == 0)
        reason = line + 1;
    return error_set(error,
                     "%s: damaged: %s; 'arenabench rescue %s --output NEW' saves what can be read",
                     store->path, reason, store->dir);
}

/* Whether SQLite's last fault says nothing about the file's content.  */
static bool is_outside(struct store *store)
{
    switch (sqlite3_errcode(store->db)) {
    case SQLITE_BUSY:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_PERM:
    case SQLITE_READONLY:
        return true;
    default:
        return false;
    }
}

/* Refuses the first text that SQL finds which is not OTHERWISE.  What can't be asked is damaged
 * too.  */
static bool ask(struct store *store, const char *sql, const char *otherwise, struct error *error)
{
    struct error fault;
    struct rows rows;
    bool done = true;

    if (!rows_query(&rows, store, sql, NULL, 0, &fault))
        done = is_outside(store)
                   ? error_set(error, "%s", fault.text)
                   : store_damaged(store, fault.text + strlen(store->path) + 2, error);
    else if (rows.count > 0 && strcmp(rows_text(&rows, 0, 0), otherwise) != 0)
        done = store_damaged(store, rows_text(&rows, 0, 0), error);
    rows_clear(&rows);
    return done;
}

/* Columns have the names and types that they were made with.  */
static bool check_columns(struct store *store, const struct table *table, struct error *error)
{
    char *sql = memory_printf("SELECT 'the columns of %s are others' WHERE (SELECT count(*) FROM"
                              " pragma_table_info('%s') WHERE (name, type) IN (VALUES ",
                              table->name, table->name);
    bool done;

    for (const struct column *c = table->column; c < table->column + table->count; c++)
        sql = memory_append(sql, "%s('%s', '%s')", c == table->column ? "" : ", ", c->name,
                            column_types[c->kind]);
    sql = memory_append(sql, ")) <> %zu", table->count);
    done = ask(store, sql, "", error);
    free(sql);
    return done;
}

static bool check_rows(struct store *store, const struct table *table, struct error *error)
{
    char *name = sum_row_name(table), *fault = sum_fault(table);
    char *sql = memory_printf("SELECT %s || ': ' || (%s) AS fault FROM %s WHERE fault IS NOT NULL"
                              " LIMIT 1",
                              name, fault, table->name);
    bool done = ask(store, sql, "", error);

    free(sql);
    free(fault);
    free(name);
    return done;
}

bool store_verify(struct store *store, struct error *error)
{
    if (!ask(store, "PRAGMA integrity_check(1)", "ok", error) ||
        !ask(store,
             "SELECT \"table\" || ': a row refers to one of ' || parent || ' that is not there'"
             " FROM pragma_foreign_key_check LIMIT 1",
             "", error))
        return false;
    for (const struct table *t = store_tables; t < store_tables + TABLES; t++)
        if (!check_columns(store, t, error) || !check_rows(store, t, error))
            return false;
    return true;
}

bool store_unsummed(struct store *store, struct rows *rows, struct error *error)
{
    char *sql = memory_strdup("");
    bool done;

    for (const struct table *t = store_tables; t < store_tables + TABLES; t++) {
        char *name = sum_row_name(t);

        sql = memory_append(sql,
                            "%sSELECT n || iif(n = 1, ' row', ' rows') || ' of %s without a"
                            " checksum: ' || (SELECT group_concat(name, '; ') FROM (SELECT %s AS"
                            " name FROM %s WHERE row_checksum IS NULL LIMIT 3)) ||"
                            " iif(n > 3, '; ...', '') FROM (SELECT count(*) AS n FROM %s"
                            " WHERE row_checksum IS NULL) WHERE n > 0",
                            sql[0] == '\0' ? "" : " UNION ALL ", t->name, name, t->name, t->name);
        free(name);
    }
    done = rows_query(rows, store, sql, NULL, 0, error);
    free(sql);
    return done;
}
