/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps against the plain scan over all that was placed before, where few buffers meet and where
 * very many do.  */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

/* N lifetimes of up to LIFE steps in N.  */
static struct instance *drawn(struct rng *rng, size_t n, int64_t life)
{
    struct instance *instance = instance_new("drawn");

    instance->nameless = true;
    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, (int64_t)n);

        instance_add(instance, "", begin, begin + rng_range(rng, 1, life), rng_range(rng, 1, 1000),
                     rng_range(rng, 0, 3) == 0 ? 16 : 1);
    }
    return sealed(instance);
}

static bool agrees(const struct instance *instance, enum gap_fit fit)
{
    struct plan *plan = plan_new(instance), *plain = plan_new(instance);
    size_t *order = plain_order(instance, plain_larger, false);
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    bool same;

    for (size_t i = 0; i < instance->n; i++)
        key[i] = (struct order_key){.index = order[i]};
    gap_place(instance, key, fit, plan);
    plain_place(instance, order, fit == FIT_BEST ? plain_best : plain_first, plain);
    same = plan->peak == plain->peak &&
           memcmp(plan->offset, plain->offset, instance->n * sizeof *plan->offset) == 0;
    memory_free(key);
    free(order);
    plan_free(plan);
    plan_free(plain);
    return same;
}

static void random_ones(struct rng *rng)
{
    int wrong = 0, rounds = tap_tier(20, 200);

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++) {
            struct instance *instance =
                random_instance(rng, (enum random_kind)kind, (size_t)rng_range(rng, 1, 60));

            wrong += !agrees(instance, FIT_FIRST) + !agrees(instance, FIT_BEST);
            instance_free(instance);
        }
    is_int(wrong, 0, "of %d random instances none is placed in another way", rounds * RANDOM_KINDS);
}

static void wide_one(struct rng *rng, size_t n, int64_t life)
{
    struct instance *instance = drawn(rng, n, life);

    ok(agrees(instance, FIT_FIRST) && agrees(instance, FIT_BEST), "%zu lifetimes of up to %d steps",
       n, (int)life);
    instance_free(instance);
}

int main(void)
{
    struct rng *rng = rng_new(3);

    random_ones(rng);
    wide_one(rng, 2000, 20);
    wide_one(rng, 2000, 600);
    wide_one(rng, 3000, 6000);
    rng_free(rng);
    return tap_done();
}
