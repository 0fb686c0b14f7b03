/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/skyline_lines.h"

#include <assert.h>
#include <stdlib.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

void skyline_lines_init(struct skyline_lines *lines, size_t count)
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

void skyline_lines_clear(struct skyline_lines *lines)
{
    free(lines->end);
    free(lines->previous);
    free(lines->height);
    free(lines->lowest);
}

size_t skyline_lines_lowest(const struct skyline_lines *lines)
{
    return lines->lowest[1];
}

/* INT64_MAX: no line begins there any more.  */
static void set_height(struct skyline_lines *lines, size_t line, int64_t height)
{
    lines->height[line] = height;
    for (size_t v = (lines->leaves + line) / 2; v >= 1; v /= 2) {
        size_t left = lines->lowest[2 * v], right = lines->lowest[2 * v + 1];

        lines->lowest[v] = lines->height[right] < lines->height[left] ? right : left;
    }
}

static void set_line(struct skyline_lines *lines, size_t line, size_t end, int64_t height)
{
    lines->end[line] = end;
    lines->previous[end] = line;
    set_height(lines, line, height);
}

/* Makes LINE and the next one into one if they are of equal height.  */
static void join_next(struct skyline_lines *lines, size_t line)
{
    size_t next = lines->end[line];

    if (next == lines->count || lines->height[next] != lines->height[line])
        return;
    lines->end[line] = lines->end[next];
    lines->previous[lines->end[line]] = line;
    set_height(lines, next, INT64_MAX);
}

static void join_neighbours(struct skyline_lines *lines, size_t line)
{
    join_next(lines, line);
    if (line > 0)
        join_next(lines, lines->previous[line]);
}

static void check_lines(const struct skyline_lines *lines)
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
    CHECK(skyline_lines_lowest(lines) == first, "skyline lines", "the lowest line is known");
    for (size_t c = 0; c < lines->count; c++)
        found -= lines->height[c] != INT64_MAX;
    CHECK(found == 0, "skyline lines", "only the first cell of a line has its height");
}

void skyline_lines_raise(struct skyline_lines *lines, size_t line, size_t from, size_t to,
                         int64_t top)
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

void skyline_lines_lift(struct skyline_lines *lines, size_t line)
{
    int64_t before = line > 0 ? lines->height[lines->previous[line]] : INT64_MAX;
    int64_t after = lines->end[line] < lines->count ? lines->height[lines->end[line]] : INT64_MAX;

    assert(line > 0 || lines->end[line] < lines->count);
    set_height(lines, line, min64(before, after));
    join_neighbours(lines, line);
    CHECK_INVARIANT(check_lines(lines));
}
