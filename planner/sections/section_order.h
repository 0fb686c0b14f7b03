/* Orders of buffers as strings of keys, each descending: `W` lifetime in steps, `A` area,
 * `T` the total of the fullest section that the buffer is in, `Z` size.  What is equal in
 * all keys stays in the order of the input.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_ORDER_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_ORDER_H

#include <stddef.h>

struct section_problem;

/* RANK[b] becomes the position of buffer b, of PROBLEM's n.  O(n) for each key, and
 * the incidences for `T`.  */
void section_order_ranks(const struct section_problem *problem, const char *keys, size_t *rank);

#endif
