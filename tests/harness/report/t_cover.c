/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smallest set of instances against all sets, on tiny boards.  */
#include <config.h>

#include "harness/report/cover.h"

#include "lib/base/rng.h"
#include "tests/support/tap.h"

enum { MOST = 10 };

/* The size of the smallest set of items that serves all layers; 0: none.  */
static size_t brute(const bool *serves, size_t layers, size_t items)
{
    size_t best = 0;

    for (unsigned set = 1; set < 1U << items; set++) {
        size_t size = (size_t)__builtin_popcount(set);
        bool good = true;

        for (size_t l = 0; good && l < layers; l++) {
            good = false;
            for (size_t i = 0; i < items; i++)
                good = good || ((set & 1U << i) != 0 && serves[l * items + i]);
        }
        if (good && (best == 0 || size < best))
            best = size;
    }
    return best;
}

static void test_random(void)
{
    struct rng *rng = rng_new(7);
    int wrong = 0, none = 0, unproven = 0;

    for (int i = 0; i < tap_tier(60, 400); i++) {
        const size_t layers = (size_t)rng_range(rng, 1, MOST);
        const size_t items = (size_t)rng_range(rng, 1, MOST);
        bool serves[MOST * MOST], chosen[MOST], proven;
        size_t got, set = 0;

        for (size_t k = 0; k < layers * items; k++)
            serves[k] = rng_range(rng, 0, 3) == 0;
        got = cover_solve(serves, layers, items, 0.0, chosen, &proven);
        for (size_t k = 0; k < items; k++)
            set += chosen[k];
        none += got == 0;
        unproven += got > 0 && !proven;
        wrong += got != brute(serves, layers, items) || (got > 0 && set != got);
        for (size_t l = 0; got > 0 && l < layers; l++) {
            bool served = false;

            for (size_t k = 0; k < items; k++)
                served = served || (chosen[k] && serves[l * items + k]);
            wrong += !served;
        }
    }
    rng_free(rng);
    is_int(wrong, 0, "as small as the best of all sets, and a cover");
    is_int(unproven, 0, "and proven");
    ok(none > 5, "boards without one are told (%d)", none);
}

static void test_hand(void)
{
    /* Greedy takes the item that serves four layers, and then needs two more.  */
    static const bool serves[] = {true, true,  false, true,  true, false, true,  false, true,
                                  true, false, true,  false, true, false, false, false, true};
    bool chosen[3], proven;

    is_int((int64_t)cover_solve(serves, 6, 3, 0.0, chosen, &proven), 2, "two of three");
    ok(!chosen[0] && chosen[1] && chosen[2] && proven, "without the largest");
}

int main(void)
{
    test_hand();
    test_random();
    return tap_done();
}
