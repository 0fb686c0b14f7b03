/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact searches against exhaustive search, at every capacity from the load to the
 * optimum, on eighteen thousand random instances, of which enough have an optimum above
 * the load: the others test no refutation.  */
#include <config.h>

#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/oracles/every_capacity.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

struct family {
    const char *name;
    struct instance *(*draw)(struct rng *rng);
    int small, full; /* how many */
    int above;       /* of a hundred at least, in full */
};

static struct instance *draw_tight(struct rng *rng)
{
    return tight_instance(rng, 12, rng_range(rng, 6, 13), rng_range(rng, 10, 40));
}

static struct instance *draw_gadget(struct rng *rng)
{
    return gadget_and_others(rng, rng_range(rng, 0, 5));
}

static struct instance *draw_aligned(struct rng *rng)
{
    struct instance *plain = tight_instance(rng, 9, rng_range(rng, 4, 8), rng_range(rng, 6, 15));
    struct instance *instance = random_alignments(rng, plain);

    instance_free(plain);
    return instance;
}

/* Dense, with twins and perhaps alignments.  */
static struct instance *dense(struct rng *rng, size_t most, bool aligned)
{
    static const int64_t alignments[] = {1, 1, 2, 4, 3, 6};
    struct instance *instance = instance_new("dense");
    size_t n = (size_t)rng_range(rng, 1, (int64_t)most);
    int64_t scale = rng_range(rng, 1, 3);

    for (size_t i = 0; i < n; i++) {
        int64_t begin = rng_range(rng, 0, 4), end = rng_range(rng, begin + 1, 5);

        add_buffer(instance, begin, end, scale * rng_range(rng, 1, 4),
                   aligned ? alignments[rng_range(rng, 0, 5)] : 1);
    }
    return sealed(instance);
}

static struct instance *draw_dense(struct rng *rng)
{
    return dense(rng, 7, false);
}

static struct instance *draw_dense_aligned(struct rng *rng)
{
    return dense(rng, 6, true);
}

static const struct family families[] = {
    {"tight, up to 12 buffers", draw_tight, 300, 2000, 0},
    {"around the gap gadget, up to 12", draw_gadget, 800, 5500, 10},
    {"tight with alignments, up to 9", draw_aligned, 800, 5500, 10},
    {"dense with twins, up to 7", draw_dense, 120, 2200, 0},
    {"dense with alignments of all sorts, up to 6", draw_dense_aligned, 150, 3000, 1},
};

int main(void)
{
    struct rng *rng = rng_new(12);
    int above = 0;

    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const struct family *family = &families[f];
        struct capacity_tally tally = {0};

        for (int round = tap_tier(family->small, family->full); round > 0; round--) {
            struct instance *instance = family->draw(rng);

            capacity_judge(&tally, instance, brute_force_optimum(instance));
            instance_free(instance);
        }
        capacity_report(&tally, family->name);
        ok(100 * tally.above >= family->above * tally.all, "%s: %d of %d are above their load",
           family->name, tally.above, tally.all);
        above += tally.above;
    }
    ok(above > 0, "%d optima above the load", above);
    rng_free(rng);
    return tap_done();
}
