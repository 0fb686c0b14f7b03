/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The minimiser's ways to find packings, against exhaustive search and its own plain search:
 * restarts and dives.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/part_runs.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/disjunctive/pairs_minimise.h"
#include "planner/dives/section_classes.h"
#include "planner/sections/section_divers.h"
#include "planner/sections/section_minimise.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1 << 30 };

static const struct section_options options = {.not_first = true, .parts = true, .restarts = true};

/* Five buffers of which the keys tell all: widths 4 4 2 2 2, sizes 1 2 2 1 3.  Classes, by which
 * ties are, go by section and then by size: 2, 1, 0, 4, 3.  */
static void orders(void)
{
    static const int64_t row[][3] = {{0, 4, 1}, {0, 4, 2}, {0, 2, 2}, {2, 4, 1}, {2, 4, 3}};
    static const struct {
        const char *keys;
        size_t rank[5];
    } expected[] = {{"", {2, 1, 0, 4, 3}},    {"W", {1, 0, 2, 4, 3}},  {"WZ", {1, 0, 3, 4, 2}},
                    {"Z", {3, 2, 1, 4, 0}},   {"AZ", {3, 0, 2, 4, 1}}, {"TZ", {2, 1, 4, 3, 0}},
                    {"ZTW", {3, 1, 2, 4, 0}}, {"WAT", {1, 0, 3, 4, 2}}};
    struct instance *instance = instance_new("orders");
    struct section_classes *problem;
    bool right = true;

    for (size_t i = 0; i < 5; i++) {
        add_buffer(instance, row[i][0], row[i][1], row[i][2], 1);
    }
    problem = section_classes_of(sealed(instance), 1, false, false);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        uint32_t rank[5];

        section_classes_ranks(problem, expected[k].keys, rank);
        for (size_t c = 0; c < 5; c++)
            right = right && rank[c] == expected[k].rank[problem->copy[c]];
    }
    ok(right, "orders by strings of keys");
    section_classes_free(problem);
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

static bool packs_classes(const struct section_search *search, const struct instance *instance,
                          int64_t capacity)
{
    int64_t *start = memory_alloc(instance->n, sizeof *start);
    bool right;

    section_classes_starts(search->state.problem, search->state.start, start);
    right = packs(instance, dsa_unit(instance), start, capacity);
    free(start);
    return right;
}

/* Whether a search that begins anew is right at every capacity from the load to the optimum;
 * LOOKS: where its fixpoints end early.  */
static bool right_at_all(const struct instance *instance, int64_t optimum, size_t looks)
{
    int64_t unit = dsa_unit(instance);
    struct section_classes *problem = section_classes_of(instance, unit, false, false);
    struct section_search search;
    bool right = true;

    section_search_init(&search, problem, &options, 7);
    if (looks > 0)
        search.state.most_looks = looks;
    for (int64_t capacity = problem->load; capacity <= optimum / unit; capacity++) {
        enum search_result result = section_search_run(&search, capacity, MANY_NODES, INFINITY);

        if (capacity < optimum / unit)
            right = right && result == SEARCH_REFUTED;
        else
            right = right && result == SEARCH_SOLVED && packs_classes(&search, instance, capacity);
    }
    section_search_clear(&search);
    section_classes_free(problem);
    return right;
}

/* Where the highest of START, in units, ends, less one.  */
static int64_t below_peak(const struct instance *instance, int64_t unit, const int64_t *start)
{
    int64_t high = 0;

    for (size_t b = 0; b < instance->n; b++)
        high = max64(high, start[b] + instance->buffer[b].size / unit - 1);
    return high;
}

