/* SPDX-License-Identifier: GPL-3.0-or-later */
/* annealing: simulated annealing over the orders in which buffers are put down.
 *
 * An order is decoded by putting each buffer at its lowest place; its energy is the
 * peak over the load.  A step moves one buffer to another place in the order, or two to
 * each other's.  A step up is accepted with probability exp(-rise / temperature).
 *
 * The search is a row of runs, each from the best order so far, each with twice as many
 * steps at a temperature as the one before: temperatures fall from a fiftieth of the
 * load to a hundredth of that by a tenth at a time.  So limits need not be known.
 *
 * An example: a lives in [0,2) and has 4 bytes, b [1,3) 3, c [0,1) 2, d [2,3) 5; the
 * load is 8.  In the order a, b, d, c a lies at 0, b on it at 4, and d, too large for the
 * room below b, on b at 7: energy 12/8.  A step that brings d before b puts d at 0 and
 * b on it at 5: energy 1, where the search ends.
 *
 * Source: Kirkpatrick, Gelatt, Vecchi 1983, in GSL's gsl_siman; orders as the search
 * space and the decoder are what the literature on packing does.  The baseline
 * that one would try before an exact search, not a published planner.
 * Complexity: O(n^2) a decoding at worst (solvers/fit/decoder.c).
 * Guarantee: never worse than the orders by size, by area and by length of life, descending.
 * Goes on until the peak is the load or a limit is reached; a work limit counts
 * decodings.  The same seed and number of decodings give the same plan.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "solvers/search/gsl_anneal.h"
#include "solvers/search/order_search.h"
#include "solvers/solver.h"

/* After this many steps at a temperature runs get no longer: what a limit leaves of
 * one is copied to no use.  */
enum { FIRST_STEPS = 1, MOST_STEPS = 1 << 12 };

static double energy(void *context, const uint32_t *order)
{
    struct order_search *search = context;
    int64_t peak = order_search_try(search, order);

    return peak == INT64_MAX ? INFINITY : (double)peak / (double)search->instance->load;
}

static void anneal(struct order_search *search, uint32_t seed)
{
    struct anneal_schedule schedule = {
        .start = 0.02, .stop = 0.0002, .cooling = 1.1, .steps = FIRST_STEPS};
    size_t n = search->instance->n;
    struct rng *rng = rng_new(seed);
    uint32_t *order = memory_alloc(n, sizeof *order);

    order_search_start(search, order);
    while (n > 1 && !order_search_over(search)) {
        gsl_anneal(order, n, energy, search, &schedule, rng);
        schedule.steps = (int)min64(2 * (int64_t)schedule.steps, MOST_STEPS);
    }
    rng_free(rng);
    free(order);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_search search;

    order_search_init(&search, instance, env, plan);
    anneal(&search, env->seed);
    return order_search_end(&search);
}

const struct solver solver_annealing = {
    .name = "annealing",
    .title = "Simulated annealing over orders",
    .source = "Kirkpatrick, Gelatt, Vecchi 1983; GSL's gsl_siman",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_ANYTIME | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .solve = solve,
};
