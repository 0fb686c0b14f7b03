#include <config.h>

#include "planner/greedy/index_set.h"

#include <stdlib.h>

#include "lib/base/memory.h"

void index_set_init(struct index_set *set, size_t limit)
{
    size_t words = limit;

    set->levels = 0;
    do {
        words = words / 64 + 1;
        set->level[set->levels++] = memory_zalloc(words, sizeof(uint64_t));
    } while (words > 1);
}

void index_set_clear(struct index_set *set)
{
    for (size_t i = 0; i < set->levels; i++)
        free(set->level[i]);
    *set = (struct index_set){0};
}

void index_set_add(struct index_set *set, size_t index)
{
    for (size_t i = 0; i < set->levels; i++, index /= 64)
        set->level[i][index / 64] |= UINT64_C(1) << index % 64;
}

void index_set_remove(struct index_set *set, size_t index)
{
    for (size_t i = 0; i < set->levels; i++, index /= 64) {
        set->level[i][index / 64] &= ~(UINT64_C(1) << index % 64);
        if (set->level[i][index / 64] != 0)
            break; /* the summaries above still hold */
    }
}

/* The least member of the part that bit INDEX of level I stands for.  */
static size_t descend_low(const struct index_set *set, size_t i, size_t index)
{
    while (i-- > 0)
        index = index * 64 + (size_t)__builtin_ctzll(set->level[i][index]);
    return index;
}

static size_t descend_high(const struct index_set *set, size_t i, size_t index)
{
    while (i-- > 0)
        index = index * 64 + 63 - (size_t)__builtin_clzll(set->level[i][index]);
    return index;
}

size_t index_set_at_or_after(const struct index_set *set, size_t index)
{
    uint64_t mask = UINT64_MAX << index % 64; /* bits at or after INDEX */

    for (size_t i = 0; i < set->levels; i++) {
        uint64_t word = set->level[i][index / 64] & mask;

        if (word != 0)
            return descend_low(set, i, index / 64 * 64 + (size_t)__builtin_ctzll(word));
        index /= 64;
        mask = UINT64_MAX << index % 64 << 1; /* strictly after it, from here on */
    }
    return SIZE_MAX;
}

size_t index_set_at_or_before(const struct index_set *set, size_t index)
{
    uint64_t mask = UINT64_MAX >> (63 - index % 64);

    for (size_t i = 0; i < set->levels; i++) {
        uint64_t word = set->level[i][index / 64] & mask;

        if (word != 0)
            return descend_high(set, i, index / 64 * 64 + 63 - (size_t)__builtin_clzll(word));
        index /= 64;
        mask = UINT64_MAX >> (63 - index % 64) >> 1;
    }
    return SIZE_MAX;
}
