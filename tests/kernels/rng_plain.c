/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers without GSL, for tests that are compiled for a machine whose
 * libraries are not here: the part of lib/base/rng.h that the kernels' tests use.  */
#include <config.h>

#include "lib/base/rng.h"

#include <assert.h>
#include <stdlib.h>

#include "lib/base/memory.h"

struct rng {
    uint64_t state;
};

struct rng *rng_new(uint32_t seed)
{
    struct rng *rng = memory_alloc(1, sizeof *rng);

    rng->state = seed;
    return rng;
}

void rng_free(struct rng *rng)
{
    free(rng);
}

/* SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014.  */
static uint64_t draw(struct rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Small values come up a little more often, which tests of small ranges don't
 * notice.  */
int64_t rng_range(struct rng *rng, int64_t low, int64_t high)
{
    assert(low <= high && (high - low) < INT32_MAX);
    return low + (int64_t)(draw(rng) % (uint64_t)(high - low + 1));
}

double rng_unit(struct rng *rng)
{
    return (double)(draw(rng) >> 11) * 0x1p-53;
}
