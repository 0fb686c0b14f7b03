/* SPDX-License-Identifier: Apache-2.0 */
/* Where buffers can't start because of what is fixed beside them: a static fact, as alignment is.
 *
 *      +----+          b, 3 high, beside f at [5, 7): o(b) can't lie strictly between 2 and 7,
 *    7 +----+          so what starts at 3 or later starts at 7 or later.
 *      |  f |  +---+
 *    5 +----+  | b |
 *    2         +---+
 *
 * Whatever raises a start raises it past such a hole, and whoever asks why (section_explain.h) asks
 * for no more than that it is in the hole.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_HOLES_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_HOLES_H

#include <stddef.h>
#include <stdint.h>

struct section_problem;

/* A buffer's start does not lie strictly between.  */
struct section_hole {
    int64_t below, above;
};

/* Finds those of all buffers of PROBLEM, whose sections are filled in, but for the fixed ones.
 * O(h log h) for h pairs of a free and a fixed buffer alive together.  */
void section_holes_find(struct section_problem *problem);

/* The least aligned start of buffer B from START on that is in no hole.  */
int64_t section_holes_next(const struct section_problem *problem, size_t b, int64_t start);

/* The least value for which that is LEAST or more.  */
int64_t section_holes_weakest(const struct section_problem *problem, size_t b, int64_t least);

#endif
