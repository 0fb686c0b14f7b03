/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many intervals, or bytes of them, cover each cell of an axis, where they are most, and which
 * cells none covers.  */
#ifndef ARENABENCH_SOLVERS_FIT_COVERAGE_H
#define ARENABENCH_SOLVERS_FIT_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A tree over the cells 0 .. count - 1; what is added to a whole node stays there.  */
struct coverage {
    size_t count;
    size_t leaves;         /* a power of two */
    int64_t *least, *most; /* node: of the cells below it, without what is added above it */
    int64_t *added;        /* node */
};

/* No cell is covered; COUNT >= 1.  */
void coverage_init(struct coverage *coverage, size_t count);
void coverage_clear(struct coverage *coverage);

/* BY more over the cells [FROM, TO), which are never below 0.  O(log count).  */
void coverage_add(struct coverage *coverage, size_t from, size_t to, int64_t by);

/* The first cell of those that most cover.  O(log count).  */
size_t coverage_highest(const struct coverage *coverage);

/* The first cell from FROM on that is COVERED or that is not; count: there is none.  O(log count).
 */
size_t coverage_next(const struct coverage *coverage, size_t from, bool covered);

/* The cell behind the last covered one before FROM; 0: there is none.  O(log count).  */
size_t coverage_behind(const struct coverage *coverage, size_t from);

#endif
