/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sub-graphs planned apart (subgraphs=buffers): by hand, the known example, and on random
 * networks what a sub-graph's plan has to be in the plan of the whole.  */
#include <config.h>

#include "harness/run/nested.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/runner.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/nest.h"
#include "lib/problem/instance.h"
#include "lib/problem/solver_env.h"
#include "solvers/solver.h"
#include "tests/support/fake_solver.h"
#include "tests/support/instances.h"
#include "tests/support/loop_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

/* That of an instance by hand.  */
static struct nest *by_hand;

static const struct nest *nest_of(const struct instance *instance)
{
    return instance->loops == NULL ? by_hand : loop_layout_nest(instance->loops);
}

/* SPEC's plan of INSTANCE in parts.  */
static struct plan *nested_plan(const char *spec, const struct instance *instance)
{
    struct contestant contestant = contestant_of(spec);
    struct plan *plan = plan_new(instance);
    struct solver_env env = {.seed = 1};

    env.params = &contestant.params;
    if (nested_solve(contestant.entry->solver, instance, nest_of(instance), &env, plan) !=
        OUTCOME_FEASIBLE) {
        tap_diag("%s: %s", spec, plan->note);
        abort();
    }
    contestant_clear(&contestant);
    return plan;
}

static int64_t nested_peak(const char *spec, const struct instance *instance)
{
    struct plan *plan = nested_plan(spec, instance);
    struct error error = {""};
    int64_t peak = plan->peak;

    ok(verify_plan(instance, plan, &error), "%s: a plan of the instance %s", spec, error.text);
    plan_free(plan);
    return peak;
}

/* --- by hand --- */

static struct instance *with_part(struct instance *instance, int64_t begin, int64_t end,
                                  size_t first)
{
    nest_free(by_hand);
    by_hand = nest_new(1, instance->n);
    by_hand->part[0] = (struct nest_part){memory_strdup("loop/"), NEST_NONE, begin, end};
    for (size_t b = first; b < instance->n; b++)
        by_hand->home[b] = 0;
    return sealed(instance);
}

/* Before the loop, of steps 2 to 8, lives w, of 100.  In the loop p and then q and r lie in
 * 100 bytes; t, of 30, is in use from the beginning to the end of all, an initial value that
 * shares memory with a carried one.  Two buffers of 100 and 30: w lies where p will, 130.
 * One arena of 130 is in use as long as t is, so w lies on top: 230.  */
static struct instance *tied_loop(void)
{
    struct instance *instance = instance_new("tied");

    rows_add(instance, "w 0 2 100; p 2 4 100; q 4 6 60; r 4 8 40; t 0 9 30");
    return with_part(instance, 2, 8, 1);
}

static void test_tied_loop(void)
{
    struct instance *instance = tied_loop();
    struct plan *plan = nested_plan("nnc:order=steps", instance);

    is_int(plan->peak, 130, "each buffer of the loop is a tensor of what is around");
    is_int((int64_t)plan->layout, LAYOUT_SEPARATE, "... in separate buffers");
    is_int((int64_t)plan->objects, 2, "... two of them");
    ok(plan->object[0] == plan->object[1] && plan->object[1] == plan->object[2] &&
           plan->object[2] == plan->object[3] && plan->object[4] != plan->object[0],
       "... of which one holds what lives before the loop too");
    plan_free(plan);
    is_int(nested_peak("greedy-by-size", instance), 230, "an arena is one buffer");
    is_int(nested_peak("tflite-gpu-best", instance), 170, "shared objects: 100 (w, p, q), 40, 30");
    is_int(run_solver_peak("greedy-by-size", instance), 130, "flat");
    instance_free(instance);
}

/* A sub-graph keeps its buffers as long as it runs: nothing of what is around lies in
 * them then, though they are idle from step 4 on.  */
