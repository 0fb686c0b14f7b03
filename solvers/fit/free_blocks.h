/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free blocks of memory by size, for online best fit.  */
#ifndef ARENABENCH_SOLVERS_FIT_FREE_BLOCKS_H
#define ARENABENCH_SOLVERS_FIT_FREE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* Ordered by size, tie, block.  */
struct free_block {
    int64_t size;
    int64_t tie;
    size_t block;
};

/* All zero: empty.  A sorted array: O(blocks) a change, with a small constant,
 * and there are no more free blocks than buffers alive at a step.  */
struct free_blocks {
    struct free_block *entry;
    size_t count, capacity;
};

void free_blocks_add(struct free_blocks *blocks, struct free_block block);
void free_blocks_remove(struct free_blocks *blocks, struct free_block block);
void free_blocks_clear(struct free_blocks *blocks);

/* The first entry of SIZE bytes or more; count when there is none.  */
size_t free_blocks_find(const struct free_blocks *blocks, int64_t size);

#endif
