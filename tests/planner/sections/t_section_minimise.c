/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The minimiser's ways to find packings, against exhaustive search and its own plain search:
 * other orders and values of sections, following a packing, dives; and its two threads.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/part_runs.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/pairs/pairs_minimise.h"
#include "planner/sections/section_finder.h"
#include "planner/sections/section_minimise.h"
#include "planner/sections/section_problem.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1 << 30 };

static const struct section_options options = {
    .not_first = true, .memo = true, .parts = true, .restarts = true};

/* Five buffers of which the keys tell all: widths 4 4 2 2 2, sizes 1 2 2 1 3.  */
static void orders(void)
{
    static const int64_t row[][3] = {{0, 4, 1}, {0, 4, 2}, {0, 2, 2}, {2, 4, 1}, {2, 4, 3}};
    static const struct {
        const char *keys;
        size_t rank[5];
    } expected[] = {{"", {0, 1, 2, 3, 4}},    {"W", {0, 1, 2, 3, 4}},  {"WZ", {1, 0, 3, 4, 2}},
                    {"Z", {3, 1, 2, 4, 0}},   {"AZ", {3, 0, 2, 4, 1}}, {"TZ", {2, 1, 4, 3, 0}},
                    {"ZTW", {3, 1, 2, 4, 0}}, {"WAT", {1, 0, 3, 4, 2}}};
    struct instance *instance = instance_new("orders");
    struct section_problem *problem;
    bool right = true;

    for (size_t i = 0; i < 5; i++) {
        char id[24];

        snprintf(id, sizeof id, "b%zu", i);
        instance_add(instance, id, row[i][0], row[i][1], row[i][2], 1);
    }
    problem = section_problem_new(sealed(instance), 1);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        size_t rank[5];

        section_problem_ranks(problem, expected[k].keys, rank);
        for (size_t b = 0; b < 5; b++)
            right = right && rank[b] == expected[k].rank[b];
    }
    ok(right, "orders by strings of keys");
    section_problem_free(problem);
    instance_free(instance);
}

/* Whether START is a packing of INSTANCE within CAPACITY units.  */
static bool packs(const struct instance *instance, int64_t unit, const int64_t *start,
                  int64_t capacity)
{
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    bool right;

    for (size_t b = 0; b < instance->n; b++)
        plan->offset[b] = start[b] * unit;
    plan->peak = plan_peak(instance, plan);
    right = plan->peak <= capacity * unit && verify_plan(instance, plan, &error);
    plan_free(plan);
    return right;
}

/* Whether a search with these turns, or one that follows the packing BEST, is right at
 * every capacity from the load to the optimum; LOOKS: where its fixpoints end early.  */
static bool right_at_all(const struct instance *instance, int64_t optimum, bool turns,
                         const int64_t *best, size_t looks)
{
    static const char *const keys[] = {"TWA", "Z", "AT"};
    static const enum section_score score[] = {SCORE_CANDIDATES, SCORE_SLACK, SCORE_PRODUCT};
    int64_t unit = dsa_unit(instance);
    struct section_problem *problem = section_problem_new(instance, unit);
    struct section_options often = options;
    struct section_search search;
    struct section_turn turn[3];
    bool right = true;

    often.restart_unit = 1;
    section_search_init(&search, problem, &often, 1 << 20, 7);
    for (size_t i = 0; i < 3; i++) {
        size_t *rank = memory_alloc(problem->n, sizeof *rank);

        section_problem_ranks(problem, keys[i], rank);
        turn[i] = (struct section_turn){{score[i], i > 0, rank, i == 1 ? 2 : 0},
                                        memory_zalloc(problem->sections, sizeof(double)),
                                        1.0};
        for (size_t s = 0; s < problem->sections; s++)
            turn[i].weight[s] = 1.0;
    }
    if (turns)
        section_search_take_turns(&search, turn, 3);
    search.guide = best;
    if (looks > 0)
        search.state.most_looks = looks;
    for (int64_t capacity = problem->load; capacity <= optimum / unit; capacity++) {
        enum search_result result = section_search_run(&search, capacity, MANY_NODES, INFINITY);

        if (capacity < optimum / unit)
            right = right && result == SEARCH_REFUTED;
        else
            right = right && result == SEARCH_SOLVED &&
                    packs(instance, unit, search.state.start, capacity);
    }
    for (size_t i = 0; i < 3; i++) {
        free((size_t *)turn[i].choice.rank);
        free(turn[i].weight);
    }
    section_search_clear(&search);
    section_problem_free(problem);
    return right;
}

