/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slot keeps when its nodes live as spans of time in ascending order, each with
 * the node; a node's spans that touch are one.  So the nodes that live together
 * with a block are found by binary search, and a slot that holds much soon holds
 * few spans.  */
#include <config.h>

#include "solvers/fit/split_tree.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

#define NODE_NONE SIZE_MAX

enum split_kind { SPLIT_BLOCK, SPLIT_EMPTY, SPLIT_SLOT, SPLIT_PAIR };

struct use {
    size_t begin, end; /* steps of the axis, half-open */
    size_t node;
};

struct split_node {
    enum split_kind kind;
    int64_t hint;   /* bytes, empty space counted */
    int64_t size;   /* bytes without it; filled in at the end, */
    int64_t offset; /* and so is this */
    size_t parent;  /* NODE_NONE: the root's */
    size_t first,
        sibling;     /* a slot's nodes as a list; a pair: first its left slot, then the right */
    size_t buffer;   /* SPLIT_BLOCK */
    struct use *use; /* SPLIT_SLOT */
    size_t uses, capacity;
};

void split_tree_init(struct split_tree *tree, const struct instance *instance, int64_t alignment)
{
    assert(alignment > 0);
    *tree = (struct split_tree){.instance = instance, .alignment = alignment, .root = NODE_NONE};
}

void split_tree_clear(struct split_tree *tree)
{
    for (size_t v = 0; v < tree->nodes; v++)
        free(tree->node[v].use);
    free(tree->node);
    free(tree->stack);
}

static size_t new_node(struct split_tree *tree, enum split_kind kind, int64_t hint, size_t parent)
{
    tree->node = memory_grow(tree->node, &tree->capacity, tree->nodes + 1, sizeof *tree->node);
    tree->node[tree->nodes] = (struct split_node){
        .kind = kind, .hint = hint, .parent = parent, .first = NODE_NONE, .sibling = NODE_NONE};
    return tree->nodes++;
}

/* Puts CHILD before the other nodes of slot PARENT: their order plays no part.  */
static void adopt(struct split_tree *tree, size_t parent, size_t child)
{
    tree->node[child].parent = parent;
    tree->node[child].sibling = tree->node[parent].first;
    tree->node[parent].first = child;
}

static struct use use_by(const struct buffer *buffer, size_t node)
{
    return (struct use){buffer->first, (size_t)buffer->last + 1, node};
}

/* The first span that ends after STEP.  */
static size_t first_after(const struct split_node *slot, size_t step)
{
    return BISECT(i, 0, slot->uses, slot->use[i].end <= step);
}

/* Slot V's NODE lives during USE too; none of the others does.  */
static void add_use(struct split_tree *tree, size_t v, struct use use)
{
    struct split_node *slot = &tree->node[v];
    size_t from = first_after(slot, use.begin), to;

    if (from > 0 && slot->use[from - 1].end == use.begin && slot->use[from - 1].node == use.node)
        from--;
    for (to = from;
         to < slot->uses && (slot->use[to].begin < use.end ||
                             (slot->use[to].begin == use.end && slot->use[to].node == use.node));
         to++) {
        if (slot->use[to].begin < use.begin)
            use.begin = slot->use[to].begin;
        if (slot->use[to].end > use.end)
            use.end = slot->use[to].end;
    }
    if (from == to) {
        slot->use = memory_grow(slot->use, &slot->capacity, slot->uses + 1, sizeof *slot->use);
        memmove(slot->use + from + 1, slot->use + from, (slot->uses - from) * sizeof *slot->use);
        slot->uses++;
    } else {
        memmove(slot->use + from + 1, slot->use + to, (slot->uses - to) * sizeof *slot->use);
        slot->uses -= to - from - 1;
    }
    slot->use[from] = use;
}

static size_t new_block(struct split_tree *tree, size_t b)
{
    size_t v = new_node(tree, SPLIT_BLOCK, tree->instance->buffer[b].size, NODE_NONE);

    tree->node[v].buffer = b;
    return v;
}

static void set_pair_hint(struct split_tree *tree, size_t pair)
{
    size_t left = tree->node[pair].first, right = tree->node[left].sibling;

    tree->node[pair].hint =
        align_up(tree->node[left].hint, tree->alignment) + tree->node[right].hint;
}

/* A pair of slot LEFT and a new one, *RIGHT, which is empty.  */
static size_t new_pair(struct split_tree *tree, size_t left, size_t *right)
{
    size_t pair = new_node(tree, SPLIT_PAIR, 0, NODE_NONE);

    *right = new_node(tree, SPLIT_SLOT, 0, NODE_NONE);
    adopt(tree, pair, *right);
    adopt(tree, pair, left);
    return pair;
}

/* A pair of LEFT, whose spans are not entered, and EXTRA bytes of empty space; it
 * takes LEFT's place in the slot that calls.  */
