/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limit of processor time: of a solver with all its threads, and of a program with all its
 * processes, also those that have ended; and that waiting is not working.  Each of these works for
 * a hundred times its limit if nobody ends it.  */
#include <config.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/runner.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"
#include "tests/support/fake_solver.h"
#include "tests/support/instances.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"
#include "tests/support/three_buffers.h"

#define LIMIT_S 0.15

static const char plan_text[] = "printf 'id,offset\\na,0\\nb,10\\nc,17\\n'";

/* Processor time of this thread.  */
static double worked(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static void *work(void *nothing)
{
    while (worked() < 100.0 * LIMIT_S)
        continue;
    return nothing;
}

static void stack(const struct solver_env *env, struct plan *plan)
{
    place_three(plan, 10, 17, 22);
    env->incumbent(env->context, plan);
}

FAKE_SOLVE(solve_alone)
{
    stack(env, plan);
    work(NULL);
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_in_threads)
{
    pthread_t thread;

    stack(env, plan);
    if (pthread_create(&thread, NULL, work, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
    return OUTCOME_FEASIBLE;
}

/* Far longer than the limit, without work.  */
FAKE_SOLVE(solve_asleep)
{
    stack(env, plan);
    usleep((useconds_t)(3e6 * LIMIT_S));
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_told)
{
    stack(env, plan);
    snprintf(plan->note, sizeof plan->note, "%g", env->cpu_limit);
    return OUTCOME_FEASIBLE;
}

/* What is not ended for its processor time is ended all the same.  */
static const struct run_limits limits = {.time_s = 60, .cpu_s = LIMIT_S};

static struct run_result *run_function(solve_function *solve)
{
    const struct solver solver = {.name = "test", .solve = solve};
    struct instance *instance = three(1);
    struct run_result *result = fake_run(&solver, instance, 1, &limits);

    instance_free(instance);
    return result;
}

static struct run_result *run_program(const char *command)
{
    char *spec = memory_printf("exec:%s; %s", plan_text, command);
    struct instance *instance = three(1);
    struct run_result *result = spec_run(spec, instance, &limits);

    instance_free(instance);
    free(spec);
    return result;
}

/* How much over the limit hangs on the machine; all of its work is another matter.  */
static void is_ended(const struct run_result *result, const char *what)
{
    is_outcome(result, OUTCOME_TIMEOUT, what);
    is_text(result->reason, "killed at the limit of processor time", "%s: the reason", what);
    ok(result->timed, "%s: a limit cut it", what);
    ok(result->plan != NULL && result->plan->peak == 22, "%s: its plan is kept", what);
    ok(result->cpu_s > 0.9 * LIMIT_S && result->cpu_s < 20.0 * LIMIT_S,
       "%s: it was ended at its limit and not before", what);
    tap_diag("%s: %.3f s of %.3f s", what, result->cpu_s, LIMIT_S);
}

static void is_fine(const struct run_result *result, const char *reason, const char *what)
{
    is_outcome(result, OUTCOME_FEASIBLE, what);
    is_text(result->reason, reason, "%s: the reason", what);
}

int main(void)
{
    const char *loop = "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done";
    char *command = memory_printf("while :; do sh -c '%s'; done", loop);

    is_ended(run_function(solve_alone), "a solver");
    is_ended(run_function(solve_in_threads), "a solver whose threads work");
    is_fine(run_function(solve_asleep), "", "a solver that sleeps");
    is_fine(run_function(solve_told), "0.15", "one that is told");
    is_ended(run_program("while :; do :; done & while :; do :; done & wait"),
             "a program of several processes");
    is_ended(run_program("setsid sh -c 'while :; do :; done' & sleep 60"),
             "a program whose daemon works");
    is_ended(run_program(command), "a program of many processes that end");
    is_fine(run_program("sleep 0.5; [ \"$ARENABENCH_CPU_LIMIT\" = 0.15 ] || exit 3"), "",
            "a program that sleeps, and is told");
    free(command);
    return tap_done();
}
