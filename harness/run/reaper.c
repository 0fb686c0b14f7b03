/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/reaper.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/cgroup.h"
#include "harness/run/children.h"
#include "harness/run/tree.h"
#include "lib/base/memory.h"
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

/* What the reaper knows of memory and processor time.  */
struct gauge {
    struct reaper_limits *limits;
    const struct cgroup *cgroup;
    int64_t shared; /* by how much the plain sum was too large at the last exact look */
    double exact;   /* moment from which on the next one may be */
    double cpu_s;   /* the most that was seen: what ends is missing until its parent has waited */
};

/* The exact sum.  They stand still meanwhile, as it takes milliseconds in which they would grow,
 * and go on only where there is not too much.  */
static int64_t weigh(pid_t solver, struct gauge *gauge)
{
    const double start = timer_now();
    int64_t bytes;

    tree_signal(solver, SIGSTOP);
    bytes = tree_proportional(solver);
    gauge->shared = tree_resident(solver) - bytes;
    if (bytes <= gauge->limits->memory)
        tree_signal(solver, SIGCONT);
    gauge->exact = timer_now() + 4.0 * (timer_now() - start);
    return bytes;
}

/* Looks at the memory; returns how many seconds it can wait for the next look.  The solver is
 * killed first where there is too much: it is not to take the command's end for one of its own.  */
static double look_at_memory(pid_t solver, struct gauge *gauge)
{
    const double rate = 4.0 * 1073741824.0 * (double)sysconf(_SC_NPROCESSORS_ONLN);
    struct reaper_limits *limits = gauge->limits;
    const double start = timer_now();
    int64_t bytes = tree_resident(solver);
    double cost;

    if (bytes > limits->memory) {
        bytes -= gauge->shared;
        if (bytes > limits->memory || start >= gauge->exact)
            bytes = weigh(solver, gauge);
    }
    if (bytes > limits->most)
        limits->most = bytes;
    if (bytes > limits->memory) {
        limits->exceeded = true;
        kill(solver, SIGKILL);
    }
    cost = timer_now() - start;
    return fmin(fmax(fmax((double)(limits->memory - bytes) / rate, 2.5e-4), 4.0 * cost), 0.1);
}

/* The same for their processor time.  A control group knows also of processes that nobody waits
 * for, but not of the solver's own.  */
static double look_at_time(pid_t solver, struct gauge *gauge)
{
    const double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    struct reaper_limits *limits = gauge->limits;
    const double start = timer_now();
    double left, cost;

    gauge->cpu_s = fmax(gauge->cpu_s, tree_cpu_s());
    if (gauge->cgroup != NULL) {
        struct cgroup_use use;

        cgroup_look(gauge->cgroup, &use);
        gauge->cpu_s = fmax(gauge->cpu_s, use.cpu_s);
    }
    left = limits->cpu_s - gauge->cpu_s;
    if (left <= 0) {
        limits->overrun = true;
        kill(solver, SIGKILL);
    }
    cost = timer_now() - start;
    return fmin(fmax(fmax(left / processors, 1e-3), 4.0 * cost), 0.1);
}

/* Looks at all that is limited; returns how many seconds it can wait for the next look.  */
static double look(pid_t solver, struct gauge *gauge)
{
    double patience = INFINITY;

    if (gauge->limits->memory > 0)
        patience = look_at_memory(solver, gauge);
    if (gauge->limits->cpu_s > 0)
        patience = fmin(patience, look_at_time(solver, gauge));
    return patience;
}

/* Sleeps until a child has ended or the harness says stop (true), for SECONDS at most; INFINITY: as
 * long as it takes.  */
static bool await_stop(const sigset_t *set, double seconds)
{
    const struct timespec most = {0, (long)(1e9 * fmin(seconds, 0.5))};

    return sigtimedwait(set, NULL, isinf(seconds) ? NULL : &most) == STOP;
}

/* Who looks after others must not wait behind them: it goes before them where it may, else it asks
 * for short turns, which come sooner (Linux 6.12).  */
static void hurry(void)
{
    const struct sched_param first = {.sched_priority = 1};
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period; /* ns; the first is that of a turn */
    } turns = {.size = sizeof turns, .policy = SCHED_OTHER, .runtime = 100000};

    if (sched_setscheduler(0, SCHED_FIFO, &first) == 0)
        return;
    turns.nice = getpriority(PRIO_PROCESS, 0);
    (void)syscall(SYS_sched_setattr, 0, &turns, 0);
}

/* Returns how the solver has ended, as wait tells it, when nothing is left.  */
static int reap(pid_t solver, struct gauge *gauge)
{
    const double tick = 0.01; /* the kernel's list may lack a child */
    const struct reaper_limits *limits = gauge->limits;
    const bool looks = limits->memory > 0 || limits->cpu_s > 0;
    int status = SIGKILL;
    double deadline = INFINITY, patience = INFINITY;
    bool ending = false;
    sigset_t set;

    if (looks)
        hurry();
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, STOP);
    while (wait_for_dead(solver, &status, &ending) && timer_now() < deadline) {
        if (!ending && looks) {
            patience = look(solver, gauge);
            ending = limits->exceeded || limits->overrun;
        }
        if (ending) {
            if (gauge->cgroup != NULL)
                cgroup_kill(gauge->cgroup);
            kill_children();
            deadline = fmin(deadline, timer_now() + PATIENCE_S);
        }
        if (await_stop(&set, ending ? tick : patience))
            ending = true;
    }
    return status;
}

/* Until now it dies with the harness, which it did not survive then; from now on it
 * clears up first.  */
_Noreturn void reaper_run(process_work *work, void *context, struct reaper_limits *limits,
                          const struct cgroup *cgroup)
{
    const pid_t harness = getppid();
    struct reaper_limits none = {0};
    struct gauge gauge = {.limits = limits != NULL ? limits : &none, .cgroup = cgroup};
    struct process solver;
    int status;

    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, STOP);
    if (!process_start(&solver, PROCESS_BLOCKED, work, context, NULL))
        _exit(EXIT_FAILURE);
    /* A name that `killall arenabench` does not mean: it has to outlive us.  */
    prctl(PR_SET_NAME, "solver-reaper");
    closefrom(STDERR_FILENO + 1);
    status = reap(solver.pid, &gauge);
    if (cgroup != NULL && getppid() != harness)
        cgroup_end(&(struct cgroup){memory_strdup(cgroup->path), NULL}, NULL);
    end_as(status);
}

void reaper_stop(const struct process *reaper)
{
    kill(reaper->pid, STOP);
    kill(reaper->pid, SIGCONT);
}
