/* SPDX-License-Identifier: Apache-2.0 */
/* How long greedy plans may take: until a deadline, and so many looks at buffers and gaps, which
 * are the same on every machine.  A placement counts its looks; the clock is asked now and then. */
#ifndef ARENABENCH_LIB_PLACE_WORK_LIMIT_H
#define ARENABENCH_LIB_PLACE_WORK_LIMIT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/timer.h"

/* Looks between two looks at the clock: a tenth of a millisecond or so.  */
enum { WORK_A_CLOCK = 20000 };

struct work_limit {
    double deadline; /* by timer_now; INFINITY: none */
    int64_t left;    /* looks */
    int64_t unseen;  /* looks since the last one at the clock; below 0: so many are free */
};

/* Until DEADLINE, which is asked for the first time after FREE looks.  */
static inline struct work_limit work_until(double deadline, int64_t free)
{
    return (struct work_limit){deadline, INT64_MAX, -free};
}

/* False: it is over.  */
static inline bool work_goes_on(struct work_limit *limit, int64_t looks)
{
    limit->left -= looks;
    limit->unseen += looks;
    if (limit->left < 0)
        return false;
    if (limit->unseen < WORK_A_CLOCK)
        return true;
    limit->unseen = 0;
    return timer_now() < limit->deadline;
}

#endif
