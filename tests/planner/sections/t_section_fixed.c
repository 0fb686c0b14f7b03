/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search by sections with fixed offsets: against all plans of tiny instances, every nogood
 * against all packings of its buffers, and on larger ones against the search over orders.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/disjunctive/pairs_search.h"
#include "planner/sections/section_search.h"
#include "tests/oracles/every_capacity.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1 << 30, ALL_NOGOODS = 4096 };

static const struct section_options settings[] = {
    {.not_first = true, .subsets = true, .parts = true, .learning = true, .nogoods = ALL_NOGOODS},
    {.not_first = true, .subsets = true, .learning = true, .nogoods = ALL_NOGOODS},
    {.not_first = true, .parts = true, .learning = true, .nogoods = ALL_NOGOODS},
    {.parts = true, .learning = true, .restarts = true, .nogoods = ALL_NOGOODS},
    {.learning = true, .nogoods = ALL_NOGOODS},
    {.not_first = true, .parts = true, .restarts = true},
    {.not_first = true},
    {.parts = false},
};
enum { SETTINGS = sizeof settings / sizeof *settings, LEARNING = 5 };

/* --- tiny instances --- */

static void every_capacity(void)
{
    struct rng *rng = rng_new(287);
    int rounds = tap_tier(300, 1500), right = 0, above = 0;
    struct capacity_tally tally = {0};

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = fixed_case_random(rng, false);
        int64_t optimum = piece_case_optimum(instance);
        bool good = true;

        for (size_t i = 0; i < SETTINGS; i++)
            good = good && sections_right(instance, optimum, &settings[i]);
        right += good;
        above += optimum > instance->load;
        capacity_judge(&tally, instance, optimum);
        instance_free(instance);
    }
    is_int(right, rounds, "all settings are right at every capacity");
    ok(above > rounds / 20, "the optimum is above the load on %d", above);
    capacity_report(&tally, "with fixed offsets");
    rng_free(rng);
}

/* --- nogoods --- */

struct packings {
    const struct section_classes *problem;
    const struct section_nogood *nogood;
    int64_t capacity;
    int64_t *start; /* of the first literals' buffers */
};

static bool meets(const struct packings *packings, size_t i)
{
    const struct section_classes *problem = packings->problem;
    size_t b = packings->nogood->literal[i].buffer;

    for (size_t k = 0; k < i; k++) {
        size_t a = packings->nogood->literal[k].buffer;

        if (section_classes_meet(problem, a, b) &&
            packings->start[k] < packings->start[i] + problem->size[b] &&
            packings->start[i] < packings->start[k] + problem->size[a])
            return true;
    }
    /* What is fixed is there, whether the nogood names it or not.  */
    for (size_t f = 0; f < problem->n; f++)
        if (problem->fixed[f] >= 0 && f != b && section_classes_meet(problem, f, b) &&
            problem->fixed[f] < packings->start[i] + problem->size[b] &&
            packings->start[i] < problem->fixed[f] + problem->size[f])
            return true;
    return false;
}

/* Whether the buffers from literal I on can be added, at any starts that they ask for.  */
static bool can_pack(struct packings *packings, size_t i)
{
    const struct section_classes *problem = packings->problem;
    const struct section_literal *literal = &packings->nogood->literal[i];
    size_t b = literal->buffer;
    int64_t alignment, last;

    if (i == packings->nogood->n)
        return true;
    alignment = problem->alignment[b];
    last = packings->capacity - problem->size[b];
    packings->start[i] = align_up(max64(0, literal->least), alignment);
    if (problem->fixed[b] >= 0) {
        if (literal->least > problem->fixed[b])
            return false;
        packings->start[i] = problem->fixed[b];
        last = min64(last, problem->fixed[b]);
    }
    for (; packings->start[i] <= last; packings->start[i] += alignment)
        if (!meets(packings, i) && can_pack(packings, i + 1))
            return true;
    return false;
}

static bool is_true(const struct section_classes *problem, const struct section_nogood *nogood,
                    int64_t capacity)
{
    struct packings packings = {problem, nogood, capacity,
                                memory_alloc(problem->n, sizeof *packings.start)};
    bool good = nogood->n > 0 && !can_pack(&packings, 0);

    free(packings.start);
    return good;
}

struct tally {
    int checked, wrong, roots, wrong_roots;
};

static void check_learning(const struct instance *instance, const struct section_options *options,
                           struct rng *rng, struct tally *tally)
{
    struct section_classes *problem =
        section_classes_of(instance, dsa_unit(instance), false, false);
    int64_t capacity = instance->load / dsa_unit(instance);

