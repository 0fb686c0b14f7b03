/* SPDX-License-Identifier: Apache-2.0 */
/* Where few buffers meet, lists of stretches of time (lib/place/gap_buckets.c); elsewhere
 * a segment tree over the steps of the time axis.  A lifetime is cut into the
 * few nodes that make it up; each node v keeps two sets of addresses:
 *
 *   cover   in use by a buffer that lives during all steps of v and has v
 *           among the nodes of its lifetime;
 *   touch   in use by a buffer that lives at some step below v and has a node at or
 *           below v among those of its lifetime.
 *
 * The addresses in use during a lifetime are the touch sets of its nodes and
 * the cover sets of the nodes above these.  Sets of many steps are nearly
 * solid from 0 up, so they have few spans however many buffers they stand for,
 * and they are taken out first.  Holes smaller than the smallest buffer are
 * never of use, and are filled.
 *
 *   step        0   1   2   3          lifetime [1, 4) = node 5 and node 3;
 *   leaf        4   5   6   7          in use: touch 5, touch 3,
 *   above        2       3                     cover 2, cover 1
 *                    1
 *
 * Where a touch set gains nothing, those above it gain nothing either, which
 * ends most updates early.  A placement is O(log n) set operations; each costs
 * as much as the free space is fragmented: little where the width is bounded
 * (near O(n log n) in all), as much as the plain scan of all placed buffers
 * where n / 2 buffers of any length live together.  */
#include <config.h>

#include "lib/place/gap_index.h"

#include <assert.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/address_set.h"
#include "lib/place/gap_buckets.h"
#include "lib/place/gap_check.h"
#include "lib/place/work_limit.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

enum { MOST_NODES = 128 }; /* of one lifetime: two a level */

struct gap_index {
    size_t leaves;             /* a power of two, */
    unsigned levels;           /* this one */
    struct address_set *touch; /* 1 .. 2 leaves - 1 */
    struct address_set *cover; /* 1 .. leaves - 1; a leaf's would be its touch set */
    struct span_pool *pool;
    int64_t smallest; /* the least size of any buffer */
    struct span_list gaps, spare;
    int64_t looks; /* at gaps and spans, so far */
};

static void index_init(struct gap_index *index, const struct instance *instance, size_t steps)
{
    *index = (struct gap_index){.leaves = 1, .smallest = INT64_MAX};
    for (; index->leaves < steps; index->leaves *= 2)
        index->levels++;
    index->pool = span_pool_new();
    index->touch = memory_zalloc(2 * index->leaves, sizeof *index->touch);
    index->cover = memory_zalloc(index->leaves, sizeof *index->cover);
    for (size_t b = 0; b < instance->n; b++)
        index->smallest = min64(index->smallest, instance->buffer[b].size);
}

static void index_clear(struct gap_index *index)
{
    span_pool_free(index->pool);
    memory_free(index->touch);
    memory_free(index->cover);
    memory_free(index->gaps.span);
    memory_free(index->spare.span);
}

/* The nodes that make up the steps FIRST to LAST, smaller ones before larger
 * ones.  */
static size_t nodes_of(const struct gap_index *index, size_t first, size_t last, size_t *node)
{
    size_t low = first + index->leaves, high = last + index->leaves + 1, count = 0;

    for (; low < high; low /= 2, high /= 2) {
        if (low % 2 == 1)
            node[count++] = low++;
        if (high % 2 == 1)
            node[count++] = --high;
    }
    return count;
}

static void take_out(struct gap_index *index, const struct address_set *set, int64_t size)
{
    struct span_list left = index->spare;

    if (set->count == 0)
        return;
    address_set_subtract(set, &index->gaps, size, &left);
    index->looks += (int64_t)(index->gaps.count + left.count);
    index->spare = index->gaps;
    index->gaps = left;
}

/* Leaves in index->gaps the gaps of SIZE bytes or more that stay free during
 * the steps FIRST to LAST; the last one is endless.  */
static void find_gaps(struct gap_index *index, size_t first, size_t last, int64_t size)
{
    size_t node[MOST_NODES], count = nodes_of(index, first, last, node);

    index->gaps.count = 1;
    span_list_reserve(&index->gaps, 1);
    index->gaps.span[0] = (struct span){0, INT64_MAX};
    while (count-- > 0)
        take_out(index, &index->touch[node[count]], size);
    for (unsigned level = index->levels; level >= 1; level--) {
        size_t low = (first + index->leaves) >> level, high = (last + index->leaves) >> level;

        take_out(index, &index->cover[low], size);
        if (high != low)
            take_out(index, &index->cover[high], size);
    }
}

static void occupy(struct gap_index *index, size_t first, size_t last, int64_t lo, int64_t hi)
{
    size_t node[MOST_NODES], count = nodes_of(index, first, last, node);

    for (size_t i = 0; i < count; i++) {
        size_t v = node[i];

        if (v < index->leaves)
            address_set_add(&index->cover[v], index->pool, lo, hi, index->smallest);
        while (v >= 1 && address_set_add(&index->touch[v], index->pool, lo, hi, index->smallest)) {
            index->looks++;
            v /= 2;
        }
    }
}

/* The steps below node V.  */
static struct gap_steps steps_of(const struct gap_index *index, size_t v)
{
    size_t first = v, last = v;

    while (first < index->leaves) {
        first = 2 * first;
        last = 2 * last + 1;
    }
    return (struct gap_steps){first - index->leaves, last - index->leaves};
}

