/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solvers that do not end as they should: whatever they did before stays, and
 * nothing of them is left.  */
#include <config.h>

#include "harness/run/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/child.h"
#include "harness/run/process_stat.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/fake_solver.h"
#include "tests/support/instances.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"
#include "tests/support/three_buffers.h"

/* What the solvers tell the test behind the runner's back.  */
struct told {
    _Atomic(int) pid;
    _Atomic(int) exits; /* calls of the parent's exit handler */
};

static struct told *told;

static void stream_stacked(const struct solver_env *env, struct plan *plan)
{
    place_three(plan, 10, 17, 22);
    env->bound(env->context, 16);
    env->incumbent(env->context, plan);
    search_statistics_add(env->statistics, STATISTIC_RESTARTS, 3);
}

/* Runs SOLVE, which streams the stacked plan and then ends as WANT.  */
static struct run_result *check_kept(solve_function *solve, const struct run_limits *limits,
                                     enum outcome want, const char *what)
{
    const struct solver solver = {.name = "test", .solve = solve};
    struct instance *instance = three(1);
    struct run_result *result = fake_run(&solver, instance, 1, limits);

    is_outcome(result, want, what);
    ok(result->plan != NULL && result->plan->peak == 22 && result->plan->offset[2] == 17,
       "%s: the plan is kept", what);
    is_int(result->lower_bound, 16, "%s: the bound is kept", what);
    is_int(result->statistics.count[STATISTIC_RESTARTS], 3, "%s: what it counted is kept", what);
    instance_free(instance);
    return result;
}

/* Gone, or dead and not yet waited for by whoever inherited it.  */
static bool is_gone(int pid)
{
    for (int tries = 0; tries < 500; tries++) {
        char text[PROCESS_STAT];
        const char *stat = process_stat(pid, text);

        if (stat == NULL || stat[2] == 'Z' || stat[2] == 'X')
            return true;
        usleep(10000);
    }
    return false;
}

/* --- deaths --- */

FAKE_SOLVE(solve_aborts)
{
    stream_stacked(env, plan);
    errno = 0; /* ENOMEM would say something else */
    abort();
}

FAKE_SOLVE(solve_optimum_then_aborts)
{
    place_three(plan, 0, 10, 15);
    env->incumbent(env->context, plan);
    errno = 0;
    abort();
}

FAKE_SOLVE(solve_quits)
{
    stream_stacked(env, plan);
    _exit(0);
}

FAKE_SOLVE(solve_exits)
{
    stream_stacked(env, plan);
    exit(3);
}

FAKE_SOLVE(solve_faults)
{
    stream_stacked(env, plan);
    signal(SIGSEGV, SIG_DFL); /* no report of a sanitizer's */
    raise(SIGSEGV);
    return OUTCOME_FEASIBLE;
}

static void deaths(void)
{
    const struct solver dies_late = {.name = "test", .solve = solve_optimum_then_aborts};
    const struct run_limits none = {0};
    struct instance *instance = three(1);
    struct run_result *result;

    result = check_kept(solve_aborts, &none, OUTCOME_CRASHED, "abort");
    is_text(result->reason, "killed by signal 6 (Aborted)", "the signal is named");
    ok(!result->timed, "no time limit cut it");
    check_kept(solve_quits, &none, OUTCOME_CRASHED, "_exit(0)");
    result = check_kept(solve_exits, &none, OUTCOME_CRASHED, "exit(3)");
    ok(strstr(result->reason, "status 3") != NULL, "the status is named");
    is_int(told->exits, 0, "the parent's exit handlers do not run in the child");
    result = check_kept(solve_faults, &none, OUTCOME_CRASHED, "a fault");
    is_text(result->reason, "killed by signal 11 (Segmentation fault)", "the signal is named");
    is_outcome(fake_run(&dies_late, instance, 1, &none), OUTCOME_OPTIMAL,
               "an optimum and then an abort");
    instance_free(instance);
}

/* --- limits --- */

FAKE_SOLVE(solve_sleeps)
{
    told->pid = getpid();
    stream_stacked(env, plan);
    for (;;)
        pause();
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_spins)
{
    volatile uint64_t turns = 0;

    stream_stacked(env, plan);
    signal(SIGTERM, SIG_IGN);
    for (;;)
        turns = turns + 1;
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_leaves_a_child)
{
    int pid = fork();

    if (pid == 0)
        for (;;)
            pause();
    told->pid = pid;
    stream_stacked(env, plan);
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_waits_for_a_child)
{
    solve_leaves_a_child(instance, env, plan);
    while (wait(NULL) < 0)
        continue;
    return OUTCOME_FEASIBLE;
}

