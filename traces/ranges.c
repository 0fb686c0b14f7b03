/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A treap: a search tree by address that is a heap by random numbers.
 *
 * Source: R. Seidel, C. R. Aragon, "Randomized search trees", Algorithmica 16, 1996.  The random
 * numbers are seeded alike, so that a file is always read in the same time.  */
#include <config.h>

#include "traces/ranges.h"

#include "lib/base/memory.h"

/* No node.  */
#define NOTHING UINT32_MAX

struct range_node {
    struct range range;
    uint64_t priority; /* no less than those below it */
    uint32_t left, right;
};

void ranges_init(struct ranges *ranges)
{
    *ranges = (struct ranges){.root = NOTHING, .spare = NOTHING};
    small_rng_seed(&ranges->rng, 1);
}

void ranges_clear(struct ranges *ranges)
{
    memory_free(ranges->node);
    ranges->node = NULL;
}

/* The tree AT as one of the ranges that begin before LOW, and one of the others.  */
static void split(struct range_node *node, uint32_t at, uint64_t low, uint32_t *before,
                  uint32_t *behind)
{
    while (at != NOTHING)
        if (node[at].range.low < low) {
            *before = at;
            before = &node[at].right;
            at = *before;
        } else {
            *behind = at;
            behind = &node[at].left;
            at = *behind;
        }
    *before = *behind = NOTHING;
}

/* Two trees as one; all of BEFORE is below all of BEHIND.  */
static uint32_t join(struct range_node *node, uint32_t before, uint32_t behind)
{
    uint32_t root, *into = &root;

    while (before != NOTHING && behind != NOTHING)
        if (node[before].priority >= node[behind].priority) {
            *into = before;
            into = &node[before].right;
            before = *into;
        } else {
            *into = behind;
            into = &node[behind].left;
            behind = *into;
        }
    *into = before != NOTHING ? before : behind;
    return root;
}

const struct range *ranges_meeting(const struct ranges *ranges, uint64_t low, uint64_t last)
{
    const struct range_node *node = ranges->node;
    const struct range *found = NULL;

    for (uint32_t at = ranges->root; at != NOTHING;)
        if (node[at].range.last < low) {
            at = node[at].right;
        } else {
            found = &node[at].range;
            at = node[at].left;
        }
    return found != NULL && found->low <= last ? found : NULL;
}

const struct range *ranges_highest(const struct ranges *ranges)
{
    const struct range *found = NULL;

    for (uint32_t at = ranges->root; at != NOTHING; at = ranges->node[at].right)
        found = &ranges->node[at].range;
    return found;
}

static uint32_t new_node(struct ranges *ranges)
{
    uint32_t at = ranges->spare;

    if (at != NOTHING) {
        ranges->spare = ranges->node[at].left;
        return at;
    }
    ranges->node =
        memory_grow(ranges->node, &ranges->room, ranges->nodes + 1, sizeof *ranges->node);
    return (uint32_t)ranges->nodes++;
}

void ranges_add(struct ranges *ranges, struct range range)
{
    const uint32_t at = new_node(ranges);
    struct range_node *node = ranges->node;
    const uint64_t priority = small_rng_next(&ranges->rng);
    uint32_t *below = &ranges->root;

    while (*below != NOTHING && node[*below].priority >= priority)
        below = node[*below].range.low < range.low ? &node[*below].right : &node[*below].left;
    node[at] = (struct range_node){.range = range, .priority = priority};
    split(node, *below, range.low, &node[at].left, &node[at].right);
    *below = at;
    ranges->count++;
}

void ranges_remove(struct ranges *ranges, uint64_t low)
{
    struct range_node *node = ranges->node;
    uint32_t *below = &ranges->root, at;

    while (*below != NOTHING && node[*below].range.low != low)
        below = node[*below].range.low < low ? &node[*below].right : &node[*below].left;
    at = *below;
    if (at == NOTHING)
        return;
    *below = join(node, node[at].left, node[at].right);
    node[at].left = ranges->spare;
    ranges->spare = at;
    ranges->count--;
}

void ranges_cover(struct ranges *ranges, uint64_t low, uint64_t last)
{
    const struct range *met;

    while ((met = ranges_meeting(ranges, low == 0 ? 0 : low - 1,
                                 last == UINT64_MAX ? last : last + 1)) != NULL) {
        const uint64_t start = met->low;

        if (met->low <= low && met->last >= last)
            return;
        low = met->low < low ? met->low : low;
        last = met->last > last ? met->last : last;
        ranges_remove(ranges, start);
    }
    ranges_add(ranges, (struct range){low, last, 0});
}

void ranges_list(const struct ranges *ranges, struct range *into)
{
    const struct range *next = ranges_meeting(ranges, 0, UINT64_MAX);

    for (size_t i = 0; next != NULL; i++) {
        into[i] = *next;
        next = next->last == UINT64_MAX ? NULL : ranges_meeting(ranges, next->last + 1, UINT64_MAX);
    }
}
