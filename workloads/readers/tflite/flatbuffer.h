/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FlatBuffers, read in place and trusting nothing.
 *
 * The format (https://flatbuffers.dev/internals): a table begins with the
 * distance back to its vtable, which has a 16-bit place within the table for
 * each field, 0 for a field that is left out.  Strings, vectors and tables
 * inside are 32-bit distances forward; a vector begins with its length.
 * Everything is little-endian.
 *
 * Every access is checked against the file.  Parts may be shared, so a small
 * file can describe a huge structure: what is visited is counted against a
 * budget, a multiple of the file's size, and passing it is an error.  */
#ifndef ARENABENCH_WORKLOADS_READERS_TFLITE_FLATBUFFER_H
#define ARENABENCH_WORKLOADS_READERS_TFLITE_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

/* Bytes visited for each byte of the file, at most; a table counts as
 * FLATBUFFER_TABLE_COST bytes.  Files that programs write stay below 4.  */
#define FLATBUFFER_BUDGET 16
#define FLATBUFFER_TABLE_COST 64

struct flatbuffer {
    const char *path;
    const uint8_t *data;
    size_t size;
    size_t budget;
    struct error *error; /* of the first fault */
};

struct flatbuffer_table {
    size_t at;     /* of the table; 0: it is left out */
    size_t vtable; /* and of its vtable */
    size_t fields; /* in the vtable */
    size_t size;   /* bytes of the table itself */
};

struct flatbuffer_vector {
    size_t at; /* of the first element */
    size_t count;
};

/* Starts reading; refuses what has not IDENTIFIER (4 letters) at byte 4.  */
bool flatbuffer_open(struct flatbuffer *buffer, const char *path, const void *data, size_t size,
                     const char *identifier, struct error *error);
bool flatbuffer_root(struct flatbuffer *buffer, struct flatbuffer_table *root);

/* Sets "PATH: byte AT: ..."; returns false.  */
bool flatbuffer_error(const struct flatbuffer *buffer, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The number at AT, which has been checked.  */
uint32_t flatbuffer_u32(const struct flatbuffer *buffer, size_t at);

/* Field number FIELD of TABLE, WIDTH bytes wide: *AT becomes its place, 0 where
 * it is left out.  */
bool flatbuffer_field(const struct flatbuffer *buffer, const struct flatbuffer_table *table,
                      size_t field, size_t width, size_t *at);

/* Scalars; FALLBACK where the field is left out.  False: malformed.  */
bool flatbuffer_byte(const struct flatbuffer *buffer, const struct flatbuffer_table *table,
                     size_t field, int fallback, int *value); /* signed */
bool flatbuffer_int(const struct flatbuffer *buffer, const struct flatbuffer_table *table,
                    size_t field, int32_t fallback, int32_t *value);

/* What the 32-bit distance at AT, which has been checked, leads to: a place with
 * at least 4 bytes behind it.  */
bool flatbuffer_follow(const struct flatbuffer *buffer, size_t at, size_t *to);

/* A table in a field; TABLE->at is 0 where it is left out.  */
bool flatbuffer_sub_table(struct flatbuffer *buffer, const struct flatbuffer_table *table,
                          size_t field, struct flatbuffer_table *sub);

/* A vector of elements of WIDTH bytes, or a string (WIDTH 1); empty where it is
 * left out.  */
bool flatbuffer_vector(struct flatbuffer *buffer, const struct flatbuffer_table *table,
                       size_t field, size_t width, struct flatbuffer_vector *vector);

/* Table INDEX, below the count, of a vector of tables (WIDTH 4).  */
bool flatbuffer_table_at(struct flatbuffer *buffer, const struct flatbuffer_vector *vector,
                         size_t index, struct flatbuffer_table *table);

/* Element INDEX, below the count, of a vector of 32-bit numbers.  */
int32_t flatbuffer_int_at(const struct flatbuffer *buffer, const struct flatbuffer_vector *vector,
                          size_t index);

/* A string's bytes as text of our own: control characters become '?'.  */
char *flatbuffer_text(const struct flatbuffer *buffer, const struct flatbuffer_vector *string);

#endif
