/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits that are found fast.  */
#ifndef ARENABENCH_MEMORIES_HEURISTICS_H
#define ARENABENCH_MEMORIES_HEURISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct split;
struct split_problem;

/* What a split may take: placements of asking the library anew (as a rule SPLIT_USUAL_WORK), and
 * when it ends.  */
#define SPLIT_USUAL_WORK 2000000
struct split_limits {
    int64_t work;
    double deadline;
};

/* Each buffer in turn goes to the cheapest memory in which it can be placed beside those before it.
 * False when one can be placed nowhere, or time is over; those before it lie in SPLIT then.  */
bool split_in_order(const struct split_problem *problem, const size_t *order,
                    const struct split_limits *limits, struct split *split);

/* The buffers by what they save in their cheapest memory against their dearest, for each byte and
 * step that they take; the largest first, ties by index.  The caller frees it.  */
size_t *split_by_saving(const struct split_problem *problem);

/* The same with VALUE (from 0 to 1, as a relaxation has it, one a buffer) first.  */
size_t *split_by_value(const struct split_problem *problem, const double *value);

/* From SPLIT on, which is whole: a buffer moves to a cheaper memory, those in its way there that
 * cost least move out, and it stays so where the sum is lower.  Ends when none of all buffers
 * improves it, or at a limit.  */
void split_exchange(const struct split_problem *problem, const struct split_limits *limits,
                    struct split *split);

#endif
