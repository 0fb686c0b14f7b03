/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorted keys against an insertion sort: few keys and many, that need few bits and many.  */
#include <config.h>

#include <stdbool.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "planner/greedy/order.h"
#include "tests/support/tap.h"

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

/* A number of up to BITS bits.  */
static uint64_t draw(struct rng *rng, int bits)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++)
        value = value << 8 | (uint64_t)rng_range(rng, 0, 255);
    return bits == 0 ? 0 : value >> (64 - bits);
}

/* COUNT keys, above bases of their own; IN_ORDER: each index is the key's place.  */
static bool sorts(struct rng *rng, size_t count, int major, int minor, bool in_order)
{
    struct order_key *key = memory_alloc(count, sizeof *key);
    struct order_key *plain = memory_alloc(count, sizeof *plain);
    uint64_t base[2] = {draw(rng, 64), draw(rng, 64)};
    bool same;

    for (size_t i = 0; i < count; i++)
        key[i] = (struct order_key){base[0] + draw(rng, major), base[1] + draw(rng, minor),
                                    in_order ? i : (size_t)rng_range(rng, 0, 1000)};
    memcpy(plain, key, count * sizeof *key);
    order_sort(key, count);
    plain_sort(plain, count);
    same = memcmp(plain, key, count * sizeof *key) == 0;
    memory_free(key);
    memory_free(plain);
    return same;
}

int main(void)
{
    static const int bits[] = {0, 1, 7, 12, 23, 33, 51, 58, 63, 64};
    enum { WIDTHS = sizeof bits / sizeof *bits };
    struct rng *rng = rng_new(1);
    int wrong = 0;

    for (int major = 0; major < WIDTHS; major++)
        for (int minor = 0; minor < WIDTHS; minor++)
            for (int round = 0; round < tap_tier(2, 8); round++)
                wrong += !sorts(rng, (size_t)rng_range(rng, 1, 300), bits[major], bits[minor],
                                round % 2 == 0);
    is_int(wrong, 0, "keys of any width are sorted, and equal ones stay in their order");
    ok(sorts(rng, 5000, 20, 5, true) && sorts(rng, 5000, 8, 16, false), "5000 keys");
    rng_free(rng);
    return tap_done();
}
