/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Mersenne twister of 32 bits (M. Matsumoto, T. Nishimura, "Mersenne twister: a
 * 623-dimensionally equidistributed uniform pseudo-random number generator", 1998): std::mt19937 in
 * C++, and the generator of Python's random, for what has to draw as a program in these languages
 * does.  All else draws with lib/base/rng.h.  */
#ifndef ARENABENCH_LIB_BASE_MT32_H
#define ARENABENCH_LIB_BASE_MT32_H

#include <stddef.h>
#include <stdint.h>

enum { MT32_WORDS = 624 };

struct mt32 {
    uint32_t word[MT32_WORDS];
    size_t next; /* in WORD */
};

/* As std::mt19937 with this seed.  */
void mt32_seed(struct mt32 *twister, uint32_t seed);
/* As Python's random.seed with this number.  */
void mt32_seed_python(struct mt32 *twister, uint32_t seed);
uint32_t mt32_next(struct mt32 *twister);

/* Uniform in [0, below), 0 < BELOW < 2^32, as Python's randrange draws it: the upper bits of a
 * number, as many as BELOW has, and anew while that is not below it.  */
uint32_t mt32_below(struct mt32 *twister, uint32_t below);

#endif