    for (enum search_result result = SEARCH_REFUTED; result == SEARCH_REFUTED; capacity++) {
        struct section_search search;

        section_search_init(&search, problem, options, 1);
        for (size_t s = 0; s < problem->sections; s++)
            search.state.section[s].weight = pow(1000.0, rng_unit(rng));
        result = section_search_run(&search, capacity, MANY_NODES, INFINITY);
        for (size_t i = 0; i < search.learning->nogoods.n; i++) {
            tally->checked++;
            tally->wrong += !is_true(problem, &search.learning->nogoods.ring[i], capacity);
        }
        if (result == SEARCH_REFUTED) {
            tally->roots++;
            tally->wrong_roots += !is_true(problem, &search.learning->nogood, capacity);
        }
        section_search_clear(&search);
    }
    section_classes_free(problem);
}

/* Tight ones of more buffers and with one or two fixed, of which much is learned.  */
static struct instance *tight_case(struct rng *rng)
{
    struct instance *tight = tight_instance(rng, (size_t)rng_range(rng, 11, 14),
                                            rng_range(rng, 7, 11), rng_range(rng, 12, 18));
    struct instance *instance = instance_new("tight");

    for (size_t b = 0; b < tight->n; b++) {
        const struct buffer *buffer = &tight->buffer[b];

        instance_add(instance, buffer->id, buffer->begin, buffer->end, buffer->size, 1);
    }
    fixed_case_fix(rng, instance, (size_t)rng_range(rng, 1, 2), tight->load / 4);
    instance_free(tight);
    return sealed(instance);
}

static void every_nogood(void)
{
    struct rng *rng = rng_new(288);
    int rounds = tap_tier(1500, 5000);
    struct tally tally = {0};

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            round % 4 == 0 ? fixed_case_random(rng, false) : tight_case(rng);

        check_learning(instance, &settings[round % LEARNING], rng, &tally);
        instance_free(instance);
    }
    is_int(tally.wrong, 0, "all nogoods are true: %d", tally.checked);
    is_int(tally.wrong_roots, 0, "what refutes the root too: %d", tally.roots);
    ok(tally.checked > rounds / 10 && tally.roots > rounds / 10, "there are some");
    rng_free(rng);
}

/* --- larger ones --- */

static enum search_result ask(const struct instance *instance,
                              const struct section_options *options, int64_t capacity)
{
    struct section_classes *problem =
        section_classes_of(instance, dsa_unit(instance), false, false);
    struct section_search search;
    enum search_result result;

    section_search_init(&search, problem, options, 1);
    result = section_search_run(&search, capacity, MANY_NODES, INFINITY);
    section_search_clear(&search);
    section_classes_free(problem);
    return result;
}

/* Whether both say the same of each capacity.  */
static bool same_answers(const struct instance *instance, const struct section_options *options,
                         int *above)
{
    int64_t unit = dsa_unit(instance), capacity = instance->load / unit;
    struct pairs_problem *pairs = pairs_problem_new(instance, unit);
    enum pairs_result decided = PAIRS_REFUTED;
    struct pairs_search search;
    bool same = true;

    pairs_search_init(&search, pairs);
    for (; decided == PAIRS_REFUTED && same; capacity++) {
        decided = pairs_search_run(&search, capacity, MANY_NODES, INFINITY);
        same = ask(instance, options, capacity) ==
               (decided == PAIRS_PACKED ? SEARCH_SOLVED : SEARCH_REFUTED);
    }
    *above += capacity - 1 > instance->load / unit;
    pairs_search_clear(&search);
    pairs_problem_free(pairs);
    return same;
}

static void against_orders(void)
{
    struct rng *rng = rng_new(289);
    int rounds = tap_tier(200, 1000), same = 0, proven = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *tight = tight_instance(rng, (size_t)rng_range(rng, 8, 20),
                                                rng_range(rng, 6, 12), rng_range(rng, 15, 30));
        struct instance *loose = round % 3 == 0 ? random_alignments(rng, tight) : tight;
        struct plan *plan = solver_plan("greedy-by-size", loose, 1);
        struct instance *instance = fixed_case_of_plan(rng, loose, plan);
        struct solver_run orders =
            solver_run("branch-and-bound:learning=off,planner=off", instance, 1, 0);
        struct solver_run own = solver_run("branch-and-bound:disjunctive=off", instance, 1, 0);

        same += same_answers(instance, &settings[round % SETTINGS], &above);
        proven += solver_run_proves(&orders, own.peak) && solver_run_proves(&own, orders.peak);
        instance_free(instance);
        plan_free(plan);
        if (loose != tight)
            instance_free(loose);
        instance_free(tight);
    }
    is_int(same, rounds, "sections and orders give the same answers");
    is_int(proven, rounds, "and branch-and-bound proves the same optimum with either");
    ok(above > rounds / 20, "which is above the load on %d of %d", above, rounds);
    rng_free(rng);
}

int main(void)
{
    every_capacity();
    every_nogood();
    against_orders();
    return tap_done();
}
