/* SPDX-License-Identifier: Apache-2.0 */
/* Stacking buffers on a skyline: each goes on top of all that was put down
 * before it and lives at a common step; no gap is ever used again.  */
#ifndef ARENABENCH_LIB_PLACE_SKYLINE_H
#define ARENABENCH_LIB_PLACE_SKYLINE_H

#include "lib/base/order.h"

struct instance;
struct plan;

/* Puts the buffers down in the order of KEY[0..n) and fills in offsets and
 * peak.  A start is rounded up to the buffer's own alignment.  O(n log n).  */
void skyline_place(const struct instance *instance, const struct order_key *key, struct plan *plan);

/* The same for KEY[FIXED..n) alone: the buffers before these have their offsets, in any order.  */
void skyline_place_rest(const struct instance *instance, const struct order_key *key, size_t fixed,
                        struct plan *plan);

#endif
