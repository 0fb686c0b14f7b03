/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/status_line.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/base/people.h"
#include "lib/base/timer.h"

#define PERIOD 0.1

const char *status_line_clock(double seconds, char text[32])
{
    long whole = lround(fmin(fmax(seconds, 0.0), 1e9));

    if (whole < 3600)
        snprintf(text, 32, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(text, 32, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

void status_line_start(struct status_line *line)
{
    *line = (struct status_line){.terminal = isatty(STDERR_FILENO) == 1, .start = timer_now()};
    line->last_shown = line->start;
}

bool status_line_due(struct status_line *line)
{
    double now = timer_now();

    if (!line->terminal || now - line->last_shown < PERIOD)
        return false;
    status_line_clock(now - line->start, line->elapsed);
    return true;
}

double status_line_period(const struct status_line *line)
{
    return line->terminal ? PERIOD : INFINITY;
}

/* The window may have changed since the last time.  */
static int columns(void)
{
    struct winsize size = {.ws_col = 0};

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void status_line_show(struct status_line *line, const char *format, ...)
{
    char text[512], *shown;
    va_list args;

    if (!line->terminal)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    shown = people_text(text);
    people_cut(shown, (size_t)columns() - 1);
    fprintf(stderr, "\r%s\033[K", shown);
    fflush(stderr);
    free(shown);
    line->last_shown = timer_now();
}

void status_line_clear(struct status_line *line)
{
    if (!line->terminal)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
