#include <config.h>

#include "harness/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/timer.h"

/* Seconds between two lines on a terminal, and elsewhere.  */
#define TERMINAL_PERIOD 0.1
#define PLAIN_PERIOD 30.0

/* Seconds as 0:07, 12:34 or 1:02:03.  */
static const char *clock_text(double seconds, char text[32])
{
    long whole = lround(fmin(fmax(seconds, 0.0), 1e9));

    if (whole < 3600)
        snprintf(text, 32, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(text, 32, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

static void show(struct progress *progress)
{
    double elapsed = timer_now() - progress->start;
    char line[512], spent[32], rest[32] = "?", what[200] = "";

    if (progress->run > 0)
        clock_text(elapsed / (double)progress->run * (double)(progress->total - progress->done),
                   rest);
    if (progress->who != NULL)
        snprintf(what, sizeof what, "  %.120s %.70s", progress->what, progress->who);
    snprintf(line, sizeof line, "%s %zu/%zu  %s, rest about %s  %zu failed%s", progress->name,
             progress->done, progress->total, clock_text(elapsed, spent), rest, progress->failures,
             what);
    if (progress->terminal)
        fprintf(stderr, "\r%.*s\033[K", progress->width - 1, line);
    else
        fprintf(stderr, "arenabench: %s\n", line);
    fflush(stderr);
    progress->last_shown = timer_now();
}

void progress_start(struct progress *progress, const char *name, size_t total, size_t done)
{
    struct winsize size = {.ws_col = 0};

    *progress = (struct progress){
        .name = name,
        .total = total,
        .done = done,
        .start = timer_now(),
        .terminal = isatty(STDERR_FILENO) == 1,
        .width = 80,
    };
    if (progress->terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        progress->width = size.ws_col;
    progress->last_shown = progress->start;
}

void progress_tick(struct progress *progress)
{
    double period = progress->terminal ? TERMINAL_PERIOD : PLAIN_PERIOD;

    if (timer_now() - progress->last_shown >= period)
        show(progress);
}

void progress_task(struct progress *progress, const char *workload, const char *solver)
{
    progress->what = workload;
    progress->who = solver;
    progress_tick(progress);
}

void progress_ended(struct progress *progress, bool failed)
{
    progress->done++;
    progress->run++;
    progress->failures += failed;
    progress_tick(progress);
}

void progress_stop(struct progress *progress)
{
    if (progress->terminal)
        fputs("\r\033[K", stderr);
    else
        fprintf(stderr, "arenabench: %s %zu/%zu  %zu failed\n", progress->name, progress->done,
                progress->total, progress->failures);
    fflush(stderr);
}
