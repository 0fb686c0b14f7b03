/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons: what one contestant proves counts for all, and what one has
 * refutes what another claims.  */
#include <config.h>

#include "harness/run/comparison.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/problem/instance.h"
#include "tests/support/fake_solver.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "tests/support/three_buffers.h"

FAKE_SOLVE(solve_17)
{
    place_three(plan, 2, 12, 17);
    return OUTCOME_TIMEOUT;
}

/* A lower bound of 17 for an instance whose load is 15.  What is tested here is
 * how it is handled, not whether it is true.  */
FAKE_SOLVE(solve_bound)
{
    env->bound(env->context, 17);
    abort();
}

FAKE_SOLVE(solve_optimum)
{
    return place_three(plan, 0, 10, 15);
}

/* c above a, of the sizes that the solver is shown.  */
FAKE_SOLVE(solve_above)
{
    return place_three(plan, 0, instance->buffer[0].size,
                       instance->buffer[0].size + instance->buffer[2].size);
}

static bool never(const struct instance *instance, const struct params *params,
                  struct error *reason)
{
    (void)instance;
    (void)params;
    return error_set(reason, "never");
}

static const struct solver solver_22 = {.name = "22", .solve = solve_22};
static const struct solver solver_17 = {.name = "17", .solve = solve_17};
static const struct solver solver_bound = {.name = "bound", .solve = solve_bound};
static const struct solver solver_objects_bound = {
    .name = "objects-bound", .layout = LAYOUT_OBJECTS, .solve = solve_bound};
static const struct solver solver_optimum = {.name = "optimum", .solve = solve_optimum};
static const struct solver solver_rounds = {
    .name = "rounds", .capabilities = SOLVER_ALIGNMENT, .native = {8, 16}, .solve = solve_above};
static const struct solver solver_never = {.name = "never", .applicable = never, .solve = solve_22};

enum { MOST = 8 };

/* Runs COUNT solvers with JOBS on INSTANCE, which it frees, and checks outcomes and
 * bound.  */
static void check_on(struct instance *instance, bool native, const char *what,
                     const struct solver *const *solvers, size_t count, int64_t jobs,
                     const enum outcome *outcomes, int64_t bound, struct comparison *comparison)
{
    struct solver_entry entry[MOST];
    struct contestant contestant[MOST];
    struct contestants contestants = {count, contestant};
    struct error error = {""};

    for (size_t i = 0; i < count; i++) {
        entry[i] = (struct solver_entry){solvers[i], "0"};
        contestant[i] = (struct contestant){.entry = &entry[i], .label = (char *)solvers[i]->name};
    }
    *comparison = (struct comparison){
        .instance = instance, .contestants = &contestants, .limits.native = native, .seed = 1};
    if (ok(comparison_run(comparison, jobs, &error), "%s", what)) {
        for (size_t i = 0; i < count; i++)
            is_text(outcome_name(comparison->row[i].outcome), outcome_name(outcomes[i]),
                    "%s: %s: %s", what, solvers[i]->name, comparison->row[i].reason);
        is_int(comparison->bound, bound, "%s: the best bound", what);
    }
    comparison->contestants = NULL;
    comparison->instance = NULL;
    instance_free(instance);
}

static void check(const char *what, const struct solver *const *solvers, size_t count, int64_t jobs,
                  const enum outcome *outcomes, int64_t bound, struct comparison *comparison)
{
    check_on(three(1), false, what, solvers, count, jobs, outcomes, bound, comparison);
}

static void shared_bound(int64_t jobs)
{
    const struct solver *const solvers[] = {&solver_22, &solver_bound, &solver_17, &solver_never};
    const enum outcome outcomes[] = {OUTCOME_FEASIBLE, OUTCOME_CRASHED, OUTCOME_OPTIMAL,
                                     OUTCOME_SKIPPED};
    struct comparison comparison;

    check("a bound that another proved", solvers, 4, jobs, outcomes, 17, &comparison);
    is_int((int64_t)comparison.prover, 1, "who proved it");
    ok(comparison.proven, "it is met");
    is_int(comparison.row[0].lower_bound, 17, "it stands in the rows");
    is_int(comparison.row[3].lower_bound, 0, "but not in skipped ones");
    comparison_clear(&comparison);
}

