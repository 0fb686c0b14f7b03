/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A skyline over time as lines of different height side by side, of which the
 * lowest is wanted.  */
#ifndef ARENABENCH_SOLVERS_FIT_SKYLINE_LINES_H
#define ARENABENCH_SOLVERS_FIT_SKYLINE_LINES_H

#include <stddef.h>
#include <stdint.h>

/* Time is cells 0 .. count - 1; a line is named by its first cell.  */
struct skyline_lines {
    size_t count;
    size_t *end;      /* of the line that begins at a cell: the first cell after it */
    size_t *previous; /* the line before it */
    size_t leaves;    /* a power of two */
    int64_t *height;  /* of the line that begins at a cell; INT64_MAX where none does */
    size_t *lowest;   /* node of a tree over the cells: the first of its lowest lines */
};

/* One line at height 0; COUNT >= 1.  */
void skyline_lines_init(struct skyline_lines *lines, size_t count);
void skyline_lines_clear(struct skyline_lines *lines);

/* The lowest line, the first one of equal ones.  */
size_t skyline_lines_lowest(const struct skyline_lines *lines);

static inline int64_t skyline_lines_height(const struct skyline_lines *lines, size_t line)
{
    return lines->height[line];
}

/* The cells [FROM, TO) of LINE go up to TOP, above its height; lines of equal
 * height side by side become one.  O(log count).  */
void skyline_lines_raise(struct skyline_lines *lines, size_t line, size_t from, size_t to,
                         int64_t top);

/* LINE, which is not the only one and lower than its neighbours, goes up to the
 * lower one of them.  O(log count).  */
void skyline_lines_lift(struct skyline_lines *lines, size_t line);

#endif