/* Whether descending, and diving, from the packing BEST comes down to the optimum, by
 * packings only.  */
static bool comes_down(const struct instance *instance, int64_t optimum, const int64_t *best,
                       bool dive)
{
    int64_t unit = dsa_unit(instance), low = instance->load / unit, high = 0, capacity;
    struct section_problem *problem = section_problem_new(instance, unit);
    struct section_finder finder;
    bool right = true, open = true;

    section_finder_init(&finder, problem, &options, true, NULL, 1 << 20, 5);
    for (size_t b = 0; b < problem->n; b++) {
        finder.best[b] = best[b];
        if (best[b] + problem->size[b] - 1 > high)
            high = best[b] + problem->size[b] - 1;
    }
    for (int turn = 0; open && right && high >= low && turn < 200; turn++) {
        enum search_result result = SEARCH_STOPPED;
        const int64_t *start = finder.guided.state.start;

        if (dive) {
            if (section_finder_dive(&finder, instance, unit, low, high, turn % 2 == 0, 200,
                                    INFINITY))
                result = SEARCH_SOLVED;
            start = finder.found;
        } else {
            result = section_finder_descend(&finder, low, high, &capacity, MANY_NODES, INFINITY);
        }
        if (result == SEARCH_REFUTED)
            low = capacity + 1;
        if (result != SEARCH_SOLVED)
            continue;
        right = packs(instance, unit, start, high);
        high = 0;
        for (size_t b = 0; b < problem->n; b++) {
            finder.best[b] = start[b];
            if (start[b] + problem->size[b] - 1 > high)
                high = start[b] + problem->size[b] - 1;
        }
        open = high >= optimum / unit;
    }
    section_finder_clear(&finder);
    section_problem_free(problem);
    return right && high + 1 == optimum / unit;
}

static void against_exhaustive_search(void)
{
    struct rng *rng = rng_new(83);
    int rounds = tap_tier(200, 1500), turns = 0, guided = 0, both = 0, down = 0, dived = 0,
        early = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = tight_instance(rng, 9, 6, 14);
        int64_t optimum = brute_force_optimum(instance), unit = dsa_unit(instance);
        struct plan *plan = solver_plan("greedy-by-size", instance, 1);

        for (size_t b = 0; b < instance->n; b++)
            plan->offset[b] /= unit;
        turns += right_at_all(instance, optimum, true, NULL, 0);
        guided += right_at_all(instance, optimum, false, plan->offset, 0);
        both += right_at_all(instance, optimum, true, plan->offset, 0);
        early += right_at_all(instance, optimum, true, NULL, 1);
        down += comes_down(instance, optimum, plan->offset, false);
        dived += comes_down(instance, optimum, plan->offset, true);
        plan_free(plan);
        instance_free(instance);
    }
    is_int(turns, rounds, "ways to choose in turn: right at every capacity");
    is_int(guided, rounds, "following a packing: right at every capacity");
    is_int(both, rounds, "both together");
    is_int(early, rounds, "with fixpoints that end early");
    is_int(down, rounds, "a guided descent ends at the optimum");
    is_int(dived, rounds, "dives end at the optimum, too");
    rng_free(rng);
}

/* Larger ones, with the optimum above the load: by one thread, by two, and by two
 * without what the second one is for.  */
static void two_threads(void)
{
    static const char *const spec[] = {
        "branch-and-bound:planner=off,threads=2", "branch-and-bound:threads=2",
        "branch-and-bound:threads=2,windows=off,guide=off,portfolio=off"};
    enum { SPECS = sizeof spec / sizeof *spec };
    struct rng *rng = rng_new(89);
    int rounds = tap_tier(20, 240), above = 0, same = 0, repeated = 0;

    while (above < rounds) {
        struct instance *instance = tight_instance(rng, 26, rng_range(rng, 8, 13), 40);
        struct solver_run one = solver_run("branch-and-bound:planner=off", instance, 1, 0);
        struct solver_run again = solver_run("branch-and-bound:planner=off", instance, 1, 0);
        struct solver_run two = solver_run(spec[above % SPECS], instance, 1, 0);

        if (one.peak > instance->load) {
            above++;
            repeated += one.offsets == again.offsets && one.nodes == again.nodes;
            /* The first plan is streamed once more as the best one.  */
            same += one.valid && solver_run_proves(&two, one.peak) &&
                    (two.streamed || above % SPECS != 1);
        }
        instance_free(instance);
    }
    is_int(repeated, rounds, "one thread: the same plan with the same placements");
    is_int(same, rounds, "two threads: the same optimum above the load, in order");
    rng_free(rng);
}

