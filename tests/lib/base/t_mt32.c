/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Mersenne twister of 32 bits against published values, and against Python's.  */
#include <config.h>

#include "lib/base/mt32.h"
#include "tests/support/tap.h"

/* The C++ standard states the 10,000th number of the default seed.  */
static void published(void)
{
    struct mt32 twister;

    mt32_seed(&twister, 5489);
    for (int i = 1; i < 10000; i++)
        mt32_next(&twister);
    is_int(mt32_next(&twister), 4123659995, "the 10,000th number of seed 5489");
}

/* What Python's random gave after seed(1): getrandbits(32), and anew randrange(60), then
 * randrange(1) and randrange(101).  */
static void python(void)
{
    static const uint32_t whole[] = {577090037, 2444712010, 3639700191, 3445702192};
    static const uint32_t small[] = {8, 36, 54, 51, 48, 4};
    struct mt32 twister;

    mt32_seed_python(&twister, 1);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        is_int(mt32_next(&twister), whole[i], "32 bits");
    mt32_seed_python(&twister, 1);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        is_int(mt32_below(&twister, 60), small[i], "one of 60");
    for (int i = 0; i < 3; i++)
        is_int(mt32_below(&twister, 1), 0, "one of one, which draws too");
    is_int(mt32_below(&twister, 101), 97, "one of 101");
}

int main(void)
{
    published();
    python();
    return tap_done();
}
