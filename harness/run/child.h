/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that does one piece of work under limits, and its end.  */
#ifndef ARENABENCH_HARNESS_RUN_CHILD_H
#define ARENABENCH_HARNESS_RUN_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/problem/plan.h"

struct cgroup;
struct run_limits;
struct watch;

struct child_task {
    void (*work)(void *context);      /* in the child */
    double (*started)(void *context); /* when the clock began, 0: not yet; NULL: at the fork */
    void *context;
    const struct run_limits *limits;
    bool starts_processes;     /* WORK may: all its descendants end with it */
    struct cgroup *cgroup;     /* where WORK is to put those that it starts; NULL: none */
    const struct watch *watch; /* NULL: nobody */
};

struct child_end {
    bool killed;       /* by us, because the time was up or the watch said so */
    bool called_off;   /* killed, because the watch said so */
    bool exceeded;     /* killed, because its processes together had too much in memory */
    bool overrun;      /* killed, because its processor time was up */
    bool starved;      /* killed while the kernel killed somebody for want of memory */
    int signal;        /* that ended it; 0: none */
    int status;        /* exit status */
    double moment;     /* on the monotonic clock */
    double cpu_s;      /* user + system, with the descendants that were waited for: of one
                          that starts processes all */
    int64_t rss_bytes; /* the most that it had in memory, or one of its descendants; of one
                          that starts processes also all of these together when looked at */
};

/* Runs the task in a process group of its own and waits for its end or ends it,
 * with what is left of the group, or with all its descendants, for which this process is a
 * subreaper meanwhile: they may have killed the reaper.  The limit of memory is one of its
 * address space, beside what it has from its parent; of one that starts processes it is one of what
 * all of these have in memory together, which the kernel keeps where there is a control group and
 * is looked at elsewhere (harness/run/reaper.h).  The group is gone afterwards.  False when no
 * process could be made.  */
bool child_run(const struct child_task *task, struct child_end *end, struct error *error);

/* What END is for a child that did not come to the end of its work, and why in words.  */
enum outcome child_outcome(const struct child_end *end, char *reason, size_t size);

#endif
