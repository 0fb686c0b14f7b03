#include <config.h>

#include "solvers/common/address_set.h"

#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/memory.h"

void address_set_clear(struct address_set *set)
{
    free(set->span);
    *set = (struct address_set){0};
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
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (set->span[middle].hi <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Replaces the spans FIRST to LAST (not included) by SPAN.  */
static void replace(struct address_set *set, uint32_t first, uint32_t last, struct span span)
{
    if (first == last && set->count == set->room) {
        set->room = set->room == 0 ? 2 : 2 * set->room;
        set->span = memory_resize(set->span, set->room, sizeof *set->span);
    }
    memmove(&set->span[first + 1], &set->span[last], (set->count - last) * sizeof *set->span);
    set->count = set->count - (last - first) + 1;
    set->span[first] = span;
}

bool address_set_add(struct address_set *set, int64_t lo, int64_t hi, int64_t smallest)
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
    replace(set, first, last, span);
    return true;
}

void span_list_reserve(struct span_list *list, size_t room)
{
    list->span = memory_grow(list->span, &list->room, room, sizeof *list->span);
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
}
