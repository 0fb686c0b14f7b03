/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure whose texts LaTeX sets, in the article's font.  */
#ifndef ARENABENCH_HARNESS_REPORT_FIGURE_TEX_H
#define ARENABENCH_HARNESS_REPORT_FIGURE_TEX_H

#include <stdbool.h>

#include "harness/report/grid.h"
#include "lib/base/error.h"

/* Makes the float TO of FROM, which gnuplot_draw_tex has written: within a column or, where the
 * figure is wider, across the page, with caption and \label{fig:NAME}.  Its lines are the picture
 * NAME-tex, which \graphicspath finds.  It needs the packages graphicx and color (or xcolor).  */
bool figure_tex_write(const char *from, const char *to, const struct grid_words *words,
                      struct error *error);

#endif
