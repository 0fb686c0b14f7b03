/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner's random numbers: those of the authors' reference programs.  */
#include <config.h>

#include "lib/base/small_rng.h"

#include <stddef.h>

#include "tests/support/tap.h"

enum { DRAWS = 100000 };

/* What splitmix64.c (Vigna, 2015) prints from the state 1234567.  */
static void fills_like_its_source(void)
{
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    uint64_t state = 1234567;
    bool same = true;

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        same = splitmix64(&state) == expected[i] && same;
    ok(same, "splitmix64");
}

/* What xoshiro256starstar.c (Blackman and Vigna, 2018) prints from the state 1, 2, 3, 4.  */
static void draws_like_its_source(void)
{
    static const uint64_t expected[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
        UINT64_C(10595114339597558777),
        UINT64_C(2904607092377533576),
    };
    struct small_rng rng = {{1, 2, 3, 4}};
    bool same = true;

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        same = small_rng_next(&rng) == expected[i] && same;
    ok(same, "xoshiro256**");
}

static void seeds(void)
{
    struct small_rng rng;
    uint64_t state = 7;
    bool same = true;

    small_rng_seed(&rng, 7);
    for (int i = 0; i < 4; i++)
        same = rng.state[i] == splitmix64(&state) && same;
    ok(same, "a seed's state is the first four numbers of splitmix64");
}

static void is_uniform(void)
{
    struct small_rng rng;
    double sum = 0.0, least = 1.0, most = 0.0;
    int ones = 0;

    small_rng_seed(&rng, 1);
    for (int i = 0; i < DRAWS; i++) {
        double unit = small_rng_unit(&rng);

        sum += unit;
        least = unit < least ? unit : least;
        most = unit > most ? unit : most;
        ones += small_rng_bit(&rng);
    }
    ok(least >= 0.0 && most < 1.0, "units lie in [0, 1)");
    ok(least < 0.001 && most > 0.999 && sum > 0.49 * DRAWS && sum < 0.51 * DRAWS,
       "and all over it");
    ok(ones > 0.49 * DRAWS && ones < 0.51 * DRAWS, "half of the bits are 1");
}

int main(void)
{
    fills_like_its_source();
    draws_like_its_source();
    seeds();
    is_uniform();
    return tap_done();
}
