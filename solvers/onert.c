/* SPDX-License-Identifier: GPL-3.0-or-later */
/* onert: the three planners of Samsung's ONE, of which wic is the default.
 *
 * wic ("weighted interval colouring"): sizes descending, then begins ascending, then input order;
 * each buffer goes into the lowest gap between the placed ones that it meets, or on top of them.
 *
 *   offset 3 | b b       a [0, 1), b [0, 2), c [1, 3) and d [0, 1) have 2, 2, 3 and 1 bytes: c
 *          2 | d c c     goes first, then a, which never meets it, then b above both; d takes what
 *          0 | a c c     is left below b.
 *
 * first-fit: in the order of begin, into the lowest gap between the buffers alive then.  bump: in
 * that order, each at the end of the one before, so that nothing is shared.
 *
 * Source: Samsung/ONE, runtime/onert/core/src/backend/basic/MemoryPlanner.cc.  Published as O(n^2);
 * here near O(n log n) where the width is bounded (lib/place/gap_index.c), with the same plans.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Near relatives: openvino is wic with ends as a third key, and gives 166 of 206 plans; tflm is wic
 * with ties the other way (91).  The first fit of dsa-solver is wic.  first-fit is
 * first-fit-by-start, and so are Glow's allocations one by one.
 * Differences: offsets have 32 bits there.  Upstream has no alignments; here they move the
 * start of a gap up.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { PLANNER_WIC, PLANNER_FIRST_FIT, PLANNER_BUMP };

static const struct param params[] = {
    PARAM_ENUM("planner", "wic",
               "by size into the lowest gap, by begin into the lowest gap, or one after the other",
               {"wic", PLANNER_WIC}, {"first-fit", PLANNER_FIRST_FIT}, {"bump", PLANNER_BUMP}),
    TIES_PARAM,
    PARAM_END,
};

static void stack(const struct instance *instance, const struct order_key *key, struct plan *plan)
{
    plan->peak = 0;
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[key[i].index];

        plan->offset[key[i].index] = align_up(plan->peak, buffer->alignment);
        plan->peak = plan->offset[key[i].index] + buffer->size;
    }
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    unsigned planner = params_choice(env->params, "planner");
    bool by_size = planner == PLANNER_WIC;
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, by_size ? BY_SIZE : BY_BEGIN,
                                      by_size ? BY_BEGIN : BY_NOTHING);

    if (planner == PLANNER_BUMP)
        stack(instance, key, plan);
    else
        gap_place(instance, key, FIT_FIRST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static unsigned gains(const struct params *given)
{
    return params_choice(given, "planner") != PLANNER_WIC ? SOLVER_ONLINE : 0;
}

const struct solver solver_onert = {
    .name = "onert",
    .title = "Samsung ONE, onert",
    .source = "Samsung/ONE, onert/core/src/backend/basic/MemoryPlanner.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .params = params,
    .gains = gains,
    .solve = solve,
};
