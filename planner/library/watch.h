/* SPDX-License-Identifier: Apache-2.0 */
/* What a call of the library asks of its caller while it runs: the time, whether to stop; and what
 * it tells him.  His functions are called outside of the scope that the call allocates in.
 *
 * The planner looks at nothing but the clock (lib/base/timer.h) and ends at a deadline.  So a call
 * that has to end for another reason is one whose clock shows a time after all deadlines.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_WATCH_H
#define ARENABENCH_PLANNER_LIBRARY_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/timer.h"

struct arenaplan_options;

/* No deadline: numbers, since the planner takes shares of what is left, and infinities have none.
 */
#define WATCH_NEVER 1e200

struct watch {
    const struct arenaplan_options *options;
    struct timer_source source;
    double begun, deadline; /* by that source */
    bool over;              /* from now on it is after all deadlines */
};

/* OPTIONS have to stay.  The clock begins.  */
void watch_begin(struct watch *watch, const struct arenaplan_options *options);

/* Ends the call at its next look at the clock.  */
void watch_stop(struct watch *watch);

/* Seconds since it began, by the caller's clock.  */
double watch_seconds(const struct watch *watch);

/* Tells the caller, where he asked for it.  */
void watch_tell_plan(struct watch *watch, const int64_t *offset, size_t count, int64_t peak);
void watch_tell_bound(struct watch *watch, int64_t bound);

#endif
