/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that a solver leaves behind, wherever they hide: none outlives the
 * run, and what they used is counted.  */
#include <config.h>

#include "harness/run/reaper.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/process.h"
#include "harness/run/children.h"
#include "harness/run/runner.h"
#include "lib/problem/instance.h"
#include "tests/support/fake_solver.h"
#include "tests/support/instances.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"
#include "tests/support/three_buffers.h"

enum { MOST = 400 };

/* What the solvers tell the test behind the runner's back.  */
struct told {
    _Atomic(int) count;
    _Atomic(int) pid[MOST];
    _Atomic(int) steps; /* of the runaway */
};

static struct told *told;

/* --- what is left behind --- */

static void tell(void)
{
    told->pid[atomic_fetch_add(&told->count, 1)] = getpid();
}

static void await_told(int count)
{
    while (told->count < count)
        usleep(1000);
}

/* Far longer than a test, and not for ever: one that fails leaves nothing either.  */
static _Noreturn void stay(void)
{
    tell();
    for (int i = 0; i < 100; i++)
        sleep(1);
    _exit(0);
}

/* Forks twice and leaves the session, as a daemon does; true in the daemon.  */
static bool daemonise(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            return true;
        _exit(0);
    }
    wait(NULL);
    return false;
}

static void leave_daemon(void)
{
    if (daemonise())
        stay();
    await_told(1);
}

static void leave_deaf_daemon(void)
{
    if (daemonise()) {
        for (int number = 1; number < NSIG; number++)
            signal(number, SIG_IGN);
        stay();
    }
    await_told(1);
}

static void leave_stopped_daemon(void)
{
    if (daemonise()) {
        tell();
        for (;;)
            raise(SIGSTOP);
    }
    await_told(1);
}

/* Each in a session of its own, the child of the one before.  */
static void leave_nest(void)
{
    enum { DEPTH = 60 };

    for (int depth = 0; depth < DEPTH; depth++) {
        if (fork() != 0) {
            if (depth == 0)
                break;
            stay();
        }
        setsid();
        if (depth == DEPTH - 1)
            stay();
    }
    await_told(DEPTH);
}

/* 2^7 processes, each after its fork in a session of its own.  */
static void leave_bomb(void)
{
    if (fork() == 0) {
        for (int i = 0; i < 7; i++) {
            fork();
            setsid();
        }
        stay();
    }
    await_told(1 << 7);
}

/* One that is gone before anyone finds it, but has a successor.  */
static void leave_runaway(void)
{
    if (daemonise()) {
        tell();
        while (fork() == 0 && told->steps < 20000)
            told->steps++;
        _exit(0);
    }
    while (told->steps < 10)
        usleep(1000);
}

static const struct leaver {
    const char *what;
    void (*leave)(void);
} leavers[] = {
    {"a daemon", leave_daemon},
    {"one that ignores signals", leave_deaf_daemon},
    {"one that is stopped", leave_stopped_daemon},
    {"processes in one another", leave_nest},
    {"a crowd", leave_bomb},
    {"a runaway", leave_runaway},
};

/* --- solvers --- */

FAKE_SOLVE(solve_ends)
{
    leavers[env->seed].leave();
    return place_three(plan, 10, 17, 22);
}

FAKE_SOLVE(solve_aborts)
{
    solve_ends(instance, env, plan);
    errno = 0; /* ENOMEM would say something else */
    abort();
}

FAKE_SOLVE(solve_is_killed)
{
    solve_ends(instance, env, plan);
    raise(SIGKILL);
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_exits)
{
    solve_ends(instance, env, plan);
    _exit(5);
}

FAKE_SOLVE(solve_hangs)
{
    solve_ends(instance, env, plan);
    for (;;)
        pause();
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_stops)
{
    solve_ends(instance, env, plan);
    raise(SIGSTOP);
    return OUTCOME_FEASIBLE;
}

static struct run_result *run(solve_function *solve, uint32_t leaver, double time_s)
{
    const struct solver solver = {.name = "test", .capabilities = SOLVER_PROCESSES, .solve = solve};
    struct instance *instance = three(1);
    struct run_result *result;

    memset(told, 0, sizeof *told);
    result = fake_run(&solver, instance, leaver, &(struct run_limits){.time_s = time_s});
    instance_free(instance);
    return result;
}

/* --- after --- */

/* How many of those that were told are there, dead ones that nobody has waited for too.  */
static int remaining(void)
{
    int count = 0;

    for (int i = 0; i < told->count; i++)
        count += kill(told->pid[i], 0) == 0;
    return count;
}

static bool stands_still(void)
{
    int steps = told->steps;

    if (steps > 0)
        usleep(50000);
    return told->steps == steps;
}

static void check_gone(const char *what, const char *end)
{
    is_int(remaining(), 0, "%s, %s: nothing is left", what, end);
    ok(stands_still(), "%s, %s: nothing goes on", what, end);
}

