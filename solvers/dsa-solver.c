/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dsa-solver: a local search over orders with restarts, or one of the two greedy planners below it.
 *
 * first-fit: sizes descending, then begins ascending, then input order; each buffer into the lowest
 * gap.  heap: sizes descending, then lengths of life descending, then input order; each into the
 * smallest gap that is large enough, the lowest of equal ones.
 *
 * local-search: from first-fit's order on, with first-fit's placing.  A move draws two places of
 * the order and, each with a third of the probability,
 *
 *   a b [c] d e [f] g      a b f d e c g     swaps them,
 *                          a b f c d e g     inserts the later one before the earlier one,
 *                          a b f e d c g     or turns around all from one to the other.
 *
 * It is kept if the plan is lower than the current one.  After 500 plans without that the current
 * order is the best one after n / 10 moves.  The plans are shared out among eight restarts, each of
 * which begins with the best order after n / 8 moves.
 *
 * Source: tonibohnlein's dsa-solver, first_fit_solver.cpp, xla_heap_solver.cpp,
 * local_search_solver.cpp, with seed 0.  Its tvm_hill_climb_solver.cpp, a hill climb after TVM's,
 * is left out.
 * Published as O(n^2 log n) a plan; here near O(n log n) where the width is bounded
 * (lib/place/gap_index.c, solvers/fit/decoder.c), with the same plans.
 * Guarantee: none is known but peak <= sum of the sizes plus padding; local-search is never above
 * first-fit.
 * Differences: one memory without a limit.  Upstream goes on at the load, where nothing can be
 * better; here the search ends there.  A work limit counts plans.  first-fit is the planner wic of
 * `onert`, with alignments.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/mt64.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/fit/decoder.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/solver.h"

enum { PLANNER_LOCAL_SEARCH, PLANNER_FIRST_FIT, PLANNER_HEAP };
enum { RESTARTS = 8, MOST_STAGNATION = 500 };

struct search {
    const struct solver_env *env;
    struct decoder *decoder;
    size_t n;
    uint32_t *order, *current, *best; /* ORDER is the one that is tried */
    struct plan *trial, *plan;        /* PLAN: of BEST */
    int64_t peak;                     /* of CURRENT */
    int64_t used, most;               /* plans */
    int64_t load;
    struct mt64 random;
    struct turns turns;
    bool late;
};

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t b_before = *b;

    *b = *a;
    *a = b_before;
}

/* One random move in ORDER.  */
static void move(struct search *search)
{
    size_t i = mt64_below(&search->random, search->n), j, first, last;
    uint32_t *order = search->order, moved;

    do
        j = mt64_below(&search->random, search->n);
    while (i == j);
    first = i < j ? i : j;
    last = i < j ? j : i;
    switch (mt64_next(&search->random) % 3) {
    case 0:
        swap(&order[first], &order[last]);
        break;
    case 1:
        moved = order[last];
        memmove(order + first + 1, order + first, (last - first) * sizeof *order);
        order[first] = moved;
        break;
    default:
        for (; first < last; first++, last--)
            swap(&order[first], &order[last]);
    }
}

/* Places all in the order that is tried.  */
static int64_t try_order(struct search *search)
{
    decoder_run(search->decoder, search->order, search->trial);
    search->used++;
    if (search->trial->peak < search->plan->peak) {
        plan_copy(search->plan, search->trial);
        memcpy(search->best, search->order, search->n * sizeof *search->order);
        solver_stream(search->env, search->plan);
    }
    return search->trial->peak;
}

static void keep(struct search *search, int64_t peak)
{
    memcpy(search->current, search->order, search->n * sizeof *search->order);
    search->peak = peak;
}

/* The current order is the best one after so many moves.  */
static void begin_anew(struct search *search, size_t moves)
{
    memcpy(search->order, search->best, search->n * sizeof *search->order);
    for (size_t i = 0; i < moves; i++)
        move(search);
    keep(search, try_order(search));
}

