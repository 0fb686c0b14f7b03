/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/timer.h"

#include <stddef.h>
#include <time.h>

static _Thread_local const struct timer_source *current;

double timer_now(void)
{
    struct timespec now;

    if (current != NULL)
        return current->now(current->context);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const struct timer_source *timer_use(const struct timer_source *source)
{
    const struct timer_source *before = current;

    current = source;
    return before;
}
