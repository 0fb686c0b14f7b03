/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables on standard output: aligned text for people, CSV and JSON for programs.  */
#ifndef ARENABENCH_HARNESS_IO_TABLE_H
#define ARENABENCH_HARNESS_IO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON };

struct table;

/* JSON calls a column NAME_UNIT, or NAME where the unit is "", and has numbers in it; where
 * the unit is NULL it has texts.  What is missing is null.  */
struct table_column {
    const char *name; /* text and CSV call it so */
    const char *unit;
};

/* A text table has cells as lib/base/people.h has texts, and right-aligns the columns whose cells
 * are all numbers.  */
struct table *table_new(const struct table_column *columns, size_t count);
void table_free(struct table *table);

/* The same with the columns in one text, apart by blanks: "name load:bytes width:" has a column of
 * texts, one of numbers with a unit and one of numbers without.  */
struct table *table_named(const char *columns);

/* How many columns there are, and the one with index C.  */
size_t table_columns(const struct table *table);
struct table_column table_column(const struct table *table, size_t c);

/* Adds one cell to the current row; a row is complete with its last column.
 * The empty text is a missing value.  */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A cell for each text, NULL for none; for each int64_t, TABLE_NONE for none.  */
#define table_texts(table, ...)                                \
    table_add_texts(table, (const char *const[]){__VA_ARGS__}, \
                    sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))
#define table_ints(table, ...)                            \
    table_add_ints(table, (const int64_t[]){__VA_ARGS__}, \
                   sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))
#define TABLE_NONE INT64_MIN
void table_add_texts(struct table *table, const char *const *text, size_t count);
void table_add_ints(struct table *table, const int64_t *value, size_t count);

/* A cell with VALUE as FORMAT has it; NaN: none.  */
void table_real(struct table *table, const char *format, double value)
    __attribute__((format(printf, 2, 0)));

/* TABLE with rows as columns, its header the first one, and the first column as header; frees
 * TABLE. For people, where rows are few and long: it has no units for JSON.  */
struct table *table_turned(struct table *table);

/* CSV quotes cells with commas, quotes or newlines as RFC 4180 says; JSON is an object a line
 * (RFC 8259).  False on an output error, with errno.  */
bool table_print(const struct table *table, FILE *out, enum table_format format);

/* The same on standard output, with a message where that fails; frees TABLE.  Returns the exit
 * status.  */
int table_finish(struct table *table, enum table_format format);

/* Writes TEXT as a JSON string; a byte that is no UTF-8 becomes U+FFFD.  */
void json_write_text(FILE *out, const char *text);

/* Whether TEXT is a number as JSON has it: no plus, no leading zeros, digits around a point.  */
bool json_is_number(const char *text);

/* Writes one CSV cell, quoted where needed.  */
void csv_write_cell(FILE *out, const char *text);

#endif
