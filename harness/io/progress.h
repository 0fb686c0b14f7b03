/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a sweep is, on standard error: one line that is rewritten on a
 * terminal, a line now and then elsewhere.  */
#ifndef ARENABENCH_HARNESS_IO_PROGRESS_H
#define ARENABENCH_HARNESS_IO_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/io/status_line.h"

struct progress {
    const char *name; /* of the experiment */
    size_t total;     /* its tasks */
    size_t done;      /* before this sweep and in it */
    size_t run;       /* in this sweep */
    size_t failures;  /* crashed, out of memory, invalid */
    const char *what; /* what was started last: workload ... */
    const char *who;  /* ... and solver; NULL: nothing yet */
    struct status_line line;
};

void progress_start(struct progress *progress, const char *name, size_t total, size_t done);
/* A task was started; the texts live until the next call.  */
void progress_task(struct progress *progress, const char *workload, const char *solver);
/* A task has ended.  */
void progress_ended(struct progress *progress, bool failed);
/* Call it now and then while nothing happens.  */
void progress_tick(struct progress *progress);
void progress_stop(struct progress *progress);

#endif
