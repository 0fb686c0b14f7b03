/* SPDX-License-Identifier: GPL-3.0-or-later */
/* omni: first fit in seven orders, the least peak.
 *
 * The orders are, in turn: the input's; by size; by length of life; by size times length;
 * by conflicts, the buffers that are alive at a common step, then size; by conflicts times
 * size, then size; by begin, then size.  All but begin descend, and what is equal then comes
 * in input order.  The first plan of the least peak is taken.
 *
 * An example, where only the sixth order reaches the load: a lives in [2,4) and has 4 bytes,
 * b [3,4) 5, c [0,3) 2, d [1,2) 6. Conflicts times size are 8, 5, 4, 6, so a, d, b, c:
 *
 *     offset 9             +---+
 *            8 +---+---+---+ b |    The others leave 11 or 12.
 *            6 | c   c   c |   |
 *              +---+---+---+   |
 *            4     | d +---+---+
 *            0     |   | a   a |
 *                  +---+-------+
 *
 * Source: OmniMalloc (fpedd/omnimalloc, Apache-2.0), its allocator omni, from a description
 * that names sizes, lifetimes, areas and conflicts.  The rest is what its recorded answers say
 * (tests/upstream): the input's order and that by begin, the product, and which orders break
 * ties by size.  Where recorded plans don't tell two of the last orders apart, the sequence is
 * ours.
 * Complexity: seven runs of first fit (lib/place/gap_index.c).  It stops at the first
 * that reaches the load: none could be better.  Guarantee: none above first fit by size.
 * Differences: products beyond 64 bits count as equal; an alignment, which upstream does not
 * have, moves the start of a gap up.  */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/place/gap_index.h"
#include "lib/place/orders.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/solver.h"

static const enum greedy_measure orders[][2] = {
    {BY_NOTHING, BY_NOTHING}, {BY_SIZE, BY_NOTHING}, {BY_LENGTH, BY_NOTHING}, {BY_AREA, BY_NOTHING},
    {BY_MET, BY_SIZE},        {BY_CROWD, BY_SIZE},   {BY_BEGIN, BY_SIZE},
};
enum { ORDERS = sizeof orders / sizeof orders[0] };

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t n = instance->n, *equal = ties_order(env, n, TIES_FIRST);
    struct order_key *key = memory_alloc(n, sizeof *key);
    struct plan *trial = plan_new(instance);
    struct turns turns = turns_under(env);
    bool timed_out = false;

    plan->peak = INT64_MAX;
    for (size_t order = 0; order < ORDERS; order++) {
        timed_out = !turns_next(&turns);
        if (timed_out || plan->peak == instance->load)
            break;
        greedy_order(instance, orders[order][0], orders[order][1], equal, key);
        gap_place(instance, key, FIT_FIRST, trial);
        solver_offer(env, trial, plan);
    }
    plan_free(trial);
    free(key);
    free(equal);
    return timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_omni = {
    .name = "omni",
    .title = "OmniMalloc, best of seven",
    .source = "OmniMalloc, allocators/omni",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_FIRST_PLAN | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
