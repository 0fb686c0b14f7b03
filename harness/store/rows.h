/* The result of a query, kept.  */
#ifndef ARENABENCH_HARNESS_STORE_ROWS_H
#define ARENABENCH_HARNESS_STORE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

struct store;

struct rows {
    size_t columns, count;
    char **name; /* of the columns */
    char **cell; /* row after row; NULL: missing */
    size_t capacity;
};

/* Runs SQL with COUNT PARAMETERS.  The caller clears ROWS, after a failure
 * too.  */
bool rows_query(struct rows *rows, struct store *store, const char *sql,
                const char *const *parameters, int count, struct error *error);
void rows_clear(struct rows *rows);

/* The text of a cell, "" where it is missing.  */
const char *rows_text(const struct rows *rows, size_t row, size_t column);

/* The index of a column, or SIZE_MAX.  */
size_t rows_column(const struct rows *rows, const char *name);

/* Writes a header line and the rows; missing cells are empty.  */
void rows_write_csv(const struct rows *rows, FILE *out);

#endif
