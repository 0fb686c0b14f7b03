/* SPDX-License-Identifier: Apache-2.0 */
/* The skyline is the height above each step of the time axis.  It stands in a
 * segment tree: leaf steps + i is step i, node v has the children 2v and
 * 2v + 1.  A buffer raises its steps to at least its top (it goes above all it
 * meets, but for those that have their offsets already), so raises need not be
 * pushed down to the children: a node keeps the highest raise of itself as a
 * whole beside the highest height in its subtree.  */
#include <config.h>

#include "lib/place/skyline.h"

#include <assert.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

struct skyline_node {
    int64_t highest; /* height somewhere in the subtree, raises above it left out */
    int64_t raised;  /* height that all of the subtree has at least */
};

struct skyline {
    size_t steps;
    struct skyline_node *node; /* 1 .. 2 steps - 1 */
};

/* The greatest height at the steps FIRST to LAST.  */
static int64_t skyline_highest(const struct skyline *skyline, size_t first, size_t last)
{
    const struct skyline_node *node = skyline->node;
    int64_t highest = 0;
    size_t low = first + skyline->steps, high = last + skyline->steps;

    for (size_t l = low, h = high + 1; l < h; l /= 2, h /= 2) {
        if (l % 2 == 1)
            highest = max64(highest, node[l++].highest);
        if (h % 2 == 1)
            highest = max64(highest, node[--h].highest);
    }
    for (low /= 2, high /= 2; high >= 1; low /= 2, high /= 2)
        highest = max64(highest, max64(node[low].raised, node[high].raised));
    return highest;
}

/* All nodes above V hold TOP somewhere below them.  */
static void skyline_note_above(struct skyline *skyline, size_t v, int64_t top)
{
    for (v /= 2; v >= 1 && skyline->node[v].highest < top; v /= 2)
        skyline->node[v].highest = top;
}

static void skyline_raise_node(struct skyline *skyline, size_t v, int64_t top)
{
    struct skyline_node *node = &skyline->node[v];

    node->highest = max64(node->highest, top);
    node->raised = max64(node->raised, top);
    skyline_note_above(skyline, v, top);
}

static void skyline_raise(struct skyline *skyline, size_t first, size_t last, int64_t top)
{
    size_t low = first + skyline->steps, high = last + skyline->steps + 1;

    for (; low < high; low /= 2, high /= 2) {
        if (low % 2 == 1)
            skyline_raise_node(skyline, low++, top);
        if (high % 2 == 1)
            skyline_raise_node(skyline, --high, top);
    }
}

/* The placed buffers KEY[0..COUNT) say how high each step is, and the nodes how high the
 * steps below them are.  */
static void check_heights(const struct skyline *skyline, const struct instance *instance,
                          const struct order_key *key, size_t count, const struct plan *plan)
{
    const struct skyline_node *node = skyline->node;

    if (!check_due(count, skyline->steps * count))
        return;
    for (size_t s = 0; s < skyline->steps; s++) {
        int64_t top = 0, height = 0;

        for (size_t i = 0; i < count; i++) {
            const struct buffer *buffer = &instance->buffer[key[i].index];

            if (buffer->first <= s && s <= buffer->last)
                top = max64(top, plan->offset[key[i].index] + buffer->size);
        }
        for (size_t v = s + skyline->steps; v >= 1; v /= 2)
            height = max64(height, node[v].raised);
        CHECK(height == top, "skyline", "a step is as high as the highest buffer there");
    }
    for (size_t v = 1; v < skyline->steps; v++)
        CHECK(node[v].highest ==
                  max64(node[v].raised, max64(node[2 * v].highest, node[2 * v + 1].highest)),
              "skyline", "a node knows the greatest height below it");
}

/* How many turns before its own what a buffer needs is asked for, and on how many of
 * the lowest levels: those above stay in the caches.  */
enum { AHEAD_BUFFER = 24, AHEAD_NODES = 10, FETCHED_LEVELS = 10 };

static void fetch_ahead(const struct skyline *skyline, const struct instance *instance,
                        const struct order_key *key, size_t i)
{
    if (i + AHEAD_BUFFER < instance->n)
        buffer_fetch(&instance->buffer[key[i + AHEAD_BUFFER].index]);
    if (i + AHEAD_NODES < instance->n) {
        size_t v = instance->buffer[key[i + AHEAD_NODES].index].first + skyline->steps;

        for (unsigned level = 0; level < FETCHED_LEVELS && v > 0; level++, v /= 2)
            __builtin_prefetch(&skyline->node[v], 1);
    }
}

void skyline_place_rest(const struct instance *instance, const struct order_key *key, size_t fixed,
                        struct plan *plan)
{
    struct skyline skyline = {instance->steps,
                              memory_zalloc(2 * instance->steps, sizeof *skyline.node)};

    assert(plan->n == instance->n);
    plan->peak = 0;
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = key[i].index;
        const struct buffer *buffer = &instance->buffer[b];
        int64_t top;

        fetch_ahead(&skyline, instance, key, i);
        if (i >= fixed)
            plan->offset[b] =
                align_up(skyline_highest(&skyline, buffer->first, buffer->last), buffer->alignment);
        top = plan->offset[b] + buffer->size;
        plan->peak = max64(plan->peak, top);
        skyline_raise(&skyline, buffer->first, buffer->last, top);
        CHECK_INVARIANT(check_heights(&skyline, instance, key, i + 1, plan));
    }
    memory_free(skyline.node);
}

void skyline_place(const struct instance *instance, const struct order_key *key, struct plan *plan)
{
    skyline_place_rest(instance, key, 0, plan);
    CHECK_INVARIANT(plan_check(instance, plan));
}
