/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration-size: the longest life first, stacked on a skyline.
 *
 * Sorted by (end - begin, size) descending, ties in input order; order=begin and
 * order=end sort by one of those instead, ascending, then by size.  Each buffer goes on top of
 * the highest one below it in time, and no gap is ever used again.  A chain of n equal buffers with
 * lifetimes [i, i + 2) becomes a staircase, and the peak is n times the size where 2 would do:
 *
 * In the orders of begin and end that is so however the input is ordered.
 *
 *     offset    |       D D
 *               |     C C
 *               |   B B
 *             0 | A A
 *               +----------- step
 *
 * Source: Maeda (LeapMind), "Buffer allocation as a path cover problem", blog
 * article in Japanese, 15 July 2021: its older algorithm, and two orders of which it
 * says that they build the same staircase.  It does not say which way round they go:
 * descending begins are ascending ends with time run backwards, and the reverse.
 * Published as O(n x steps) with an array of heights; here O(n log n) on a
 * segment tree with the same plan.  Guarantee: none.
 * Differences: a start is rounded up to the buffer's alignment; the article
 * has none.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/skyline.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    enum greedy_measure by = (enum greedy_measure)params_choice(env->params, "order");
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, by, BY_SIZE);

    skyline_place(instance, key, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {
    PARAM_ENUM("order", "duration",
               "what comes first: the longest life, or the earliest begin or end; of equal ones "
               "the largest",
               {"duration", BY_LENGTH}, {"begin", BY_BEGIN}, {"end", BY_END}),
    TIES_PARAM,
    PARAM_END,
};

const struct solver solver_duration_size = {
    .name = "duration-size",
    .title = "Longest life first, on a skyline",
    .source = "LeapMind 2021, the older algorithm",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_FIRST_PLAN,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