static void test_own_memory(void)
{
    struct instance *instance = instance_new("own");

    rows_add(instance, "around 6 9 50; inside 2 4 50");
    with_part(instance, 2, 8, 1);
    is_int(nested_peak("first-fit-by-size", instance), 100, "its buffers are its own");
    is_int(run_solver_peak("first-fit-by-size", instance), 50, "flat");
    instance_free(instance);
}

/* --- the known example, and a deeper one --- */

static void peak_is(const char *spec, const char *solver, int64_t peak)
{
    struct instance *instance = instance_of(spec);
    int64_t found = nest_of(instance) != NULL ? nested_peak(solver, instance)
                                              : run_solver_peak(solver, instance);

    is_int(found, peak, "%s, %s", spec, solver);
    instance_free(instance);
}

/* Four values go around.  As buffers of the loop they are where the initial values were:
 * four and the one that is being made.  As a block they are beside them.  */
static void test_recurrence(void)
{
    static const char *const solver[] = {"nnc:order=steps", "greedy-by-size", "tflite-gpu-best"};

    for (int i = 0; i < 3; i++) {
        peak_is("recurrence:depth=4,loops=unroll", solver[i], 20480);
        peak_is("recurrence:depth=4,loops=unroll,subgraphs=buffers", solver[i], 20480);
        peak_is("recurrence:depth=4,loops=unroll,subgraphs=block", solver[i], 36864);
    }
}

/* --- which buffers are whose --- */

/* X through a loop that carries it.  */
static size_t add_loop(struct builder *b, const char *name, int64_t trips, size_t x)
{
    struct builder_loop *loop = builder_loop_begin(b, name, trips);
    struct builder *body = builder_loop_body(loop);
    size_t carried = builder_loop_carry(loop, "x", x);
    size_t y = builder_scale(body, "y", builder_scale(body, "half", carried, 0.5, 0.0), 1.0, 0.0);

    builder_loop_next(loop, carried, y);
    builder_loop_last(loop, y);
    builder_loop_end(loop, &x);
    return x;
}

static bool has_home(const struct instance *instance, const char *id, size_t home)
{
    for (size_t b = 0; b < instance->n; b++)
        if (strcmp(instance->buffer[b].id, id) == 0)
            return nest_of(instance)->home[b] == home;
    tap_diag("no buffer %s", id);
    return false;
}

/* What goes through two loops one after the other shares one buffer with the values of both,
 * so it is around them; what is made on the way is its loop's.  */
static void test_homes(void)
{
    struct builder *b = builder_new("pair", DTYPE_F32);
    size_t x = builder_input(b, "start", 2, (const int64_t[]){1, 8});
    struct loop_options options = {.treatment = LOOPS_COALLOC, .subgraphs = SUBGRAPHS_BUFFERS};
    struct error error = {""};
    struct network *network;
    struct instance *instance;

    x = add_loop(b, "two", 3, add_loop(b, "one", 3, builder_scale(b, "first", x, 1.0, 0.0)));
    builder_output(b, builder_scale(b, "end", x, 1.0, 0.0));
    network = builder_finish(b, &error);
    ok(network != NULL, "two loops: %s", error.text);
    instance = case_instance(network, &options);
    is_int((int64_t)nest_of(instance)->parts, 2, "a part a loop");
    ok(has_home(instance, "first", NEST_NONE), "what both have is around them");
    ok(has_home(instance, "one/half", 0) && has_home(instance, "two/half", 1),
       "what is made on the way is the loop's");
    instance_free(instance);
}

/* --- random networks --- */

struct tally {
    int parts, plans, ties, inner, bad, outside, other;
};

static bool is_in(const struct nest *nest, size_t part, size_t around)
{
    while (part != NEST_NONE && part != around)
        part = nest->part[part].around;
    return part == around;
}

/* Whether no buffer that is not PART's is in use in the bytes between PART's lowest and
 * highest in PLAN, an arena, while PART runs.  */
