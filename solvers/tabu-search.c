/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tabu-search: swaps in the placement order, the best of a few, none taken back soon.
 *
 * The order by size, descending, then of the input, is decoded by first fit.  In each
 * iteration 20 pairs of places are drawn; the order with the two buffers swapped is
 * decoded, and the best swap is made, the first of equal ones, even where it makes the plan
 * worse.  The swaps of the last 15 iterations are tabu: a pair of buffers is not swapped again,
 * unless that gives a plan better than the best one so far.
 *
 * An example: a lives in [0,2) and has 4 bytes, b [1,3) 3, c [0,1) 2, d [2,3) 5; the load is 8.
 * In the order d, a, b, c, d and a lie at 0 and b, on d, at 5: the peak is the load.
 *
 * Source: F. Glover, "Tabu search, part I", 1989; OmniMalloc (fpedd/omnimalloc, Apache-2.0), its
 * allocator tabu_search with its numbers, from a description.  That is silent on where the
 * search starts, how a pair is drawn, what of a swap is tabu and how equal swaps compare; the
 * recorded answers (tests/upstream) show that it starts by size, the rest is ours.  Two places are
 * drawn, one after the other; a pair of equal ones is left out and counts as one of the 20.
 * The generator is upstream's (lib/base/mt64.h).
 * Complexity: O(n^2) a decoding at worst (solvers/fit/decoder.c).
 * Guarantee: never worse than first fit by size.
 * Goes on until the peak is the load or a limit is reached; a work limit counts iterations,
 * which are 500, as upstream's, where there is none.  The same seed and number of iterations
 * give the same plan.  */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/mt64.h"
#include "lib/place/orders.h"
#include "lib/problem/instance.h"
#include "solvers/search/order_search.h"
#include "solvers/solver.h"

enum { ITERATIONS = 500, SAMPLES = 20, TENURE = 15 };

/* Two places of the order, or two buffers; equal: none.  */
struct swap {
    uint32_t a, b;
};

struct tabu {
    struct order_search search;
    struct mt64 random;
    uint32_t *order;
    struct swap recent[TENURE]; /* buffers; that of iteration i is at i % TENURE */
};

static void exchange(struct tabu *tabu, struct swap places)
{
    uint32_t buffer = tabu->order[places.a];

    tabu->order[places.a] = tabu->order[places.b];
    tabu->order[places.b] = buffer;
}

/* The buffers at PLACES, the lower index first.  */
static struct swap buffers_at(const struct tabu *tabu, struct swap places)
{
    uint32_t x = tabu->order[places.a], y = tabu->order[places.b];

    return x < y ? (struct swap){x, y} : (struct swap){y, x};
}

static bool is_tabu(const struct tabu *tabu, struct swap places)
{
    struct swap buffers = buffers_at(tabu, places);

    for (size_t i = 0; i < TENURE; i++)
        if (tabu->recent[i].a == buffers.a && tabu->recent[i].b == buffers.b)
            return true;
    return false;
}

static struct swap draw(struct tabu *tabu)
{
    uint64_t n = tabu->search.instance->n;
    struct swap places;

    places.a = (uint32_t)mt64_below(&tabu->random, n);
    places.b = (uint32_t)mt64_below(&tabu->random, n);
    return places;
}

static void iterate(struct tabu *tabu, int64_t iteration)
{
    int64_t best = tabu->search.plan->peak, least = INT64_MAX;
    struct swap chosen = {0, 0};

    for (int sample = 0; sample < SAMPLES; sample++) {
        struct swap places = draw(tabu);
        int64_t peak;

        if (places.a == places.b)
            continue;
        exchange(tabu, places);
        peak = order_search_try(&tabu->search, tabu->order);
        exchange(tabu, places);
        if (peak < least && (peak < best || !is_tabu(tabu, places))) {
            least = peak;
            chosen = places;
        }
    }
    tabu->recent[iteration % TENURE] = buffers_at(tabu, chosen);
    exchange(tabu, chosen);
}

static void start(struct tabu *tabu)
{
    const struct instance *instance = tabu->search.instance;
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    greedy_order(instance, BY_SIZE, BY_NOTHING, NULL, key);
    for (size_t i = 0; i < instance->n; i++)
        tabu->order[i] = (uint32_t)key[i].index;
    free(key);
    order_search_try(&tabu->search, tabu->order);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct tabu tabu = {.order = memory_alloc(instance->n, sizeof *tabu.order)};
    int64_t most = env->time_limit > 0.0 ? INT64_MAX : ITERATIONS;

    if (env->work_limit > 0)
        most = env->work_limit;
    order_search_init(&tabu.search, instance, env, plan);
    tabu.search.most = INT64_MAX; /* that is decodings */
    mt64_seed(&tabu.random, env->seed);
    start(&tabu);
    for (int64_t i = 0; i < most && !order_search_over(&tabu.search); i++)
        iterate(&tabu, i);
    free(tabu.order);
    return order_search_end(&tabu.search);
}

const struct solver solver_tabu_search = {
    .name = "tabu-search",
    .title = "Tabu search over orders",
    .source = "Glover 1989; OmniMalloc, allocators/tabu_search",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_ANYTIME | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .solve = solve,
};
