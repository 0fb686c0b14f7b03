/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated rows as instances and plans use them: a header line, no
 * quoting, cells trimmed of blanks.
 *
 * The whole stream is read at once; cells point into it, so memory is linear
 * in the file.  Accepted: a UTF-8 byte-order mark, LF or CRLF, a missing final
 * line end, empty lines at the end.  Refused: text that is not UTF-8, control
 * characters, data after an empty line, rows shorter or longer than the
 * header.  Places in messages are FILE:LINE:COLUMN, columns being bytes from
 * 1, the byte-order mark not counted.  */
#ifndef ARENABENCH_LIB_BASE_CSV_H
#define ARENABENCH_LIB_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct csv_cell {
    const char *text; /* not terminated */
    size_t length;
    size_t column; /* place in its line, from 1 */
};

struct csv {
    const char *path; /* the caller's; has to outlive the reading */
    char *text;
    size_t length, capacity;
    size_t start, at;    /* the first line, the next line */
    size_t line;         /* of the current row, from 1 */
    size_t end_column;   /* just past the current row's last byte */
    size_t header_cells; /* 0 before csv_header */
    size_t cells, cell_capacity;
    struct csv_cell *cell; /* those of the current row */
    char *scratch;         /* of csv_text */
    size_t scratch_capacity;
};

/* The columns that describe buffers, in instances and plans alike.  */
enum csv_field {
    CSV_ID,
    CSV_LOWER,
    CSV_UPPER,
    CSV_SIZE,
    CSV_ALIGNMENT,
    CSV_HINT,
    CSV_OFFSET,
    CSV_GAPS,
    CSV_READS,
    CSV_WRITES,
    CSV_MEMORIES,
    CSV_ACCESSES,
    CSV_FIELDS,
};

struct csv_header {
    size_t where[CSV_FIELDS]; /* the cell of each field; SIZE_MAX: no such column */
    bool inclusive;           /* CSV_UPPER is called `end`: the last step, not the one after */
};

/* Reads all of IN.  On success the caller frees CSV with csv_close; on failure
 * there is nothing to free.  */
bool csv_open(struct csv *csv, FILE *in, const char *path, struct error *error);
void csv_close(struct csv *csv);

/* Reads the header line: names in any order, with MiniMalloc's aliases.
 * REQUIRED[0..count) are the fields that have to be there.  EXPECTED is a good
 * header, for messages.  */
bool csv_header(struct csv *csv, struct csv_header *header, const enum csv_field *required,
                size_t count, const char *expected, struct error *error);

/* Reads a header line that has to be NAMES[0..count), in this order.  */
bool csv_fixed_header(struct csv *csv, const char *const *names, size_t count, struct error *error);

/* Reads a header line that has NAMES[0..count) once each, in any order, among others.  WHERE[i] is
 * the cell of NAMES[i].  EXPECTED as for csv_header.  */
bool csv_named_header(struct csv *csv, const char *const *names, size_t count, const char *expected,
                      size_t *where, struct error *error);

enum csv_step { CSV_ROW, CSV_END, CSV_BAD };

/* Goes to the next row.  At CSV_END, line and end_column are the place after
 * the last row.  */
enum csv_step csv_next(struct csv *csv, struct error *error);

/* Reads the current row into CONTEXT; false with a message.  */
typedef bool csv_row_reader(struct csv *csv, void *context, struct error *error);

/* Gives READ each row that is left, up to one that it does not read: then false with its message,
 * as for a row that is none.  */
bool csv_rows(struct csv *csv, csv_row_reader *read, void *context, struct error *error);

/* All of IN: the header NAMES[0..count) as for csv_fixed_header, and READ for each row.  What READ
 * has made of rows before one that is refused is the caller's to free.  */
bool csv_read_all(FILE *in, const char *path, const char *const *names, size_t count,
                  csv_row_reader *read, void *context, struct error *error);

/* Goes back to before the first row after the header.  */
void csv_rewind(struct csv *csv);

/* A terminated copy of a cell of the current row, good until the next call.  */
const char *csv_text(struct csv *csv, size_t cell);

/* The whole number in a cell, at least LOW.  WHAT names the cell in messages.  */
bool csv_int(const struct csv *csv, size_t cell, const char *what, int64_t low, int64_t *value,
             struct error *error);

/* The finite number in a cell, at least LOW.  */
bool csv_real(struct csv *csv, size_t cell, const char *what, double low, double *value,
              struct error *error);

/* The same for PART of a cell.  */
bool csv_part_int(const struct csv *csv, const struct csv_cell *part, const char *what, int64_t low,
                  int64_t *value, struct error *error);

/* The step just after a lifetime, one more than the cell says where the column
 * is inclusive.  The lifetime from LOWER must not be empty.  */
bool csv_upper(const struct csv *csv, const struct csv_header *header, int64_t lower,
               int64_t *upper, struct error *error);

/* Sets the message, with its place in the current line; returns false.  */
bool csv_error(const struct csv *csv, size_t column, struct error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#ifdef ARENABENCH_ANALYSIS
#define csv_error(...) ((void)csv_error(__VA_ARGS__), false) /* as in lib/base/error.h */
#endif

/* A cell's text for messages: control characters replaced, long texts cut.  */
struct csv_shown {
    char text[64];
};
struct csv_shown csv_shown(const char *text, size_t length);

#endif
