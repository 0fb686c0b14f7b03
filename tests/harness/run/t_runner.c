/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner's judgement: solvers that end in good order, whatever they say.
 * t_runner_ends has those that do not.  */
#include <config.h>

#include "harness/run/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/fake_solver.h"
#include "tests/support/instances.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"

static void stack(const struct instance *instance, struct plan *plan)
{
    int64_t top = 0;

    for (size_t b = 0; b < instance->n; b++) {
        plan->offset[b] = top;
        top += instance->buffer[b].size;
    }
    plan->peak = top;
}

/* A run that is to end as WANT.  */
static struct run_result *run(const struct instance *instance, solve_function *solve,
                              enum outcome want, const char *what)
{
    const struct solver solver = {.name = "test", .solve = solve};
    struct run_result *result = fake_run(&solver, instance, 7, &(struct run_limits){.time_s = 20});

    is_outcome(result, want, what);
    return result;
}

/* --- plans --- */

FAKE_SOLVE(solve_stacked)
{
    stack(instance, plan);
    plan->nodes = 42;
    snprintf(plan->note, sizeof plan->note, "a remark");
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_best)
{
    stack(instance, plan);
    env->incumbent(env->context, plan);
    plan->offset[1] = 0;
    plan->offset[2] = 10;
    plan->peak = 15;
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_overlap)
{
    solve_best(instance, env, plan);
    plan->offset[2] = 9;
    plan->peak = 14;
    return OUTCOME_OPTIMAL;
}

FAKE_SOLVE(solve_wrong_peak)
{
    stack(instance, plan);
    plan->peak -= 1;
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_forgotten)
{
    return OUTCOME_FEASIBLE;
}

/* Blocks that the allocator takes from its heap, not from the system one by one.  */
enum { BLOCK = 4096, BLOCKS = 2048 };

static void fill(char *block[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        block[i] = memory_alloc(1, BLOCK);
        memset(block[i], 1, BLOCK);
    }
}

FAKE_SOLVE(solve_with_memory)
{
    char *block[BLOCKS];

    fill(block, BLOCKS);
    for (size_t i = 0; i < BLOCKS; i++)
        free(block[i]);
    return solve_stacked(instance, env, plan);
}

/* The parent has as much free memory as the solver takes, below a block that
 * is still there, so that it did not go back to the system by itself.  */
static void memory(void)
{
    struct instance *instance = three(1);
    int64_t without, more;
    char *block[BLOCKS], *last;

    fill(block, BLOCKS);
    last = memory_alloc(1, BLOCK);
    for (size_t i = 0; i < BLOCKS; i++)
        free(block[i]);
    without = run(instance, solve_stacked, OUTCOME_FEASIBLE, "without memory")->rss_bytes;
    more = run(instance, solve_with_memory, OUTCOME_FEASIBLE, "with memory")->rss_bytes - without;
#ifdef WITH_SANITIZERS
    (void)more;
    tap_skip(1, "the sanitizers' allocator keeps what is freed");
#else
    ok(more > BLOCK * BLOCKS * 3 / 4,
       "a solver's memory is seen beside what its parent freed: %" PRId64 " bytes", more);
#endif
    free(last);
    instance_free(instance);
}

static void plans(void)
{
    struct instance *instance = three(1);
    struct run_result *result;

    result = run(instance, solve_stacked, OUTCOME_FEASIBLE, "a right plan");
    is_int(result->plan->peak, 22, "its peak");
    is_int(result->plan->offset[2], 17, "its offsets");
    is_int(result->lower_bound, 15, "the load is its lower bound");
    is_int(result->nodes, 42, "its nodes");
    is_text(result->reason, "a remark", "its note");
    is_int((int64_t)result->n_events, 1, "one event");
    ok(!result->timed && !result->joined && result->replay == REPLAY_NONE, "nothing else");
    ok(result->time_s >= 0 && result->rss_bytes > 0, "time and memory were taken");
    run_result_apply_bound(result, 21);
    is_outcome(result, OUTCOME_FEASIBLE, "with a bound below the peak");
    is_int(result->lower_bound, 21, "another run's bound is taken over");
    run_result_apply_bound(result, 22);
    is_outcome(result, OUTCOME_OPTIMAL, "with a bound that meets the peak");

    result = run(instance, solve_best, OUTCOME_OPTIMAL, "the peak equals the load");
    is_int((int64_t)result->n_events, 2, "two events");
    ok(result->event[0].kind == RUN_INCUMBENT && result->event[0].value == 22 &&
           result->event[1].value == 15 && result->event[0].time_s <= result->event[1].time_s,
       "the trace goes down");

    result = run(instance, solve_overlap, OUTCOME_INVALID, "an overlap");
    ok(strstr(result->reason, "overlap") != NULL && result->plan->peak == 14,
       "plan and reason kept");
    run_result_apply_bound(result, 14);
    is_outcome(result, OUTCOME_INVALID, "no bound makes it valid");

    result = run(instance, solve_wrong_peak, OUTCOME_INVALID, "a wrong peak");
    result = run(instance, solve_forgotten, OUTCOME_INVALID, "a plan that was never filled in");
    instance_free(instance);
}

