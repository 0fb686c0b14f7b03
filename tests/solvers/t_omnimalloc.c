/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OmniMalloc's planners: by hand, and against the same in the plainest way.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/mt64.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* --- omni --- */

enum { MOST = 5 };

/* Each of the seven orders, in turn, is the only one with the least peak.  The last but
 * one is drawn in solvers/omni.c.  Half-open lifetimes.  */
static void each_order(void)
{
    static const struct {
        size_t n;
        struct record row[MOST];
        int64_t offset[MOST];
    } cases[] = {
        {4, {{3, 4, 5}, {0, 3, 4}, {1, 2, 6}, {2, 4, 5}}, {0, 0, 4, 5}},
        {4, {{0, 3, 4}, {0, 2, 3}, {2, 4, 4}, {3, 4, 5}}, {0, 4, 5, 0}},
        {5, {{0, 2, 3}, {2, 3, 4}, {1, 4, 2}, {0, 1, 2}, {0, 2, 2}}, {2, 2, 0, 0, 5}},
        {5, {{2, 3, 1}, {2, 4, 1}, {1, 3, 1}, {3, 4, 2}, {0, 2, 2}}, {1, 0, 2, 1, 0}},
        {4, {{1, 3, 5}, {2, 4, 2}, {3, 4, 2}, {3, 4, 4}}, {2, 0, 6, 2}},
        {4, {{2, 4, 4}, {3, 4, 5}, {0, 3, 2}, {1, 2, 6}}, {0, 4, 6, 0}},
        {4, {{1, 2, 5}, {1, 3, 1}, {3, 4, 5}, {2, 4, 1}}, {0, 5, 1, 0}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct instance *instance = golden_instance("by hand", cases[i].row, cases[i].n, 0, 1);

        golden_offsets("omni", instance, cases[i].offset);
        instance_free(instance);
    }
}

static int64_t length(const struct buffer *buffer)
{
    return buffer->end - buffer->begin;
}

static int64_t conflicts(const struct instance *instance, size_t b)
{
    int64_t count = -1;

    for (size_t i = 0; i < instance->n; i++)
        count += buffers_overlap_in_time(&instance->buffer[i], &instance->buffer[b]);
    return count;
}

static bool longer(const struct instance *instance, size_t a, size_t b)
{
    return length(&instance->buffer[a]) > length(&instance->buffer[b]);
}

static bool wider(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return length(x) * x->size > length(y) * y->size;
}

static bool larger_of(const struct instance *instance, size_t a, size_t b, int64_t x, int64_t y)
{
    return x != y ? x > y : instance->buffer[a].size > instance->buffer[b].size;
}

static bool meets_more(const struct instance *instance, size_t a, size_t b)
{
    return larger_of(instance, a, b, conflicts(instance, a), conflicts(instance, b));
}

static bool more_crowded(const struct instance *instance, size_t a, size_t b)
{
    return larger_of(instance, a, b, conflicts(instance, a) * instance->buffer[a].size,
                     conflicts(instance, b) * instance->buffer[b].size);
}

static bool begins_first(const struct instance *instance, size_t a, size_t b)
{
    return larger_of(instance, a, b, -instance->buffer[a].begin, -instance->buffer[b].begin);
}

static void plain_omni(const struct instance *instance, struct plan *plan)
{
    static plain_before *const orders[] = {NULL,       plain_larger, longer,      wider,
                                           meets_more, more_crowded, begins_first};
    struct plan *trial = plan_new(instance);

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        size_t *order = plain_order(instance, orders[i], false);

        plain_place(instance, order, plain_first, trial);
        if (i == 0 || trial->peak < plan->peak)
            plan_copy(plan, trial);
        free(order);
    }
    plan_free(trial);
}

/* Counting conflicts at each comparison takes its time.  */
static const struct plain_pair pairs[] = {
    {"omni", plain_omni, 200, 250},
    {NULL, NULL, 0, 0},
};

/* --- tabu-search --- */

/* The example in its head comment, and what limits mean.  The gadget is the smallest instance
 * with an optimum above the load.  */
