/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>

void bench_goal(bool met, const char *format, ...)
{
    va_list arguments;

    printf("  %-8s", met ? "met" : "NOT MET");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
}
