/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Mersenne twister of 64 bits (M. Matsumoto, T. Nishimura, "Tables of 64-bit Mersenne
 * twisters", 2000), std::mt19937_64 in C++: for what has to draw as a program in that language
 * does.  All else draws with lib/base/rng.h.  */
#ifndef ARENABENCH_LIB_BASE_MT64_H
#define ARENABENCH_LIB_BASE_MT64_H

#include <stddef.h>
#include <stdint.h>

enum { MT64_WORDS = 312 };

struct mt64 {
    uint64_t word[MT64_WORDS];
    size_t next; /* in WORD */
};

void mt64_seed(struct mt64 *twister, uint64_t seed);
uint64_t mt64_next(struct mt64 *twister);

/* Uniform in [0, below), 0 < BELOW, as uniform_int_distribution of GCC's library draws it: the
 * upper half of a product, and anew where the lower half says that a value would come too
 * often (D. Lemire, "Fast random integer generation in an interval", 2019).  */
uint64_t mt64_below(struct mt64 *twister, uint64_t below);

#endif
