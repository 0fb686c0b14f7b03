/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot, in a folder of its own.  */
#ifndef ARENABENCH_HARNESS_IO_GNUPLOT_H
#define ARENABENCH_HARNESS_IO_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/error.h"

/* Whether there is a gnuplot to run.  */
bool gnuplot_found(void);

/* Of the two widths that a page of two columns has.  */
enum gnuplot_width { GNUPLOT_PAGE, GNUPLOT_COLUMN };

/* A picture as it is to be drawn.  */
struct gnuplot_look {
    const char *format; /* pdf, png or svg; of gnuplot_draw_tex NULL */
    enum gnuplot_width width;
};

/* Runs the script plots/NAME.gp in FOLDER, which holds its data and into which
 * the script and what scripts share are copied: no path is passed on, so that
 * any folder name will do.  The script finds `name`, `format` (pdf, png or
 * svg) and `width` (page or column) set, and draws on standard output, which becomes
 * NAME.FORMAT in FOLDER.
 * False with gnuplot's message when it failed or there is no picture, and with
 * the reason when that can't be written.  The same data give the same bytes: a
 * PDF file has no date.  */
bool gnuplot_draw(const char *folder, const char *name, struct gnuplot_look look,
                  struct error *error);

/* The same for LaTeX: the lines become NAME-tex.pdf, and the texts NAME-tex.tex as gnuplot's
 * terminal cairolatex writes them.  */
bool gnuplot_draw_tex(const char *folder, const char *name, enum gnuplot_width width,
                      struct error *error);

/* Writes TEXT as a cell of a data file, whose separator is a comma: of the quotes of RFC 4180
 * gnuplot understands half, but an octal number behind a backslash is a character wherever it reads
 * a text.  Newlines, where a label has several lines, stay; all else is as lib/base/people.h has
 * it.  */
void gnuplot_write_cell(FILE *out, const char *text);

/* Writes TEXT as a value of a script: a number as it is, anything else as a text of the same
 * characters, none of which gnuplot takes for a quote, a command of the shell or a macro.  */
void gnuplot_write_value(FILE *out, const char *text);

/* Makes an empty folder DIR/.draw-* for that; the caller frees the path, and
 * removes the folder with all files in it with gnuplot_remove_folder.  NULL
 * with a message.  */
char *gnuplot_make_folder(const char *dir, struct error *error);
void gnuplot_remove_folder(const char *folder);

#endif
