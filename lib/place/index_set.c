/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/index_set.h"

#include <stdbool.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"

void index_set_init(struct index_set *set, size_t limit)
{
    size_t words = limit;

    set->limit = limit;
    set->levels = 0;
    do {
        words = words / 64 + 1;
        set->level[set->levels++] = memory_zalloc(words, sizeof(uint64_t));
    } while (words > 1);
}

void index_set_clear(struct index_set *set)
{
    for (size_t i = 0; i < set->levels; i++)
        memory_free(set->level[i]);
    *set = (struct index_set){0};
}

static bool has(const struct index_set *set, size_t level, size_t index)
{
    return (set->level[level][index / 64] >> index % 64 & 1) != 0;
}

/* INDEX is a member or none since this step.  */
static void check_member(const struct index_set *set, size_t index, bool member)
{
    CHECK(index < set->limit, "index set", "members are below the limit");
    CHECK(has(set, 0, index) == member, "index set", "what was added is in it, until removed");
    for (size_t i = 1, words = set->limit / 64 + 1; i < set->levels; i++, words = words / 64 + 1)
        for (size_t w = 0; w < words && check_due(index, words); w++)
            CHECK(has(set, i, w) == (set->level[i - 1][w] != 0), "index set",
                  "a bit of a summary says whether there are members below it");
}

/* FOUND is the first member from INDEX on, upwards or downwards.  */
static void check_found(const struct index_set *set, size_t index, bool up, size_t found)
{
    size_t at = index; /* past 0 it is no member's any more, either */

    CHECK(index < set->limit, "index set", "it is asked for what is below the limit");
    if (!check_due(index, set->limit))
        return;
    while (at < set->limit && !has(set, 0, at))
        at = up ? at + 1 : at - 1;
    CHECK(found == (at < set->limit ? at : SIZE_MAX), "index set", "the nearest member is found");
}

void index_set_add(struct index_set *set, size_t index)
{
    size_t added = index;

    for (size_t i = 0; i < set->levels; i++, index /= 64)
        set->level[i][index / 64] |= UINT64_C(1) << index % 64;
    CHECK_INVARIANT(check_member(set, added, true));
}

void index_set_remove(struct index_set *set, size_t index)
{
    size_t removed = index;

    for (size_t i = 0; i < set->levels; i++, index /= 64) {
        set->level[i][index / 64] &= ~(UINT64_C(1) << index % 64);
        if (set->level[i][index / 64] != 0)
            break; /* the summaries above still hold */
    }
    CHECK_INVARIANT(check_member(set, removed, false));
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

static size_t at_or_after(const struct index_set *set, size_t index)
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

static size_t at_or_before(const struct index_set *set, size_t index)
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

size_t index_set_at_or_after(const struct index_set *set, size_t index)
{
    size_t found = at_or_after(set, index);

    CHECK_INVARIANT(check_found(set, index, true, found));
    return found;
}

size_t index_set_at_or_before(const struct index_set *set, size_t index)
{
    size_t found = at_or_before(set, index);

    CHECK_INVARIANT(check_found(set, index, false, found));
    return found;
}
