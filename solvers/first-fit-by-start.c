/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first-fit-by-start: in the order of begin, each into the lowest gap.
 *
 * What a first-fit allocator does while the program runs, but with the ends known:
 * a buffer may only take a gap that stays free for all of its life, which, as
 * nobody placed before it begins later, is one that is free at its begin.
 *
 *   offset 9     +---+          a, b, c, d have 2, 4, 3, 2 bytes; c, which
 *                | c |          begins at step 1, finds 2 bytes free below b
 *          6 +---+---+---+      and goes on top; d, a step later, takes them.
 *            | b   b   b |
 *          2 +---+---+---+
 *            | a |   | d |
 *          0 +---+---+---+
 *
 * Source: the textbook's first fit (D. E. Knuth, The Art of Computer Programming,
 * volume 1, 2.5) with one request after another.
 * O(n^2) as a scan; here near O(n log n) where the width is bounded
 * (lib/place/gap_index.c), with the same plan.
 * Guarantee: a peak of O(load x log(largest size)), sizes counted in units, as for
 * any first-fit allocator (J. M. Robson, "Worst case fragmentation of first fit
 * and best fit storage allocation strategies", The Computer Journal 20, 1977).
 * Equal begins come in input order; an alignment moves the start of a gap up.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/gap_index.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_BEGIN, BY_NOTHING);

    gap_place(instance, key, FIT_FIRST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_first_fit_by_start = {
    .name = "first-fit-by-start",
    .title = "First fit by start",
    .source = "textbook first fit; Knuth, TAOCP 1, 2.5",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_FIRST_PLAN | SOLVER_ONLINE | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
