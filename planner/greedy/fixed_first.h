/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy plans of instances with fixed offsets: what is fixed is placed before all else, and
 * the rest finds its way around it.  */
#ifndef ARENABENCH_PLANNER_GREEDY_FIXED_FIRST_H
#define ARENABENCH_PLANNER_GREEDY_FIXED_FIRST_H

#include "planner/greedy/order.h"

struct instance;
struct plan;

/* Moves the keys of the fixed buffers of INSTANCE to the front of KEY[0..n), and leaves both these
 * and the others in the order in which they were; gives the fixed ones their offsets in PLAN.
 * Returns how many they are.  O(n).  */
size_t fixed_first(const struct instance *instance, struct order_key *key, struct plan *plan);

#endif