/* --- bounds --- */

FAKE_SOLVE(solve_proof)
{
    stack(instance, plan);
    env->incumbent(env->context, plan);
    env->bound(env->context, 16);
    env->bound(env->context, 16);
    env->bound(env->context, 3);
    plan->lower_bound = plan->peak;
    return OUTCOME_OPTIMAL;
}

FAKE_SOLVE(solve_lie)
{
    env->bound(env->context, 16);
    solve_best(instance, env, plan);
    return OUTCOME_FEASIBLE;
}

static void bounds(void)
{
    struct instance *instance = three(1);
    struct run_result *result;

    result = run(instance, solve_proof, OUTCOME_OPTIMAL, "a proof above the load");
    is_int(result->lower_bound, 22, "the proven bound");
    is_int(result->plan->lower_bound, 22, "stands in the plan too");
    ok(result->n_events == 3 && !result->events_lost, "an incumbent and two bounds");
    ok(result->event[1].kind == RUN_BOUND && result->event[1].value == 16 &&
           result->event[2].kind == RUN_BOUND && result->event[2].value == 22,
       "only improvements are events");

    result = run(instance, solve_lie, OUTCOME_INVALID, "a bound above the plan's own peak");
    ok(strstr(result->reason, "16") != NULL && strstr(result->reason, "15") != NULL, "both named");
    is_int(result->lower_bound, 15, "the lie is not kept");
    instance_free(instance);
}

/* --- no plan --- */

FAKE_SOLVE(solve_gives_up)
{
    snprintf(plan->note, sizeof plan->note, "does not feel like it");
    return OUTCOME_CRASHED;
}

FAKE_SOLVE(solve_too_late)
{
    plan->lower_bound = 16;
    return OUTCOME_TIMEOUT;
}

FAKE_SOLVE(solve_in_time)
{
    solve_best(instance, env, plan);
    env->incumbent(env->context, plan);
    stack(instance, plan);
    return OUTCOME_TIMEOUT;
}

FAKE_SOLVE(solve_refused)
{
    snprintf(plan->note, sizeof plan->note, "line 3: expected an offset");
    return OUTCOME_INVALID;
}

static void no_plans(void)
{
    struct instance *instance = three(1);
    struct run_result *result;

    result = run(instance, solve_gives_up, OUTCOME_CRASHED, "no plan");
    is_text(result->reason, "does not feel like it", "the solver's note");
    ok(result->plan == NULL, "no plan is kept");

    result = run(instance, solve_too_late, OUTCOME_TIMEOUT, "stopped by itself without a plan");
    ok(result->plan == NULL && result->timed, "no plan, timed");
    is_int(result->lower_bound, 16, "the bound is kept");

    result = run(instance, solve_in_time, OUTCOME_OPTIMAL, "a time limit after the optimum");
    ok(result->timed, "is timed all the same");

    result = run(instance, solve_refused, OUTCOME_INVALID, "the solver itself calls it invalid");
    is_text(result->reason, "line 3: expected an offset", "with its note");
    ok(result->plan == NULL, "there is none");
    instance_free(instance);
}

/* --- what a solver may be given --- */

static bool not_today(const struct instance *instance, const struct params *params,
                      struct error *reason)
{
    (void)params;
    return instance->n > 3 || error_set(reason, "wants more than 3 buffers");
}

static void skipped(void)
{
    struct instance *instance = three(1), *aligned = three(4);
    struct solver solver = {.name = "test", .solve = solve_stacked};
    const struct run_limits none = {0};
    struct run_result *result;

    result = fake_run(&solver, aligned, 7, &none);
    is_outcome(result, OUTCOME_SKIPPED, "an alignment");
    ok(result->plan == NULL && result->lower_bound == 0, "nothing is recorded");
    run_result_apply_bound(result, 15);
    is_int(result->lower_bound, 0, "nor by other runs");

    solver.capabilities = SOLVER_ALIGNMENT;
    result = fake_run(&solver, aligned, 7, &none);
    is_outcome(result, OUTCOME_INVALID, "offset 10 under alignment 4");

    solver.applicable = not_today;
    result = fake_run(&solver, instance, 7, &none);
    is_outcome(result, OUTCOME_SKIPPED, "not applicable");
    is_text(result->reason, "wants more than 3 buffers", "with the reason");
    instance_free(aligned);
    instance_free(instance);
}