static void all_ends(void)
{
    static const struct {
        const char *what;
        solve_function *solve;
        double time_s;
        enum outcome outcome;
        const char *reason;
    } ends[] = {
        {"a good end", solve_ends, 0, OUTCOME_FEASIBLE, ""},
        {"an abort", solve_aborts, 0, OUTCOME_CRASHED, "killed by signal 6 (Aborted)"},
        {"an exit", solve_exits, 0, OUTCOME_CRASHED, "exited with status 5 in the middle"},
        {"a kill", solve_is_killed, 0, OUTCOME_CRASHED, "killed by signal 9 (Killed)"},
        {"the time limit", solve_hangs, 0.1, OUTCOME_TIMEOUT, "killed at the time limit"},
        {"the time limit of a stopped one", solve_stops, 0.1, OUTCOME_TIMEOUT,
         "killed at the time limit"},
    };

    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++)
        for (size_t l = 0; l < sizeof leavers / sizeof leavers[0]; l++) {
            struct run_result *result = run(ends[e].solve, (uint32_t)l, ends[e].time_s);

            is_text(outcome_name(result->outcome), outcome_name(ends[e].outcome), "%s, %s",
                    leavers[l].what, ends[e].what);
            is_text(result->reason, ends[e].reason, "the reason");
            check_gone(leavers[l].what, ends[e].what);
        }
}

/* Kills the process that runs a solver once this has left everything.  */
static void killed_runners(void)
{
    for (size_t l = 0; l < sizeof leavers / sizeof leavers[0]; l++) {
        int runner, status;

        memset(told, 0, sizeof *told);
        runner = tap_fork();
        if (runner == 0) {
            run(solve_hangs, (uint32_t)l, 0);
            _exit(0);
        }
        while (told->count < 1)
            usleep(1000);
        kill(runner, SIGKILL);
        waitpid(runner, &status, 0);
        for (int tries = 0; tries < 1000 && (remaining() > 0 || !stands_still()); tries++)
            usleep(10000);
        check_gone(leavers[l].what, "a killed runner");
    }
}

/* --- what it used --- */

/* A tenth of a second of processor time, by a daemon.  */
FAKE_SOLVE(solve_by_daemon)
{
    if (daemonise()) {
        while (clock() < CLOCKS_PER_SEC / 10)
            continue;
        stay();
    }
    await_told(1);
    return OUTCOME_FEASIBLE;
}

static void accounts(void)
{
    double cpu_s = run(solve_by_daemon, 0, 0)->cpu_s;

    ok(cpu_s >= 0.1, "a daemon's processor time counts: %g s", cpu_s);
}

enum { HOLDERS = 4, HELD = 8 << 20 };

/* Some processes that have memory, until the reaper has seen that of all together.  */
static void hold_together(void *context, int socket)
{
    const volatile int64_t *most = &((const struct reaper_limits *)context)->most;

    (void)socket;
    for (int i = 0; i < HOLDERS; i++)
        if (fork() == 0) {
            char *memory =
                mmap(NULL, HELD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

            if (memory == MAP_FAILED)
                _exit(98);
            memset(memory, 1, HELD);
            stay();
        }
    for (int look = 0; *most < (int64_t)HOLDERS * HELD && look < 20000; look++)
        usleep(1000);
}

static void hold_below_reaper(void *context, int socket)
{
    (void)socket;
    reaper_run(hold_together, context, context, NULL);
}

static void sums_up(void)
{
    struct reaper_limits *limits = process_share(sizeof *limits);
    struct process reaper;
    struct error error = {""};
    int status = -1;

    memset(told, 0, sizeof *told);
    limits->memory = INT64_C(1) << 40;
    if (process_start(&reaper, PROCESS_BLOCKED, hold_below_reaper, limits, &error))
        status = process_wait(&reaper, NULL);
    ok(status == 0 && !limits->exceeded, "below the limit nobody is ended %s", error.text);
    ok(limits->most >= (int64_t)HOLDERS * HELD, "the memory of all is seen together: %g MiB",
       (double)limits->most / 1048576.0);
    is_int(remaining(), 0, "and nothing is left");
    munmap(limits, sizeof *limits);
}

/* --- finding them --- */

static int by_number(const void *a, const void *b)
{
    pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

    return (x > y) - (x < y);
}

static void check_found(struct children *children, const pid_t *pid, int count, const char *how)
{
    qsort(children->pid, children->count, sizeof *children->pid, by_number);
    ok(children->count == (size_t)count &&
           memcmp(children->pid, pid, (size_t)count * sizeof *pid) == 0,
       "%s: %zu children, which are ours", how, children->count);
    children_clear(children);
}

static void finding(void)
{
    enum { CHILDREN = 5 };
    struct children children;
    pid_t pid[CHILDREN];

    memset(told, 0, sizeof *told);
    for (int i = 0; i < CHILDREN; i++) {
        pid[i] = tap_fork();
        if (pid[i] == 0) {
            setpgid(0, 0);
            fork(); /* a grandchild is none of ours */
            stay();
        }
    }
    await_told(2 * CHILDREN);
    qsort(pid, CHILDREN, sizeof *pid, by_number);
    if (ok(children_searched(&children), "there is /proc"))
        check_found(&children, pid, CHILDREN, "searched");
    if (children_listed(&children))
        check_found(&children, pid, CHILDREN, "listed");
    else
        tap_skip(1, "this kernel has no list");
    for (int i = 0; i < CHILDREN; i++)
        kill(-pid[i], SIGKILL);
    while (wait(NULL) > 0)
        continue;
}

int main(void)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    all_ends();
    killed_runners();
    accounts();
    sums_up();
    finding();
    return tap_done();
}
