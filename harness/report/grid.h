/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table for people: made from a query's rows, written as text, LaTeX and
 * HTML.  */
#ifndef ARENABENCH_HARNESS_REPORT_GRID_H
#define ARENABENCH_HARNESS_REPORT_GRID_H

#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

struct rows;

struct grid;

/* PIVOT and BEST as harness/io/figure.h says; NULL: none.  A last column `tasks` holds the numbers
 * of the tasks behind a row (of a pivoted table: a cell), which only HTML tells.  NULL with a
 * message when ROWS lack one of these columns.  The caller frees it; grid_free accepts NULL.  */
struct grid *grid_new(const struct rows *rows, const char *pivot, const char *best,
                      struct error *error);
void grid_free(struct grid *grid);

/* Aligned text; '*' stands behind the best.  */
void grid_write_text(const struct grid *grid, FILE *out);

/* What the mark of the best means; NULL where nothing has it.  The caller frees it.  */
char *grid_best_words(const struct grid *grid);

/* What stands with a table in an article.  */
struct grid_words {
    const char *name; /* \label{tab:NAME} */
    const char *title, *caption;
};

/* One or more floats of an article of two columns, the best in bold: within a column where that is
 * wide enough, else within the page; a table that is wider or longer than a page is continued, with
 * the columns that name its rows.  They need the package booktabs.  */
void grid_write_tex(const struct grid *grid, const struct grid_words *words, FILE *out);

/* \caption and \label{KIND:NAME} of a float; BOLD, or NULL, says what is.  */
void grid_words_write_tex(const struct grid_words *words, const char *kind, const char *bold,
                          FILE *out);

/* A <table>, the best in bold; attributes data-tasks hold the numbers of tasks, each as its
 * difference from the one before.  */
size_t grid_rows(const struct grid *grid);
void grid_write_html(const struct grid *grid, FILE *out);

#endif
