/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a query, kept.  */
#ifndef ARENABENCH_HARNESS_STORE_ROWS_H
#define ARENABENCH_HARNESS_STORE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct store;

struct rows {
    size_t columns, count;
    char **name; /* of the columns */
    char **cell; /* row after row; NULL: missing */
    size_t capacity;
};

/* Runs SQL with COUNT PARAMETERS (texts, bound to ?1, ?2, ...; NULL where there are none) and
 * keeps what it gives in ROWS, which the caller clears, after a failure too.  ROWS may be NULL:
 * what it gives does not matter.  */
bool rows_query(struct rows *rows, struct store *store, const char *sql,
                const char *const *parameters, int count, struct error *error);
/* The same of the SQL that FORMAT stands for, as of SQLite's printf: %Q is a text as SQL has it, in
 * quotes, or null for NULL.  */
bool rows_ask(struct rows *rows, struct store *store, struct error *error, const char *format, ...);
void rows_clear(struct rows *rows);

/* The text of a cell, "" where it is missing.  */
const char *rows_text(const struct rows *rows, size_t row, size_t column);

/* The same by the name of a column that is there.  */
const char *rows_named(const struct rows *rows, size_t row, const char *name);

/* The index of a column, or SIZE_MAX.  */
size_t rows_column(const struct rows *rows, const char *name);

/* Takes the column NAME away, where there is one.  */
void rows_drop(struct rows *rows, const char *name);

/* The first of the offsets in HEX, which is the text of hex(offsets_unpack(plan.offsets)): 16
 * digits each.  */
int64_t rows_offset(const char *hex);

/* Writes a header line and the rows; missing cells are empty.  */
void rows_write_csv(const struct rows *rows, FILE *out);

#endif
