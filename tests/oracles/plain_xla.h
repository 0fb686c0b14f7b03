/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XLA's heaps written down as they were published: an event at a time, a sort, a
 * scan.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_XLA_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_XLA_H

#include <stdint.h>

#include "tests/oracles/plain_planners.h"

/* START[b] and END[b]: the ticks at which buffer b is allocated and freed.  O(n^2). */
void plain_xla_clock(const struct instance *instance, int64_t *start, int64_t *end);

enum plain_xla { PLAIN_XLA_SPATIAL, PLAIN_XLA_TEMPORAL, PLAIN_XLA_AREA };

/* Fills in offsets and peak.  */
void plain_xla(const struct instance *instance, enum plain_xla order, plain_fit *fit,
               struct plan *plan);

#endif
