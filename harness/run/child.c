/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both sides of the fork: what the child sets up before its work, and how the parent
 * waits.  */
#include <config.h>

#include "harness/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/process.h"
#include "harness/run/cgroup.h"
#include "harness/run/children.h"
#include "harness/run/process_stat.h"
#include "harness/run/reaper.h"
#include "harness/run/run.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

/* A solver gets the time limit itself and may stop in good order; it is killed
 * when it has not soon after.  What it has streamed counts then all the same.  */
static double patience(double limit_s)
{
    return limit_s + 0.15;
}

/* The exit status of a child that ran out of memory.  */
enum { MEMOUT = 86 };

/* --- the child --- */

static void memory_out(void *context)
{
    (void)context;
    _exit(MEMOUT);
}

/* Libraries that find no memory tend to abort, with errno as malloc left it.
 * After the return abort() goes on to end the process.  */
static void on_abort(int number)
{
    (void)number;
    if (errno == ENOMEM)
        _exit(MEMOUT);
}

/* Should a library call exit(): this runs before the handlers and the buffers
 * that the child has from its parent, and keeps them from running twice.  */
static void leave(int status, void *context)
{
    (void)context;
    _exit(status);
}

/* A session, and so a process group, of its own; the default signals, which are blocked
 * since before the fork.  */
