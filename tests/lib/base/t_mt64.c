/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Mersenne twister of 64 bits against published values, and against GCC's library.  */
#include <config.h>

#include "lib/base/mt64.h"
#include "tests/support/tap.h"

/* The C++ standard states the 10,000th number of the default seed.  */
static void published(void)
{
    struct mt64 twister;

    mt64_seed(&twister, 5489);
    for (int i = 1; i < 10000; i++)
        mt64_next(&twister);
    ok(mt64_next(&twister) == UINT64_C(9981545732273789042), "the 10,000th number of seed 5489");
}

/* What uniform_int_distribution gave over a std::mt19937_64 of seed 42.  With a range of more than
 * half of all numbers nearly every second one is drawn anew.  */
static void below(void)
{
    static const uint64_t small[] = {45, 38, 45, 8, 54, 5, 34, 22, 16, 23};
    static const uint64_t large[] = {UINT64_C(6965080426129060203), UINT64_C(5894024288751747412),
                                     UINT64_C(6937315012233870725), UINT64_C(5299475676119306768),
                                     UINT64_C(3599613534435262128), UINT64_C(114210904997797797)};
    struct mt64 twister;

    mt64_seed(&twister, 42);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        is_int((int64_t)mt64_below(&twister, 60), (int64_t)small[i], "one of 60");
    mt64_seed(&twister, 42);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        is_int((int64_t)mt64_below(&twister, (UINT64_C(1) << 63) + 1), (int64_t)large[i],
               "one of 2^63 + 1");
}

int main(void)
{
    published();
    below();
    return tap_done();
}
