/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes made fewer by zlib, and back: the one place of that library.  */
#ifndef ARENABENCH_HARNESS_IO_DEFLATE_H
#define ARENABENCH_HARNESS_IO_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes a stream of zlib's can hold at most, for each of its own.  */
#define DEFLATE_MOST 1032

/* DATA as a stream of zlib's (RFC 1950), behind BEFORE bytes that are the caller's to fill in;
 * *LENGTH is the length of all.  The caller frees it.  */
uint8_t *deflate_bytes(const uint8_t *data, size_t size, size_t before, size_t *length);

/* What the stream STREAM of SIZE bytes holds, into OUT, and how many bytes that are.  False where
 * it is no whole stream, something stands behind it, or it holds more than MOST bytes.  */
bool inflate_bytes(const uint8_t *stream, size_t size, uint8_t *out, size_t most, size_t *length);

#endif
