/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files: read or mapped into memory, or written to the last byte.  */
#ifndef ARENABENCH_LIB_BASE_FILE_H
#define ARENABENCH_LIB_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

/* Reads the file at PATH, `-` being standard input.  Files above LIMIT bytes are
 * refused before more of them is read.  A zero byte follows the LENGTH bytes
 * of *TEXT, which the caller frees.  Messages begin with the path.  */
bool file_read(const char *path, size_t limit, char **text, size_t *length, struct error *error);

struct file_bytes {
    const unsigned char *data; /* NULL where SIZE is 0 */
    size_t size;
    bool mapped; /* private: else it was read */
};

/* The bytes of the file at PATH, of LIMIT at most.  Those of a regular file are mapped: of a large
 * one no more is read than is looked at; whoever cuts the file meanwhile ends the process.  All
 * else is read.  file_bytes_clear gives them back.  */
bool file_map(const char *path, size_t limit, struct file_bytes *bytes, struct error *error);
void file_bytes_clear(struct file_bytes *bytes);

/* Whether PATH is called as files of a kind are: ENDING (".csv") ends it, and something is before.
 */
bool file_is_called(const char *path, const char *ending);

/* Whether all that was written to OUT is there; else errno says why, also where an earlier
 * write failed and errno has been another's since.  */
bool file_flush(FILE *out);

#endif
