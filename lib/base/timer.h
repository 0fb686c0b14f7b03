/* The monotonic clock: the only clock that anything is timed with.  */
#ifndef ARENABENCH_LIB_BASE_TIMER_H
#define ARENABENCH_LIB_BASE_TIMER_H

/* Seconds since an arbitrary fixed moment.  */
double timer_now(void);

#endif
