/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of splits over several memories, and of what they cost at each capacity.  */
#ifndef ARENABENCH_HARNESS_CLI_SPLIT_PICTURE_H
#define ARENABENCH_HARNESS_CLI_SPLIT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/io/draw_pieces.h"
#include "lib/base/error.h"

struct memories;
struct split;
struct split_point;
struct split_problem;

/* Time against address, a panel a memory.  SPLIT is whole.  */
bool split_picture(const struct split_problem *problem, const struct split *split,
                   enum draw_order order, const char *format, FILE *out, struct error *error);

/* The least cost against the first memory's capacity, with the COUNT points of a curve of the
 * instance called NAME.  */
bool curve_picture(const char *name, const struct memories *memories,
                   const struct split_point *point, size_t count, const char *format, FILE *out,
                   struct error *error);

/* The corners of a curve: the least capacities among POINT[0..count) that leave no more than a
 * share of the traffic outside of the first memory, but for those that a smaller share has.  */
#define CURVE_CORNERS 4
struct curve_corner {
    const char *text; /* "At most 5 %" */
    size_t point;
};
/* How many there are.  */
size_t curve_corners(const struct split_point *point, size_t count,
                     struct curve_corner corner[CURVE_CORNERS]);

#endif
