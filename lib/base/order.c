/* SPDX-License-Identifier: Apache-2.0 */
/* A radix sort, least significant digit first.  Each pass is stable, so the order in which the keys
 * come is the last key without being looked at.
 *
 * Sizes, groups and steps differ in few bits: where what is left of both keys without their least
 * values fits into 64 bits together with the place that the key had, such a number is sorted, a
 * third of what a key takes.  Else keys themselves are, by the bytes in which they differ.  A few
 * keys are sorted by insertion, which is stable too.  */
#include <config.h>

#include "lib/base/order.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"

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

/* --- packed keys --- */

enum { WIDE_DIGIT = 11, DIGIT = 8, MANY = 4096 };

/* The least keys, and how many bits what is above them takes; the place is below both.  */
struct packing {
    uint64_t major, minor;
    unsigned major_bits, minor_bits, place_bits;
    bool in_order; /* the index of each key is its place */
};

static unsigned bits_of(uint64_t most)
{
    return most == 0 ? 0 : 64 - (unsigned)__builtin_clzll(most);
}

static uint64_t upper_bits(uint64_t value, unsigned shift)
{
    return shift < 64 ? value >> shift : 0;
}

static struct packing find_packing(const struct order_key *key, size_t count)
{
    struct packing packing = {key[0].major, key[0].minor, 0, 0, bits_of(count - 1), true};
    uint64_t major = key[0].major, minor = key[0].minor;

    for (size_t i = 0; i < count; i++) {
        packing.major = key[i].major < packing.major ? key[i].major : packing.major;
        packing.minor = key[i].minor < packing.minor ? key[i].minor : packing.minor;
        major = key[i].major > major ? key[i].major : major;
        minor = key[i].minor > minor ? key[i].minor : minor;
        packing.in_order = packing.in_order && key[i].index == i;
    }
    packing.major_bits = bits_of(major - packing.major);
    packing.minor_bits = bits_of(minor - packing.minor);
    return packing;
}

/* Sorts FROM into TO by the WIDTH bits from SHIFT on.  */
static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift,
                          unsigned width)
{
    size_t start[(1 << WIDE_DIGIT) + 1], mask = ((size_t)1 << width) - 1;

    memset(start, 0, (mask + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[(from[i] >> shift & mask) + 1]++;
    for (size_t digit = 1; digit <= mask; digit++)
        start[digit] += start[digit - 1];
    for (size_t i = 0; i < count; i++)
        to[start[from[i] >> shift & mask]++] = from[i];
}

/* As few passes as digits of that many bits make, all of about one width.  Returns the sorted ones
 * of the two arrays.  */
static uint64_t *sort_numbers(uint64_t *number, uint64_t *spare, size_t count,
                              const struct packing *packing)
{
    unsigned bits = packing->major_bits + packing->minor_bits;
    unsigned most = count < MANY ? DIGIT : WIDE_DIGIT;
    unsigned passes = (bits + most - 1) / most;

    for (unsigned pass = 0; pass < passes; pass++) {
        unsigned begin = bits * pass / passes, end = bits * (pass + 1) / passes;
        uint64_t *sorted = spare;

        sort_by_digit(number, spare, count, packing->place_bits + begin, end - begin);
        spare = number;
        number = sorted;
    }
    return number;
}

static void sort_packed(struct order_key *key, size_t count, const struct packing *packing)
{
    unsigned minor_shift = packing->place_bits, major_shift = minor_shift + packing->minor_bits;
    uint64_t *room = memory_alloc(2 * count, sizeof *room), *number;
    size_t *index = packing->in_order ? NULL : memory_alloc(count, sizeof *index);

    for (size_t i = 0; i < count; i++) {
        uint64_t major = key[i].major - packing->major, minor = key[i].minor - packing->minor;

        room[i] = i | minor << minor_shift;
        if (major != 0)
            room[i] |= major << major_shift;
        if (index != NULL)
            index[i] = key[i].index;
    }
    number = sort_numbers(room, room + count, count, packing);
    for (size_t i = 0; i < count; i++) {
        size_t place = (size_t)(number[i] & (((uint64_t)1 << minor_shift) - 1));
        uint64_t minor = upper_bits(number[i], minor_shift);

        if (packing->minor_bits < 64)
            minor &= ((uint64_t)1 << packing->minor_bits) - 1;
        key[i].major = packing->major + upper_bits(number[i], major_shift);
        key[i].minor = packing->minor + minor;
        key[i].index = index == NULL ? place : index[place];
    }
    memory_free(index);
    memory_free(room);
}

static void check_sorted(const struct order_key *key, size_t count)
{
    for (size_t i = 1; i < count; i++)
        CHECK(!comes_after(&key[i - 1], &key[i]), "order", "keys ascend");
}

void order_sort(struct order_key *key, size_t count)
{
    struct packing packing;

    if (count <= FEW) {
        sort_few(key, count);
    } else {
        packing = find_packing(key, count);
        if (packing.major_bits + packing.minor_bits + packing.place_bits <= 64)
            sort_packed(key, count, &packing);
        else
            sort_many(key, count);
    }
    CHECK_INVARIANT(check_sorted(key, count));
}
