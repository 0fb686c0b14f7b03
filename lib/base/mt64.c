/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/mt64.h"

#include <assert.h>

enum { SHIFT_SIZE = 156, LOWER_BITS = 31 };

void mt64_seed(struct mt64 *twister, uint64_t seed)
{
    uint64_t word = seed;

    for (size_t i = 0; i < MT64_WORDS; i++) {
        if (i > 0)
            word = UINT64_C(6364136223846793005) * (word ^ word >> 62) + i;
        twister->word[i] = word;
    }
    twister->next = MT64_WORDS;
}

static void refill(struct mt64 *twister)
{
    const uint64_t lower = (UINT64_C(1) << LOWER_BITS) - 1;

    for (size_t i = 0; i < MT64_WORDS; i++) {
        uint64_t both = (twister->word[i] & ~lower) | (twister->word[(i + 1) % MT64_WORDS] & lower);

        twister->word[i] = twister->word[(i + SHIFT_SIZE) % MT64_WORDS] ^ both >> 1 ^
                           ((both & 1) != 0 ? UINT64_C(0xB5026F5AA96619E9) : 0);
    }
    twister->next = 0;
}

uint64_t mt64_next(struct mt64 *twister)
{
    uint64_t word;

    if (twister->next == MT64_WORDS)
        refill(twister);
    word = twister->word[twister->next++];
    word ^= word >> 29 & UINT64_C(0x5555555555555555);
    word ^= word << 17 & UINT64_C(0x71D67FFFEDA60000);
    word ^= word << 37 & UINT64_C(0xFFF7EEE000000000);
    return word ^ word >> 43;
}

/* The product of A and B in 128 bits: its upper half, and the lower one in *LOW.  */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t middle = a_high * b_low + (a_low * b_low >> 32);

    *low = a * b;
    return a_high * b_high + (middle >> 32) + (((uint32_t)middle + a_low * b_high) >> 32);
}

uint64_t mt64_below(struct mt64 *twister, uint64_t below)
{
    uint64_t high, low;

    assert(below > 0);
    do
        high = multiply(mt64_next(twister), below, &low);
    while (low < below && low < -below % below);
    return high;
}
