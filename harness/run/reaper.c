#include <config.h>

#include "harness/run/reaper.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/children.h"
#include "lib/base/timer.h"

/* The harness says stop, or has died.  */
#define STOP SIGUSR1

/* Seconds for the killing.  What is there after them can't be killed: it has
 * become another user's, or hangs in the kernel.  */
#define PATIENCE_S 5.0

/* A child that was not waited for keeps its number and its group, so nobody else
 * is hit.  A whole group is killed at once, which processes that only fork and
 * end can't outrun.  The reaper's group is the solver's too until it has one.  */
static void kill_children(void)
{
    struct children children;

    if (!children_listed(&children))
        children_searched(&children);
    for (size_t i = 0; i < children.count; i++) {
        pid_t group = getpgid(children.pid[i]);

        if (group > 0 && group != getpgrp())
            kill(-group, SIGKILL);
        kill(children.pid[i], SIGKILL);
    }
    children_clear(&children);
}

/* Ends this process as another one ended.  */
static _Noreturn void end_as(int status)
{
    const struct rlimit no_core = {0, 0};
    sigset_t set;

    if (!WIFSIGNALED(status))
        _exit(WEXITSTATUS(status));
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, WTERMSIG(status));
    raise(WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    _exit(EXIT_FAILURE);
}

/* Waits for whoever has ended, and notes how SOLVER did.  False when no children are left.  */
static bool wait_for_dead(pid_t solver, int *status, bool *ended)
{
    pid_t dead;
    int how;

    while ((dead = waitpid(-1, &how, WNOHANG)) > 0)
        if (dead == solver) {
            *status = how;
            *ended = true;
        }
    return dead == 0;
}

static _Noreturn void reap(pid_t solver)
{
    const struct timespec tick = {0, 10000000}; /* the kernel's list may lack a child */
    int status = SIGKILL;                       /* as wait tells it */
    double deadline = INFINITY;
    bool ending = false;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, STOP);
    while (wait_for_dead(solver, &status, &ending) && timer_now() < deadline) {
        if (ending) {
            kill_children();
            deadline = fmin(deadline, timer_now() + PATIENCE_S);
        }
        if (sigtimedwait(&set, NULL, ending ? &tick : NULL) == STOP)
            ending = true;
    }
    end_as(status);
}

/* Until now it dies with the harness, which it did not survive then; from now on it
 * clears up first.  */
_Noreturn void reaper_run(process_work *work, void *context)
{
    struct process solver;

    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, STOP);
    if (!process_start(&solver, PROCESS_BLOCKED, work, context, NULL))
        _exit(EXIT_FAILURE);
    /* A name that `killall arenabench` does not mean: it has to outlive us.  */
    prctl(PR_SET_NAME, "solver-reaper");
    closefrom(STDERR_FILENO + 1);
    reap(solver.pid);
}

void reaper_stop(const struct process *reaper)
{
    kill(reaper->pid, STOP);
    kill(reaper->pid, SIGCONT);
}
