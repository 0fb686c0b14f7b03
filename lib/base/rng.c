/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/rng.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_version.h>
#include <stdlib.h>

#include "lib/base/memory.h"

struct rng {
    gsl_rng *state;
};

struct rng *rng_new(uint32_t seed)
{
    struct rng *rng = memory_alloc(1, sizeof *rng);

    assert(seed != 0);
    rng->state = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng->state == NULL)
        memory_exhausted();
    gsl_rng_set(rng->state, seed);
    return rng;
}

void rng_free(struct rng *rng)
{
    if (rng == NULL)
        return;
    gsl_rng_free(rng->state);
    free(rng);
}

int64_t rng_range(struct rng *rng, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t limit, draw;

    assert(low <= high);
    /* Two 32-bit draws; values past the last whole multiple of the span are
     * drawn again, so every result is equally likely.  */
    limit = span == 0 ? 0 : UINT64_MAX - UINT64_MAX % span;
    do {
        draw = (uint64_t)gsl_rng_get(rng->state) << 32;
        draw |= (uint64_t)gsl_rng_get(rng->state);
    } while (span != 0 && draw >= limit);
    return (int64_t)((uint64_t)low + (span == 0 ? draw : draw % span));
}

double rng_unit(struct rng *rng)
{
    return gsl_rng_uniform(rng->state);
}

double rng_gaussian(struct rng *rng, double sigma)
{
    return gsl_ran_gaussian(rng->state, sigma);
}

void rng_shuffle(struct rng *rng, void *base, size_t count, size_t size)
{
    if (count > 1) /* GSL counts down from count - 1 without a look at 0 */
        gsl_ran_shuffle(rng->state, base, count, size);
}

const void *rng_handle(const struct rng *rng)
{
    return rng->state;
}

const char *rng_name(void)
{
    return gsl_rng_mt19937->name;
}

const char *rng_library_version(void)
{
    return gsl_version;
}
