/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are there whole or not at all.
 *
 * What is written goes to a temporary file beside the final one, which takes
 * its name when everything is written, and on the disk where another one had that name: a power
 * failure leaves one of the two.  Standard output, and files that are
 * not regular ones (a pipe, a device), are written in place.  */
#ifndef ARENABENCH_HARNESS_IO_OUTPUT_H
#define ARENABENCH_HARNESS_IO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

struct output {
    FILE *file;
    char *path;
    char *temporary; /* NULL: written in place */
    bool replaces;   /* a file that is there */
};

/* PATH NULL is standard output.  False with a message when the file can't be
 * made; nothing to close then.  */
bool output_open(struct output *output, const char *path, struct error *error);

/* KEEP: gives the file its name; false with a message when it could not be
 * written whole.  Otherwise, and then, the temporary file is removed.  */
bool output_close(struct output *output, bool keep, struct error *error);

/* SIZE bytes as the whole file PATH; false with a message.  */
bool output_bytes(const char *path, const void *bytes, size_t size, struct error *error);

/* Makes a folder unless it is there; false with a message when files can't be
 * made in it.  */
bool output_folder(const char *path, struct error *error);

#endif
