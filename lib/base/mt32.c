/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/mt32.h"

#include <assert.h>

enum { SHIFT_SIZE = 397 };

void mt32_seed(struct mt32 *twister, uint32_t seed)
{
    uint32_t word = seed;

    for (uint32_t i = 0; i < MT32_WORDS; i++) {
        if (i > 0)
            word = UINT32_C(1812433253) * (word ^ word >> 30) + i;
        twister->word[i] = word;
    }
    twister->next = MT32_WORDS;
}

/* What stands before word I, mixed.  */
static uint32_t before(const struct mt32 *twister, size_t i)
{
    return twister->word[i - 1] ^ twister->word[i - 1] >> 30;
}

/* The authors' seeding by an array, of one number.  Word 0 is a copy of the last one, and its
 * neighbour is where the second pass begins.  */
void mt32_seed_python(struct mt32 *twister, uint32_t seed)
{
    uint32_t *word = twister->word;
    size_t i = 1;

    mt32_seed(twister, UINT32_C(19650218));
    for (size_t k = 0; k < MT32_WORDS; k++) {
        word[i] = (word[i] ^ before(twister, i) * UINT32_C(1664525)) + seed;
        if (++i == MT32_WORDS) {
            word[0] = word[MT32_WORDS - 1];
            i = 1;
        }
    }
    for (size_t k = 1; k < MT32_WORDS; k++) {
        word[i] = (word[i] ^ before(twister, i) * UINT32_C(1566083941)) - (uint32_t)i;
        if (++i == MT32_WORDS) {
            word[0] = word[MT32_WORDS - 1];
            i = 1;
        }
    }
    word[0] = UINT32_C(1) << 31;
}

static void refill(struct mt32 *twister)
{
    const uint32_t lower = UINT32_C(0x7FFFFFFF);

    for (size_t i = 0; i < MT32_WORDS; i++) {
        uint32_t both = (twister->word[i] & ~lower) | (twister->word[(i + 1) % MT32_WORDS] & lower);

        twister->word[i] = twister->word[(i + SHIFT_SIZE) % MT32_WORDS] ^ both >> 1 ^
                           ((both & 1) != 0 ? UINT32_C(0x9908B0DF) : 0);
    }
    twister->next = 0;
}

uint32_t mt32_next(struct mt32 *twister)
{
    uint32_t word;

    if (twister->next == MT32_WORDS)
        refill(twister);
    word = twister->word[twister->next++];
    word ^= word >> 11;
    word ^= word << 7 & UINT32_C(0x9D2C5680);
    word ^= word << 15 & UINT32_C(0xEFC60000);
    return word ^ word >> 18;
}

uint32_t mt32_below(struct mt32 *twister, uint32_t below)
{
    unsigned drop = (unsigned)__builtin_clz(below);
    uint32_t number;

    assert(below > 0);
    do
        number = mt32_next(twister) >> drop;
    while (number >= below);
    return number;
}