/* A limit ends both threads and leaves a bracket.  */
static void limits(void)
{
    struct rng *rng = rng_new(101);
    int rounds = tap_tier(5, 30), right = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = tight_instance(rng, 70, 12, 100);
        struct solver_run run = solver_run("branch-and-bound:threads=2", instance, 1, 200);

        right += run.valid && run.nodes <= 200 && run.bound >= instance->load &&
                 run.bound <= run.peak &&
                 (run.outcome == OUTCOME_OPTIMAL) == (run.bound == run.peak);
        instance_free(instance);
    }
    is_int(right, rounds, "200 placements of two threads leave brackets");
    rng_free(rng);
}

/* What the planner below has seen, and the better plan that it finds in its second turn.  */
static struct {
    int turns;
    bool right; /* another seed each time, something to do, and the best plan */
    uint32_t seed;
    int64_t peak;
    const struct plan *better;
} seen;

static void plan_in_turn(const struct instance *instance, const struct part_turn *turn,
                         struct plan *plan)
{
    seen.right = seen.right && plan->peak == plan_peak(instance, plan) && plan->peak <= seen.peak &&
                 turn->seed != seen.seed && turn->nodes > 0 && turn->goal >= instance->load;
    seen.seed = turn->seed;
    if (++seen.turns == 2)
        plan_copy(plan, seen.better);
    plan->nodes = turn->nodes;
    seen.peak = plan->peak;
}

static bool by_sections(struct part_runs *runs, size_t part)
{
    const struct section_minimise_options techniques = {
        .find = options, .refute = options, .learn = true, .orders = true, .threads = 1};

    return section_minimise(runs, part, &techniques);
}

/* Searches of SPEC, which has one part, by SOLVE: the planner has turns, and what it finds they
 * have, too.  */
static void planner_beside(const char *spec, bool solve(struct part_runs *runs, size_t part),
                           int64_t work)
{
    struct instance *instance = instance_of(spec);
    struct plan *plan = plan_new(instance), *better = plan_new(instance);
    const struct solver_env env = {.seed = 1, .work_limit = work};
    struct part_runs runs;

    solver_run_into("section-first", instance, &(struct solver_limits){.seed = 1, .work = 50000},
                    better);
    part_runs_begin(&runs, instance, &env, INFINITY, plan);
    runs.planner = plan_in_turn;
    seen.turns = 0;
    seen.right = better->peak < plan->peak;
    seen.seed = env.seed; /* that of the first plan */
    seen.peak = plan->peak;
    seen.better = better;
    part_runs_solve(&runs, solve);
    ok(seen.right && seen.turns > 2 && plan->peak <= better->peak && plan->nodes <= work,
       "%d turns of the planner beside searches of %s", seen.turns, spec);
    plan_free(plan);
    plan_free(better);
    instance_free(instance);
}

/* The families whose optima are all proven.  */
static void real_instances(void)
{
    for (int i = 0; i < 24; i++) {
        char *spec = memory_printf("data:tight/t%c_%d.csv", 'a' + i / 6, i % 6);

        if (!tap_skip_without(1, strchr(spec, ':') + 1)) {
            struct instance *instance = instance_of(spec);
            struct solver_run one = solver_run("branch-and-bound", instance, 1, 0);
            struct solver_run two = solver_run("branch-and-bound:threads=2", instance, 1, 0);

            ok(one.valid && solver_run_proves(&two, one.peak), "%s: two threads prove %" PRId64,
               spec, one.peak);
            instance_free(instance);
        }
        free(spec);
    }
}

int main(void)
{
    orders();
    against_exhaustive_search();
    two_threads();
    limits();
    planner_beside("stretches:n=228,life=16,stretches=1,high=4000,least=64,align=4096,seed=5908",
                   by_sections, 1000000);
    planner_beside("stretches:n=140,life=24,stretches=4,seed=1002", pairs_minimise, 10000);
    real_instances();
    return tap_done();
}