static void tabu_by_hand(void)
{
    static const struct record row[] = {{0, 2, 4}, {1, 3, 3}, {0, 1, 2}, {2, 3, 5}};
    static const int64_t offset[] = {0, 5, 4, 0};
    struct instance *instance = golden_instance("by hand", row, 4, 0, 1);
    struct instance *gadget = gap_gadget(1);
    struct plan *plan = plan_new(gadget);

    golden_offsets("tabu-search", instance, offset);
    solver_run_into("tabu-search", gadget, &(struct solver_limits){.seed = 1}, plan);
    is_int(plan->peak, 5, "the gadget's optimum");
    ok(plan->nodes > 500 * 10 && plan->nodes <= 1 + 500 * 20,
       "500 iterations of at most 20 decodings where nobody sets a limit");
    plan->nodes = 0;
    solver_run_into("tabu-search", gadget, &(struct solver_limits){.seed = 1, .work = 1}, plan);
    ok(plan->nodes > 1 && plan->nodes <= 21, "a work limit counts iterations");
    plan->nodes = 0;
    is_int(
        solver_run_into("tabu-search", gadget, &(struct solver_limits){1, 0, 0.01}, plan).outcome,
        OUTCOME_TIMEOUT, "a time limit ends it");
    plan_free(plan);
    instance_free(gadget);
    instance_free(instance);
}

/* The search in the plainest way: until when each pair of buffers is tabu is a table.  */
struct plain_tabu {
    const struct instance *instance;
    struct plan *best, *trial;
    size_t *order;
    int64_t *until;
    struct mt64 random;
};

static void swap_places(size_t *order, size_t i, size_t j)
{
    size_t buffer = order[i];

    order[i] = order[j];
    order[j] = buffer;
}

/* Until when the buffers at two places are tabu.  */
static int64_t *until(struct plain_tabu *plain, size_t i, size_t j)
{
    size_t x = plain->order[i], y = plain->order[j];

    return &plain->until[(x < y ? x : y) * plain->instance->n + (x < y ? y : x)];
}

static void plain_iterate(struct plain_tabu *plain, int64_t iteration)
{
    int64_t before = plain->best->peak, least = INT64_MAX;
    size_t n = plain->instance->n, best_i = 0, best_j = 0;

    for (int sample = 0; sample < 20 && plain->best->peak > plain->instance->load; sample++) {
        size_t i = mt64_below(&plain->random, n), j = mt64_below(&plain->random, n);

        if (i == j)
            continue;
        swap_places(plain->order, i, j);
        plain_place(plain->instance, plain->order, plain_first, plain->trial);
        swap_places(plain->order, i, j);
        if (plain->trial->peak < plain->best->peak)
            plan_copy(plain->best, plain->trial);
        if ((plain->trial->peak < before || *until(plain, i, j) < iteration) &&
            plain->trial->peak < least) {
            least = plain->trial->peak;
            best_i = i;
            best_j = j;
        }
    }
    if (best_i != best_j)
        *until(plain, best_i, best_j) = iteration + 15;
    swap_places(plain->order, best_i, best_j);
}

static bool same_search(const struct instance *instance, uint32_t seed, int64_t iterations)
{
    struct plain_tabu plain = {
        .instance = instance,
        .best = plan_new(instance),
        .trial = plan_new(instance),
        .order = plain_order(instance, plain_larger, false),
        .until = memory_alloc(instance->n * instance->n, sizeof *plain.until),
    };
    const struct solver_limits limits = {.seed = seed, .work = iterations};
    bool same;

    for (size_t i = 0; i < instance->n * instance->n; i++)
        plain.until[i] = -1;
    mt64_seed(&plain.random, seed);
    plain_place(instance, plain.order, plain_first, plain.best);
    for (int64_t i = 0; i < iterations; i++)
        plain_iterate(&plain, i);
    plain.trial->nodes = 0;
    same = solver_run_into("tabu-search", instance, &limits, plain.trial).valid &&
           memcmp(plain.trial->offset, plain.best->offset,
                  instance->n * sizeof *plain.best->offset) == 0;
    plan_free(plain.best);
    plan_free(plain.trial);
    free(plain.order);
    free(plain.until);
    return same;
}

/* Few buffers meet tabu pairs often.  */
static void tabu_searches(void)
{
    struct rng *rng = rng_new(1989);
    int rounds = tap_tier(5, 20), same = 0;

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++) {
            size_t n = (size_t)rng_range(rng, 1, round % 2 == 0 ? 12 : 40);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);

            same += same_search(instance, (uint32_t)round + 1, 60);
            instance_free(instance);
        }
    is_int(same, rounds * RANDOM_KINDS, "tabu-search gives the plain search's offsets");
    rng_free(rng);
}

int main(void)
{
    each_order();
    same_plans(pairs);
    tabu_by_hand();
    tabu_searches();
    return tap_done();
}
