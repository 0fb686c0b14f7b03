/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/judge/loop_content.h"

#include <stdlib.h>

#include "lib/base/memory.h"

struct content {
    enum { MADE, SLICE, STACK } kind;
    uint64_t number; /* MADE: which one; SLICE: of the slice */
    int64_t trips, stretch;
    const struct content *whole;
    const struct content **slice;
    struct content *before; /* in the pool */
};

static struct content *add(struct content_pool *pool, struct content content)
{
    struct content *added = memory_alloc(1, sizeof *added);

    *added = content;
    added->before = pool->last;
    pool->last = added;
    return added;
}

void content_pool_clear(struct content_pool *pool)
{
    while (pool->last != NULL) {
        struct content *content = pool->last;

        pool->last = content->before;
        free(content->slice);
        free(content);
    }
}

const struct content *content_made(struct content_pool *pool)
{
    return add(pool, (struct content){.kind = MADE, .number = pool->made++});
}

const struct content *content_slice(struct content_pool *pool, const struct content *whole,
                                    int64_t trips, int64_t number, int64_t stretch)
{
    return add(pool, (struct content){.kind = SLICE,
                                      .number = (uint64_t)number,
                                      .trips = trips,
                                      .stretch = stretch,
                                      .whole = whole});
}

struct content *content_stack(struct content_pool *pool, int64_t trips, int64_t stretch)
{
    return add(pool, (struct content){.kind = STACK,
                                      .trips = trips,
                                      .stretch = stretch,
                                      .slice = memory_zalloc((size_t)trips, sizeof(void *))});
}

void content_put(struct content *stack, int64_t number, const struct content *slice)
{
    stack->slice[number] = slice;
}

/* A word that differs from content to content and cell to cell (splitmix64's
 * finalizer).  */
static uint64_t mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

bool content_word(const struct content *content, int64_t cell, uint64_t *word)
{
    while (content->kind != MADE) {
        int64_t block, rest;

        if (content->kind == SLICE) {
            block = cell / content->stretch;
            rest = cell % content->stretch;
            cell = (block * content->trips + (int64_t)content->number) * content->stretch + rest;
            content = content->whole;
        } else {
            block = cell / (content->trips * content->stretch);
            rest = cell % (content->trips * content->stretch);
            cell = block * content->stretch + rest % content->stretch;
            content = content->slice[rest / content->stretch];
            if (content == NULL)
                return false;
        }
    }
    *word = mix((content->number + 1) * UINT64_C(0x9e3779b97f4a7c15) + mix((uint64_t)cell));
    return true;
}
