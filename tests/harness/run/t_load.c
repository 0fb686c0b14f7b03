/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What else the machine did: the words of numbers that are given, and that work of our own and of
 * children counts as such.  */
#include <config.h>

#include "harness/run/load.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

static void is_load(const struct load *before, const struct load *after, const char *wanted,
                    const char *what)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char *text = load_text(before, after);
    char *expected = memory_printf(wanted, processors);

    is_text(text, expected, "%s", what);
    free(expected);
    free(text);
}

static void texts(void)
{
    const struct load zero = {.moment_s = 100}, one = {110, 25, 2, 17, 0.5, 1.5, 170};
    const struct load coarse = {110, 16.9, 0, 17, 0, 0, 0};
    const struct load none = {110, -1, -1, 20, -1, -1, 40};

    is_load(&zero, &one,
            "0.80 processors of others, 1.70 own, 0.20 stolen, of %ld; somebody waited for one 5.0 "
            "%% of the time; load average 0.00 before, 1.50 after; 10.0 involuntary switches a "
            "second of own work",
            "ten seconds");
    is_load(&zero, &coarse,
            "0.00 processors of others, 1.70 own, 0.00 stolen, of %ld; somebody waited for one 0.0 "
            "%% of the time; load average 0.00 before, 0.00 after; 0.0 involuntary switches a "
            "second of own work",
            "others are never less than none");
    is_load(&none, &none, "unknown; 0.0 involuntary switches a second of own work",
            "a kernel that says nothing");
}

static double worked(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static void own_work(void)
{
    const double share = 0.05;
    struct load before, after;
    double end;

    load_read(&before);
    if (fork() == 0) {
        while (worked() < share)
            continue;
        _exit(0);
    }
    wait(NULL);
    for (end = worked() + share; worked() < end;)
        continue;
    load_read(&after);
    ok(after.own_s - before.own_s > 1.8 * share, "a child's work and ours: %.3f s of %.3f",
       after.own_s - before.own_s, 2.0 * share);
    ok(after.moment_s > before.moment_s, "time goes on");
    if (access("/proc/stat", R_OK) == 0)
        /* In ticks of a hundredth.  */
        ok(after.busy_s - before.busy_s > share, "the machine did it: %.3f s",
           after.busy_s - before.busy_s);
    else
        tap_skip(1, "there is no /proc/stat");
}

int main(void)
{
    texts();
    own_work();
    return tap_done();
}
