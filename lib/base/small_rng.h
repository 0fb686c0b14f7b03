/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for the planner, which needs little of them and no library: xoshiro256**, its
 * state filled by splitmix64.
 *
 * Sources: Blackman and Vigna, Scrambled linear pseudorandom number generators, ACM Transactions
 * on Mathematical Software 47 (2021); Steele, Lea and Flood, Fast splittable pseudorandom number
 * generators, OOPSLA 2014.  */
#ifndef ARENABENCH_LIB_BASE_SMALL_RNG_H
#define ARENABENCH_LIB_BASE_SMALL_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct small_rng {
    uint64_t state[4]; /* not all 0 */
};

/* The next number of splitmix64.  */
uint64_t splitmix64(uint64_t *state);

void small_rng_seed(struct small_rng *rng, uint64_t seed);
uint64_t small_rng_next(struct small_rng *rng);

/* Uniform in [0, 1): a multiple of 2^-53, the same everywhere.  */
double small_rng_unit(struct small_rng *rng);
bool small_rng_bit(struct small_rng *rng);

#endif
