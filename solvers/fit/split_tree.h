/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of PyTorch Inductor's memory pool: places that several blocks use one
 * after the other, cut in two where blocks use a part.
 *
 * A slot (Inductor: TemporalSplit) is a place for nodes that never live at once; a
 * pair (SpatialSplit) puts two slots side by side; a leaf is a block, or empty
 * space that nobody has taken.  Sizes for decisions count empty space; those that
 * make the offsets do not.  */
#ifndef ARENABENCH_SOLVERS_FIT_SPLIT_TREE_H
#define ARENABENCH_SOLVERS_FIT_SPLIT_TREE_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;
struct split_node;

struct split_tree {
    const struct instance *instance;
    int64_t alignment; /* of the right side of each pair */
    struct split_node *node;
    size_t nodes, capacity;
    size_t root;   /* a slot */
    size_t *stack; /* scratch for walks */
    size_t room;   /* in it */
};

void split_tree_init(struct split_tree *tree, const struct instance *instance, int64_t alignment);
void split_tree_clear(struct split_tree *tree);

/* Finds a place for buffer B:
 *
 *   - a slot refuses a block that is larger than it, unless it is the last one of
 *     all, which may grow;
 *   - where the block lives together with none of its nodes, it takes the slot;
 *     where with one, a pair is asked, its left side first, then the right one,
 *     which is the last if the pair's slot is; a block refuses; where with more,
 *     the slot refuses;
 *   - when the root refuses, it becomes the left side of a new root whose right
 *     side is the block.
 *
 * A block smaller than the slot that it takes makes a pair with empty space for
 * the rest.  One that is larger goes beside pairs of the slot's old nodes with
 * empty space for what it is larger by.  */
void split_tree_add(struct split_tree *tree, size_t b);

/* Offsets and peak.  */
void split_tree_to_plan(struct split_tree *tree, struct plan *plan);

#endif
