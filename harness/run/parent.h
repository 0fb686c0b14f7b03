/* Processes that are not to outlive the one that forked them.  */
#ifndef ARENABENCH_HARNESS_RUN_PARENT_H
#define ARENABENCH_HARNESS_RUN_PARENT_H

#include <sys/types.h>

/* For a child, right after the fork: from now on it gets SIGNAL (SIGKILL, but for those
 * that have to clear up) when its parent dies.  PARENT is what the parent's getpid() was
 * before the fork; where that one is dead already, the child ends here.  */
void parent_follow(pid_t parent, int signal);

#endif
