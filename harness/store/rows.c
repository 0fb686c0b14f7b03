#include <config.h>

#include "harness/store/rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/table.h"
#include "harness/store/store.h"
#include "harness/store/store_report.h"
#include "lib/base/memory.h"

static char *copy_text(const char *text)
{
    return text == NULL ? NULL : memory_strdup(text);
}

static bool keep_names(void *context, int columns, const char *const *value)
{
    struct rows *rows = context;

    rows->columns = (size_t)columns;
    rows->name = memory_alloc(rows->columns, sizeof *rows->name);
    for (size_t i = 0; i < rows->columns; i++)
        rows->name[i] = copy_text(value[i]);
    return true;
}

static bool keep_row(void *context, int columns, const char *const *value)
{
    struct rows *rows = context;
    size_t start = rows->count * rows->columns;

    rows->cell =
        memory_grow(rows->cell, &rows->capacity, start + (size_t)columns, sizeof *rows->cell);
    for (size_t i = 0; i < (size_t)columns; i++)
        rows->cell[start + i] = copy_text(value[i]);
    rows->count++;
    return true;
}

bool rows_query(struct rows *rows, struct store *store, const char *sql,
                const char *const *parameters, int count, struct error *error)
{
    memset(rows, 0, sizeof *rows);
    return store_columns(store, sql, keep_names, rows, error) &&
           store_query(store, sql, parameters, count, keep_row, rows, error);
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
    const char *text = rows->cell[row * rows->columns + column];

    return text == NULL ? "" : text;
}

size_t rows_column(const struct rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->columns; i++)
        if (strcmp(rows->name[i], name) == 0)
            return i;
    return SIZE_MAX;
}

void rows_write_csv(const struct rows *rows, FILE *out)
{
    for (size_t i = 0; i < rows->columns; i++) {
        fputs(i == 0 ? "" : ",", out);
        csv_write_cell(out, rows->name[i]);
    }
    fputc('\n', out);
    for (size_t row = 0; row < rows->count; row++)
        for (size_t i = 0; i < rows->columns; i++) {
            fputs(i == 0 ? "" : ",", out);
            csv_write_cell(out, rows_text(rows, row, i));
            if (i + 1 == rows->columns)
                fputc('\n', out);
        }
}
