#include <config.h>

#include "harness/run/parent.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

void parent_follow(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    /* It may have died between the fork and that: no signal comes then, and the
     * child has another parent.  */
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
}