FAKE_SOLVE(solve_proves_stack)
{
    if (instance->shapes)
        return OUTCOME_CRASHED;
    stack(instance, plan);
    plan->lower_bound = plan->peak;
    return OUTCOME_OPTIMAL;
}

static void joined(void)
{
    const struct piece chain[] = {{0, 3, 0, 8, true}, {2, 5, 0, 4, true}};
    struct instance *instance = instance_new("pieces");
    struct run_result *result;

    /* Rectangles need 8 + 6; pieces need 10, for the chain has only 4 bytes
     * in use while the second buffer lives.  */
    instance_add_pieces(instance, "chain", chain, 2, 1);
    rows_add(instance, "late 3 5 6");
    sealed(instance);
    result = run(instance, solve_proves_stack, OUTCOME_FEASIBLE, "optimal for the rectangles only");
    ok(result->joined, "it saw the bounding rectangles");
    is_int(result->joined_bound, 14, "its bound is theirs");
    is_int(result->lower_bound, 10, "the instance keeps its own");
    is_int(result->plan->peak, 14, "the plan stands");
    instance_free(instance);
}

FAKE_SOLVE(solve_env)
{
    stack(instance, plan);
    snprintf(plan->note, sizeof plan->note, "%u %d %g %d", (unsigned)env->seed,
             (int)env->work_limit, env->time_limit, (int)env->memory_limit);
    return OUTCOME_FEASIBLE;
}

static void environment(void)
{
    struct instance *instance = three(1);
    const struct solver solver = {.name = "test", .solve = solve_env};
    const struct run_limits limits = {.time_s = 8, .memory_bytes = 1 << 30, .work = 9};

    is_text(fake_run(&solver, instance, 7, &limits)->reason, "7 9 8 1073741824",
            "seed and limits reach the solver");
    instance_free(instance);
}

static void objects(void)
{
    struct instance *instance = three(4);
    struct run_result *result;
    const struct run_limits none = {0};

    result = fake_run(solver_find("naive")->solver, instance, 7, &none);
    is_outcome(result, OUTCOME_FEASIBLE, "a plan with objects");
    is_text(layout_name(result->plan->layout), "objects", "the layout");
    is_int((int64_t)result->plan->objects, 3, "their number");
    ok(result->plan->object[2] == 2 && result->plan->object_size[1] == 7, "objects and sizes");
    instance_free(instance);
}

static void no_buffers(void)
{
    struct instance *instance = instance_new("nothing");
    struct run_result *result;

    sealed(instance);
    result = run(instance, solve_stacked, OUTCOME_OPTIMAL, "no buffers");
    is_int(result->plan->peak, 0, "need no memory");
    instance_free(instance);
}

/* --- output --- */

FAKE_SOLVE(solve_prints)
{
    for (int i = 0; i < 10000; i++)
        puts("not ok - a solver never prints");
    fflush(stdout);
    return getchar() == EOF ? solve_best(instance, env, plan) : OUTCOME_CRASHED;
}

static void output(void)
{
    struct instance *instance = three(1);
    FILE *file = tmpfile();
    const struct solver prints = {.name = "test", .solve = solve_prints};
    int saved = dup(STDOUT_FILENO);
    struct run_result *result;
    struct stat end;

    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    printf("kept back\n");
    result = fake_run(&prints, instance, 7, &(struct run_limits){.time_s = 20});
    fflush(stdout);
    fstat(fileno(file), &end);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    fclose(file);
    is_outcome(result, OUTCOME_OPTIMAL, "a solver that prints, and reads");
    is_int(end.st_size, 10, "only the parent's line, once");
    instance_free(instance);
}

/* --- size --- */

static void large(void)
{
    size_t n = (size_t)tap_tier(20000, 1000000);
    struct instance *instance = instance_new("large");
    struct run_result *result;

    for (size_t b = 0; b < n; b++) {
        add_buffer(instance, (int64_t)b, (int64_t)b + 2, 8, 1);
    }
    sealed(instance);
    result = run(instance, solve_stacked, OUTCOME_FEASIBLE, "a large instance");
    is_int(result->plan->peak, 8 * (int64_t)n, "peak");
    tap_diag("%zu buffers: verified in %.3f s", n, result->verify_s);
    instance_free(instance);
}

int main(void)
{
    plans();
    memory();
    bounds();
    no_plans();
    skipped();
    joined();
    environment();
    objects();
    no_buffers();
    output();
    large();
    return tap_done();
}
