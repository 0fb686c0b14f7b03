/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table for people is made of: for the files that write it.  */
#ifndef ARENABENCH_HARNESS_REPORT_GRID_PRIVATE_H
#define ARENABENCH_HARNESS_REPORT_GRID_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/report/grid.h"

struct cell {
    char *text; /* "" where there is nothing */
    char *mark; /* what stands behind it, or "" */
    bool best;
    char *tasks; /* the numbers of those behind it, with blanks between; NULL: not told */
};

struct grid {
    size_t columns, rows;
    size_t keys;  /* columns that name the row of a pivoted table, else 0 */
    char **head;  /* of the columns, for people */
    bool *ranked; /* columns in which the best is marked */
    struct cell *cell;
};

static inline struct cell *grid_cell(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cell[row * grid->columns + column];
}

/* Whether every cell of a column is a number or missing.  */
bool grid_numeric(const struct grid *grid, size_t column);

#endif
