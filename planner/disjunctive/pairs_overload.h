/* SPDX-License-Identifier: Apache-2.0 */
/* Overload alone (pairs_rules.h), of one section after the other: the same windows in
 * O(n log n) for n tasks, by a tree of those that were taken so far (Vilim 2004).
 *
 * The tasks are taken by their ends.  A node holds the height of those below it together, and
 * the least end that they can have:
 *
 *      end(node) = max(end(right), end(left) + height(right))      leaves by start
 *
 * Beyond the end of the task that was taken last it is an overload.  The orders by start and by end
 * are kept from look to look, as they change little.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_OVERLOAD_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_OVERLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pairs_problem;
struct pairs_span;

struct pairs_overload {
    const struct pairs_problem *problem;
    size_t *by_lo, *by_hi; /* of section s: its tasks in these orders, from problem->start[s] on */
    size_t *rank;          /* of each task of the section at hand, by start */
    int64_t *height, *end; /* of each node of the tree; the root is 1 */
};

void pairs_overload_init(struct pairs_overload *overload, const struct pairs_problem *problem);
void pairs_overload_clear(struct pairs_overload *overload);

/* Whether some of the tasks of section S, SPAN[0..problem->start[S + 1] - problem->start[S]), that
 * start at *FROM or above and end at *TO or below are higher together than *TO - *FROM.  */
bool pairs_overload_find(struct pairs_overload *overload, size_t s, const struct pairs_span *span,
                         int64_t *from, int64_t *to);

#endif
