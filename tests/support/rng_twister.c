/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/base/rng.h without GSL, for tests that are compiled for machines whose libraries are not
 * here: the same numbers.
 *
 * Sources: Matsumoto and Nishimura, Mersenne twister, ACM Transactions on Modeling and Computer
 * Simulation 8 (1998), seeded as in their program of 2002; GSL's manual for what it makes of that.
 */
#include <config.h>

#include "lib/base/rng.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

enum { WORDS = 624, APART = 397 };

struct rng {
    uint32_t word[WORDS];
    size_t next;
};

struct rng *rng_new(uint32_t seed)
{
    struct rng *rng = memory_alloc(1, sizeof *rng);

    rng->word[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++)
        rng->word[i] = UINT32_C(1812433253) * (rng->word[i - 1] ^ rng->word[i - 1] >> 30) + i;
    rng->next = WORDS;
    return rng;
}

void rng_free(struct rng *rng)
{
    free(rng);
}

static void turn(struct rng *rng)
{
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t y = (rng->word[i] & UINT32_C(0x80000000)) |
                     (rng->word[(i + 1) % WORDS] & UINT32_C(0x7fffffff));

        rng->word[i] =
            rng->word[(i + APART) % WORDS] ^ y >> 1 ^ ((y & 1) != 0 ? UINT32_C(0x9908b0df) : 0);
    }
    rng->next = 0;
}

static uint32_t draw(struct rng *rng)
{
    uint32_t y;

    if (rng->next == WORDS)
        turn(rng);
    y = rng->word[rng->next++];
    y ^= y >> 11;
    y ^= y << 7 & UINT32_C(0x9d2c5680);
    y ^= y << 15 & UINT32_C(0xefc60000);
    return y ^ y >> 18;
}

int64_t rng_range(struct rng *rng, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1, number;

    do {
        number = (uint64_t)draw(rng) << 32;
        number |= draw(rng);
    } while (span != 0 && number >= UINT64_MAX - UINT64_MAX % span);
    return (int64_t)((uint64_t)low + (span == 0 ? number : number % span));
}

double rng_unit(struct rng *rng)
{
    return draw(rng) / 4294967296.0;
}

/* Below COUNT: the draw divided by a whole number.  */
static size_t draw_below(struct rng *rng, size_t count)
{
    const uint32_t scale = UINT32_MAX / (uint32_t)count;
    uint32_t number;

    do
        number = draw(rng) / scale;
    while (number >= count);
    return number;
}

void rng_shuffle(struct rng *rng, void *base, size_t count, size_t size)
{
    char *item = base, *kept = memory_alloc(1, size);

    for (size_t i = count; i-- > 1;) {
        size_t j = draw_below(rng, i + 1);

        memcpy(kept, item + i * size, size);
        memmove(item + i * size, item + j * size, size);
        memcpy(item + j * size, kept, size);
    }
    free(kept);
}
