/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sekiyama: fill the lowest stretch of the skyline with the longest life that fits.
 *
 * Over time lies a skyline of offset lines: stretches of steps with the offset from
 * which on they are free.  At first there is one line, at 0.  Then, until all are
 * placed: take the lowest line, the first in time of equal ones; of the buffers
 * that live within its steps place the one with the longest life on it, which
 * raises the line there; if there is none, raise the whole line to its lower
 * neighbour, with which it becomes one.
 *
 *   offset 8 |   e e       a [0, 4) 2 bytes, b [0, 2) 3, c [2, 4) 1, d [2, 3) 5,
 *          3 |     d       e [1, 3) 1.  a, then b on it; now [2, 4) is lower: c, d.
 *          2 | b b c c     Then [3, 4), at 3, fits nobody and is raised to 8, and
 *          0 | a a a a     [0, 2), at 5, neither: one line at 8, which takes e.
 *            +--------- step
 *
 * Source: T. Sekiyama, T. Imamichi, H. Imai, R. Raymond, "Profile-guided memory
 * optimization for deep neural networks", arXiv 1804.10001, 2018, by a summary of
 * it: the best-fit heuristic for strip packing (E. K. Burke, G. Kendall,
 * G. Whitwell, "A new placement heuristic for the orthogonal stock-cutting
 * problem", Operations Research 52, 2004) with rectangles that cannot move
 * sideways.
 * Each round is O(n) as published; here O(log n) for the lowest line and a
 * branch-and-bound walk down a tree of the buffers by begin for the longest life
 * that fits: O(log n) as long as few lives cross the line's end.  At most 3 n
 * rounds, as a raise removes a line and a buffer adds two at most.
 * Guarantee: none.
 * Differences: of equal lives the first in the input goes first; the source of
 * ours does not say.  Time counts in steps.  An offset is rounded up to the
 * buffer's alignment.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/place/orders.h"
#include "lib/problem/instance.h"
#include "solvers/fit/skyline_lines.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/waiting.h"
#include "solvers/solver.h"

static void place_all(const struct instance *instance, const struct order_key *key,
                      struct plan *plan)
{
    struct cells cells;
    struct waiting waiting;
    struct skyline_lines lines;

    cells_init(&cells, instance);
    waiting_init(&waiting, &cells, key, instance->n);
    skyline_lines_init(&lines, cells.count);
    plan->peak = 0;
    for (size_t left = instance->n; left > 0;) {
        size_t line = skyline_lines_lowest(&lines);
        size_t rank = waiting_within(&waiting, line, lines.end[line]), b;
        int64_t top;

        if (rank == SIZE_MAX) {
            skyline_lines_lift(&lines, line);
            continue;
        }
        b = key[rank].index;
        plan->offset[b] =
            align_up(skyline_lines_height(&lines, line), instance->buffer[b].alignment);
        top = plan->offset[b] + instance->buffer[b].size;
        plan->peak = max64(plan->peak, top);
        skyline_lines_raise(&lines, line, cells.begin[b], cells.end[b], top);
        waiting_remove(&waiting, b);
        left--;
    }
    skyline_lines_clear(&lines);
    waiting_clear(&waiting);
    cells_clear(&cells);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_LENGTH, BY_NOTHING);

    if (instance->n > 0)
        place_all(instance, key, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_sekiyama = {
    .name = "sekiyama",
    .title = "Best fit on a skyline over time",
    .source = "Sekiyama et al., arXiv 1804.10001, 2018",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