static void check_nodes(const struct gap_index *index, const struct gap_placed *placed)
{
    if (!check_due(placed->count, 2 * index->leaves * placed->count))
        return;
    for (size_t v = 1; v < 2 * index->leaves; v++)
        gap_check_sets(placed, steps_of(index, v), v == 1 ? gap_around_all : steps_of(index, v / 2),
                       index->smallest, &index->touch[v],
                       v < index->leaves ? &index->cover[v] : NULL);
}

/* The published rule: a gap is measured from its aligned start.  */
static int64_t choose_gap(const struct span_list *gaps, const struct buffer *buffer,
                          const void *context)
{
    const enum gap_fit *fit = context;
    int64_t least = INT64_MAX;
    int64_t offset = align_up(gaps->span[gaps->count - 1].lo, buffer->alignment);

    for (size_t i = 0; i + 1 < gaps->count; i++) {
        int64_t start = align_up(gaps->span[i].lo, buffer->alignment);
        int64_t length = gaps->span[i].hi - start;

        if (length < buffer->size || length >= least)
            continue;
        least = *fit == FIT_UNEVEN ? gaps->span[i].hi - gaps->span[i].lo : length;
        offset = start;
        if (*fit == FIT_FIRST)
            break;
    }
    return offset;
}

/* How many turns before its own what a buffer needs is asked for.  */
enum { AHEAD_BUFFER = 24, AHEAD_BUCKETS = 12, AHEAD_ENTRIES = 6 };

static void fetch_ahead(const struct gap_buckets *buckets, const struct instance *instance,
                        const struct order_key *key, size_t i)
{
    if (i + AHEAD_BUFFER < instance->n)
        buffer_fetch(&instance->buffer[key[i + AHEAD_BUFFER].index]);
    if (i + AHEAD_BUCKETS < instance->n)
        gap_buckets_fetch(buckets, &instance->buffer[key[i + AHEAD_BUCKETS].index], false);
    if (i + AHEAD_ENTRIES < instance->n)
        gap_buckets_fetch(buckets, &instance->buffer[key[i + AHEAD_ENTRIES].index], true);
}

/* What a run of placements stands on.  */
struct placer {
    struct gap_index index;
    struct gap_buckets buckets;
    bool few; /* the buckets are in use, not the tree */
    struct gap_placed placed;
};

/* Where buffer B goes.  */
static int64_t find_place(struct placer *placer, size_t b, gap_rule *choose, const void *context)
{
    const struct buffer *buffer = &placer->placed.instance->buffer[b];
    struct gap_index *index = &placer->index;

    if (placer->few)
        index->looks += gap_buckets_find(&placer->buckets, buffer, &index->gaps);
    else
        find_gaps(index, buffer->first, buffer->last, buffer->size);
    CHECK_INVARIANT(gap_check_gaps(&placer->placed, buffer, &index->gaps));
    return choose(&index->gaps, buffer, context);
}

/* Buffer B is placed.  */
static void take_place(struct placer *placer, size_t b, int64_t offset, int64_t top)
{
    const struct buffer *buffer = &placer->placed.instance->buffer[b];

    if (placer->few)
        gap_buckets_add(&placer->buckets, buffer, offset, top);
    else
        occupy(&placer->index, buffer->first, buffer->last, offset, top);
    placer->placed.count++;
    CHECK_INVARIANT(placer->few ? gap_buckets_check(&placer->buckets, &placer->placed)
                                : check_nodes(&placer->index, &placer->placed));
}

/* LIMIT may be NULL.  */
static bool place_from(const struct instance *instance, const struct order_key *key, size_t fixed,
                       gap_rule *choose, const void *context, struct work_limit *limit,
                       struct plan *plan)
{
    struct placer placer;
    bool goes_on = true;

    assert(fixed <= instance->n && plan->n == instance->n);
    placer.placed = (struct gap_placed){instance, key, 0, plan};
    placer.few = gap_buckets_init(&placer.buckets, instance);
    index_init(&placer.index, instance, placer.few ? 1 : instance->steps);
    plan->peak = 0;
    for (size_t i = 0; i < instance->n && goes_on; i++) {
        size_t b = key[i].index;
        int64_t before = placer.index.looks, top;

        if (placer.few)
            fetch_ahead(&placer.buckets, instance, key, i);
        if (i >= fixed)
            plan->offset[b] = find_place(&placer, b, choose, context);
        top = plan->offset[b] + instance->buffer[b].size;
        plan->peak = max64(plan->peak, top);
        take_place(&placer, b, plan->offset[b], top);
        goes_on = limit == NULL || work_goes_on(limit, placer.index.looks - before + 1);
    }
    gap_buckets_clear(&placer.buckets);
    index_clear(&placer.index);
    return placer.placed.count == instance->n;
}

void gap_place(const struct instance *instance, const struct order_key *key, enum gap_fit fit,
               struct plan *plan)
{
    place_from(instance, key, 0, choose_gap, &fit, NULL, plan);
    CHECK_INVARIANT(plan_check(instance, plan));
}

bool gap_place_until(const struct instance *instance, const struct order_key *key, size_t fixed,
                     enum gap_fit fit, struct work_limit *limit, struct plan *plan)
{
    return place_from(instance, key, fixed, choose_gap, &fit, limit, plan);
}

void gap_place_by(const struct instance *instance, const struct order_key *key, gap_rule *choose,
                  const void *context, struct plan *plan)
{
    place_from(instance, key, 0, choose, context, NULL, plan);
}
