/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting keys: ascending and stable, against plain insertion; few keys and many, that need few
 * bits and many, and differ in whichever bytes.  */
#include <config.h>

#include "lib/base/order.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/support/tap.h"

enum { MOST = 300 };

static bool comes_after(const struct order_key *a, const struct order_key *b)
{
    return a->major > b->major || (a->major == b->major && a->minor > b->minor);
}

static void plain_sort(struct order_key *key, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && comes_after(&key[k - 1], &key[k]); k--) {
            struct order_key other = key[k];

            key[k] = key[k - 1];
            key[k - 1] = other;
        }
}

/* Sorts KEY.  */
static bool sorts(struct order_key *key, size_t count)
{
    struct order_key *plain = memory_copy(key, count, sizeof *plain);
    bool same;

    order_sort(key, count);
    plain_sort(plain, count);
    same = memcmp(plain, key, count * sizeof *key) == 0;
    memory_free(plain);
    return same;
}

/* A number of up to BITS bits.  */
static uint64_t draw(struct rng *rng, int bits)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++)
        value = value << 8 | (uint64_t)rng_range(rng, 0, 255);
    return bits == 0 ? 0 : value >> (64 - bits);
}

/* COUNT keys, above bases of their own; IN_ORDER: each index is the key's place.  */
static bool sorts_bits(struct rng *rng, size_t count, int major, int minor, bool in_order)
{
    struct order_key *key = memory_alloc(count, sizeof *key);
    uint64_t base[2] = {draw(rng, 64), draw(rng, 64)};
    bool same;

    for (size_t i = 0; i < count; i++)
        key[i] = (struct order_key){base[0] + draw(rng, major), base[1] + draw(rng, minor),
                                    in_order ? i : (size_t)rng_range(rng, 0, 1000)};
    same = sorts(key, count);
    memory_free(key);
    return same;
}

static void widths(struct rng *rng)
{
    static const int bits[] = {0, 1, 7, 12, 23, 33, 51, 58, 63, 64};
    enum { WIDTHS = sizeof bits / sizeof *bits };
    int wrong = 0;

    for (int major = 0; major < WIDTHS; major++)
        for (int minor = 0; minor < WIDTHS; minor++)
            for (int round = 0; round < tap_tier(2, 8); round++)
                wrong += !sorts_bits(rng, (size_t)rng_range(rng, 1, MOST), bits[major], bits[minor],
                                     round % 2 == 0);
    is_int(wrong, 0, "keys of any width are sorted, and equal ones stay in their order");
    ok(sorts_bits(rng, 5000, 20, 5, true) && sorts_bits(rng, 5000, 8, 16, false), "5000 keys");
}

/* All equal but for the one at AT, which is larger, or smaller, in one byte of a key.  */
static bool one_differs(size_t count, size_t at, int byte)
{
    bool good = true;

    for (uint64_t same = 1; same <= 3; same += 2) {
        struct order_key key[MOST];

        for (size_t i = 0; i < count; i++) {
            uint64_t value = i == at ? 2 : same;

            key[i] = (struct order_key){byte < 8 ? 7 : value << (8 * (byte - 8)),
                                        byte < 8 ? value << (8 * byte) : 7, i};
        }
        good = sorts(key, count) && good;
    }
    return good;
}

static void bytes(void)
{
    static const size_t counts[] = {1, 2, 3, 20, 60, 100, 150};

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        bool good = true;

        for (int byte = 0; byte < 16; byte++)
            for (size_t at = 0; at < 3; at++)
                good = one_differs(counts[c], at == 2 ? counts[c] - 1 : at, byte) && good;
        ok(good, "%zu keys of which one differs in one byte", counts[c]);
    }
}

/* Major keys in one byte or two, minor ones of either sign.  */
static void few_values(struct rng *rng)
{
    int runs = tap_tier(300, 3000), same = 0;
    struct order_key key[MOST];

    for (int run = 0; run < runs; run++) {
        size_t count = (size_t)rng_range(rng, 1, MOST / 2);
        int shift = (int)rng_range(rng, 0, 60);

        for (size_t i = 0; i < count; i++)
            key[i] = (struct order_key){(uint64_t)rng_range(rng, 0, 3) << shift,
                                        (uint64_t)rng_range(rng, -5, 5), i};
        same += sorts(key, count);
    }
    is_int(same, runs, "%d times keys of few values", runs);
}

int main(void)
{
    struct rng *rng = rng_new(1);

    widths(rng);
    bytes();
    few_values(rng);
    rng_free(rng);
    return tap_done();
}