static void detach(void)
{
    static const int handled[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                                  SIGALRM, SIGCHLD, SIGUSR1, SIGUSR2};
    const struct sigaction aborted = {.sa_handler = on_abort};
    sigset_t none;

    setsid();
    for (size_t i = 0; i < sizeof handled / sizeof handled[0]; i++)
        signal(handled[i], SIG_DFL);
    sigaction(SIGABRT, &aborted, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Nothing to read, and nothing on the output that is for our tables.  */
static void silence(void)
{
    int null = open("/dev/null", O_RDWR);

    if (null < 0)
        _exit(EXIT_FAILURE);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    if (null > STDERR_FILENO)
        close(null);
}

static void set_limit(__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0)
        return;
    limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    setrlimit(resource, &limit);
}

#ifndef WITH_SANITIZERS
/* Address space in use, which is what RLIMIT_AS speaks of.  */
static rlim_t address_space(void)
{
    FILE *statm = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;

    if (statm == NULL || fscanf(statm, "%lu", &pages) != 1)
        pages = 0;
    if (statm != NULL)
        fclose(statm);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Beside what the process has from its parent.  Sanitizers reserve more than
 * any limit; with them there is none.  */
static void limit_memory(int64_t bytes)
{
    rlim_t limit = address_space() + (rlim_t)bytes;

    set_limit(RLIMIT_AS, limit, limit);
}
#endif

/* The memory of a program is not one process's, so it is looked at from outside; each file that it
 * writes is no larger, so that one without end is an outcome and not a full disk.  */
static void limit_resources(const struct run_limits *limits, bool program)
{
    set_limit(RLIMIT_CORE, 0, 0);
    if (limits->time_s > 0) {
        /* The parent's clock ends a run; this one is for a run whose parent is
         * stopped.  A program of several threads may use all processors.  */
        double seconds = patience(limits->time_s) * (double)sysconf(_SC_NPROCESSORS_ONLN);

        if (seconds < 1e9)
            set_limit(RLIMIT_CPU, (rlim_t)seconds + 2, (rlim_t)seconds + 7);
    }
    if (program && limits->memory_bytes > 0)
        set_limit(RLIMIT_FSIZE, (rlim_t)limits->memory_bytes, (rlim_t)limits->memory_bytes);
#ifndef WITH_SANITIZERS
    if (!program && limits->memory_bytes > 0)
        limit_memory(limits->memory_bytes);
#endif
}

/* The task, and what the reaper and the harness share.  */
struct started {
    const struct child_task *task;
    struct reaper_limits *limits; /* NULL: there is no reaper */
};

static void work(void *context, int socket)
{
    const struct started *started = context;
    const struct child_task *task = started->task;

    (void)socket;
    detach();
    silence();
    on_exit(leave, NULL);
    memory_set_hook(memory_out, NULL);
    limit_resources(task->limits, task->starts_processes);
    task->work(task->context);
}

static void work_below_reaper(void *context, int socket)
{
    const struct started *started = context;

    (void)socket;
    reaper_run(work, context, started->limits, started->task->cgroup);
}

/* --- the parent --- */

/* Seconds of the limit of processor time that a child without descendants has left; of others the
 * reaper knows.  */
static double cpu_left(const struct process *child, const struct child_task *task)
{
    struct timespec used;
    clockid_t clock;

    if (task->limits->cpu_s <= 0 || task->starts_processes ||
        clock_getcpuclockid(child->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return INFINITY;
    return task->limits->cpu_s - (double)used.tv_sec - 1e-9 * (double)used.tv_nsec;
}

/* Whether the child, or one that its reaper has started, is stopped.  */
static bool stands_still(const struct process *child, const struct child_task *task)
{
    struct children children = {0};
    bool stopped = process_stopped(child->pid);

    if (task->starts_processes)
        (void)children_add(&children, child->pid);
    for (size_t i = 0; i < children.count; i++)
        stopped = stopped || process_stopped(children.pid[i]);
    children_clear(&children);
    return stopped;
}

/* Seconds of the time limit that are left.  The clock stands until the child has begun, but not for
 * one that was stopped before and so never may: that has the limit from the fork on.  */
static double time_left(const struct process *child, const struct child_task *task, double forked)
{
    const double look_s = 0.05, limit = patience(task->limits->time_s), now = timer_now();
    const double begun = task->started == NULL ? forked : task->started(task->context);

    if (begun > 0.0)
        return begun + limit - now;
    if (forked + limit > now)
        return forked + limit - now;
    return stands_still(child, task) ? 0.0 : look_s;
}

/* Sleeps until the child has ended (true), its time is up, or it is called off, which END says. */
static bool await_end(const struct process *child, const struct child_task *task,
                      struct child_end *end)
{
    const double forked = timer_now(), processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double left = INFINITY, cpu;

    do {
        end->called_off = !watch_goes_on(task->watch);
        if (end->called_off)
            return false;
        if (task->limits->time_s > 0) {
            left = time_left(child, task, forked);
            if (left <= 0)
                return false;
        }
        cpu = cpu_left(child, task);
        end->overrun = cpu <= 0;
        if (end->overrun)
            return false;
        process_sleep(child, 1, fmin(left, fmax(cpu / processors, 1e-3)), task->watch);
    } while (!process_has_ended(child));
    return true;
}

/* Ends a child that may have ended and is not waited for yet, so its number is
 * still its own.  It is killed alone too, for the case that it has no group yet.  */
static void stop(const struct process *child, const struct child_task *task)
{
    if (task->starts_processes) {
        reaper_stop(child);
        return;
    }
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
}

/* How often the kernel has killed a process for want of memory, of whomever; 0: it does not say. */
static int64_t kernel_kills(void)
{
    FILE *in = fopen("/proc/vmstat", "re");
    int64_t count = 0;
    char line[128];

    if (in == NULL)
        return 0;
    while (fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "oom_kill %" SCNd64, &count) == 1)
            break;
    fclose(in);
    return count;
}

static bool follow(const struct child_task *task, struct started *started, struct child_end *end,
                   struct error *error)
{
    const int64_t kills = kernel_kills();
    struct process child;
    struct rusage usage;
    bool ended;
    int status;

    if (!process_start(&child, PROCESS_BLOCKED, task->starts_processes ? work_below_reaper : work,
                       started, error))
        return false;
    ended = await_end(&child, task, end);
    end->moment = timer_now();
    stop(&child, task);
    status = process_wait(&child, &usage);
    if (status < 0)
        return error_set(error, "can't wait for a process: %s", strerror(errno));
    if (WIFSIGNALED(status))
        end->signal = WTERMSIG(status);
    else
        end->status = WEXITSTATUS(status);
    end->killed = !ended && end->signal == SIGKILL;
    end->called_off = end->killed && end->called_off;
    end->overrun = end->killed && end->overrun;
    end->starved = end->signal == SIGKILL && kernel_kills() != kills;
    end->cpu_s = process_seconds(&usage);
    end->rss_bytes = usage.ru_maxrss * INT64_C(1024);
    return true;
}

/* Ends the children that were not there BEFORE: what a reaper has left that was killed itself. Each
 * that ends may leave others.  */
static void end_orphans(const struct children *before)
{
    bool more = true;

    for (int look = 0; more && look < 1000; look++) {
        struct children now;

        more = false;
        children_listed(&now);
        for (size_t i = 0; i < now.count; i++) {
            bool old = false;

            for (size_t b = 0; b < before->count; b++)
                old = old || before->pid[b] == now.pid[i];
            if (old)
                continue;
            more = true;
            kill(now.pid[i], SIGKILL);
            waitpid(now.pid[i], NULL, 0);
        }
        children_clear(&now);
    }
}

/* What the reaper and the control group say of the end.  */
static void look_back(const struct child_task *task, const struct reaper_limits *limits,
                      struct child_end *end)
{
    struct cgroup_use use;

    end->exceeded = limits->exceeded;
    end->overrun = limits->overrun;
    end->rss_bytes = max64(end->rss_bytes, limits->most);
    if (task->cgroup == NULL)
        return;
    cgroup_end(task->cgroup, &use);
    if (task->limits->memory_bytes > 0)
        end->exceeded = end->exceeded || use.kills > 0;
    else
        end->starved = end->starved || use.kills > 0;
    end->cpu_s = fmax(end->cpu_s, use.cpu_s);
    end->rss_bytes = max64(end->rss_bytes, use.memory);
}

/* What the parent has freed goes back to the system first: a planner that filled such
 * pages again would not grow, and seem to need no memory.  */
bool child_run(const struct child_task *task, struct child_end *end, struct error *error)
{
    struct started started = {task, NULL};
    struct children before;
    int subreaper = 0;
    bool done;

    *end = (struct child_end){0};
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    if (!task->starts_processes)
        return follow(task, &started, end, error);
    started.limits = process_share(sizeof *started.limits);
    if (started.limits == NULL) {
        error_set(error, "no memory to share with a process: %s", strerror(errno));
        if (task->cgroup != NULL)
            cgroup_end(task->cgroup, NULL);
        return false;
    }
    /* The kernel keeps the limit of a group.  */
    started.limits->memory = task->cgroup == NULL ? task->limits->memory_bytes : 0;
    started.limits->cpu_s = task->limits->cpu_s;
    children_listed(&before);
    prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    done = follow(task, &started, end, error);
    end_orphans(&before);
    prctl(PR_SET_CHILD_SUBREAPER, subreaper);
    children_clear(&before);
    look_back(task, started.limits, end);
    munmap(started.limits, sizeof *started.limits);
    return done;
}

enum outcome child_outcome(const struct child_end *end, char *reason, size_t size)
{
    const struct {
        bool holds;
        enum outcome outcome;
        const char *reason;
    } rows[] = {
        {end->exceeded, OUTCOME_MEMOUT,
         "killed at the limit of memory, which all its processes share"},
        {end->overrun, OUTCOME_TIMEOUT, "killed at the limit of processor time"},
        {end->killed, OUTCOME_TIMEOUT,
         end->called_off ? "interrupted" : "killed at the time limit"},
        {end->signal == SIGXCPU, OUTCOME_TIMEOUT, "killed at the limit of processor time"},
        {end->starved, OUTCOME_MEMOUT, "killed, most likely by the kernel for want of memory"},
        {end->signal == 0 && end->status == MEMOUT, OUTCOME_MEMOUT, "out of memory"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].holds) {
            snprintf(reason, size, "%s", rows[i].reason);
            return rows[i].outcome;
        }
    if (end->signal != 0)
        snprintf(reason, size, "killed by signal %d (%s)", end->signal, strsignal(end->signal));
    else
        snprintf(reason, size, "exited with status %d in the middle", end->status);
    return OUTCOME_CRASHED;
}
