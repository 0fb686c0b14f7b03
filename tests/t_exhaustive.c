/* The exact searches against exhaustive search, at every capacity from the load to the
 * optimum, on tens of thousands of random instances, of which enough have an optimum above
 * the load: the others test no refutation.  */
#include <config.h>

#include <stdint.h>

#include "lib/instance.h"
#include "lib/rng.h"
#include "tests/brute_force.h"
#include "tests/every_capacity.h"
#include "tests/instances.h"
#include "tests/random_instances.h"
#include "tests/tap.h"

/* INSTANCE with random alignments in place of its own.  */
static struct instance *aligned(struct rng *rng, struct instance *instance)
{
    static const int64_t alignments[] = {1, 1, 1, 2, 3, 4};
    struct instance *copy = instance_new("aligned");

    for (size_t b = 0; b < instance->n; b++)
        instance_add(copy, instance->buffer[b].id, instance->buffer[b].begin,
                     instance->buffer[b].end, instance->buffer[b].size,
                     alignments[rng_range(rng, 0, 5)]);
    instance_free(instance);
    return sealed(copy);
}

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
    return aligned(rng, tight_instance(rng, 9, rng_range(rng, 4, 8), rng_range(rng, 6, 15)));
}

static const struct family families[] = {
    {"tight, up to 12 buffers", draw_tight, 300, 3000, 0},
    {"around the gap gadget, up to 12", draw_gadget, 800, 8500, 10},
    {"tight with alignments, up to 9", draw_aligned, 800, 8500, 10},
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
