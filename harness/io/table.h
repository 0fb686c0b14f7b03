/* Tables on standard output: aligned text for people, CSV for programs.  */
#ifndef ARENABENCH_HARNESS_IO_TABLE_H
#define ARENABENCH_HARNESS_IO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_CSV };

struct table;

/* COLUMNS are plain names; a text table right-aligns the columns whose cells
 * are all numbers.  */
struct table *table_new(const char *const *columns, size_t count);
void table_free(struct table *table);

/* Adds one cell to the current row; a row is complete with its last column.
 * The empty text is a missing value.  */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* CSV quotes cells with commas, quotes or newlines as RFC 4180 says.  False on
 * an output error, with errno.  */
bool table_print(const struct table *table, FILE *out, enum table_format format);

/* Writes one CSV cell, quoted where needed.  */
void csv_write_cell(FILE *out, const char *text);

#endif
