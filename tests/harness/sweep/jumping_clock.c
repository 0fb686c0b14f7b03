/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: the time of day jumps by up to ten years each time somebody asks, back too.  The
 * clock that only goes on is left alone.  */
#include <config.h>

#include <dlfcn.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long jump(void)
{
    static uint32_t state;

    if (state == 0)
        state = (uint32_t)getpid() * 2654435761U + 1U;
    state = state * 1103515245U + 12345U;
    return (long long)(state >> 8) % 630720000 - 315360000;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*real)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);

    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        now->tv_sec += jump();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec time;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &time);
    *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    if (now != NULL)
        *now = time.tv_sec;
    return time.tv_sec;
}
