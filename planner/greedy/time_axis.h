/* SPDX-License-Identifier: Apache-2.0 */
/* The time axis of an instance with its steps renumbered 0, 1, ...
 *
 * Only the steps at which some buffer begins are kept.  Two lifetimes overlap
 * exactly if the later of their two begins lies in both, so looking at these
 * steps alone finds every conflict.  */
#ifndef ARENABENCH_PLANNER_GREEDY_TIME_AXIS_H
#define ARENABENCH_PLANNER_GREEDY_TIME_AXIS_H

#include <stddef.h>
#include <stdint.h>

struct instance;

struct time_axis {
    size_t steps;    /* distinct begins */
    uint32_t *first; /* first[b] .. last[b]: buffer b lives at these steps, */
    uint32_t *last;  /* both inclusive */
};

/* Of 2^32 buffers or more: as if there were no memory.  */
void time_axis_init(struct time_axis *axis, const struct instance *instance);
void time_axis_clear(struct time_axis *axis);

/* Buffers are placed in an order that has nothing to do with time, so a million of them
 * would mostly wait for memory.  The order is known: this asks for the steps of buffer B
 * before it is its turn.  */
static inline void time_axis_fetch(const struct time_axis *axis, size_t b)
{
    __builtin_prefetch(&axis->first[b]);
    __builtin_prefetch(&axis->last[b]);
}

#endif
