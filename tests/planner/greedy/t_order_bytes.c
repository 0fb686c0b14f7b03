/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting keys: ascending and stable, whichever bytes they differ in, against plain insertion.  */
#include <config.h>

#include "planner/greedy/order.h"

#include <string.h>

#include "lib/base/rng.h"
#include "tests/support/tap.h"

enum { MOST = 150 };

static bool after(const struct order_key *a, const struct order_key *b)
{
    return a->major != b->major ? a->major > b->major : a->minor > b->minor;
}

static bool is_sorted_as(const struct order_key *key, size_t count)
{
    struct order_key got[MOST], want[MOST];

    memcpy(got, key, count * sizeof *key);
    order_sort(got, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;

        for (; at > 0 && after(&want[at - 1], &key[i]); at--)
            want[at] = want[at - 1];
        want[at] = key[i];
    }
    for (size_t i = 0; i < count; i++)
        if (got[i].index != want[i].index || got[i].major != want[i].major ||
            got[i].minor != want[i].minor)
            return false;
    return true;
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
        good = is_sorted_as(key, count) && good;
    }
    return good;
}

int main(void)
{
    static const size_t counts[] = {1, 2, 3, 20, 60, 100, MOST};
    int runs = tap_tier(300, 3000), same = 0;
    struct rng *rng = rng_new(3);
    struct order_key key[MOST];

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        bool good = true;

        for (int byte = 0; byte < 16; byte++)
            for (size_t at = 0; at < 3; at++)
                good = one_differs(counts[c], at == 2 ? counts[c] - 1 : at, byte) && good;
        ok(good, "%zu keys of which one differs in one byte", counts[c]);
    }
    for (int run = 0; run < runs; run++) {
        size_t count = (size_t)rng_range(rng, 1, MOST);
        int shift = (int)rng_range(rng, 0, 60);

        for (size_t i = 0; i < count; i++)
            key[i] = (struct order_key){(uint64_t)rng_range(rng, 0, 3) << shift,
                                        (uint64_t)rng_range(rng, -5, 5), i};
        same += is_sorted_as(key, count);
    }
    is_int(same, runs, "%d times keys at random", runs);
    rng_free(rng);
    return tap_done();
}
