/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One picture, by gnuplot, for a command that draws one.  */
#ifndef ARENABENCH_HARNESS_IO_PICTURE_H
#define ARENABENCH_HARNESS_IO_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

/* Writes what the script reads into FOLDER.  */
typedef bool picture_data(const char *folder, const void *context, struct error *error);

/* Draws plots/NAME.gp in FORMAT (svg, png or pdf) on OUT, of what WRITE puts into a folder that is
 * there meanwhile.  False with a message; whether all is on OUT, who closes it sees.  */
bool picture_draw(const char *name, const char *format, picture_data *write, const void *context,
                  FILE *out, struct error *error);

/* The format that the ending of the file PATH names among FORMATS[0..COUNT); of NULL the first
 * one, of one that is none of these NULL.  */
const char *picture_format(const char *path, const char *const *formats, size_t count);

#endif
