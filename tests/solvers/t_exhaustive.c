/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact searches against exhaustive search, at every capacity from the load to the
 * optimum, on thirteen thousand random instances, of which enough have an optimum above
 * the load: the others test no refutation.  */
#include <config.h>

#include <stdint.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/oracles/every_capacity.h"
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

static const struct family families[] = {
    {"tight, up to 12 buffers", draw_tight, 300, 2000, 0},
    {"around the gap gadget, up to 12", draw_gadget, 800, 5500, 10},
    {"tight with alignments, up to 9", draw_aligned, 800, 5500, 10},
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
