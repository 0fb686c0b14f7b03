/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a command's own, by gnuplot.  */
#ifndef ARENABENCH_HARNESS_IO_PICTURE_H
#define ARENABENCH_HARNESS_IO_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

/* The format (svg, png, pdf, html) that the ending of PATH names, svg where it is NULL; NULL: none
 * of ours.  */
const char *picture_format(const char *path);

/* The same of a picture: svg, png or pdf.  */
const char *picture_still_format(const char *path);

/* Draws plots/NAME.gp with the data that WRITE puts into a folder, as FORMAT on OUT.  */
typedef bool picture_writer(const char *folder, const void *context, struct error *error);
bool picture_draw(const char *name, const char *format, picture_writer *write, const void *context,
                  FILE *out, struct error *error);

#endif
