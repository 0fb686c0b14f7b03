/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a buffer is surely dead before another is born, and how many operators
 * lie between: by the graph of operators, whatever order they run in, or by the
 * steps of the schedule.  */
#ifndef ARENABENCH_SOLVERS_FIT_HOPS_H
#define ARENABENCH_SOLVERS_FIT_HOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct hops;

/* BY_GRAPH needs the instance's origin.  O(operators x edges), 4 bytes for each
 * pair of operators.  */
struct hops *hops_new(const struct instance *instance, bool by_graph);
void hops_free(struct hops *hops);

/* The largest distance from an operator that uses buffer B last to one that uses
 * A first, when all of the latter come after all of the former; 0 when they do
 * not.  The distance of two operators is the length of the longest path.  */
int64_t hops_after(const struct hops *hops, size_t a, size_t b);

/* More than any distance.  */
int64_t hops_limit(const struct hops *hops);

#endif