static void time_limits(void)
{
    const struct run_limits limits = {.time_s = 0.1};
    struct run_result *result;

    result = check_kept(solve_sleeps, &limits, OUTCOME_TIMEOUT, "sleeping");
    ok(result->timed && result->time_s >= 0.1, "a time limit cut it");
    check_kept(solve_spins, &limits, OUTCOME_TIMEOUT, "spinning");
    check_kept(solve_waits_for_a_child, &limits, OUTCOME_TIMEOUT, "waiting");
    ok(is_gone(told->pid), "the child's child is gone");
}

FAKE_SOLVE(solve_is_stopped)
{
    stream_stacked(env, plan);
    raise(SIGSTOP);
    return OUTCOME_FEASIBLE;
}

static void stop_at_once(void *context)
{
    (void)context;
    raise(SIGSTOP);
}

static double not_begun(void *context)
{
    (void)context;
    return 0.0;
}

/* Who is stopped before the clock begins has a limit too.  */
static void check_stopped_before(bool starts_processes, const char *what)
{
    const struct run_limits limits = {.time_s = 0.1};
    const struct child_task task = {.work = stop_at_once,
                                    .started = not_begun,
                                    .limits = &limits,
                                    .starts_processes = starts_processes};
    struct child_end end;
    struct error error = {""};

    alarm(60); /* what hangs for so long is at fault */
    ok(child_run(&task, &end, &error) && end.killed && !end.called_off, "%s is ended%s", what,
       error.text);
    alarm(0);
}

static void stopped(void)
{
    const struct run_limits limits = {.time_s = 0.1};
    struct run_result *result;

    result = check_kept(solve_is_stopped, &limits, OUTCOME_TIMEOUT, "stopped");
    is_text(result->reason, "killed at the time limit", "the reason");
    check_stopped_before(false, "a process that is stopped before it begins");
    check_stopped_before(true, "... below a reaper");
}

static void nothing(int number)
{
    (void)number;
}

/* The wait is not over because a signal came to the parent.  */
static void interrupted(void)
{
    const struct sigaction action = {.sa_handler = nothing}; /* no SA_RESTART */
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    const struct run_limits limits = {.time_s = 0.1};
    struct run_result *result;

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    result = check_kept(solve_sleeps, &limits, OUTCOME_TIMEOUT, "a parent full of signals");
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_DFL);
    ok(result->time_s >= 0.1, "it waited for the limit");
}

static void left_behind(void)
{
    const struct run_limits none = {0};

    check_kept(solve_leaves_a_child, &none, OUTCOME_FEASIBLE, "leaving a child");
    ok(is_gone(told->pid), "the child's child is gone");
}

#ifndef WITH_SANITIZERS
FAKE_SOLVE(solve_grows)
{
    stream_stacked(env, plan);
    for (;;)
        memset(memory_alloc(1, 1 << 20), 1, 1 << 20);
    return OUTCOME_FEASIBLE;
}

/* As a library does that has allocation of its own.  */
FAKE_SOLVE(solve_grows_and_aborts)
{
    void *block;

    stream_stacked(env, plan);
    while ((block = malloc(1 << 20)) != NULL)
        memset(block, 1, 1 << 20);
    abort();
}
#endif

FAKE_SOLVE(solve_is_killed)
{
    stream_stacked(env, plan);
    raise(SIGKILL);
    return OUTCOME_FEASIBLE;
}

static void memory_limits(void)
{
    const struct run_limits limits = {.memory_bytes = 64 << 20};

    check_kept(solve_is_killed, &limits, OUTCOME_CRASHED, "killed from outside");
#ifdef WITH_SANITIZERS
    tap_skip(8, "sanitizers need the address space");
#else
    check_kept(solve_grows, &limits, OUTCOME_MEMOUT, "memory_alloc");
    check_kept(solve_grows_and_aborts, &limits, OUTCOME_MEMOUT, "malloc and abort");
#endif
}

/* --- families --- */

static void other_children(void)
{
    const struct run_limits none = {0};
    int other = tap_fork(), status;

    if (other == 0) {
        pause();
        _exit(0);
    }
    check_kept(solve_aborts, &none, OUTCOME_CRASHED, "beside another child");
    is_int(waitpid(other, &status, WNOHANG), 0, "the other child lives");
    kill(other, SIGKILL);
    is_int(waitpid(other, &status, 0), other, "and is left to its parent");
}

