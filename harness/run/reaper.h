/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends all that a solver has started, whatever became of it.
 *
 * The reaper is a process between the harness and a solver that starts
 * processes.  It is a subreaper: descendants whose parents have ended become its
 * children, in whatever session they are, so none can leave.  When the solver has
 * ended, when the harness says so, when there is too much in memory and when the harness dies it
 * kills its children, whose children become its own, until there are none.  */
#ifndef ARENABENCH_HARNESS_RUN_REAPER_H
#define ARENABENCH_HARNESS_RUN_REAPER_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/io/process.h"

struct cgroup;

/* What the processes below the reaper may have together.  In memory that the reaper shares with the
 * harness.  */
struct reaper_limits {
    int64_t memory; /* bytes of all but the solver's own; 0: none, and nobody looks */
    double cpu_s;   /* seconds of processor time of all; 0: none, and nobody looks */
    int64_t most;   /* bytes that they had when the reaper looked */
    bool exceeded;  /* it has ended them for too much memory */
    bool overrun;   /* it has ended them for too much processor time */
};

/* For a process that has just begun with all signals blocked (PROCESS_BLOCKED).  It
 * becomes the reaper, and WORK runs in a child of its own, which begins as it did.  The
 * reaper ends as that child ends, and has waited for all descendants then: who waits for it
 * gets their processor time.
 *
 * CGROUP (NULL: there is none) is where the programs are that the solver starts.  It is killed with
 * all else, and removed by the reaper where the harness can't do it any more.
 *
 * It looks at their memory the more often the nearer they are to the limit: as often as they could
 * reach it at 4 GiB a second and processor, four times a millisecond at most, and for a fifth of
 * the time; at their processor time a thousand times a second at most.  */
_Noreturn void reaper_run(process_work *work, void *context, struct reaper_limits *limits,
                          const struct cgroup *cgroup);

/* Tells a reaper that has not been waited for to end the solver and all else.  */
void reaper_stop(const struct process *reaper);

#endif
