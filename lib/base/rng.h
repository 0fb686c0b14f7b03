/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers: GSL's Mersenne twister, the generator of all but the planner
 * (lib/base/small_rng.h).
 *
 * Seeds are 1 to 2^32-1: gsl_rng_mt19937 maps 0 to 4357 and uses 32 bits.  */
#ifndef ARENABENCH_LIB_BASE_RNG_H
#define ARENABENCH_LIB_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng;

struct rng *rng_new(uint32_t seed); /* 1 <= seed; the caller frees it */
void rng_free(struct rng *rng);

int64_t rng_range(struct rng *rng, int64_t low, int64_t high); /* uniform in [low, high] */
double rng_unit(struct rng *rng);                              /* uniform in [0, 1) */
double rng_gaussian(struct rng *rng, double sigma);
void rng_shuffle(struct rng *rng, void *base, size_t count, size_t size);

/* The gsl_rng itself, for GSL's own searches.  */
const void *rng_handle(const struct rng *rng);

/* The generator's name, for provenance.  */
const char *rng_name(void);
/* GSL's version text, for provenance.  */
const char *rng_library_version(void);

#endif
