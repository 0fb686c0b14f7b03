/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openvino: first fit by size, of equal sizes the one that begins first.
 *
 * Sizes descending, then begins ascending, then ends ascending, then input order.  A buffer starts
 * at 0 and is lifted above each placed one that it meets until it meets none: the lowest place that
 * is free during its life.
 *
 *   offset 4 |   a a       a, b, c of 2 bytes: c and b begin before a, and c ends
 *          2 | b b b b     before b.
 *          0 | c c
 *
 * Source: OpenVINO, inference/dev_api/openvino/runtime/memory_solver.hpp.  Published as scans of
 * the boxes in each step of a life until one changes nothing; here near O(n log n) where the width
 * is bounded (lib/place/gap_index.c), with the same plan.  Guarantee: none is known but
 * peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last step), and an end of -1, that of
 * the run, is written out.  Upstream sorts by begin and end with std::sort, which leaves equal
 * boxes to the library; here the first in the input goes first.  The CPU plugin counts sizes in
 * units of 32 bytes, so more of them are equal: align=native does that.  An alignment moves the
 * start of a gap up.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/gap_index.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { UNIT = 32 };

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort_thrice(instance, env, TIES_FIRST, BY_SIZE, BY_BEGIN, BY_END);

    gap_place(instance, key, FIT_FIRST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_openvino = {
    .name = "openvino",
    .title = "OpenVINO, memory solver",
    .source = "OpenVINO, memory_solver.hpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.size = UNIT},
    .params = params,
    .solve = solve,
};
