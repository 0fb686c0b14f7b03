/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many numbers below a limit were added, one by one: a Fenwick tree.  */
#ifndef ARENABENCH_SOLVERS_FIT_PREFIX_COUNTS_H
#define ARENABENCH_SOLVERS_FIT_PREFIX_COUNTS_H

#include <stddef.h>

struct prefix_counts {
    size_t limit;
    size_t *count; /* entry i, from 1: of the i & -i numbers that end with i - 1 */
};

/* Empty, for numbers 0 .. LIMIT - 1.  */
void prefix_counts_init(struct prefix_counts *counts, size_t limit);
void prefix_counts_reset(struct prefix_counts *counts);
void prefix_counts_clear(struct prefix_counts *counts);

/* O(log limit).  */
void prefix_counts_add(struct prefix_counts *counts, size_t number);
size_t prefix_counts_before(const struct prefix_counts *counts, size_t number);

#endif