static void refuted_bound(int64_t jobs)
{
    const struct solver *const solvers[] = {&solver_bound, &solver_optimum, &solver_22};
    const enum outcome outcomes[] = {OUTCOME_INVALID, OUTCOME_OPTIMAL, OUTCOME_FEASIBLE};
    struct comparison comparison;

    check("a bound that a plan refutes", solvers, 3, jobs, outcomes, 15, &comparison);
    ok(strstr(comparison.row[0].reason, "optimum has a plan of peak 15") != NULL,
       "the reason names the plan: %s", comparison.row[0].reason);
    ok(comparison.prover == SIZE_MAX && comparison.proven, "the load is what is left");
    comparison_clear(&comparison);
}

static void other_problem(void)
{
    const struct solver *const solvers[] = {&solver_objects_bound, &solver_17};
    const enum outcome outcomes[] = {OUTCOME_CRASHED, OUTCOME_TIMEOUT};
    struct comparison comparison;

    check("a bound on shared objects", solvers, 2, 1, outcomes, 15, &comparison);
    ok(!comparison.proven, "is none on arenas");
    is_int(comparison.row[0].lower_bound, 15, "and does not stand in the table");
    comparison_clear(&comparison);
}

/* 10 and 5 bytes of step 1 become 16 and 8, at multiples of 16.  */
static void native_alignment(void)
{
    const struct solver *const solvers[] = {&solver_rounds, &solver_optimum, &solver_bound};
    const enum outcome outcomes[] = {OUTCOME_OPTIMAL, OUTCOME_OPTIMAL, OUTCOME_INVALID};
    struct comparison comparison;

    check_on(three(1), true, "native alignment", solvers, 3, 1, outcomes, 15, &comparison);
    is_int(comparison.row[0].peak, 24, "the peak of the rounded sizes");
    is_int(comparison.row[0].load, 24, "stands beside their load");
    is_int(comparison.row[0].lower_bound, 24, "and their bound");
    is_int(comparison.row[1].peak, 15, "who rounds nothing sees the instance");
    is_int(comparison.row[1].lower_bound, 15, "whose bound is its own");
    comparison_clear(&comparison);
}

/* Stops the process that runs it, which then ends nothing at the limit.  */
FAKE_SOLVE(solve_freezes)
{
    kill(getppid(), SIGSTOP);
    for (;;)
        pause();
    return OUTCOME_FEASIBLE;
}

static void frozen(void)
{
    static const struct solver freezes = {.name = "freezes", .solve = solve_freezes};
    struct solver_entry entry[] = {{&freezes, "0"}, {&solver_optimum, "0"}};
    struct contestant contestant[] = {
        {.entry = &entry[0], .label = (char *)"freezes", .time_s = 0.1},
        {.entry = &entry[1], .label = (char *)"optimum"},
    };
    struct contestants contestants = {2, contestant};
    struct instance *instance = three(1);
    struct comparison comparison = {.instance = instance, .contestants = &contestants, .seed = 1};
    struct error error = {""};

    alarm(60); /* what hangs for so long is at fault */
    ok(comparison_run(&comparison, 2, &error), "who stops the process above it is ended");
    alarm(0);
    is_text(outcome_name(comparison.row[0].outcome), "crashed", "at its limit: %s",
            comparison.row[0].reason);
    is_text(outcome_name(comparison.row[1].outcome), "optimal", "the other one goes on");
    comparison_clear(&comparison);
    instance_free(instance);
}

int main(void)
{
    frozen();
    native_alignment();
    for (int64_t jobs = 1; jobs <= 5; jobs += 2) {
        shared_bound(jobs);
        refuted_bound(jobs);
    }
    other_problem();
    return tap_done();
}