static bool goes_on(struct search *search, int64_t end)
{
    if (search->used >= end || search->plan->peak <= search->load || search->late)
        return false;
    search->late = !turns_next(&search->turns);
    return !search->late;
}

/* Until END plans were made.  */
static void descend(struct search *search, int64_t end)
{
    size_t moves = search->n / 10 > 2 ? search->n / 10 : 2;
    int64_t stagnation = 0, peak;

    while (goes_on(search, end)) {
        memcpy(search->order, search->current, search->n * sizeof *search->order);
        move(search);
        peak = try_order(search);
        stagnation++;
        if (peak < search->peak) {
            keep(search, peak);
            stagnation = 0;
        }
        if (stagnation >= MOST_STAGNATION && goes_on(search, end)) {
            begin_anew(search, moves);
            stagnation = 0;
        }
    }
}

static void restart_all(struct search *search)
{
    size_t moves = search->n / 8 > 2 ? search->n / 8 : 2;

    for (int64_t restart = 0; restart < RESTARTS && goes_on(search, search->most); restart++) {
        int64_t rest = RESTARTS - restart;
        int64_t end = search->used + (search->most - search->used + rest - 1) / rest;

        if (restart > 0)
            begin_anew(search, moves);
        descend(search, end);
    }
}

/* KEY: first-fit's order, of which PLAN is the plan.  */
static enum outcome search_orders(const struct instance *instance, const struct solver_env *env,
                                  const struct order_key *key, struct plan *plan)
{
    size_t n = instance->n;
    struct search search = {.env = env,
                            .decoder = decoder_new(instance),
                            .n = n,
                            .order = memory_alloc(n, sizeof *search.order),
                            .current = memory_alloc(n, sizeof *search.current),
                            .best = memory_alloc(n, sizeof *search.best),
                            .trial = plan_new(instance),
                            .plan = plan,
                            .used = 1,
                            .most = params_int(env->params, "iterations"),
                            .load = instance->load,
                            .turns = turns_under(env)};

    if (env->work_limit > 0)
        search.most = min64(search.most, env->work_limit);
    for (size_t i = 0; i < n; i++)
        search.order[i] = (uint32_t)key[i].index;
    memcpy(search.best, search.order, n * sizeof *search.order);
    keep(&search, plan->peak);
    solver_stream(env, plan);
    mt64_seed(&search.random, 0);
    if (n >= 2)
        restart_all(&search);
    plan->nodes = search.used;
    search_statistics_add(env->statistics, STATISTIC_DECODINGS, search.used);
    decoder_free(search.decoder);
    free(search.order);
    free(search.current);
    free(search.best);
    plan_free(search.trial);
    return search.late ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    unsigned planner = params_choice(env->params, "planner");
    bool heap = planner == PLANNER_HEAP;
    struct order_key *key =
        ties_sort(instance, env, TIES_FIRST, BY_SIZE, heap ? BY_LENGTH : BY_BEGIN);
    enum outcome outcome = OUTCOME_FEASIBLE;

    gap_place(instance, key, heap ? FIT_BEST : FIT_FIRST, plan);
    if (planner == PLANNER_LOCAL_SEARCH)
        outcome = search_orders(instance, env, key, plan);
    free(key);
    return outcome;
}

static const struct param params[] = {
    PARAM_ENUM("planner", "local-search", "the search over orders, or a greedy planner",
               {"local-search", PLANNER_LOCAL_SEARCH}, {"first-fit", PLANNER_FIRST_FIT},
               {"heap", PLANNER_HEAP}),
    {"iterations", PARAM_INT, "20000", NULL, 1, PARAM_NO_LIMIT, "plans that the search makes"},
    TIES_PARAM,
    PARAM_END,
};

const struct solver solver_dsa_solver = {
    .name = "dsa-solver",
    .title = "dsa-solver, local search",
    .source = "dsa-solver, local_search_solver.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
