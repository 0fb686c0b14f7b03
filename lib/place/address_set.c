/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/address_set.h"

#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* Room for spans comes in powers of two, from blocks that live as long as the
 * pool.  What a growing set leaves behind waits for the next one that wants
 * that much.  */
enum { BLOCK_SPANS = 1 << 15, SIZE_CLASSES = 32 };

union cell {
    struct span span;
    union cell *next; /* of the unused rooms of one size */
};

struct block {
    struct block *next;
    union cell cell[];
};

struct span_pool {
    struct block *block;            /* the one in use first */
    size_t left;                    /* cells that are left in it, at its end */
    size_t cells;                   /* in it */
    union cell *free[SIZE_CLASSES]; /* rooms of 1 << class spans */
};

struct span_pool *span_pool_new(void)
{
    return memory_zalloc(1, sizeof(struct span_pool));
}

void span_pool_free(struct span_pool *pool)
{
    while (pool->block != NULL) {
        struct block *block = pool->block;

        pool->block = block->next;
        memory_free(block);
    }
    memory_free(pool);
}

static struct span *take_room(struct span_pool *pool, unsigned class)
{
    size_t wanted = (size_t)1 << class;
    union cell *cell = pool->free[class];

    if (cell != NULL) {
        pool->free[class] = cell->next;
        return &cell->span;
    }
    if (pool->left < wanted) {
        size_t cells = wanted > BLOCK_SPANS ? wanted : (size_t)BLOCK_SPANS;
        struct block *block = memory_alloc(1, sizeof *block + cells * sizeof *block->cell);

        block->next = pool->block;
        pool->block = block;
        pool->left = pool->cells = cells;
    }
    cell = &pool->block->cell[pool->cells - pool->left];
    pool->left -= wanted;
    return &cell->span;
}

/* Twice the room, at least 2.  */
static void grow(struct address_set *set, struct span_pool *pool)
{
    unsigned class = set->room == 0 ? 0 : (unsigned)__builtin_ctz(set->room);
    struct span *span = take_room(pool, class + 1);

    if (set->room > 0) {
        union cell *old = (union cell *)set->span;

        memcpy(span, set->span, set->count * sizeof *span);
        old->next = pool->free[class];
        pool->free[class] = old;
    }
    set->span = span;
    set->room = UINT32_C(2) << class;
}

/* The first span, from index FROM on, that ends above ADDRESS.  Steps of
 * doubling length and then halving find near ones fast.  */
static uint32_t first_above(const struct address_set *set, uint32_t from, int64_t address)
{
    uint32_t low = from, high = from, step = 1;

    while (high < set->count && set->span[high].hi <= address) {
        low = high + 1;
        high = set->count - high > step ? high + step : set->count;
        step *= 2;
    }
    return (uint32_t)BISECT(i, low, high, set->span[i].hi <= address);
}

/* Replaces the spans FIRST to LAST (not included) by SPAN.  */
static void replace(struct address_set *set, struct span_pool *pool, uint32_t first, uint32_t last,
                    struct span span)
{
    if (first == last && set->count == set->room)
        grow(set, pool);
    memmove(&set->span[first + 1], &set->span[last], (set->count - last) * sizeof *set->span);
    set->count = set->count - (last - first) + 1;
    set->span[first] = span;
}

/* [LO, HI) was added.  */
static void check_added(const struct address_set *set, int64_t lo, int64_t hi, int64_t smallest)
{
    bool found = false;

    for (uint32_t i = 0; i < set->count; i++) {
        CHECK(set->span[i].lo < set->span[i].hi, "address set", "no span is empty");
        CHECK(i == 0 || set->span[i].lo - set->span[i - 1].hi >= smallest, "address set",
              "spans ascend, and holes are no smaller than the smallest buffer");
        found = found || (set->span[i].lo <= lo && hi <= set->span[i].hi);
    }
    CHECK(found, "address set", "what was added is in it");
}

bool address_set_add(struct address_set *set, struct span_pool *pool, int64_t lo, int64_t hi,
                     int64_t smallest)
{
    /* Spans that end above lo - smallest are met or too near below.  */
    uint32_t first = first_above(set, 0, lo - smallest), last = first;
    struct span span = {lo, hi};

    while (last < set->count && set->span[last].lo - hi < smallest)
        last++;
    if (last > first) {
        span.lo = min64(lo, set->span[first].lo);
        span.hi = max64(hi, set->span[last - 1].hi);
        if (last == first + 1 && span.lo == set->span[first].lo && span.hi == set->span[first].hi)
            return false;
    }
    replace(set, pool, first, last, span);
    CHECK_INVARIANT(check_added(set, lo, hi, smallest));
    return true;
}

void span_list_reserve(struct span_list *list, size_t room)
{
    list->span = memory_grow(list->span, &list->room, room, sizeof *list->span);
}

/* The same scan without leaving anything out.  */
static void check_left(const struct address_set *set, const struct span_list *from,
                       int64_t smallest, const struct span_list *left)
{
    size_t found = 0;

    if (!check_due(left->count, from->count * set->count))
        return;
    for (size_t i = 0; i < from->count; i++) {
        int64_t lo = from->span[i].lo;

        for (uint32_t k = 0; k <= set->count; k++) {
            int64_t hi =
                k < set->count ? min64(set->span[k].lo, from->span[i].hi) : from->span[i].hi;

            if (hi - lo >= smallest) {
                CHECK(found < left->count && left->span[found].lo == lo &&
                          left->span[found].hi == hi,
                      "address set", "what is not taken out of a span is left");
                found++;
            }
            lo = k < set->count ? max64(lo, set->span[k].hi) : lo;
        }
    }
    CHECK(found == left->count, "address set", "what is left was in a span");
}

void address_set_subtract(const struct address_set *set, const struct span_list *from,
                          int64_t smallest, struct span_list *left)
{
    const struct span *taken = set->span;
    uint32_t at = 0, count = set->count;
    struct span *out;

    /* Each span of SET cuts at most one piece more.  */
    span_list_reserve(left, from->count + count);
    out = left->span;
    for (size_t i = 0; i < from->count; i++) {
        int64_t lo = from->span[i].lo, hi = from->span[i].hi;

        if (at < count && taken[at].hi <= lo)
            at = first_above(set, at + 1, lo);
        while (at < count && taken[at].lo < hi) {
            if (taken[at].lo - lo >= smallest)
                *out++ = (struct span){lo, taken[at].lo};
            lo = max64(lo, taken[at].hi);
            if (lo >= hi)
                break; /* this one may reach into the next of FROM */
            at++;
        }
        if (hi - lo >= smallest)
            *out++ = (struct span){lo, hi};
    }
    left->count = (size_t)(out - left->span);
    CHECK_INVARIANT(check_left(set, from, smallest, left));
}
