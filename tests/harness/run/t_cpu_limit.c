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
#include "tests/support/tap.h"

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
    plan->offset[1] = 10;
    plan->offset[2] = 17;
    plan->peak = 22;
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

static void run(const struct contestant *contestant, struct run_result *result)
{
    /* What is not ended for its processor time is ended all the same.  */
    const struct run_limits limits = {.time_s = 60, .cpu_s = LIMIT_S};
    struct instance *instance = three(1);

    run_solver(instance, contestant, 1, &limits, result);
    instance_free(instance);
}

static void run_function(enum outcome (*solve)(const struct instance *, const struct solver_env *,
                                               struct plan *),
                         struct run_result *result)
{
    const struct solver solver = {.name = "test", .solve = solve};
    const struct solver_entry entry = {&solver, "0"};
    const struct contestant contestant = {.entry = &entry};

    run(&contestant, result);
}

static void run_program(const char *command, struct run_result *result)
{
    char *spec = memory_printf("exec:%s; %s", plan_text, command);
    struct contestant contestant;
    struct error error = {""};

    if (!contestant_parse(&contestant, spec, &error)) {
        tap_diag("%s", error.text);
        abort();
    }
    run(&contestant, result);
    contestant_clear(&contestant);
    free(spec);
}

/* How much over the limit hangs on the machine; all of its work is another matter.  */
static void is_ended(struct run_result *result, const char *what)
{
    is_text(outcome_name(result->outcome), "timeout", "%s", what);
    is_text(result->reason, "killed at the limit of processor time", "%s: the reason", what);
    ok(result->timed, "%s: a limit cut it", what);
    ok(result->plan != NULL && result->plan->peak == 22, "%s: its plan is kept", what);
    ok(result->cpu_s > 0.9 * LIMIT_S && result->cpu_s < 20.0 * LIMIT_S,
       "%s: it was ended at its limit and not before", what);
    tap_diag("%s: %.3f s of %.3f s", what, result->cpu_s, LIMIT_S);
    run_result_clear(result);
}

static void is_fine(struct run_result *result, const char *what)
{
    is_text(outcome_name(result->outcome), "feasible", "%s: %s", what, result->reason);
    run_result_clear(result);
}

int main(void)
{
    const char *loop = "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done";
    struct run_result result;
    char *command;

    run_function(solve_alone, &result);
    is_ended(&result, "a solver");
    run_function(solve_in_threads, &result);
    is_ended(&result, "a solver whose threads work");
    run_function(solve_asleep, &result);
    is_fine(&result, "a solver that sleeps");
    run_function(solve_told, &result);
    is_text(result.reason, "0.15", "a solver is told");
    is_fine(&result, "one that is told");
    run_program("while :; do :; done & while :; do :; done & wait", &result);
    is_ended(&result, "a program of several processes");
    run_program("setsid sh -c 'while :; do :; done' & sleep 60", &result);
    is_ended(&result, "a program whose daemon works");
    command = memory_printf("while :; do sh -c '%s'; done", loop);
    run_program(command, &result);
    is_ended(&result, "a program of many processes that end");
    free(command);
    run_program("sleep 0.5; [ \"$ARENABENCH_CPU_LIMIT\" = 0.15 ] || exit 3", &result);
    is_text(result.reason, "", "a program is told");
    is_fine(&result, "a program that sleeps");
    return tap_done();
}