/* Whether diving from the packing BEST comes down to the optimum, by packings only.  */
static bool comes_down(const struct instance *instance, int64_t optimum, const int64_t *best)
{
    int64_t unit = dsa_unit(instance), low = instance->load / unit;
    int64_t high = below_peak(instance, unit, best);
    struct section_divers divers;
    bool right = true;

    section_divers_init(&divers, instance, unit, 5);
    memcpy(divers.best, best, instance->n * sizeof *best);
    for (int turn = 0; right && high >= optimum / unit && turn < 200; turn++) {
        if (!section_divers_dive(&divers, low, high, turn % 2 == 0, 200, INFINITY))
            continue;
        right = packs(instance, unit, divers.found, high);
        memcpy(divers.best, divers.found, instance->n * sizeof *best);
        high = below_peak(instance, unit, divers.found);
    }
    section_divers_clear(&divers);
    return right && high + 1 == optimum / unit;
}

static void against_exhaustive_search(void)
{
    struct rng *rng = rng_new(83);
    int rounds = tap_tier(80, 800), turns = 0, dived = 0, early = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = tight_instance(rng, 9, 6, 14);
        int64_t optimum = brute_force_optimum(instance), unit = dsa_unit(instance);
        struct plan *plan = solver_plan("greedy-by-size", instance, 1);

        for (size_t b = 0; b < instance->n; b++)
            plan->offset[b] /= unit;
        turns += right_at_all(instance, optimum, 0);
        early += right_at_all(instance, optimum, 1);
        dived += comes_down(instance, optimum, plan->offset);
        plan_free(plan);
        instance_free(instance);
    }
    is_int(turns, rounds, "with restarts: right at every capacity");
    is_int(early, rounds, "with fixpoints that end early");
    is_int(dived, rounds, "dives end at the optimum");
    rng_free(rng);
}

/* Larger ones, with the optimum above the load, with the planner and without, and again.  */
static void larger(void)
{
    struct rng *rng = rng_new(89);
    int rounds = tap_tier(8, 50), above = 0, same = 0, repeated = 0;

    while (above < rounds) {
        struct instance *instance = tight_instance(rng, 26, rng_range(rng, 8, 13), 40);
        struct solver_run one = solver_run("branch-and-bound:planner=off", instance, 1, 0);
        struct solver_run again = solver_run("branch-and-bound:planner=off", instance, 1, 0);
        struct solver_run all = solver_run("branch-and-bound", instance, 1, 0);

        if (one.peak > instance->load) {
            above++;
            repeated += one.offsets == again.offsets && one.nodes == again.nodes;
            same += one.valid && one.streamed && solver_run_proves(&all, one.peak);
        }
        instance_free(instance);
    }
    is_int(repeated, rounds, "the same plan with the same placements");
    is_int(same, rounds, "the same optimum above the load with the planner, in order without");
    rng_free(rng);
}

/* A limit leaves a bracket.  */
static void limits(void)
{
    struct rng *rng = rng_new(101);
    int rounds = tap_tier(2, 15), right = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = tight_instance(rng, 70, 12, 100);
        struct solver_run run = solver_run("branch-and-bound", instance, 1, 200);

        right += run.valid && run.nodes <= 200 && run.bound >= instance->load &&
                 run.bound <= run.peak &&
                 (run.outcome == OUTCOME_OPTIMAL) == (run.bound == run.peak);
        instance_free(instance);
    }
    is_int(right, rounds, "200 placements leave brackets");
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
    const struct section_minimise_options techniques = {.refute = options, .disjunctive = true};

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
    const int step = tap_tier(12, 1);

    for (int i = 0; i < 24; i += step) {
        char *spec = memory_printf("data:tight/t%c_%d.csv", 'a' + i / 6, i % 6);

        if (!tap_skip_without(1, strchr(spec, ':') + 1)) {
            struct instance *instance = instance_of(spec);
            struct solver_run run = solver_run("branch-and-bound", instance, 1, 0);

            ok(solver_run_proves(&run, run.peak), "%s: %" PRId64 " is proven", spec, run.peak);
            instance_free(instance);
        }
        free(spec);
    }
}

int main(void)
{
    orders();
    against_exhaustive_search();
    larger();
    limits();
    planner_beside("stretches:n=228,life=16,stretches=1,high=4000,least=64,align=4096,seed=5908",
                   by_sections, 1000000);
    planner_beside("stretches:n=140,life=24,stretches=4,seed=1002", pairs_minimise, 10000);
    real_instances();
    return tap_done();
}
