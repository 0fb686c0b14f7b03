/* Ends all that a solver has started, whatever became of it.
 *
 * The reaper is a process between the harness and a solver that starts
 * processes.  It is a subreaper: descendants whose parents have ended become its
 * children, in whatever session they are, so none can leave.  When the solver has
 * ended, when the harness says so and when the harness dies it kills its
 * children, whose children become its own, until there are none.  */
#ifndef ARENABENCH_HARNESS_RUN_REAPER_H
#define ARENABENCH_HARNESS_RUN_REAPER_H

#include "harness/io/process.h"

/* For a process that has just begun with all signals blocked (PROCESS_BLOCKED).  It
 * becomes the reaper, and WORK runs in a child of its own, which begins as it did.  The
 * reaper ends as that child ends, and has waited for all descendants then: who waits for it
 * gets their processor time.  */
_Noreturn void reaper_run(process_work *work, void *context);

/* Tells a reaper that has not been waited for to end the solver and all else.  */
void reaper_stop(const struct process *reaper);

#endif
