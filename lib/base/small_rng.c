/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/small_rng.h"

uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Four numbers in a row of splitmix64 are never all 0: its states differ, and it is one to one.  */
void small_rng_seed(struct small_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix64(&seed);
}

static uint64_t rotate(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

uint64_t small_rng_next(struct small_rng *rng)
{
    uint64_t *s = rng->state, result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

double small_rng_unit(struct small_rng *rng)
{
    return (double)(small_rng_next(rng) >> 11) * 0x1p-53;
}

bool small_rng_bit(struct small_rng *rng)
{
    return small_rng_next(rng) >> 63 != 0;
}
