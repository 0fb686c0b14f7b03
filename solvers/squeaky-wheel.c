/* SPDX-License-Identifier: GPL-3.0-or-later */
/* squeaky-wheel: build a plan, blame the buffers that stick out of it, try again with
 * these earlier.
 *
 * Each buffer has a priority.  A decoding puts the buffers down by descending
 * priority, each at its lowest place.  Then those whose tops lie above the load are to
 * blame, and their priorities grow by up to a hundredth of the whole range: a random
 * share of it times the excess of the buffer over that of the highest one.
 *
 * An example: a lives in [0,2) and has 4 bytes, b [1,3) 3, c [0,1) 2, d [2,3) 5; the
 * load is 8.  In the order a, b, d, c a lies at 0, b on it at 4, and d, too large for the
 * room below b, on b at 7.  The peak is 12, and d alone is to blame.  Once it
 * comes before b it lies at 0, b on it at 5, and the peak is the load.
 *
 * After 200 decodings in a row without a better plan the priorities of the best one
 * come back, each moved by a normal deviate of a twentieth of the range.
 *
 * Source: D. Joslin, D. Clements, "Squeaky wheel optimization", 1999, which leaves
 * blame and priorities to the application; these are this project's.  The
 * baseline that one would try before an exact search, not a published planner.
 * Complexity: O(n^2) a decoding at worst (solvers/fit/decoder.c) and a sort.
 * Guarantee: never worse than the orders by size, by area and by length of life, descending.
 * Goes on until the peak is the load or a limit is reached; a work limit counts
 * decodings.  The same seed and number of decodings give the same plan.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "solvers/search/order_search.h"
#include "solvers/solver.h"

/* The range of priorities at the start is 1.  */
static const double most_blame = 0.01, kick = 0.05;
enum { PATIENCE = 200 }; /* decodings without a better plan */

struct wheel {
    struct order_search search;
    struct rng *rng;
    uint32_t *order;
    double *priority, *best; /* of each buffer: now, and in the best plan */
    struct ranked *ranked;
    int64_t since; /* decodings since the best plan */
};

struct ranked {
    double priority;
    uint32_t place, buffer; /* place in the order before: the last key */
};

static int compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void sort_by_priority(struct wheel *wheel)
{
    size_t n = wheel->search.instance->n;

    for (size_t i = 0; i < n; i++) {
        uint32_t b = wheel->order[i];

        wheel->ranked[i] = (struct ranked){wheel->priority[b], (uint32_t)i, b};
    }
    qsort(wheel->ranked, n, sizeof *wheel->ranked, compare);
    for (size_t i = 0; i < n; i++)
        wheel->order[i] = wheel->ranked[i].buffer;
}

/* Draws in the order of placement, so that the input's order plays no part.  */
static void blame(struct wheel *wheel)
{
    const struct instance *instance = wheel->search.instance;
    const struct plan *trial = wheel->search.trial;
    double highest = (double)(trial->peak - instance->load);

    for (size_t i = 0; i < instance->n; i++) {
        uint32_t b = wheel->order[i];
        int64_t excess = trial->offset[b] + instance->buffer[b].size - instance->load;

        if (excess > 0)
            wheel->priority[b] += most_blame * rng_unit(wheel->rng) * ((double)excess / highest);
    }
}

/* From the best plan anew, a little off.  */
static void restart(struct wheel *wheel)
{
    size_t n = wheel->search.instance->n;

    memcpy(wheel->order, wheel->search.order, n * sizeof *wheel->order);
    memcpy(wheel->priority, wheel->best, n * sizeof *wheel->priority);
    for (size_t i = 0; i < n; i++)
        wheel->priority[wheel->order[i]] += rng_gaussian(wheel->rng, kick);
    wheel->since = 0;
}

static void turn(struct wheel *wheel)
{
    size_t n = wheel->search.instance->n;
    int64_t before = wheel->search.plan->peak;

    if (order_search_try(&wheel->search, wheel->order) < before) {
        memcpy(wheel->best, wheel->priority, n * sizeof *wheel->best);
        wheel->since = 0;
    } else {
        wheel->since++;
    }
    blame(wheel);
    if (wheel->since >= PATIENCE)
        restart(wheel);
    sort_by_priority(wheel);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t n = instance->n;
    struct wheel wheel = {
        .rng = rng_new(env->seed),
        .order = memory_alloc(n, sizeof *wheel.order),
        .priority = memory_alloc(n, sizeof *wheel.priority),
        .best = memory_alloc(n, sizeof *wheel.best),
        .ranked = memory_alloc(n, sizeof *wheel.ranked),
    };

    order_search_init(&wheel.search, instance, env, plan);
    order_search_start(&wheel.search, wheel.order);
    for (size_t i = 0; i < n; i++)
        wheel.priority[wheel.order[i]] = 1.0 - (double)i / (double)n;
    memcpy(wheel.best, wheel.priority, n * sizeof *wheel.best);
    while (!order_search_over(&wheel.search))
        turn(&wheel);
    rng_free(wheel.rng);
    free(wheel.order);
    free(wheel.priority);
    free(wheel.best);
    free(wheel.ranked);
    return order_search_end(&wheel.search);
}

const struct solver solver_squeaky_wheel = {
    .name = "squeaky-wheel",
    .title = "Squeaky wheel over orders",
    .source = "Joslin and Clements 1999; this project",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_ANYTIME | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .solve = solve,
};
