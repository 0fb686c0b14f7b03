/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WITH_SANITIZERS
/* Of rounds; fewer may be a size.  */
enum { LEAST_HALVED = 20 };
#endif

static int run, failed;

static void print_text(const char *format, va_list args)
{
    char text[400];

    vsnprintf(text, sizeof text, format, args);
    for (char *at = text; *at != '\0'; at++)
        if (*at == '#' || *at == '\n')
            *at = ' '; /* they mean something in TAP */
    printf(" - %s\n", text);
}

static void result(bool passed, const char *file, int line, const char *format, va_list args)
{
    run++;
    if (!passed)
        failed++;
    printf("%sok %d", passed ? "" : "not ", run);
    print_text(format, args);
    if (!passed)
        printf("# failed at %s:%d\n", file, line);
    fflush(stdout);
}

bool tap_ok(bool condition, const char *file, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    result(condition, file, line, format, args);
    va_end(args);
    return condition;
}

bool tap_int(int64_t got, int64_t want, const char *file, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    result(got == want, file, line, format, args);
    va_end(args);
    if (got != want)
        tap_diag("got %" PRId64 ", expected %" PRId64, got, want);
    return got == want;
}

bool tap_text(const char *got, const char *want, const char *file, int line, const char *format,
              ...)
{
    bool same = got != NULL && want != NULL ? strcmp(got, want) == 0 : got == want;
    va_list args;

    va_start(args, format);
    result(same, file, line, format, args);
    va_end(args);
    if (!same)
        tap_diag("got '%s', expected '%s'", got == NULL ? "(null)" : got,
                 want == NULL ? "(null)" : want);
    return same;
}

void tap_skip(int count, const char *reason)
{
    for (int i = 0; i < count; i++)
        printf("ok %d # SKIP %s\n", ++run, reason);
    fflush(stdout);
}

void tap_diag(const char *format, ...)
{
    va_list args;

    fputs("# ", stdout);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fputc('\n', stdout);
    fflush(stdout);
}

_Noreturn void tap_bail(const char *why)
{
    printf("Bail out! %s: %s\n", why, strerror(errno));
    fflush(stdout);
    _exit(99);
}

pid_t tap_fork(void)
{
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child < 0)
        tap_bail("fork");
    return child;
}

int tap_done(void)
{
    printf("1..%d\n", run);
    return failed == 0 && run > 0 ? 0 : 1;
}

int tap_tier(int small, int whole)
{
    const char *tier = getenv("ARENABENCH_TEST_TIER");

    if (tier != NULL && strcmp(tier, "whole") == 0)
        return whole;
#ifdef WITH_SANITIZERS
    if (small >= LEAST_HALVED && small < whole)
        return small / 2;
#endif
    return small;
}
