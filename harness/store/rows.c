/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/rows.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/table.h"
#include "harness/store/store_private.h"
#include "lib/base/memory.h"

/* A cell's text, numbers with all their digits; NULL is NULL.  */
static char *cell_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);

    if (sqlite3_column_type(statement, column) == SQLITE_FLOAT)
        return memory_printf("%.17g", sqlite3_column_double(statement, column));
    return text == NULL ? NULL : memory_strdup(text);
}

static void take_names(struct rows *rows, sqlite3_stmt *statement)
{
    rows->columns = (size_t)sqlite3_column_count(statement);
    rows->name = memory_alloc(rows->columns, sizeof *rows->name);
    for (size_t i = 0; i < rows->columns; i++)
        rows->name[i] = memory_strdup(sqlite3_column_name(statement, (int)i));
}

static void take_row(struct rows *rows, sqlite3_stmt *statement)
{
    const size_t start = rows->count++ * rows->columns;

    rows->cell =
        memory_grow(rows->cell, &rows->capacity, start + rows->columns, sizeof *rows->cell);
    for (size_t i = 0; i < rows->columns; i++)
        rows->cell[start + i] = cell_text(statement, (int)i);
}

bool rows_query(struct rows *rows, struct store *store, const char *sql,
                const char *const *parameters, int count, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);

    if (rows != NULL)
        memset(rows, 0, sizeof *rows);
    for (int i = 0; result == SQLITE_OK && i < count; i++)
        result = sqlite3_bind_text(statement, i + 1, parameters[i], -1, SQLITE_STATIC);
    if (result == SQLITE_OK) {
        if (rows != NULL)
            take_names(rows, statement);
        while ((result = sqlite3_step(statement)) == SQLITE_ROW)
            if (rows != NULL)
                take_row(rows, statement);
    }
    if (result != SQLITE_DONE)
        store_fault(store, error);
    sqlite3_finalize(statement);
    return result == SQLITE_DONE;
}

bool rows_ask(struct rows *rows, struct store *store, struct error *error, const char *format, ...)
{
    va_list arguments;
    char *sql;
    bool done;

    va_start(arguments, format);
    sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (sql == NULL)
        memory_exhausted();
    done = rows_query(rows, store, sql, NULL, 0, error);
    sqlite3_free(sql);
    return done;
}

void rows_clear(struct rows *rows)
{
    for (size_t i = 0; i < rows->count * rows->columns; i++)
        free(rows->cell[i]);
    for (size_t i = 0; i < rows->columns; i++)
        free(rows->name[i]);
    free(rows->cell);
    free(rows->name);
    memset(rows, 0, sizeof *rows);
}

const char *rows_text(const struct rows *rows, size_t row, size_t column)
{
    const char *text;

    assert(row < rows->count && column < rows->columns);
    text = rows->cell[row * rows->columns + column];
    return text == NULL ? "" : text;
}

const char *rows_named(const struct rows *rows, size_t row, const char *name)
{
    const size_t column = rows_column(rows, name);

    assert(column < rows->columns);
    return rows_text(rows, row, column);
}

size_t rows_column(const struct rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->columns; i++)
        if (strcmp(rows->name[i], name) == 0)
            return i;
    return SIZE_MAX;
}

void rows_drop(struct rows *rows, const char *name)
{
    const size_t drop = rows_column(rows, name);
    size_t kept = 0;

    if (drop == SIZE_MAX)
        return;
    for (size_t i = 0; i < rows->count * rows->columns; i++) {
        if (i % rows->columns == drop)
            free(rows->cell[i]);
        else
            rows->cell[kept++] = rows->cell[i];
    }
    free(rows->name[drop]);
    rows->columns--;
    memmove(rows->name + drop, rows->name + drop + 1, (rows->columns - drop) * sizeof *rows->name);
}

static int nibble(char digit)
{
    return digit <= '9' ? digit - '0' : digit - 'A' + 10;
}

int64_t rows_offset(const char *hex)
{
    uint64_t value = 0;

    /* The lowest byte first.  */
    for (size_t byte = 8; byte-- > 0;)
        value = value << 8 | (uint64_t)(nibble(hex[2 * byte]) << 4 | nibble(hex[2 * byte + 1]));
    return (int64_t)value;
}

static void write_line(FILE *out, char *const *cell, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", out);
        csv_write_cell(out, cell[i] == NULL ? "" : cell[i]);
    }
    fputc('\n', out);
}

void rows_write_csv(const struct rows *rows, FILE *out)
{
    write_line(out, rows->name, rows->columns);
    for (size_t row = 0; row < rows->count; row++)
        write_line(out, rows->cell + row * rows->columns, rows->columns);
}
