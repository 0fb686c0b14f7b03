/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether rectangles overlap, against a look at all pairs.  */
#include <config.h>

#include "lib/problem/overlaps.h"

#include "lib/base/rng.h"
#include "tests/support/tap.h"

enum { MOST = 40 };

static bool overlap(const struct overlap_rectangle *a, const struct overlap_rectangle *b)
{
    return a->begin < b->end && b->begin < a->end && a->low < b->high && b->low < a->high;
}

/* Whether what is found is an overlap, and there is none where none is found.  */
static bool right(const struct overlap_rectangle *all, size_t count, bool *any)
{
    struct overlap_rectangle copy[MOST];
    size_t a = SIZE_MAX, b = SIZE_MAX;

    *any = false;
    for (size_t i = 0; i < count; i++) {
        copy[i] = all[i];
        for (size_t k = 0; k < i; k++)
            *any = *any || overlap(&all[i], &all[k]);
    }
    if (overlaps_find(copy, count, &a, &b) != *any)
        return false;
    return !*any || (a != b && a < count && b < count && overlap(&all[a], &all[b]));
}

int main(void)
{
    struct rng *rng = rng_new(17);
    int all = tap_tier(2000, 40000), good = 0, some = 0;

    for (int round = 0; round < all; round++) {
        struct overlap_rectangle rectangle[MOST];
        size_t count = (size_t)rng_range(rng, 0, MOST);
        int64_t steps = rng_range(rng, 1, 60), bytes = rng_range(rng, 1, 60);
        bool any;

        for (size_t i = 0; i < count; i++) {
            int64_t begin = rng_range(rng, -steps, steps), low = rng_range(rng, 0, 10 * bytes);

            rectangle[i] = (struct overlap_rectangle){begin, begin + rng_range(rng, 1, 5), low,
                                                      low + rng_range(rng, 1, bytes / 8 + 1), i};
        }
        good += right(rectangle, count, &any);
        some += any;
    }
    rng_free(rng);
    is_int(good, all, "an overlap is found exactly where there is one");
    ok(some > all / 10 && some < all - all / 10, "which is so in some (%d of %d)", some, all);
    return tap_done();
}
