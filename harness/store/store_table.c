/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store_table.h"

#include <endian.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store_checksum.h"
#include "lib/base/memory.h"

/* --- the schema --- */

const char *const column_types[] = {
    [COLUMN_INT] = "INTEGER",  [COLUMN_FLAG] = "INTEGER",  [COLUMN_REAL] = "REAL",
    [COLUMN_TEXT] = "TEXT",    [COLUMN_CHECKSUM] = "TEXT", [COLUMN_BLOB] = "BLOB",
    [COLUMN_DOUBLES] = "BLOB",
};

static void write_column(FILE *out, const struct column *column)
{
    fprintf(out, "%s %s", column->name, column_types[column->kind]);
    if (column->rule != NULL)
        fprintf(out, " %s", column->rule);
}

static void write_table(FILE *out, const struct table *table)
{
    fprintf(out, "CREATE TABLE %s (", table->name);
    for (size_t c = 0; c < table->count; c++) {
        fputs(c == 0 ? "" : ", ", out);
        write_column(out, &table->column[c]);
    }
    fputs(", row_checksum INTEGER", out);
    if (table->rule != NULL)
        fprintf(out, ", %s", table->rule);
    fprintf(out, ")%s;", table->rowless ? " WITHOUT ROWID" : "");
}

char *store_schema_sql(void)
{
    static const char indexes[] = "CREATE INDEX task_by_key ON task (key_checksum);"
                                  "CREATE INDEX task_workload ON task (workload);"
                                  "CREATE INDEX base_workload ON base (workload);"
                                  "CREATE INDEX experiment_task_task ON experiment_task (task);";
    /* clang-format off */
    static const char views[] =
        "CREATE VIEW task_key AS SELECT t.id AS task, coalesce("
        KEY_TEXT("f.text", "coalesce(w.label, '')", "coalesce(w.checksum, '')",
                 "coalesce(t.params, '')", "coalesce(t.contestant, '')",
                 "coalesce(t.contestant_checksum, '')") ", 'lost, of task ' || t.id) AS key"
        " FROM task t LEFT JOIN form f ON f.id = t.form LEFT JOIN workload w ON w.id = t.workload;";
    /* clang-format on */
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (const struct table *t = store_tables; t < store_tables + TABLES; t++)
        write_table(out, t);
    fputs(indexes, out);
    fputs(views, out);
    memory_stream_close(out);
    return text;
}

const struct table *store_referred(const struct column *column)
{
    static const char rule[] = "REFERENCES ";
    const char *of = column->rule == NULL ? NULL : strstr(column->rule, rule);

    if (of == NULL)
        return NULL;
    of += sizeof rule - 1;
    for (const struct table *t = store_tables;; t++)
        if (strncmp(t->name, of, strcspn(of, " ")) == 0 && t->name[strcspn(of, " ")] == '\0')
            return t;
}

/* --- rows --- */

/* Writes the columns of a new row, or the later ones; a parameter has its column's name.  */
static char *write_sql(const struct table *table, bool later)
{
    const char *key = table->column[0].name, *comma = "";
    char *name = NULL, *value = NULL, *sql;
    size_t length;
    FILE *names = memory_stream(&name, &length), *values = memory_stream(&value, &length);

    for (const struct column *c = table->column; c < table->column + table->count; c++) {
        const bool given = c->offset != COLUMN_NOWHERE;

        if (c->later != later || (!given && c->made == NULL))
            continue;
        fprintf(names, "%s%s", comma, c->name);
        fprintf(values, "%s%s%s", comma, given ? ":" : "", given ? c->name : c->made);
        comma = ", ";
    }
    fprintf(names, "%srow_checksum", comma);
    fputs(comma, values);
    sum_write_call(values, table, later);
    memory_stream_close(names);
    memory_stream_close(values);
    sql = later ? memory_printf("UPDATE %s SET (%s) = (%s) WHERE %s = :%s", table->name, name,
                                value, key, key)
                : memory_printf("INSERT%s INTO %s (%s) VALUES (%s)",
                                table->replace ? " OR REPLACE" : "", table->name, name, value);
    free(name);
    free(value);
    return sql;
}

static int bind_int(sqlite3_stmt *statement, int at, const struct column *column, int64_t value)
{
    if (value == STORE_NULL || (value == 0 && column->zero_is_null))
        return sqlite3_bind_null(statement, at);
    return sqlite3_bind_int64(statement, at, value);
}

static int bind_doubles(sqlite3_stmt *statement, int at, const struct store_doubles *doubles)
{
    uint64_t *bytes;

    if (doubles->count == 0)
        return sqlite3_bind_null(statement, at);
    bytes = memory_copy(doubles->value, doubles->count, sizeof *bytes);
    for (size_t i = 0; i < doubles->count; i++)
        bytes[i] = htole64(bytes[i]);
    return sqlite3_bind_blob64(statement, at, bytes, doubles->count * sizeof *bytes, free);
}

static int bind_column(sqlite3_stmt *statement, int at, const struct column *column,
                       const void *value)
{
    const struct blob *blob = value;
    char text[17];

    switch (column->kind) {
    case COLUMN_INT:
        return bind_int(statement, at, column, *(const int64_t *)value);
    case COLUMN_FLAG:
        return sqlite3_bind_int(statement, at, *(const bool *)value);
    case COLUMN_REAL:
        return sqlite3_bind_double(statement, at, *(const double *)value);
    case COLUMN_TEXT:
        return sqlite3_bind_text(statement, at, *(const char *const *)value, -1, SQLITE_STATIC);
    case COLUMN_CHECKSUM:
        snprintf(text, sizeof text, "%016" PRIx64, *(const uint64_t *)value);
        return sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
    case COLUMN_BLOB:
        return sqlite3_bind_blob64(statement, at, blob->data, blob->size, SQLITE_STATIC);
    case COLUMN_DOUBLES:
        return bind_doubles(statement, at, value);
    }
    return SQLITE_MISUSE;
}

/* The statement with the columns of ROW that it asks for.  */
static bool write_row(struct store *store, enum table_id which, bool later, const void *row,
                      struct error *error)
{
    const struct table *table = &store_tables[which];
    sqlite3_stmt **statement = later ? &store->complete[which] : &store->insert[which];
    int result = SQLITE_OK;

    if (*statement == NULL) {
        char *sql = write_sql(table, later);

        result = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
        free(sql);
    }
    for (size_t i = 0; result == SQLITE_OK && i < table->count; i++) {
        const struct column *column = &table->column[i];
        char name[64];
        int at;

        snprintf(name, sizeof name, ":%s", column->name);
        at = sqlite3_bind_parameter_index(*statement, name);
        if (at != 0)
            result = bind_column(*statement, at, column, (const char *)row + column->offset);
    }
    return store_step(store, *statement, result, NULL, NULL, error);
}

bool store_insert(struct store *store, enum table_id which, const void *row, int64_t *id,
                  struct error *error)
{
    if (!write_row(store, which, false, row, error))
        return false;
    if (id != NULL)
        *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

bool store_complete(struct store *store, enum table_id which, const void *row, struct error *error)
{
    return write_row(store, which, true, row, error);
}
