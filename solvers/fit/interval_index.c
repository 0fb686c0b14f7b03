/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree over the buffers by first step.  Those that begin at LAST or before are a prefix; of
 * these the ones that live on at FIRST are found by going down only where the latest
 * end is late enough.  A leaf of the tree is a block of buffers, which is looked
 * through: lifetimes that meet stand close together as a rule.  */
#include <config.h>

#include "solvers/fit/interval_index.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/bisect.h"
#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"

enum { BLOCK = 32, MOST_LEVELS = 64 };

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

void interval_index_init(struct interval_index *index, const struct instance *instance)
{
    size_t n = instance->n;
    struct order_key *key = memory_alloc(n, sizeof *key);

    index->instance = instance;
    index->by_begin = memory_alloc(n, sizeof *index->by_begin);
    index->place = memory_alloc(n, sizeof *index->place);
    index->first = memory_alloc(n, sizeof *index->first);
    index->end = memory_zalloc(n, sizeof *index->end);
    for (size_t b = 0; b < n; b++)
        key[b] = (struct order_key){instance->buffer[b].first, 0, b};
    order_sort(key, n);
    for (size_t i = 0; i < n; i++) {
        index->by_begin[i] = key[i].index;
        index->place[key[i].index] = i;
        index->first[i] = instance->buffer[key[i].index].first;
    }
    free(key);
    for (index->leaves = 1; index->leaves * BLOCK < n;)
        index->leaves *= 2;
    index->latest = memory_zalloc(2 * index->leaves, sizeof *index->latest);
}

void interval_index_clear(struct interval_index *index)
{
    free(index->by_begin);
    free(index->place);
    free(index->first);
    free(index->end);
    free(index->latest);
}

/* Buffer B is a member or none since this step.  */
static void check_index(const struct interval_index *index, size_t b, bool member)
{
    size_t n = index->instance->n;
    const struct buffer *buffer = &index->instance->buffer[b];

    CHECK(index->by_begin[index->place[b]] == b && index->first[index->place[b]] == buffer->first,
          "interval index", "a buffer is where its place says");
    CHECK(index->end[index->place[b]] == (member ? buffer->last + 1 : 0), "interval index",
          "a place knows the end of a member");
    if (!check_due(b, n))
        return;
    for (size_t leaf = 0; leaf < index->leaves; leaf++) {
        size_t latest = 0;

        for (size_t i = leaf * BLOCK; i < n && i < (leaf + 1) * BLOCK; i++)
            latest = most(latest, index->end[i]);
        CHECK(index->latest[index->leaves + leaf] == latest, "interval index",
              "a block knows its latest end");
    }
    for (size_t v = 1; v < index->leaves; v++)
        CHECK(index->latest[v] == most(index->latest[2 * v], index->latest[2 * v + 1]),
              "interval index", "a node knows the latest end below it");
}

void interval_index_add(struct interval_index *index, size_t b)
{
    size_t end = (size_t)index->instance->buffer[b].last + 1, place = index->place[b];

    assert(b < index->instance->n);
    index->end[place] = end;
    for (size_t v = index->leaves + place / BLOCK; v >= 1 && index->latest[v] < end; v /= 2)
        index->latest[v] = end;
    CHECK_INVARIANT(check_index(index, b, true));
}

/* One past the last place of the block that PLACE is in, or LIMIT.  */
static size_t block_end(size_t place, size_t limit)
{
    size_t end = (place / BLOCK + 1) * BLOCK;

    return end < limit ? end : limit;
}

void interval_index_remove(struct interval_index *index, size_t b)
{
    size_t place = index->place[b], first = place / BLOCK * BLOCK;
    size_t v = index->leaves + place / BLOCK;

    assert(b < index->instance->n && index->end[index->place[b]] != 0);
    index->end[place] = 0;
    index->latest[v] = 0;
    for (size_t i = first; i < block_end(first, index->instance->n); i++)
        index->latest[v] = most(index->latest[v], index->end[i]);
    for (v /= 2; v >= 1; v /= 2)
        index->latest[v] = most(index->latest[2 * v], index->latest[2 * v + 1]);
    CHECK_INVARIANT(check_index(index, b, false));
}

/* FOUND[0..COUNT) are the members that live at a step of FIRST to LAST.  */
static void check_found(const struct interval_index *index, size_t first, size_t last,
                        const size_t *found, size_t count)
{
    size_t next = 0;

    if (!check_due(first, index->instance->n))
        return;
    for (size_t i = 0; i < index->instance->n; i++)
        if (index->first[i] <= last && index->end[i] > first) {
            CHECK(next < count && found[next] == index->by_begin[i], "interval index",
                  "each member that meets the interval is found, in order");
            next++;
        }
    CHECK(next == count, "interval index", "what is found meets the interval");
}

size_t interval_index_find(const struct interval_index *index, size_t first, size_t last,
                           size_t *found)
{
    size_t stack[MOST_LEVELS], depth = 0, count = 0;
    size_t limit = BISECT(i, 0, index->instance->n, index->first[i] <= last);

    stack[depth++] = 1;
    while (depth > 0) {
        size_t v = stack[--depth], leaf;

        if (index->latest[v] <= first)
            continue;
        if (v < index->leaves) {
            stack[depth++] = 2 * v + 1;
            stack[depth++] = 2 * v;
            continue;
        }
        leaf = (v - index->leaves) * BLOCK;
        if (leaf >= limit)
            break;
        /* No branch on what is as good as random: a place is written and kept or not.  */
        for (size_t i = leaf, past = block_end(leaf, limit); i < past; i++) {
            found[count] = index->by_begin[i];
            count += index->end[i] > first;
        }
    }
    CHECK_INVARIANT(check_found(index, first, last, found, count));
    return count;
}