static bool keeps_its_own(const struct instance *instance, const struct plan *plan, size_t part)
{
    const struct nest *nest = nest_of(instance);
    int64_t low = INT64_MAX, high = 0;

    for (size_t b = 0; b < instance->n; b++)
        if (is_in(nest, nest->home[b], part)) {
            low = min64(low, plan->offset[b]);
            high = max64(high, plan->offset[b] + instance->buffer[b].size);
        }
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        if (is_in(nest, nest->home[b], part) || plan->offset[b] >= high ||
            plan->offset[b] + buffer->size <= low)
            continue;
        for (size_t i = 0; i < buffer->pieces; i++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + i];

            if (piece->begin < nest->part[part].end && piece->end > nest->part[part].begin)
                return false;
        }
    }
    return true;
}

/* Whether PLAN has the buffers of PART, in which there is no other part, as SPEC plans them
 * alone: those of one buffer moved by one distance.  */
static bool same_inside(const char *spec, const struct instance *instance, const struct plan *plan,
                        size_t part, struct tally *tally)
{
    size_t *keep = memory_alloc(instance->n, sizeof *keep), count = 0;
    struct instance *inside;
    struct plan *alone;
    bool same = true;

    for (size_t b = 0; b < instance->n; b++)
        if (nest_of(instance)->home[b] == part)
            keep[count++] = b;
    if (count > 0) {
        inside = instance_subset(instance, keep, count);
        alone = solver_plan(spec, inside, 1);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < i; j++)
                if (alone->object == NULL || alone->object[i] == alone->object[j])
                    same = same && alone->offset[i] - alone->offset[j] ==
                                       plan->offset[keep[i]] - plan->offset[keep[j]];
        tally->inner++;
        plan_free(alone);
        instance_free(inside);
    }
    free(keep);
    return same;
}

static void count_parts(const struct instance *instance, struct tally *tally)
{
    const struct nest *nest = nest_of(instance);

    tally->parts += (int)nest->parts;
    for (size_t b = 0; b < instance->n; b++)
        tally->ties += nest->home[b] != NEST_NONE &&
                       (instance->buffer[b].begin < nest->part[nest->home[b]].begin ||
                        instance->buffer[b].end > nest->part[nest->home[b]].end);
}

static bool has_parts(const struct nest *nest, size_t part)
{
    for (size_t p = part + 1; p < nest->parts; p++)
        if (nest->part[p].around == part)
            return true;
    return false;
}

static void try_plan(const char *spec, const struct instance *instance, struct tally *tally)
{
    struct plan *plan = nested_plan(spec, instance);
    struct error error = {""};

    tally->plans++;
    if (!verify_plan(instance, plan, &error) || !verify_replay(instance, plan, NULL, &error)) {
        tap_diag("%s: %s", spec, error.text);
        tally->bad++;
    }
    for (size_t p = 0; p < nest_of(instance)->parts; p++) {
        if (plan->layout == LAYOUT_ARENA && !keeps_its_own(instance, plan, p))
            tally->outside++;
        if (!has_parts(nest_of(instance), p) && !same_inside(spec, instance, plan, p, tally))
            tally->other++;
    }
    plan_free(plan);
}

/* With SHAPES: what plans rows of several pieces as they are, so that a subset of the rows is
 * what it was asked about.  */
static void try_network(uint32_t seed, struct tally *tally)
{
    static const char *const spec[] = {"nnc:order=steps", "greedy-by-size", "first-fit-by-size",
                                       "naive"};
    struct rng *rng = rng_new(seed);
    struct network *network = case_random(rng);
    struct lifetime_options lifetimes = {.io = (enum io_count)rng_range(rng, 0, 3),
                                         .weights = rng_range(rng, 0, 1) == 1};
    struct loop_options options = {.treatment = (enum loop_treatment)rng_range(rng, 0, 2),
                                   .subgraphs = SUBGRAPHS_BUFFERS};
    struct error error = {""};
    struct instance *instance =
        loops_instance(network, schedule_file_order(network), &lifetimes, &options, &error);

    if (instance == NULL)
        tap_bail(error.text);
    count_parts(instance, tally);
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++)
        try_plan(spec[i], instance, tally);
    instance_free(instance);
    rng_free(rng);
}

