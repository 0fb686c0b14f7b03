/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FlatBuffers, written from the front: a part that refers to another comes before
 * it, and its reference is filled in when the other is there.  */
#ifndef ARENABENCH_WORKLOADS_READERS_TFLITE_WRITER_H
#define ARENABENCH_WORKLOADS_READERS_TFLITE_WRITER_H

#include <stddef.h>
#include <stdint.h>

struct writer {
    uint8_t *data;
    size_t size, capacity;
};

/* Begins with the root reference, at byte 0, and IDENTIFIER (4 letters).  */
void writer_begin(struct writer *writer, const char *identifier);
void writer_clear(struct writer *writer);

/* Zeros up to a multiple of ALIGNMENT; COUNT bytes, or zeros where BYTES is NULL.
 * Both return where the file then goes on, or the bytes' place.  */
size_t writer_align(struct writer *writer, size_t alignment);
size_t writer_bytes(struct writer *writer, const void *bytes, size_t count);

/* A table whose field i has WIDTH[i] bytes (0: it is left out), and its vtable.
 * Returns the table's place; writer_field that of a field that is there.  */
size_t writer_table(struct writer *writer, const uint8_t *width, size_t fields);
size_t writer_field(const struct writer *writer, size_t table, size_t field);

/* A vector of COUNT elements of WIDTH bytes, at a multiple of ALIGNMENT; zeros where
 * BYTES is NULL.  Its first element is 4 bytes behind the place returned.  */
size_t writer_vector(struct writer *writer, const void *bytes, size_t count, size_t width,
                     size_t alignment);
size_t writer_string(struct writer *writer, const char *text);

void writer_set32(struct writer *writer, size_t at, uint32_t number);

/* Makes the reference at AT lead to TO, which comes after it.  */
void writer_refer(struct writer *writer, size_t at, size_t to);

#endif
