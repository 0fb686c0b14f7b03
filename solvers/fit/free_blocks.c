/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/free_blocks.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/check.h"
#include "lib/base/memory.h"

static bool before(struct free_block a, struct free_block b)
{
    if (a.size != b.size)
        return a.size < b.size;
    if (a.tie != b.tie)
        return a.tie < b.tie;
    return a.block < b.block;
}

/* How many entries stand before BLOCK.  */
static size_t rank(const struct free_blocks *blocks, struct free_block block)
{
    return BISECT(i, 0, blocks->count, before(blocks->entry[i], block));
}

static void check_order(const struct free_blocks *blocks)
{
    for (size_t i = 1; i < blocks->count; i++)
        CHECK(before(blocks->entry[i - 1], blocks->entry[i]), "free blocks",
              "they stand by size, then tie and block, each once");
}

void free_blocks_add(struct free_blocks *blocks, struct free_block block)
{
    size_t at = rank(blocks, block);

    blocks->entry =
        memory_grow(blocks->entry, &blocks->capacity, blocks->count + 1, sizeof *blocks->entry);
    memmove(blocks->entry + at + 1, blocks->entry + at,
            (blocks->count - at) * sizeof *blocks->entry);
    blocks->entry[at] = block;
    blocks->count++;
    CHECK_INVARIANT(check_order(blocks));
}

void free_blocks_remove(struct free_blocks *blocks, struct free_block block)
{
    size_t at = rank(blocks, block);

    assert(at < blocks->count && !before(block, blocks->entry[at])); /* it is there */
    blocks->count--;
    memmove(blocks->entry + at, blocks->entry + at + 1,
            (blocks->count - at) * sizeof *blocks->entry);
}

void free_blocks_clear(struct free_blocks *blocks)
{
    free(blocks->entry);
    *blocks = (struct free_blocks){0};
}

size_t free_blocks_find(const struct free_blocks *blocks, int64_t size)
{
    return rank(blocks, (struct free_block){size, INT64_MIN, 0});
}