static void test_random(void)
{
    struct tally tally = {0};
    int networks = tap_tier(100, 1000);

    for (int i = 1; i <= networks; i++)
        try_network((uint32_t)i, &tally);
    tap_diag("%d parts, %d tied buffers, %d plans, %d of parts without parts", tally.parts,
             tally.ties, tally.plans, tally.inner);
    ok(tally.parts > networks / 2 && tally.ties > networks / 2 && tally.inner > networks,
       "there were loops, and values around them in their memory");
    is_int(tally.bad, 0, "plans of random networks verify and replay");
    is_int(tally.outside, 0, "a loop's memory is its own while it runs");
    is_int(tally.other, 0, "a body lies as its planner lays it out alone");
}

/* --- the runner --- */

/* Says that it has proved the peak of what it is asked; counts thousandths of seconds.  */
FAKE_SOLVE(solve_stacked)
{
    for (size_t b = 0; b < instance->n; b++) {
        plan->offset[b] = plan->peak;
        plan->peak += instance->buffer[b].size;
    }
    plan->lower_bound = plan->peak;
    plan->nodes = (int64_t)(env->time_limit * 1000);
    if (env->bound != NULL)
        env->bound(env->context, plan->peak);
    return OUTCOME_OPTIMAL;
}

/* Has no plan of more than two buffers.  */
FAKE_SOLVE(solve_few)
{
    if (instance->n <= 2)
        return solve_stacked(instance, env, plan);
    snprintf(plan->note, sizeof plan->note, "three are too many");
    return OUTCOME_CRASHED;
}

FAKE_SOLVE(solve_late)
{
    solve_stacked(instance, env, plan);
    return instance->n > 2 ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

/* Is cut before it has a plan of more than two buffers.  */
FAKE_SOLVE(solve_cut)
{
    return instance->n > 2 ? OUTCOME_TIMEOUT : solve_stacked(instance, env, plan);
}

static void test_runner(void)
{
    static const struct run_limits limits = {.time_s = 20};
    static const struct solver stacked = {.name = "stacked", .solve = solve_stacked};
    static const struct solver few = {.name = "few", .solve = solve_few};
    static const struct solver late = {.name = "late", .solve = solve_late};
    static const struct solver cut = {.name = "cut", .solve = solve_cut};
    struct instance *instance = instance_of("recurrence:depth=4,loops=unroll,subgraphs=buffers");
    struct run_result *result;

    result = fake_run(&stacked, instance, 7, &limits);
    is_outcome(result, OUTCOME_FEASIBLE, "what is proven of parts proves nothing");
    is_int(result->lower_bound, instance->load, "... the load is the bound");
    is_int(result->plan->peak, instance->total, "... of the plan in parts");
    is_int(result->nodes, 20000, "the calls share the time");

    result = fake_run(&few, instance, 7, &limits);
    is_outcome(result, OUTCOME_CRASHED, "no plan of a part is none of the whole");
    is_text(result->reason, "sub-graph 'loop/': three are too many", "... and it is said of which");

    result = fake_run(&late, instance, 7, &limits);
    is_outcome(result, OUTCOME_TIMEOUT, "a limit that cut a part cut the whole");
    ok(result->plan != NULL && result->timed, "... which has a plan");

    result = fake_run(&cut, instance, 7, &limits);
    is_outcome(result, OUTCOME_TIMEOUT, "... or none, where the part has none");
    ok(result->plan == NULL, "... and nothing is made up for it");
    instance_free(instance);
}

int main(void)
{
    test_tied_loop();
    test_own_memory();
    test_recurrence();
    test_homes();
    test_random();
    test_runner();
    return tap_done();
}
