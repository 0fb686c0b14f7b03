/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory as blocks that lie end to end: split when they are handed out, joined with free
 * neighbours when they come back, and found by size, then address.  For allocators that run beside
 * a program.
 *
 * Starts and sizes count units of the caller's choice.  Regions never join; a block belongs to the
 * pool of its region for good.  A block that was joined to another one is gone, and its number is
 * not used again.  O(log(free blocks)) a call: they are a treap.  */
#ifndef ARENABENCH_SOLVERS_FIT_BLOCK_HEAP_H
#define ARENABENCH_SOLVERS_FIT_BLOCK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct params;

#define BLOCK_NONE SIZE_MAX

enum { BLOCK_POOLS = 2 };

struct heap_block {
    uint64_t start, size;
    size_t below, above;    /* in its region; BLOCK_NONE: it is the first, the last one */
    size_t smaller, larger; /* of a free one: its subtrees */
    unsigned pool;
    bool free;
};

struct block_heap {
    struct heap_block *block;
    size_t count, capacity;
    size_t root[BLOCK_POOLS]; /* of the free blocks */
};

void block_heap_init(struct block_heap *heap);
void block_heap_clear(struct block_heap *heap);

/* A new region, which is one free block.  */
size_t block_heap_add(struct block_heap *heap, unsigned pool, uint64_t start, uint64_t size);

/* SIZE more units above LAST, the last block of its region.  Returns the free block that they
 * belong to, which is LAST if that is free.  */
size_t block_heap_extend(struct block_heap *heap, size_t last, uint64_t size);

/* The smallest free block of POOL with SIZE units or more, the lowest of equal ones; of those with
 * exactly SIZE none below START.  BLOCK_NONE: there is none.  */
size_t block_heap_find(const struct block_heap *heap, unsigned pool, uint64_t size, uint64_t start);

/* Hands out the free block B.  */
void block_heap_take(struct block_heap *heap, size_t b);

/* Takes back all but the first SIZE units of the used block B, which has more.  */
void block_heap_split(struct block_heap *heap, size_t b, uint64_t size);

/* Takes back the used block B.  Returns the free block that it is in.  */
size_t block_heap_release(struct block_heap *heap, size_t b);

/* The unit in bytes: the parameter unit= (0: 1), up to a multiple of the largest alignment.  */
int64_t block_unit(const struct instance *instance, const struct params *given);

/* SIZE bytes in units.  */
static inline uint64_t block_units(int64_t size, int64_t unit)
{
    return (uint64_t)(size / unit + (size % unit != 0));
}

#endif
