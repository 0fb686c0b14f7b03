/* A table for people: made from a query's rows, written as text, LaTeX and
 * HTML.  */
#ifndef ARENABENCH_HARNESS_REPORT_GRID_H
#define ARENABENCH_HARNESS_REPORT_GRID_H

#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

struct rows;

struct grid;

/* PIVOT and BEST as harness/io/figure.h says; NULL: none.  NULL with a message
 * when ROWS lack one of these columns.  The caller frees it; grid_free accepts
 * NULL.  */
struct grid *grid_new(const struct rows *rows, const char *pivot, const char *best,
                      struct error *error);
void grid_free(struct grid *grid);

/* Aligned text; '*' stands behind the best.  */
void grid_write_text(const struct grid *grid, FILE *out);

/* A booktabs tabular, the best in bold.  */
void grid_write_tex(const struct grid *grid, FILE *out);

/* A <table>, the best in bold.  */
size_t grid_rows(const struct grid *grid);
void grid_write_html(const struct grid *grid, FILE *out);

/* TEXT with what HTML would read as markup escaped, for attributes too.  */
void html_write(FILE *out, const char *text);

/* TEXT with LaTeX's special characters escaped.  */
void tex_write(FILE *out, const char *text);

#endif
