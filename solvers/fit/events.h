/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace of an instance for planners that run through time once: at each time what ends, then
 * what begins.  */
#ifndef ARENABENCH_SOLVERS_FIT_EVENTS_H
#define ARENABENCH_SOLVERS_FIT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/order.h"

struct instance;
struct solver_env;

/* The 2 n ends and begins of INSTANCE; of one time the ends go first, and either are in the
 * order of ENV's ties.  time_walk (lib/place) has ends of one time in the order of their begins,
 * and none behind the last begin.  O(n log n).  The caller frees it.  */
struct order_key *events_sort(const struct instance *instance, const struct solver_env *env);

static inline bool event_begins(struct order_key event)
{
    return event.index % 2 == 1;
}

static inline size_t event_buffer(struct order_key event)
{
    return event.index / 2;
}

#endif
