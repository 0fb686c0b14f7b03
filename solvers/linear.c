/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear: rows of an interval graph, one for each of its colours.
 *
 * In the order of begin, each buffer joins the lowest row whose last member has
 * ended, or opens a new one; a row is as large as its largest member.
 *
 *   row 2      c c              a [0, 2), b [0, 3), c [1, 3), d [2, 4): c finds
 *   row 1    b b b              rows 0 and 1 taken, d finds row 0 free again
 *   row 0    a a d d
 *
 * A row is opened only when all others are in use, so there are as many rows as
 * buffers live together at some step: the width.  Where all sizes are equal (and
 * multiples of the alignment) the peak is width x size = load, which is optimal.
 * Where sizes differ nothing but the begins decides who joins which row, and all
 * that is known is peak <= width x largest size.
 *
 * Source: colouring of interval graphs in the order of begin, the left-edge
 * algorithm (A. Hashimoto, J. Stevens, "Wire routing by optimizing channel
 * assignment within large apertures", DAC 1971); the first step of idealloc where
 * sizes are equal (Lamprakos et al., arXiv 2504.04874).
 * O(n log n).  Equal begins come in input order.  path-cover opens as many rows but
 * stacks their members on a skyline.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/index_set.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t *equal = ties_order(env, instance->n, TIES_FIRST), b, old;
    struct index_set unused; /* rows */
    struct time_walk walk;

    plan_use_objects(plan, LAYOUT_OBJECTS);
    index_set_init(&unused, instance->n);
    time_walk_init(&walk, instance, equal);
    while (time_walk_next(&walk, &b)) {
        while (time_walk_ended(&walk, &old))
            index_set_add(&unused, plan->object[old]);
        plan->object[b] = index_set_at_or_after(&unused, 0);
        if (plan->object[b] == SIZE_MAX)
            plan->object[b] = plan->objects++;
        else
            index_set_remove(&unused, plan->object[b]);
    }
    index_set_clear(&unused);
    time_walk_clear(&walk);
    plan_stack_objects(instance, plan);
    free(equal);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_linear = {
    .name = "linear",
    .title = "Rows of the interval graph",
    .source = "left-edge algorithm; Hashimoto and Stevens 1971",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_ONLINE | SOLVER_FIRST_PLAN,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .solve = solve,
};
