/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/coverage.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

void coverage_init(struct coverage *coverage, size_t count)
{
    *coverage = (struct coverage){.count = count, .leaves = 1};
    while (coverage->leaves < count)
        coverage->leaves *= 2;
    coverage->least = memory_zalloc(2 * coverage->leaves, sizeof *coverage->least);
    coverage->most = memory_zalloc(2 * coverage->leaves, sizeof *coverage->most);
    coverage->added = memory_zalloc(2 * coverage->leaves, sizeof *coverage->added);
}

void coverage_clear(struct coverage *coverage)
{
    free(coverage->least);
    free(coverage->most);
    free(coverage->added);
}

/* Node V has the cells [LOW, HIGH).  */
static void add(struct coverage *coverage, size_t v, size_t low, size_t high, size_t from,
                size_t to, int64_t by)
{
    size_t middle = low + (high - low) / 2;

    if (high <= from || low >= to)
        return;
    if (from <= low && high <= to) {
        coverage->least[v] += by;
        coverage->most[v] += by;
        coverage->added[v] += by;
        return;
    }
    add(coverage, 2 * v, low, middle, from, to, by);
    add(coverage, 2 * v + 1, middle, high, from, to, by);
    coverage->least[v] =
        min64(coverage->least[2 * v], coverage->least[2 * v + 1]) + coverage->added[v];
    coverage->most[v] =
        max64(coverage->most[2 * v], coverage->most[2 * v + 1]) + coverage->added[v];
}

void coverage_add(struct coverage *coverage, size_t from, size_t to, int64_t by)
{
    add(coverage, 1, 0, coverage->leaves, from, to, by);
}

size_t coverage_highest(const struct coverage *coverage)
{
    size_t v = 1;

    while (v < coverage->leaves)
        v = coverage->most[2 * v] >= coverage->most[2 * v + 1] ? 2 * v : 2 * v + 1;
    return v - coverage->leaves;
}

/* Whether a cell below node V is what is asked for, with ABOVE added to all of them.  */
static bool has(const struct coverage *coverage, size_t v, int64_t above, bool covered)
{
    return covered ? coverage->most[v] + above > 0 : coverage->least[v] + above == 0;
}

static size_t find(const struct coverage *coverage, size_t v, size_t low, size_t high, size_t from,
                   int64_t above, bool covered)
{
    size_t middle = low + (high - low) / 2, found;

    if (high <= from || !has(coverage, v, above, covered))
        return SIZE_MAX;
    if (high - low == 1)
        return low;
    above += coverage->added[v];
    found = find(coverage, 2 * v, low, middle, from, above, covered);
    return found < SIZE_MAX ? found : find(coverage, 2 * v + 1, middle, high, from, above, covered);
}

size_t coverage_next(const struct coverage *coverage, size_t from, bool covered)
{
    size_t found = find(coverage, 1, 0, coverage->leaves, from, 0, covered);

    return found < coverage->count ? found : coverage->count;
}

/* 0: none.  */
static size_t find_behind(const struct coverage *coverage, size_t v, size_t low, size_t high,
                          size_t from, int64_t above)
{
    size_t middle = low + (high - low) / 2, found;

    if (low >= from || !has(coverage, v, above, true))
        return 0;
    if (high - low == 1)
        return high;
    above += coverage->added[v];
    found = find_behind(coverage, 2 * v + 1, middle, high, from, above);
    return found > 0 ? found : find_behind(coverage, 2 * v, low, middle, from, above);
}

size_t coverage_behind(const struct coverage *coverage, size_t from)
{
    return find_behind(coverage, 1, 0, coverage->leaves, from, 0);
}
