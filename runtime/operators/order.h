/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of elements, for operators that sort.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_ORDER_H
#define ARENABENCH_RUNTIME_OPERATORS_ORDER_H

#include "lib/graph/network.h"

/* Below 0 where element A is less than B, above 0 where it is more.  What is no number is the
 * largest, as numpy sorts it, and all of that is equal.  */
typedef int element_order(const void *a, const void *b);

/* That of numbers and of truth values; NULL for other types.  */
element_order *element_order_of(enum dtype dtype);

#endif
