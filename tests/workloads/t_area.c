/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Areas of 128 bits against the compiler's own numbers of that width, where it has them, and by
 * hand where it does not.  */
#include <config.h>

#include "workloads/area.h"

#include "lib/base/rng.h"
#include "tests/support/tap.h"

static void by_hand(void)
{
    const struct area largest = area_of(INT64_MAX, INT64_MAX), none = {0, 0};

    ok(largest.high == UINT64_C(0x3fffffffffffffff) && largest.low == 1, "the largest area");
    ok(area_order(area_per_cent(largest, 100), largest) == 0, "100 per cent of it are all");
    ok(area_order(area_per_cent(largest, 0), none) == 0, "0 per cent nothing");
    ok(area_per_cent(area_of(999, 1), 50).low == 499, "rounded down");
    ok(area_order(area_sub(area_add(largest, largest), largest), largest) == 0, "and back");
    ok(area_order(none, largest) < 0 && area_order(largest, none) > 0, "in order");
}

#ifdef __SIZEOF_INT128__
static bool same(struct area a, unsigned __int128 wide)
{
    return ((unsigned __int128)a.high << 64 | a.low) == wide;
}

/* Of 1 to 63 bits.  */
static int64_t draw(struct rng *rng)
{
    return rng_range(rng, 0, INT64_MAX) >> rng_range(rng, 0, 62);
}

static void at_random(void)
{
    struct rng *rng = rng_new(1);
    int wrong = 0;

    for (int i = 0; i < tap_tier(20000, 200000); i++) {
        const int64_t a = draw(rng), b = draw(rng), c = draw(rng), p = rng_range(rng, 0, 100);
        const unsigned __int128 ab = (unsigned __int128)a * (unsigned __int128)b;
        const unsigned __int128 bc = (unsigned __int128)b * (unsigned __int128)c;
        const unsigned __int128 part =
            ab / 100 * (unsigned __int128)p + ab % 100 * (unsigned __int128)p / 100;
        const struct area x = area_of(a, b), y = area_of(b, c);

        wrong += !same(x, ab) || !same(area_add(x, y), ab + bc) ||
                 !same(area_sub(area_add(x, y), x), bc) || !same(area_per_cent(x, p), part) ||
                 area_order(x, y) != (ab > bc) - (ab < bc);
    }
    rng_free(rng);
    is_int(wrong, 0, "products, sums, differences, shares and order");
}
#else
static void at_random(void)
{
    tap_skip(1, "the compiler has no numbers of 128 bits");
}
#endif

int main(void)
{
    by_hand();
    at_random();
    return tap_done();
}
