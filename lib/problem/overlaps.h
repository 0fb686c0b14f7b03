/* SPDX-License-Identifier: Apache-2.0 */
/* Do rectangles in time and bytes overlap?  Independent of all planners, for what judges.  */
#ifndef ARENABENCH_LIB_PROBLEM_OVERLAPS_H
#define ARENABENCH_LIB_PROBLEM_OVERLAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct overlap_rectangle {
    int64_t begin, end, low, high; /* begin < end, low < high */
    size_t owner;                  /* a number of the caller's */
};

/* Whether two of COUNT rectangles overlap: A and B are the owners of two that do, of those that
 * begin first in time, A the one that begins later or has the larger number.  The rectangles are
 * put in another order.  O(COUNT log COUNT).  Allocates.  */
bool overlaps_find(struct overlap_rectangle *rectangle, size_t count, size_t *a, size_t *b);

#endif
