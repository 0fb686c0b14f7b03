/* SPDX-License-Identifier: Apache-2.0 */
/* The best of a few greedy plans: the upper bound that exact models start
 * from.  */
#ifndef ARENABENCH_PLANNER_GREEDY_BEST_GREEDY_H
#define ARENABENCH_PLANNER_GREEDY_BEST_GREEDY_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;

/* Fills in PLAN, whose peak is at most that of first-fit-by-size,
 * greedy-by-size, path-cover (every choice) and duration-size; where offsets are fixed, at most
 * that of the first two, which then begin with the fixed buffers.  PART and PARTS are those of
 * time_parts: each part takes the plan that suits it best.  Stops as soon as the peak is the load,
 * and when it is DEADLINE by timer_now (INFINITY: none): then only first-fit-by-size is sure to be
 * among the plans.  O(n log n) sorting and one placement an order; above 5,000 buffers only those
 * planners are tried, so that it stays below a second at 30,000.  */
void best_greedy(const struct instance *instance, const size_t *part, size_t parts, double deadline,
                 struct plan *plan);

/* The same plans one at a time: how many there are for INSTANCE, and plan NUMBER, from
 * 0, that of first-fit-by-size.  */
size_t greedy_plans(const struct instance *instance);
void greedy_plan(const struct instance *instance, size_t number, struct plan *plan);

#endif
