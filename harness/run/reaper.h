/* Ends all that a solver has started, whatever became of it.
 *
 * The reaper is a process between the harness and a solver that starts
 * processes.  It is a subreaper: descendants whose parents have ended become its
 * children, in whatever session they are, so none can leave.  When the solver has
 * ended, when the harness says so and when the harness dies it kills its
 * children, whose children become its own, until there are none.  */
#ifndef ARENABENCH_HARNESS_RUN_REAPER_H
#define ARENABENCH_HARNESS_RUN_REAPER_H

#include <sys/types.h>

/* For a child of PARENT, right after the fork, with all signals blocked.  That
 * process becomes the reaper and stays here; the call returns in a child of its
 * own, with the reaper's number.  The reaper ends as that child ends, and has
 * waited for all descendants then: who waits for it gets their processor time.  */
pid_t reaper_enter(pid_t parent);

/* Tells a reaper that has not been waited for to end the solver and all else.  */
void reaper_stop(pid_t reaper);

#endif
