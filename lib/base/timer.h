/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock: the only clock that anything is timed with.  */
#ifndef ARENABENCH_LIB_BASE_TIMER_H
#define ARENABENCH_LIB_BASE_TIMER_H

/* Seconds since an arbitrary fixed moment.  */
double timer_now(void);

/* Another clock for this thread: what timer_now says is what NOW says.  One that shows a time
 * after all deadlines ends what the thread is at.  */
struct timer_source {
    double (*now)(void *context);
    void *context;
};

/* SOURCE has to stay while it is in use; NULL: the monotonic clock.  Returns the one before.  */
const struct timer_source *timer_use(const struct timer_source *source);

#endif
