/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/oracles/plain_pools.h"

/* The classes of memory_planning.py; sizes and lives are worked out from what is
 * below each time that they are asked for.  */
enum kind { ALLOCATION, EMPTY, TEMPORAL, SPATIAL };

struct node {
    enum kind kind;
    size_t buffer;       /* ALLOCATION */
    int64_t space;       /* EMPTY: bytes */
    struct node **child; /* TEMPORAL: its allocations; SPATIAL: left and right */
    size_t children, capacity;
    struct node *made_before;
};

struct pool {
    const struct instance *instance;
    int64_t alignment;
    struct node *made; /* the last node that was made, */
    struct node *root; /* and the uppermost one */
};

static struct node *make(struct pool *pool, enum kind kind)
{
    struct node *node = memory_zalloc(1, sizeof *node);

    node->kind = kind;
    node->made_before = pool->made;
    return pool->made = node;
}

static void append(struct node *node, struct node *child)
{
    node->child =
        memory_grow(node->child, &node->capacity, node->children + 1, sizeof *node->child);
    node->child[node->children++] = child;
}

static struct node *temporal(struct pool *pool, struct node *only)
{
    struct node *node = make(pool, TEMPORAL);

    append(node, only);
    return node;
}

static struct node *spatial(struct pool *pool, struct node *left, struct node *right)
{
    struct node *node = make(pool, SPATIAL);

    append(node, left);
    append(node, right);
    return node;
}

/* SpatialSplit.create */
static struct node *with_space(struct pool *pool, struct node *left, int64_t extra)
{
    struct node *empty = make(pool, EMPTY);

    empty->space = extra;
    return spatial(pool, temporal(pool, left), temporal(pool, empty));
}

/* get_size_hint, and get_symbolic_size, for which empty space is nothing.  */
static int64_t size_of(const struct pool *pool, const struct node *node, bool hint)
{
    int64_t size = 0;

    if (node->kind == ALLOCATION)
        return pool->instance->buffer[node->buffer].size;
    if (node->kind == EMPTY)
        return hint ? node->space : 0;
    if (node->kind == SPATIAL)
        return align_up(size_of(pool, node->child[0], hint), pool->alignment) +
               size_of(pool, node->child[1], hint);
    for (size_t c = 0; c < node->children; c++)
        size = max64(size, size_of(pool, node->child[c], hint));
    return size;
}

static bool overlaps(const struct pool *pool, const struct node *node, size_t b)
{
    const struct buffer *buffer = pool->instance->buffer;

    if (node->kind == ALLOCATION)
        return buffers_overlap_in_time(&buffer[node->buffer], &buffer[b]);
    for (size_t c = 0; c < node->children; c++)
        if (overlaps(pool, node->child[c], b))
            return true;
    return false;
}

static void take(struct pool *pool, struct node *slot, struct node *block, int64_t slot_size)
{
    int64_t size = size_of(pool, block, true);

    if (slot->children == 1 && slot->child[0]->kind == EMPTY)
        slot->children = 0;
    if (slot_size > size)
        block = with_space(pool, block, slot_size - size);
    for (size_t c = 0; c < slot->children && slot_size < size; c++)
        slot->child[c] = with_space(pool, slot->child[c], size - slot_size);
    append(slot, block);
}

static bool allocate(struct pool *pool, struct node *node, struct node *block, bool is_last)
{
    int64_t slot_size;
    struct node *found = NULL;

    if (node->kind == SPATIAL)
        return allocate(pool, node->child[0], block, false) ||
               allocate(pool, node->child[1], block, is_last);
    if (node->kind != TEMPORAL)
        return false;
    slot_size = size_of(pool, node, true);
    if (!is_last && size_of(pool, block, true) > slot_size)
        return false;
    for (size_t c = 0; c < node->children; c++) {
        if (!overlaps(pool, node->child[c], block->buffer))
            continue;
        if (found != NULL)
            return false;
        found = node->child[c];
    }
    if (found != NULL)
        return allocate(pool, found, block, is_last);
    take(pool, node, block, slot_size);
    return true;
}

static void finalize(const struct pool *pool, const struct node *node, int64_t offset,
                     struct plan *plan)
{
    if (node->kind == ALLOCATION)
        plan->offset[node->buffer] = offset;
    for (size_t c = 0; c < node->children; c++) {
        finalize(pool, node->child[c], offset, plan);
        if (node->kind == SPATIAL)
            offset += align_up(size_of(pool, node->child[c], false), pool->alignment);
    }
}

/* Sorts ORDER, stable: by size, then by the groups from begin to end.  */
static void sort_blocks(const struct instance *instance, size_t *order)
{
    size_t count, *length = memory_zalloc(instance->n, sizeof *length);
    int64_t *moment = plain_times(instance, &count);

    for (size_t b = 0; b < instance->n; b++)
        for (size_t i = 0; i < count; i++)
            length[b] +=
                moment[i] >= instance->buffer[b].begin && moment[i] < instance->buffer[b].end;
    for (size_t i = 1; i < instance->n; i++)
        for (size_t at = i; at > 0; at--) {
            size_t a = order[at - 1], b = order[at];
            int64_t x = instance->buffer[a].size, y = instance->buffer[b].size;

            if (x > y || (x == y && length[a] >= length[b]))
                break;
            order[at - 1] = b;
            order[at] = a;
        }
    free(moment);
    free(length);
}

void plain_inductor(const struct instance *instance, struct plan *plan)
{
    struct pool pool = {instance, instance->max_alignment, NULL, NULL};
    size_t *order = plain_order(instance, plain_earlier, false);

    sort_blocks(instance, order);
    for (size_t i = 0; i < instance->n; i++) {
        struct node *block = make(&pool, ALLOCATION);

        block->buffer = order[i];
        if (pool.root == NULL)
            pool.root = temporal(&pool, block);
        else if (!allocate(&pool, pool.root, block, true)) /* allocate_at_end */
            pool.root = temporal(&pool, spatial(&pool, pool.root, temporal(&pool, block)));
    }
    if (pool.root != NULL)
        finalize(&pool, pool.root, 0, plan);
    plan->peak = plan_peak(instance, plan);
    while (pool.made != NULL) {
        struct node *node = pool.made;

        pool.made = node->made_before;
        free(node->child);
        free(node);
    }
    free(order);
}