static size_t pair_with_space(struct split_tree *tree, size_t left, int64_t extra)
{
    size_t slot = new_node(tree, SPLIT_SLOT, 0, NODE_NONE), right;
    size_t pair = new_pair(tree, slot, &right);

    adopt(tree, slot, left);
    adopt(tree, right, new_node(tree, SPLIT_EMPTY, extra, right));
    tree->node[slot].hint = tree->node[left].hint;
    tree->node[right].hint = extra;
    set_pair_hint(tree, pair);
    return pair;
}

/* Slot V's nodes become pairs with EXTRA bytes of empty space.  */
static void grow_nodes(struct split_tree *tree, size_t v, int64_t extra)
{
    size_t child = tree->node[v].first, next;

    tree->node[v].first = NODE_NONE;
    for (; child != NODE_NONE; child = next) {
        next = tree->node[child].sibling;
        adopt(tree, v, pair_with_space(tree, child, extra));
    }
    for (size_t u = 0; u < tree->node[v].uses; u++) {
        struct use use = tree->node[v].use[u];
        size_t slot = tree->node[use.node].parent;

        add_use(tree, slot, use);
        tree->node[v].use[u].node = tree->node[slot].parent;
    }
}

/* Puts the block of buffer B into slot V, where it meets nobody; returns the node
 * of V that it is or is part of.  A slot grows once at most where the largest
 * blocks come first, so that looking at all its nodes does not cost much.  */
static size_t take_slot(struct split_tree *tree, size_t v, size_t b)
{
    const struct buffer *buffer = &tree->instance->buffer[b];
    size_t block = new_block(tree, b), child = block;
    int64_t hint = tree->node[v].hint;

    if (tree->node[v].first != NODE_NONE && tree->node[tree->node[v].first].kind == SPLIT_EMPTY)
        tree->node[v].first = NODE_NONE;
    if (hint > buffer->size) {
        child = pair_with_space(tree, block, hint - buffer->size);
        add_use(tree, tree->node[block].parent, use_by(buffer, block));
    } else if (hint < buffer->size) {
        grow_nodes(tree, v, buffer->size - hint);
        for (size_t c = tree->node[v].first; c != NODE_NONE; c = tree->node[c].sibling)
            tree->node[v].hint = max64(tree->node[v].hint, tree->node[c].hint);
    }
    adopt(tree, v, child);
    return child;
}

/* Tells the slots above CHILD that it lives during B's life, and how large it is.  */
static void note_above(struct split_tree *tree, size_t child, size_t b)
{
    const struct buffer *buffer = &tree->instance->buffer[b];

    for (size_t v = tree->node[child].parent; v != NODE_NONE; v = tree->node[child].parent) {
        if (tree->node[v].kind == SPLIT_SLOT) {
            add_use(tree, v, use_by(buffer, child));
            tree->node[v].hint = max64(tree->node[v].hint, tree->node[child].hint);
        } else {
            set_pair_hint(tree, v);
        }
        child = v;
    }
}

/* The node of SLOT that lives together with BUFFER; NODE_NONE: none does.  *MORE:
 * there are several.  */
static size_t overlapping(const struct split_node *slot, const struct buffer *buffer, bool *more)
{
    size_t u = first_after(slot, buffer->first), found = NODE_NONE;

    *more = false;
    for (; u < slot->uses && slot->use[u].begin <= buffer->last && !*more; u++) {
        *more = found != NODE_NONE && slot->use[u].node != found;
        found = slot->use[u].node;
    }
    return found;
}

static void push(struct split_tree *tree, size_t *depth, size_t v)
{
    tree->stack = memory_grow(tree->stack, &tree->room, *depth + 1, sizeof *tree->stack);
    tree->stack[(*depth)++] = v;
}

/* The slot that takes B, in the order in which they are asked; NODE_NONE: none.  A
 * right side is asked after its left one, so the first slot on the stack may grow
 * and the others may not, until it is taken from it.  */
static size_t find_slot(struct split_tree *tree, size_t b)
{
    const struct buffer *buffer = &tree->instance->buffer[b];
    size_t depth = 0, last = tree->root; /* the slot that may grow */

    push(tree, &depth, tree->root);
    while (depth > 0) {
        size_t v = tree->stack[--depth], child;
        const struct split_node *slot = &tree->node[v];
        bool more;

        if (v != last && buffer->size > slot->hint)
            continue;
        child = overlapping(slot, buffer, &more);
        if (child == NODE_NONE)
            return v;
        if (more || tree->node[child].kind != SPLIT_PAIR)
            continue;
        push(tree, &depth, tree->node[tree->node[child].first].sibling);
        if (v == last)
            last = tree->stack[depth - 1];
        push(tree, &depth, tree->node[child].first);
    }
    return NODE_NONE;
}

/* The root becomes the left side of a new one, whose right side B is.  */
static size_t add_at_end(struct split_tree *tree, size_t b)
{
    const struct buffer *buffer = &tree->instance->buffer[b];
    size_t old = tree->root, right, pair = new_pair(tree, old, &right);
    size_t block = new_block(tree, b), root = new_node(tree, SPLIT_SLOT, 0, NODE_NONE);

    adopt(tree, right, block);
    tree->node[right].hint = buffer->size;
    add_use(tree, right, use_by(buffer, block));
    set_pair_hint(tree, pair);
    adopt(tree, root, pair);
    tree->node[root].hint = tree->node[pair].hint;
    for (size_t u = 0; u < tree->node[old].uses; u++) {
        struct use use = tree->node[old].use[u];

        use.node = pair;
        add_use(tree, root, use);
    }
    tree->root = root;
    return pair;
}

