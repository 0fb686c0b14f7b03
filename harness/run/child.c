/* Both sides of the fork: what the child sets up before it calls the solver,
 * and how the parent waits.  */
#include <config.h>

#include "harness/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/parent.h"
#include "harness/run/reaper.h"
#include "harness/run/runner.h"
#include "harness/run/stream.h"
#include "harness/run/watch.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "solvers/solver.h"

/* A solver gets the time limit itself and may stop in good order; it is killed
 * when it has not by half a second, or 5 % of the limit, later.  */
static double patience(double limit_s)
{
    return limit_s + fmax(0.5, 0.05 * limit_s);
}

static bool starts_processes(const struct child_task *task)
{
    return (task->solver->capabilities & SOLVER_PROCESSES) != 0;
}

/* --- the child --- */

static void memory_out(void *context)
{
    (void)context;
    _exit(CHILD_MEMOUT);
}

/* Libraries that find no memory tend to abort, with errno as malloc left it.
 * After the return abort() goes on to end the process.  */
static void on_abort(int number)
{
    (void)number;
    if (errno == ENOMEM)
        _exit(CHILD_MEMOUT);
}

/* Should a library call exit(): this runs before the handlers and the buffers
 * that the child has from its parent, and keeps them from running twice.  */
static void leave(int status, void *context)
{
    (void)context;
    _exit(status);
}

/* A session, and so a process group, of its own; death with the parent; the
 * default signals.  BLOCKED are all signals since before the fork.  */
static void detach(pid_t parent)
{
    static const int handled[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                                  SIGALRM, SIGCHLD, SIGUSR1, SIGUSR2};
    const struct sigaction aborted = {.sa_handler = on_abort};
    sigset_t none;

    setsid();
    parent_follow(parent, SIGKILL);
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

static void limit_resources(const struct run_limits *limits)
{
    set_limit(RLIMIT_CORE, 0, 0);
    if (limits->time_s > 0) {
        /* The parent's clock ends a run; this one is for a run whose parent is
         * stopped.  A program of several threads may use all processors.  */
        double seconds = patience(limits->time_s) * (double)sysconf(_SC_NPROCESSORS_ONLN);

        if (seconds < 1e9)
            set_limit(RLIMIT_CPU, (rlim_t)seconds + 2, (rlim_t)seconds + 7);
    }
#ifndef WITH_SANITIZERS
    if (limits->memory_bytes > 0)
        limit_memory(limits->memory_bytes);
#endif
}

static void send_incumbent(void *context, const struct plan *plan)
{
    stream_incumbent(context, plan);
}

static void send_bound(void *context, int64_t lower_bound)
{
    stream_bound(context, lower_bound);
}

static _Noreturn void child_main(const struct child_task *task, pid_t parent)
{
    const struct solver_env env = {
        .params = task->params,
        .seed = task->seed,
        .work_limit = task->limits->work,
        .time_limit = task->limits->time_s,
        .memory_limit = task->limits->memory_bytes,
        .incumbent = send_incumbent,
        .bound = send_bound,
        .context = task->stream,
    };
    struct plan *plan;
    enum outcome outcome;

    if (starts_processes(task))
        parent = reaper_enter(parent);
    detach(parent);
    silence();
    on_exit(leave, NULL);
    memory_set_hook(memory_out, NULL);
    limit_resources(task->limits);
    plan = plan_new(task->instance);
    stream_start(task->stream);
    outcome = task->solver->solve(task->instance, &env, plan);
    stream_end(task->stream, outcome, plan);
    _exit(EXIT_SUCCESS);
}

/* --- the parent --- */

/* Signals are blocked across the fork, so that no handler of the parent's runs
 * in the child.  Output that waits in buffers is written first.  What the parent
 * has freed goes back to the system: a planner that filled such pages again
 * would not grow, and seem to need no memory.  */
static pid_t start(const struct child_task *task)
{
    pid_t parent = getpid(), pid;
    sigset_t all, before;

    fflush(stdout);
    fflush(stderr);
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid = fork();
    if (pid == 0)
        child_main(task, parent);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return pid;
}

/* Seconds until the child is to be killed; the clock stands until it has
 * called solve().  */
static double time_left(const struct child_task *task)
{
    double started = stream_started(task->stream), now = timer_now();

    return (started == 0.0 ? now : started) + patience(task->limits->time_s) - now;
}

static bool has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

/* Sleeps until the child has ended (true), its time is up, or it is called off.
 * Kernels before Linux 5.3 have no file descriptors for processes: there it looks
 * 500 times a second.  */
static bool await_end(pid_t pid, const struct child_task *task, bool *called_off)
{
    const struct watch *watch = task->watch;
    struct pollfd ends[2] = {{(int)syscall(SYS_pidfd_open, pid, 0), POLLIN, 0},
                             {watch != NULL ? watch->fd : -1, POLLIN, 0}};
    bool ended = false;

    do {
        double wait_ms = watch != NULL ? fmin(ceil(1e3 * watch->period_s), INT_MAX) : INT_MAX;

        *called_off = watch != NULL && !watch->look(watch->context);
        if (*called_off)
            break;

        if (task->limits->time_s > 0) {
            double left = time_left(task);

            if (left <= 0)
                break;
            wait_ms = fmin(wait_ms, ceil(1e3 * left));
        }
        if (ends[0].fd < 0)
            wait_ms = fmin(wait_ms, 2);
        poll(ends, 2, (int)wait_ms); /* a signal is one more look at the clock */
        ended = has_ended(pid);
    } while (!ended);
    if (ends[0].fd >= 0)
        close(ends[0].fd);
    return ended;
}

/* Ends a child that may have ended and is not waited for yet, so its number is
 * still its own.  It is killed alone too, for the case that it has no group yet.  */
static void stop(pid_t pid, const struct child_task *task)
{
    if (starts_processes(task)) {
        reaper_stop(pid);
        return;
    }
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

bool child_run(const struct child_task *task, struct child_end *end, struct error *error)
{
    pid_t pid = start(task);
    struct rusage usage;
    bool called_off;
    int status;

    *end = (struct child_end){0};
    if (pid < 0)
        return error_set(error, "can't start a process: %s", strerror(errno));
    end->killed = !await_end(pid, task, &called_off);
    end->moment = timer_now();
    stop(pid, task);
    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return error_set(error, "can't wait for a process: %s", strerror(errno));
    if (WIFSIGNALED(status))
        end->signal = WTERMSIG(status);
    else
        end->status = WEXITSTATUS(status);
    end->killed = end->killed && end->signal == SIGKILL;
    end->called_off = end->killed && called_off;
    end->cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    end->rss_bytes = usage.ru_maxrss * INT64_C(1024);
    return true;
}
