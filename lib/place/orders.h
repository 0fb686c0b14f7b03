/* SPDX-License-Identifier: Apache-2.0 */
/* Orders in which buffers are placed.  */
#ifndef ARENABENCH_LIB_PLACE_ORDERS_H
#define ARENABENCH_LIB_PLACE_ORDERS_H

#include <stddef.h>

#include "lib/base/order.h"

struct instance;
struct plan;

/* What buffers are sorted by: the largest, longest, ... first, and the earliest.  An area is size
 * times length; BY_MET looks at how many others a buffer conflicts with, BY_CROWD at that times its
 * size.  */
enum greedy_measure { BY_NOTHING, BY_SIZE, BY_LENGTH, BY_AREA, BY_BEGIN, BY_END, BY_MET, BY_CROWD };

/* KEY = the buffers of INSTANCE by MAJOR, then by MINOR, equal ones in the order of EQUAL (NULL: of
 * their indices).  */
void greedy_order(const struct instance *instance, enum greedy_measure major,
                  enum greedy_measure minor, const size_t *equal, struct order_key *key);

/* Greedy plans of instances with fixed offsets: what is fixed is placed before all else, and the
 * rest finds its way around it.  Moves the keys of the fixed buffers of INSTANCE to the front of
 * KEY[0..n), and leaves both these and the others in the order in which they were; gives the fixed
 * ones their offsets in PLAN.  Returns how many they are.  O(n).  */
size_t fixed_first(const struct instance *instance, struct order_key *key, struct plan *plan);

#endif
