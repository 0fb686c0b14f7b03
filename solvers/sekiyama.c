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
#include "lib/base/memory.h"
#include "lib/place/orders.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/skyline_lines.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

/* The buffers that are not placed, as the leaves of a tree, by begin.  */
struct waiting {
    size_t leaves;    /* a power of two */
    size_t *rank;     /* node: the least rank below it, SIZE_MAX: none; by length of life */
    size_t *end;      /* node: the least end below it, in cells */
    size_t *leaf_of;  /* of each buffer */
    size_t *first_at; /* the leaf of the first buffer that begins at a cell or later */
};

/* Time in cells: from one begin or end to the next one.  */
struct cells {
    size_t count;
    size_t *begin, *end; /* of each buffer */
};

static void pull_up(struct waiting *waiting, size_t v)
{
    size_t left = 2 * v, right = 2 * v + 1;

    waiting->rank[v] = waiting->rank[waiting->rank[left] <= waiting->rank[right] ? left : right];
    waiting->end[v] = waiting->end[waiting->end[left] <= waiting->end[right] ? left : right];
}

/* KEY[0..n): the buffers by rank.  */
static void waiting_init(struct waiting *waiting, const struct cells *cells,
                         const struct order_key *key, size_t n)
{
    size_t *count = memory_zalloc(cells->count + 2, sizeof *count);

    for (waiting->leaves = 1; waiting->leaves < n;)
        waiting->leaves *= 2;
    waiting->rank = memory_alloc(2 * waiting->leaves, sizeof *waiting->rank);
    waiting->end = memory_alloc(2 * waiting->leaves, sizeof *waiting->end);
    waiting->leaf_of = memory_alloc(n, sizeof *waiting->leaf_of);
    for (size_t v = 0; v < 2 * waiting->leaves; v++)
        waiting->rank[v] = waiting->end[v] = SIZE_MAX;
    for (size_t b = 0; b < n; b++)
        count[cells->begin[b] + 1]++;
    for (size_t c = 0; c <= cells->count; c++)
        count[c + 1] += count[c];
    waiting->first_at = memory_alloc(cells->count + 2, sizeof *waiting->first_at);
    for (size_t c = 0; c <= cells->count + 1; c++)
        waiting->first_at[c] = count[c];
    for (size_t r = 0; r < n; r++) {
        size_t b = key[r].index, leaf = count[cells->begin[b]]++;

        waiting->leaf_of[b] = leaf;
        waiting->rank[waiting->leaves + leaf] = r;
        waiting->end[waiting->leaves + leaf] = cells->end[b];
    }
    for (size_t v = waiting->leaves; v-- > 1;)
        pull_up(waiting, v);
    free(count);
}

static void waiting_clear(struct waiting *waiting)
{
    free(waiting->rank);
    free(waiting->end);
    free(waiting->leaf_of);
    free(waiting->first_at);
}

static void waiting_remove(struct waiting *waiting, size_t b)
{
    size_t v = waiting->leaves + waiting->leaf_of[b];

    waiting->rank[v] = waiting->end[v] = SIZE_MAX;
    for (v /= 2; v >= 1; v /= 2)
        pull_up(waiting, v);
}

/* Lowers *BEST to the least rank of those below node V, which has the leaves
 * [FROM, TO), that are among the leaves [FIRST, LAST) and end at END or before.  */
static void search(const struct waiting *waiting, size_t v, size_t from, size_t to, size_t first,
                   size_t last, size_t end, size_t *best)
{
    size_t middle = from + (to - from) / 2;

    if (to <= first || from >= last || waiting->end[v] > end || waiting->rank[v] >= *best)
        return;
    if (to - from == 1) {
        *best = waiting->rank[v];
        return;
    }
    if (waiting->rank[2 * v] <= waiting->rank[2 * v + 1]) {
        search(waiting, 2 * v, from, middle, first, last, end, best);
        search(waiting, 2 * v + 1, middle, to, first, last, end, best);
    } else {
        search(waiting, 2 * v + 1, middle, to, first, last, end, best);
        search(waiting, 2 * v, from, middle, first, last, end, best);
    }
}

/* The rank of the longest life within the cells [BEGIN, END); SIZE_MAX: none.  */
static size_t longest_within(const struct waiting *waiting, size_t begin, size_t end)
{
    size_t best = SIZE_MAX;

    search(waiting, 1, 0, waiting->leaves, waiting->first_at[begin], waiting->first_at[end], end,
           &best);
    return best;
}

static void place_all(const struct instance *instance, const struct order_key *key,
                      struct plan *plan)
{
    struct cells cells = {.begin = memory_alloc(instance->n, sizeof *cells.begin),
                          .end = memory_alloc(instance->n, sizeof *cells.end)};
    struct waiting waiting;
    struct skyline_lines lines;

    cells.count = time_moments(instance, cells.begin, cells.end) - 1;
    waiting_init(&waiting, &cells, key, instance->n);
    skyline_lines_init(&lines, cells.count);
    plan->peak = 0;
    for (size_t left = instance->n; left > 0;) {
        size_t line = skyline_lines_lowest(&lines);
        size_t rank = longest_within(&waiting, line, lines.end[line]), b;
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
    free(cells.begin);
    free(cells.end);
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
