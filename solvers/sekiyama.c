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

#include <assert.h>
#include <stdlib.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/orders.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/waiting.h"
#include "solvers/solver.h"

/* --- the skyline: lines of different height side by side, of which the lowest is wanted --- */

/* Time is cells 0 .. count - 1; a line is named by its first cell.  */
struct skyline {
    size_t count;
    size_t *end;      /* of the line that begins at a cell: the first cell after it */
    size_t *previous; /* the line before it */
    size_t leaves;    /* a power of two */
    int64_t *height;  /* of the line that begins at a cell; INT64_MAX where none does */
    size_t *lowest;   /* node of a tree over the cells: the first of its lowest lines */
};

/* One line at height 0; COUNT >= 1.  */
static void lines_init(struct skyline *lines, size_t count)
{
    assert(count > 0);
    lines->count = count;
    for (lines->leaves = 1; lines->leaves < count;)
        lines->leaves *= 2;
    lines->end = memory_alloc(count, sizeof *lines->end);
    lines->previous = memory_alloc(count + 1, sizeof *lines->previous);
    lines->height = memory_alloc(lines->leaves, sizeof *lines->height);
    lines->lowest = memory_alloc(2 * lines->leaves, sizeof *lines->lowest);
    for (size_t c = 0; c < lines->leaves; c++)
        lines->height[c] = INT64_MAX;
    lines->height[0] = 0;
    lines->end[0] = count;
    lines->previous[0] = lines->previous[count] = 0;
    for (size_t c = 0; c < lines->leaves; c++)
        lines->lowest[lines->leaves + c] = c;
    for (size_t v = lines->leaves; v-- > 1;)
        lines->lowest[v] = lines->lowest[2 * v];
}

static void lines_clear(struct skyline *lines)
{
    free(lines->end);
    free(lines->previous);
    free(lines->height);
    free(lines->lowest);
}

/* The lowest line, the first one of equal ones.  */
static size_t lines_lowest(const struct skyline *lines)
{
    return lines->lowest[1];
}

/* INT64_MAX: no line begins there any more.  */
static void set_height(struct skyline *lines, size_t line, int64_t height)
{
    lines->height[line] = height;
    for (size_t v = (lines->leaves + line) / 2; v >= 1; v /= 2) {
        size_t left = lines->lowest[2 * v], right = lines->lowest[2 * v + 1];

        lines->lowest[v] = lines->height[right] < lines->height[left] ? right : left;
    }
}

static void set_line(struct skyline *lines, size_t line, size_t end, int64_t height)
{
    lines->end[line] = end;
    lines->previous[end] = line;
    set_height(lines, line, height);
}

/* Makes LINE and the next one into one if they are of equal height.  */
static void join_next(struct skyline *lines, size_t line)
{
    size_t next = lines->end[line];

    if (next == lines->count || lines->height[next] != lines->height[line])
        return;
    lines->end[line] = lines->end[next];
    lines->previous[lines->end[line]] = line;
    set_height(lines, next, INT64_MAX);
}

static void join_neighbours(struct skyline *lines, size_t line)
{
    join_next(lines, line);
    if (line > 0)
        join_next(lines, lines->previous[line]);
}

static void check_lines(const struct skyline *lines)
{
    int64_t before = INT64_MAX, lowest = INT64_MAX;
    size_t previous = 0, first = 0, found = 0;

    for (size_t line = 0; line < lines->count; line = lines->end[line]) {
        CHECK(line == 0 || lines->previous[line] == previous, "skyline lines",
              "a line knows the one before it");
        CHECK(lines->end[line] > line && lines->height[line] != before, "skyline lines",
              "neighbours are of different height");
        if (lines->height[line] < lowest) {
            lowest = lines->height[line];
            first = line;
        }
        previous = line;
        before = lines->height[line];
        found++;
    }
    CHECK(lines->previous[lines->count] == previous, "skyline lines", "they end with time");
    CHECK(lines_lowest(lines) == first, "skyline lines", "the lowest line is known");
    for (size_t c = 0; c < lines->count; c++)
        found -= lines->height[c] != INT64_MAX;
    CHECK(found == 0, "skyline lines", "only the first cell of a line has its height");
}

/* The cells [FROM, TO) of LINE go up to TOP, above its height; lines of equal
 * height side by side become one.  O(log count).  */
static void lines_raise(struct skyline *lines, size_t line, size_t from, size_t to, int64_t top)
{
    size_t end = lines->end[line];
    int64_t height = lines->height[line];

    assert(line <= from && from < to && to <= end && top > height);
    if (line < from)
        set_line(lines, line, from, height);
    set_line(lines, from, to, top);
    if (to < end)
        set_line(lines, to, end, height);
    join_neighbours(lines, from);
    CHECK_INVARIANT(check_lines(lines));
}

/* LINE, which is not the only one and lower than its neighbours, goes up to the
 * lower one of them.  O(log count).  */
static void lines_lift(struct skyline *lines, size_t line)
{
    int64_t before = line > 0 ? lines->height[lines->previous[line]] : INT64_MAX;
    int64_t after = lines->end[line] < lines->count ? lines->height[lines->end[line]] : INT64_MAX;

    assert(line > 0 || lines->end[line] < lines->count);
    set_height(lines, line, min64(before, after));
    join_neighbours(lines, line);
    CHECK_INVARIANT(check_lines(lines));
}

/* --- placing --- */

static void place_all(const struct instance *instance, const struct order_key *key,
                      struct plan *plan)
{
    struct cells cells;
    struct waiting waiting;
    struct skyline lines;

    cells_init(&cells, instance);
    waiting_init(&waiting, &cells, key, instance->n);
    lines_init(&lines, cells.count);
    plan->peak = 0;
    for (size_t left = instance->n; left > 0;) {
        size_t line = lines_lowest(&lines);
        size_t rank = waiting_within(&waiting, line, lines.end[line]), b;
        int64_t top;

        if (rank == SIZE_MAX) {
            lines_lift(&lines, line);
            continue;
        }
        b = key[rank].index;
        plan->offset[b] = align_up(lines.height[line], instance->buffer[b].alignment);
        top = plan->offset[b] + instance->buffer[b].size;
        plan->peak = max64(plan->peak, top);
        lines_raise(&lines, line, cells.begin[b], cells.end[b], top);
        waiting_remove(&waiting, b);
        left--;
    }
    lines_clear(&lines);
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
