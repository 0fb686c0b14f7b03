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

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "planner/greedy/index_set.h"
#include "planner/greedy/order.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t n = instance->n, *equal = ties_order(env, n, TIES_FIRST), ended = 0;
    struct order_key *begin = memory_alloc(n, sizeof *begin), *end = memory_alloc(n, sizeof *end);
    struct index_set unused; /* rows */

    plan_use_objects(plan, LAYOUT_OBJECTS);
    for (size_t i = 0; i < n; i++) {
        const struct buffer *buffer = &instance->buffer[equal[i]];

        begin[i] = (struct order_key){key_ascending(buffer->begin), 0, equal[i]};
        end[i] = (struct order_key){key_ascending(buffer->end), 0, equal[i]};
    }
    order_sort(begin, n);
    order_sort(end, n);
    index_set_init(&unused, n);
    plan->objects = 0;
    for (size_t i = 0; i < n; i++) {
        size_t b = begin[i].index, row;

        for (; end[ended].major <= begin[i].major; ended++)
            index_set_add(&unused, plan->object[end[ended].index]);
        row = index_set_at_or_after(&unused, 0);
        if (row == SIZE_MAX)
            row = plan->objects++;
        else
            index_set_remove(&unused, row);
        plan->object[b] = row;
    }
    index_set_clear(&unused);
    plan_stack_objects(instance, plan);
    free(begin);
    free(end);
    free(equal);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_linear = {
    .name = "linear",
    .title = "Rows of the interval graph",
    .source = "left-edge algorithm; Hashimoto and Stevens 1971",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_FIRST_PLAN,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .solve = solve,
};
