/* SPDX-License-Identifier: Apache-2.0 */
/* A radix sort, least significant byte first, that passes over bytes in which
 * all keys agree: sizes, groups and steps differ in few.  Each pass is stable,
 * so the order in which the keys come is the last key without being looked at.  A few
 * keys are sorted by insertion, which is stable too.  */
#include <config.h>

#include "planner/greedy/order.h"

#include <stdbool.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

uint64_t lifetime_length(const struct buffer *buffer)
{
    return (uint64_t)buffer->end - (uint64_t)buffer->begin;
}

static size_t byte_of(const struct order_key *key, bool major, unsigned shift)
{
    return ((major ? key->major : key->minor) >> shift) & 0xff;
}

/* Sorts FROM into TO by one byte.  */
static void sort_by_byte(const struct order_key *from, struct order_key *to, size_t count,
                         bool major, unsigned shift)
{
    size_t start[257] = {0};

    for (size_t i = 0; i < count; i++)
        start[byte_of(&from[i], major, shift) + 1]++;
    for (size_t byte = 1; byte < 256; byte++)
        start[byte] += start[byte - 1];
    for (size_t i = 0; i < count; i++)
        to[start[byte_of(&from[i], major, shift)]++] = from[i];
}

/* Cheaper than the radix sort up to this many.  */
enum { FEW = 24 };

static bool comes_after(const struct order_key *a, const struct order_key *b)
{
    return a->major > b->major || (a->major == b->major && a->minor > b->minor);
}

static void sort_few(struct order_key *key, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct order_key moved = key[i];
        size_t at = i;

        for (; at > 0 && comes_after(&key[at - 1], &moved); at--)
            key[at] = key[at - 1];
        key[at] = moved;
    }
}

static void sort_many(struct order_key *key, size_t count)
{
    struct order_key *spare = memory_alloc(count, sizeof *spare), *from = key, *to = spare;
    uint64_t differ[2] = {0, 0}; /* bits of minor and of major that are not the same in all */

    for (size_t i = 1; i < count; i++) {
        differ[0] |= key[i].minor ^ key[0].minor;
        differ[1] |= key[i].major ^ key[0].major;
    }
    for (int major = 0; major < 2; major++)
        for (unsigned shift = 0; shift < 64; shift += 8) {
            struct order_key *sorted = to;

            if ((differ[major] >> shift & 0xff) == 0)
                continue;
            sort_by_byte(from, to, count, major, shift);
            to = from;
            from = sorted;
        }
    if (from != key)
        for (size_t i = 0; i < count; i++)
            key[i] = from[i];
    memory_free(spare);
}

static void check_sorted(const struct order_key *key, size_t count)
{
    for (size_t i = 1; i < count; i++)
        CHECK(!comes_after(&key[i - 1], &key[i]), "order", "keys ascend");
}

void order_sort(struct order_key *key, size_t count)
{
    if (count <= FEW)
        sort_few(key, count);
    else
        sort_many(key, count);
    CHECK_INVARIANT(check_sorted(key, count));
}
