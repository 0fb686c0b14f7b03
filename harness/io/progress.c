/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/progress.h"

#include <stdio.h>

#include "lib/base/people.h"
#include "lib/base/timer.h"

/* Seconds between two lines where there is no terminal.  */
#define PLAIN_PERIOD 30.0

static void show(struct progress *progress)
{
    double elapsed = timer_now() - progress->line.start;
    char line[512], spent[32], rest[32] = "?", what[200] = "";

    if (progress->run > 0)
        status_line_clock(
            elapsed / (double)progress->run * (double)(progress->total - progress->done), rest);
    if (progress->who != NULL)
        snprintf(what, sizeof what, "  %.120s %.70s", progress->what, progress->who);
    snprintf(line, sizeof line, "%s %zu/%zu  %s, rest about %s  %zu failed%s", progress->name,
             progress->done, progress->total, status_line_clock(elapsed, spent), rest,
             progress->failures, what);
    if (progress->line.terminal) {
        status_line_show(&progress->line, "%s", line);
        return;
    }
    people_print(stderr, "arenabench: %s\n", line);
    fflush(stderr);
    progress->line.last_shown = timer_now();
}

void progress_start(struct progress *progress, const char *name, size_t total, size_t done)
{
    *progress = (struct progress){.name = name, .total = total, .done = done};
    status_line_start(&progress->line);
}

void progress_tick(struct progress *progress)
{
    if (status_line_due(&progress->line) ||
        (!progress->line.terminal && timer_now() - progress->line.last_shown >= PLAIN_PERIOD))
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
    if (progress->line.terminal)
        status_line_clear(&progress->line);
    else
        people_print(stderr, "arenabench: %s %zu/%zu  %zu failed\n", progress->name, progress->done,
                     progress->total, progress->failures);
}
