/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/same_plans.h"

#include <inttypes.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/random_instances.h"
#include "tests/support/real_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

bool same_plan(const char *what, const struct instance *instance, const struct plan *fast,
               const struct plan *plain)
{
    for (size_t b = 0; b < instance->n; b++)
        if (fast->offset[b] != plain->offset[b]) {
            tap_diag("%s on %s, n = %zu, buffer %zu: %" PRId64 ", plain %" PRId64, what,
                     instance->name, instance->n, b, fast->offset[b], plain->offset[b]);
            return false;
        }
    if (fast->peak != plain->peak)
        tap_diag("%s: peak %" PRId64 ", plain %" PRId64, instance->name, fast->peak, plain->peak);
    return fast->peak == plain->peak;
}

static bool is_same(const struct plain_pair *pair, const struct instance *instance)
{
    struct plan *fast, *plain;
    bool same;

    if (!solver_applies(pair->spec, instance))
        return true;
    fast = solver_plan(pair->spec, instance, 1);
    plain = plan_new(instance);
    pair->plain(instance, plain);
    same = same_plan(pair->spec, instance, fast, plain);
    plan_free(fast);
    plan_free(plain);
    return same;
}

static void random_ones(const struct plain_pair *pair)
{
    struct rng *rng = rng_new(20210715);
    size_t wrong[RANDOM_KINDS] = {0};
    int rounds = tap_tier(60, 300);

    for (int round = 0; round < rounds; round++)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            int64_t most = round % 20 == 0 ? 500 : 40;
            size_t n = (size_t)rng_range(rng, 0, most);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);

            wrong[kind] += !is_same(pair, instance);
            instance_free(instance);
        }
    for (size_t kind = 0; kind < RANDOM_KINDS; kind++)
        is_int((int64_t)wrong[kind], 0, "%s gives the plain planner's offsets: %s", pair->spec,
               random_kind_name((enum random_kind)kind));
    rng_free(rng);
}

/* Large enough for every level of the search structures.  */
static void large_one(const struct plain_pair *pair)
{
    struct rng *rng = rng_new(1);
    size_t n = (size_t)tap_tier((int)(pair->large / 5), (int)pair->large);
    struct instance *instance = random_instance(rng, RANDOM_UNIFORM, n);

    ok(is_same(pair, instance), "%s gives the plain planner's offsets: %zu buffers", pair->spec, n);
    instance_free(instance);
    rng_free(rng);
}

static void real_one(const struct instance *instance, const void *context)
{
    for (const struct plain_pair *pair = context; pair->spec != NULL; pair++)
        if (instance->n <= pair->real)
            ok(is_same(pair, instance), "%s gives the plain planner's offsets: %s", pair->spec,
               instance->name);
}

void same_plans(const struct plain_pair *pair)
{
    for (size_t p = 0; pair[p].spec != NULL; p++) {
        random_ones(&pair[p]);
        large_one(&pair[p]);
    }
    real_instances(real_one, pair);
}
