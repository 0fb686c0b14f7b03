/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/waiting.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"

void cells_init(struct cells *cells, const struct instance *instance)
{
    cells->begin = memory_alloc(instance->n, sizeof *cells->begin);
    cells->end = memory_alloc(instance->n, sizeof *cells->end);
    cells->count = time_moments(instance, cells->begin, cells->end) - 1;
}

void cells_clear(struct cells *cells)
{
    free(cells->begin);
    free(cells->end);
}

static void pull_up(struct waiting *waiting, size_t v)
{
    size_t left = 2 * v, right = 2 * v + 1;

    waiting->rank[v] = waiting->rank[waiting->rank[left] <= waiting->rank[right] ? left : right];
    waiting->end[v] = waiting->end[waiting->end[left] <= waiting->end[right] ? left : right];
}

void waiting_init(struct waiting *waiting, const struct cells *cells, const struct order_key *key,
                  size_t n)
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

void waiting_clear(struct waiting *waiting)
{
    free(waiting->rank);
    free(waiting->end);
    free(waiting->leaf_of);
    free(waiting->first_at);
}

void waiting_remove(struct waiting *waiting, size_t b)
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

size_t waiting_within(const struct waiting *waiting, size_t begin, size_t end)
{
    size_t best = SIZE_MAX;

    search(waiting, 1, 0, waiting->leaves, waiting->first_at[begin], waiting->first_at[end], end,
           &best);
    return best;
}
