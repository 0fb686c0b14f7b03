/* The time axis of an instance with its steps renumbered 0, 1, ...
 *
 * Only the steps at which some buffer begins are kept.  Two lifetimes overlap
 * exactly if the later of their two begins lies in both, so looking at these
 * steps alone finds every conflict.  */
#ifndef ARENABENCH_SOLVERS_COMMON_TIME_AXIS_H
#define ARENABENCH_SOLVERS_COMMON_TIME_AXIS_H

#include <stddef.h>

struct instance;

struct time_axis {
    size_t steps;  /* distinct begins */
    size_t *first; /* first[b] .. last[b]: buffer b lives at these steps, */
    size_t *last;  /* both inclusive */
};

void time_axis_init(struct time_axis *axis, const struct instance *instance);
void time_axis_clear(struct time_axis *axis);

#endif