static void check_slot(const struct split_tree *tree, size_t v)
{
    const struct split_node *slot = &tree->node[v];

    for (size_t c = slot->first; c != NODE_NONE; c = tree->node[c].sibling) {
        CHECK(tree->node[c].parent == v, "split tree", "a node knows its slot");
        CHECK(tree->node[c].hint <= slot->hint, "split tree", "a slot is as large as its nodes");
    }
    for (size_t u = 0; u < slot->uses; u++) {
        CHECK(slot->use[u].begin < slot->use[u].end &&
                  (u == 0 || slot->use[u - 1].end <= slot->use[u].begin),
              "split tree", "no two nodes of a slot live at once");
        CHECK(tree->node[slot->use[u].node].parent == v, "split tree",
              "who lives in a slot is a node of it");
    }
}

/* Node V: its slots know when the blocks below it live.  */
static void check_block(const struct split_tree *tree, size_t v)
{
    const struct buffer *buffer = &tree->instance->buffer[tree->node[v].buffer];

    for (size_t child = v; child != tree->root; child = tree->node[child].parent) {
        const struct split_node *slot = &tree->node[tree->node[child].parent];
        bool found = slot->kind != SPLIT_SLOT;

        for (size_t u = 0; u < slot->uses && !found; u++)
            found = slot->use[u].node == child && slot->use[u].begin <= buffer->first &&
                    buffer->last < slot->use[u].end;
        CHECK(found, "split tree", "the slots above a block know that it lives");
    }
}

static void check_tree(const struct split_tree *tree)
{
    if (!check_due(tree->nodes, tree->nodes))
        return;
    for (size_t v = 0; v < tree->nodes; v++) {
        const struct split_node *node = &tree->node[v];
        const struct split_node *left = node->kind == SPLIT_PAIR ? &tree->node[node->first] : NULL;

        if (node->kind == SPLIT_SLOT)
            check_slot(tree, v);
        if (node->kind == SPLIT_BLOCK)
            check_block(tree, v);
        CHECK(left == NULL || node->hint == align_up(left->hint, tree->alignment) +
                                                tree->node[left->sibling].hint,
              "split tree", "a pair is as large as its two sides");
    }
}

void split_tree_add(struct split_tree *tree, size_t b)
{
    size_t slot, child;

    assert(b < tree->instance->n);
    if (tree->root == NODE_NONE)
        tree->root = new_node(tree, SPLIT_SLOT, 0, NODE_NONE);
    slot = find_slot(tree, b);
    child = slot == NODE_NONE ? add_at_end(tree, b) : take_slot(tree, slot, b);
    note_above(tree, child, b);
    CHECK_INVARIANT(check_tree(tree));
}

/* All nodes below the root, each before those below it; returns their number.  */
static size_t list_nodes(struct split_tree *tree, size_t *list)
{
    size_t count = 0;

    list[count++] = tree->root;
    for (size_t i = 0; i < count; i++)
        for (size_t c = tree->node[list[i]].first; c != NODE_NONE; c = tree->node[c].sibling)
            list[count++] = c;
    return count;
}

static void set_size(struct split_tree *tree, size_t v)
{
    struct split_node *node = &tree->node[v];
    const struct split_node *first = node->first == NODE_NONE ? NULL : &tree->node[node->first];

    if (node->kind == SPLIT_BLOCK)
        node->size = node->hint;
    else if (node->kind == SPLIT_PAIR)
        node->size = align_up(first->size, tree->alignment) + tree->node[first->sibling].size;
    else
        for (size_t c = node->first; c != NODE_NONE; c = tree->node[c].sibling)
            node->size = max64(node->size, tree->node[c].size);
}

void split_tree_to_plan(struct split_tree *tree, struct plan *plan)
{
    size_t *list = memory_alloc(tree->nodes, sizeof *list), count = 0;

    if (tree->root != NODE_NONE)
        count = list_nodes(tree, list);
    for (size_t i = count; i-- > 0;)
        set_size(tree, list[i]);
    for (size_t i = 0; i < count; i++) {
        const struct split_node *node = &tree->node[list[i]];

        for (size_t c = node->first; c != NODE_NONE; c = tree->node[c].sibling)
            tree->node[c].offset = node->offset;
        if (node->kind == SPLIT_PAIR) {
            const struct split_node *left = &tree->node[node->first];

            tree->node[left->sibling].offset += align_up(left->size, tree->alignment);
        }
        if (node->kind == SPLIT_BLOCK)
            plan->offset[node->buffer] = node->offset;
    }
    plan->peak = plan_peak(tree->instance, plan);
    free(list);
}
