/* SPDX-License-Identifier: Apache-2.0 */
/* First fit that knows pieces: buffers may interlock.  */
#ifndef ARENABENCH_LIB_PLACE_SHAPE_FIT_H
#define ARENABENCH_LIB_PLACE_SHAPE_FIT_H

#include <stdbool.h>

#include "lib/base/order.h"

struct instance;
struct plan;

/* Places the buffers in the order of KEY[0..n), each at the lowest aligned
 * offset at which none of its pieces meets a piece of a placed buffer, or of one that is fixed,
 * wherever in KEY that stands; fills in
 * offsets and peak.  O(pieces^2 log pieces).  */
void shape_place(const struct instance *instance, const struct order_key *key, struct plan *plan);

/* The best of shape_place by size, area, length and begin.  */
void shape_place_best(const struct instance *instance, struct plan *plan);

/* The same until timer_now() passes DEADLINE.  False: there was not even one plan until then, and
 * what PLAN holds is none.  */
bool shape_place_until(const struct instance *instance, const struct order_key *key,
                       double deadline, struct plan *plan);
bool shape_place_best_until(const struct instance *instance, double deadline, struct plan *plan);

#endif
