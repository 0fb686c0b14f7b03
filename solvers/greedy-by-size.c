/* SPDX-License-Identifier: GPL-3.0-or-later */
/* greedy-by-size: the largest buffer first, each into the tightest gap.
 *
 * Sizes descending, ties in input order.  Among the placed buffers that are
 * alive at a common step, by ascending offset, the smallest gap that is large
 * enough takes the buffer (the lowest of equal ones); where there is none it
 * goes on top of the highest of them.
 *
 *   offset 11 +---+---+
 *             | d   d |     a, b, c, d, e have 4, 3, 2, 2, 2 bytes; when e
 *           9 +---+---+     comes, [0, 4) and [7, 9) are free at its step,
 *             | c | e |     and it takes the tighter one.
 *           7 +---+---+
 *             | b   b |
 *           4 +---+---+
 *             | a |   |
 *           0 +---+---+
 *
 * Sources: Y. Pisarchyk, J. Lee, "Efficient memory management for deep neural
 * net inference", 2020, Greedy by Size for Offset Calculation, and the TFLite
 * GPU delegate's greedy_by_size_assignment.cc, whose stable order of equal
 * sizes (LiteRT) it has.  Algorithm 2 of N. A. Oplachko's thesis on neural
 * networks on mobile GPUs (in Russian, Moscow State University, 2021) is the
 * same.  Published as O(n^2); here near O(n log n) where the width is bounded
 * (lib/place/gap_index.c), with the same plan.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last step); an
 * alignment belongs to the buffer that is placed and moves the start of its
 * gap, which for one alignment common to all is what the delegate does.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/gap_index.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_SIZE, BY_NOTHING);

    gap_place(instance, key, FIT_BEST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_greedy_by_size = {
    .name = "greedy-by-size",
    .title = "Greedy by size, best fit",
    .source = "Pisarchyk and Lee 2020; TFLite GPU delegate",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_FIRST_PLAN | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
