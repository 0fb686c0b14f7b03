/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first-fit-by-size: the largest buffer first, each into the lowest gap.
 *
 * Sizes descending, then lifetimes' lengths descending, then input order.
 * Among the placed buffers that are alive at a common step, by ascending
 * offset, the lowest gap that is large enough takes the buffer; where there is
 * none it goes on top of the highest of them.
 *
 *   offset 11 +---+---+
 *             | d   d |     a, b, c, d, e have 4, 3, 2, 2, 2 bytes; when e
 *           9 +---+---+     comes, [0, 4) and [7, 9) are free at its step,
 *             | c |   |     and it takes the lower one.
 *           7 +---+---+
 *             | b   b |
 *           4 +---+---+
 *             | a | e |
 *           0 +---+---+
 *
 * Source: first fit decreasing, the textbook rule; with this order it is the
 * heuristic that idealloc starts from (Lamprakos et al., arXiv 2504.04874),
 * whose further ties hang on a hash order: here the input decides.
 * The plain scan is O(n^2); here near O(n log n) where the width is bounded
 * (lib/place/gap_index.c), with the same plan.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: an alignment moves the start of a gap up.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/gap_index.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_SIZE, BY_LENGTH);

    gap_place(instance, key, FIT_FIRST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_first_fit_by_size = {
    .name = "first-fit-by-size",
    .title = "First fit by size",
    .source = "first fit decreasing; idealloc's starting heuristic",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_FIRST_PLAN | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
