#include <config.h>

#include "lib/base/timer.h"

#include <time.h>

double timer_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