/* Kills the process that runs SOLVE once that has told a process number.  */
static void check_killed_parent(solve_function *solve, unsigned capabilities, const char *what)
{
    const struct solver solver = {.name = "test", .capabilities = capabilities, .solve = solve};
    int parent, status;

    told->pid = 0;
    parent = tap_fork();
    if (parent == 0) {
        fake_run(&solver, three(1), 1, &(struct run_limits){0});
        _exit(0);
    }
    for (int tries = 0; tries < 1000 && told->pid == 0; tries++)
        usleep(10000);
    ok(told->pid != 0, "%s runs", what);
    kill(parent, SIGKILL);
    waitpid(parent, &status, 0);
    ok(is_gone(told->pid), "a killed parent leaves no %s behind", what);
}

static void killed_parents(void)
{
    check_killed_parent(solve_sleeps, 0, "solver");
    check_killed_parent(solve_waits_for_a_child, SOLVER_PROCESSES, "process of a solver");
}

/* --- many incumbents --- */

enum { MANY = 10000, BUFFERS = 300 };

/* Plan k puts buffer b at (MANY - k) + 2 b: a mixture of two plans is seen.  */
FAKE_SOLVE(solve_streams)
{
    /* The seed is the time to live: SIGALRM ends the process.  */
    struct itimerval timer = {.it_value.tv_usec = (suseconds_t)env->seed};

    setitimer(ITIMER_REAL, &timer, NULL);
    for (int k = 1; k <= MANY; k++) {
        for (size_t b = 0; b < instance->n; b++)
            plan->offset[b] = MANY - k + 2 * (int64_t)b;
        plan->peak = MANY - k + 2 * (int64_t)instance->n;
        env->incumbent(env->context, plan);
    }
    if (env->seed > 0)
        for (;;)
            pause();
    return OUTCOME_FEASIBLE;
}

static const struct solver streams = {.name = "test", .solve = solve_streams};

static struct instance *wide(void)
{
    struct instance *instance = instance_new("wide");

    for (int b = 0; b < BUFFERS; b++) {
        add_buffer(instance, 0, 1, 2, 1);
    }
    return sealed(instance);
}

static bool is_whole(const struct run_result *result)
{
    if (result->plan == NULL)
        return result->outcome == OUTCOME_CRASHED && result->n_events == 0;
    if (result->outcome != OUTCOME_CRASHED && result->outcome != OUTCOME_OPTIMAL)
        return false;
    for (size_t b = 0; b < BUFFERS; b++)
        if (result->plan->offset[b] != result->plan->offset[0] + 2 * (int64_t)b)
            return false;
    for (size_t i = 1; i < result->n_events; i++)
        if (result->event[i].value >= result->event[i - 1].value)
            return false;
    return true;
}

static void killed_while_streaming(void)
{
    struct instance *instance = wide();
    const struct run_limits none = {0};
    int runs = tap_tier(30, 400), whole = 0, cut = 0;

    for (int i = 0; i < runs; i++) {
        const struct run_result *result =
            fake_run(&streams, instance, (uint32_t)(1 + 37 * (i % 100)), &none);

        whole += is_whole(result);
        cut += result->plan != NULL && result->plan->offset[0] > 0;
    }
    is_int(whole, runs, "each kept plan is complete");
    tap_diag("%d of %d runs were killed in the middle", cut, runs);
    instance_free(instance);
}

static void too_many_events(void)
{
    struct instance *instance = wide();
    const struct run_limits none = {0};
    struct run_result *result = fake_run(&streams, instance, 0, &none); /* seed 0: no alarm */
    int64_t last = 2 * BUFFERS;

    is_outcome(result, OUTCOME_OPTIMAL, "all are streamed");
    ok(result->events_lost && result->n_events > 2000 && result->n_events < MANY,
       "the trace has lost some");
    is_int(result->event[0].value, MANY - 1 + last, "it has the first");
    is_int(result->event[result->n_events - 1].value, last, "and the last");
    ok(is_whole(result), "in order");
    instance_free(instance);
}

/* Runs in this process only, at its end.  */
static void at_exit(void)
{
    told->exits++;
}

int main(void)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    atexit(at_exit);
    deaths();
    time_limits();
    stopped();
    interrupted();
    left_behind();
    memory_limits();
    other_children();
    killed_parents();
    killed_while_streaming();
    too_many_events();
    return tap_done();
}
