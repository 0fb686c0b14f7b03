/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store of each schema from 5 to the one before today's, which is today's without what has come
 * since: it is brought up to date with all that it held, to the tables of a new one, and goes on.
 * (Of schemas 4 and 5 t_store_migrate has files that the programs of then wrote.)  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_sum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"
#include "tests/support/sample_results.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

enum { OLDEST = 5 };

static bool execute(struct store *store, char *sql)
{
    struct error error = {""};
    const bool done = rows_query(NULL, store, sql, NULL, 0, &error);

    if (!done)
        tap_diag("%s: %s", sql, error.text);
    free(sql);
    return done;
}

/* The checksums of TABLE as a program of schema VERSION wrote them.  */
static bool sum_as_then(struct store *store, const struct table *table, int version)
{
    char *sql = memory_printf("UPDATE %s SET row_checksum = row_sum(", table->name);
    const char *comma = "";

    for (const struct column *c = table->column; c < table->column + table->count; c++)
        if (sum_includes(c) && c->since <= version) {
            sql = memory_append(sql, "%s%s", comma, c->name);
            comma = ", ";
        }
    return execute(store, memory_append(sql, ")"));
}

/* Takes away what TABLE has got since schema VERSION.  */
static bool take_away(struct store *store, const struct table *table, int version)
{
    bool done = true;

    if (table->since > version)
        return execute(store, memory_printf("DROP TABLE %s", table->name));
    for (const struct column *c = table->column; done && c < table->column + table->count; c++)
        if (c->since > version)
            done = execute(store,
                           memory_printf("ALTER TABLE %s DROP COLUMN %s", table->name, c->name));
    if (done && version < SUM_SINCE)
        return execute(store,
                       memory_printf("ALTER TABLE %s DROP COLUMN row_checksum", table->name));
    return done && sum_as_then(store, table, version);
}

static bool make_older(const char *dir, int version)
{
    struct error error = {""};
    struct store *store = store_open(dir, false, &error);
    bool done = store != NULL;

    for (const struct table *t = store_tables; done && t < store_tables + TABLES; t++)
        done = take_away(store, t, version);
    done = done && execute(store, memory_printf("PRAGMA user_version = %d", version));
    store_close(store);
    return done;
}

/* All rows, as far as schema VERSION has them.  */
static char *rows_of(struct store *store, int version)
{
    char *text = memory_strdup("");

    for (const struct table *t = store_tables; t < store_tables + TABLES; t++) {
        char *key = sum_key(t), *sql = memory_strdup("SELECT "), *answer;
        const char *comma = "";

        for (const struct column *c = t->column; c < t->column + t->count; c++)
            if (c->since <= version) {
                sql = memory_append(sql, c->kind == COLUMN_BLOB ? "%shex(%s)" : "%s%s", comma,
                                    c->name);
                comma = ", ";
            }
        sql = memory_append(sql, " FROM %s ORDER BY %s", t->name, key);
        if (t->since <= version) {
            answer = store_answer(store, sql);
            text = memory_append(text, "%s: %s\n", t->name, answer);
            free(answer);
        }
        free(sql);
        free(key);
    }
    return text;
}

/* Columns by name: one that is added stands behind those of before.  */
static char *schema_of(struct store *store)
{
    return store_answer(
        store, "SELECT user_version, m.type, m.name, m.sql LIKE '%WITHOUT ROWID%',"
               " (SELECT group_concat(name || ' ' || type || ' ' || pk) FROM (SELECT * FROM"
               " pragma_table_info(m.name) ORDER BY name)),"
               " (SELECT group_concat(\"from\" || ' ' || \"table\" || ' ' || on_delete)"
               " FROM (SELECT * FROM pragma_foreign_key_list(m.name) ORDER BY \"from\")),"
               " iif(m.type = 'index', m.sql, '')"
               " FROM pragma_user_version, sqlite_master m ORDER BY m.type, m.name");
}

/* The rows and the tables of DIR; NULL with an assertion that failed.  */
static bool look(const char *dir, bool create, int version, char **rows, char **schema)
{
    struct error error = {""};
    struct store *store = store_open(dir, create, &error);

    if (!ok(store != NULL, "opens %s", error.text))
        return false;
    *rows = rows_of(store, version);
    *schema = schema_of(store);
    is_answer(store, "PRAGMA foreign_key_check", "", "every reference leads somewhere");
    is_answer(store, "SELECT count(*) FROM task WHERE row_checksum IS NULL", "0;",
              "every task has its checksum");
    store_close(store);
    return true;
}

static void migrates(const char *base, int version, bool create)
{
    char *dir = memory_printf("%s/%d-%d", base, version, create);
    char *want = NULL, *want_schema = NULL, *got = NULL, *got_schema = NULL;
    struct error error = {""};

    ok(sample_results(dir, SAMPLE_MACHINES, &error), "a store %s", error.text);
    if (look(dir, true, version, &want, &want_schema)) {
        ok(make_older(dir, version), "of schema %d", version);
        if (look(dir, create, version, &got, &got_schema)) {
            is_text(got, want, "has all it had");
            is_text(got_schema, want_schema, "and today's tables");
        }
    }
    free(want);
    free(want_schema);
    free(got);
    free(got_schema);
    free(dir);
}

int main(void)
{
    char *base = scratch_new();

    for (int version = OLDEST; version < store_schema(); version++)
        for (int create = 0; create < 2; create++)
            migrates(base, version, create != 0);
    scratch_remove(base);
    return tap_done();
}
