/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocators that run beside a program: bfc and pytorch-caching by hand and buffer for buffer
 * against the plain ones, and which planners never look into the future.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/oracles/plain_allocators.h"
#include "tests/oracles/plain_online.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* The table in bfc.c; if a rest of 2 is enough for a split, d takes it.  */
static void bfc(void)
{
    static const struct record table[] = {{0, 1, 6}, {0, 3, 1}, {1, 2, 4},
                                          {1, 3, 2}, {2, 3, 3}, {2, 3, 3}};

    golden_plans("table", table, 0, 1, OFFSETS(0, 6, 0, 7, 0, 3), "bfc", "bfc:split=3");
    golden_plans("table", table, 0, 1, OFFSETS(0, 6, 0, 4, 0, 7), "bfc:split=2");
    golden_plans("table", table, 0, 1, OFFSETS(0, 256, 0, 512, 0, 768), "bfc:unit=256");
}

/* Regions of 4, 8, 16 and 32 bytes: b is too large for the rest of the first one; c doubles 8
 * twice; d takes the rest of 2, all of it, not [12, 28) after c's end; e, after all have ended,
 * finds no region of 17, as they are not joined.  */
static void bfc_regions(void)
{
    static const struct record record[] = {{0, 1, 2}, {0, 1, 8}, {0, 1, 16}, {0, 1, 2}, {1, 2, 17}};

    golden_plans("regions", record, 0, 1, OFFSETS(0, 4, 12, 2, 28), "bfc:region=4");
}

/* The table in pytorch-caching.c, in bytes.  */
static void pytorch(void)
{
    static const struct record table[] = {{0, 2, 8}, {0, 1, 11}, {0, 2, 1}, {1, 2, 14}, {1, 2, 2}};

    golden_plans("table", table, 0, 1, OFFSETS(0, 8, 20, 22, 8), "pytorch-caching:small=1");
    golden_plans("table", table, 0, 1, OFFSETS(0, 8, 40, 8, 22),
                 "pytorch-caching:small=1,expandable=on");
    golden_plans("table", table, 0, 1, OFFSETS(0, 8, 19, 20, 8), "pytorch-caching");
    golden_plans("table", table, 0, 1, OFFSETS(0, 512, 1024, 512, 1536),
                 "pytorch-caching:unit=512");
}

/* The examples in buddy.c and size-classes.c.  */
static void textbook(void)
{
    static const struct record halves[] = {{0, 2, 1}, {0, 1, 3}, {1, 3, 2}, {1, 2, 1}, {2, 3, 4}};
    static const struct record places[] = {
        {0, 2, 10}, {0, 1, 200}, {1, 3, 16}, {1, 2, 260}, {2, 3, 9}};
    static const struct record classes[] = {{0, 1, 8},     {0, 1, 9},     {0, 1, 129},  {0, 1, 8},
                                            {0, 1, 14337}, {0, 1, 16385}, {0, 1, 14336}};

    golden_plans("halves", halves, 0, 1, OFFSETS(0, 4, 2, 1, 4), "buddy");
    golden_plans("halves", halves, 0, 1, OFFSETS(0, 4, 4, 8, 0), "buddy:unit=4");
    golden_plans("places", places, 0, 1, OFFSETS(0, 64, 16, 64, 0), "size-classes:page=64");
    /* Pages of the slabs for 8, 16 and 160 (5), of 16 KiB and 20 KiB, of the slab for 14 KiB.  */
    golden_plans("classes", classes, 0, 1,
                 OFFSETS(0, 4096, 2 * 4096, 8, 7 * 4096, 11 * 4096, 16 * 4096), "size-classes");
}

/* Units, regions and segments may need more than there are addresses.  */
static void refusals(void)
{
    static const struct record large[] = {{0, 1, INT64_MAX - 300}, {0, 1, 100}};
    static const struct record part[] = {{0, 1, INT64_MAX / 65}};
    struct instance *instance = golden_instance("large", large, 2, 0, 1);

    ok(solver_applies("bfc", instance) && !solver_applies("bfc:unit=256", instance) &&
           !solver_applies("pytorch-caching", instance),
       "nearly all addresses: only where nothing is rounded");
    golden_offsets("bfc", instance, OFFSETS(0, INT64_MAX - 300));
    instance_free(instance);
    instance = golden_instance("part", part, 1, 0, 1);
    ok(solver_applies("bfc:unit=256", instance) && solver_applies("pytorch-caching", instance),
       "less is taken");
    ok(solver_applies("bfc:region=1", instance), "with regions a 64th");
    instance_free(instance);
}

static const struct plain_pair pairs[] = {
    {"bfc", plain_bfc, 1000, 2000},
    {"bfc:unit=256,region=2MiB", plain_bfc_upstream, 1000, 2000},
    {"bfc:region=100,split=50", plain_bfc_regions, 1000, 1000},
    {"pytorch-caching", plain_pytorch, 1000, 2000},
    {"pytorch-caching:unit=512", plain_pytorch_upstream, 1000, 2000},
    {"pytorch-caching:small=30", plain_pytorch_small, 1000, 1000},
    {"pytorch-caching:small=30,expandable=on", plain_pytorch_expandable, 1000, 1000},
    {"bfc:split=1", plain_best_fit, 500, 500},
    {"first-fit-by-start", plain_first_fit, 500, 500},
    {"buddy", plain_buddy, 1000, 2000},
    {"buddy:unit=24", plain_buddy_24, 1000, 2000},
    {"size-classes", plain_size_classes, 300, 300},
    {"size-classes:page=64", plain_size_classes_64, 300, 300},
    {NULL, NULL, 0, 0},
};

/* The same on as many lists of events, with few or many of one size.  */
static void many_lists(const struct plain_pair *pair)
{
    static const enum random_kind kinds[] = {RANDOM_UNIFORM, RANDOM_CHAIN, RANDOM_TIES,
                                             RANDOM_ALIGNED, RANDOM_TOUCHING};
    const int rounds = tap_tier(300, 3000);
    struct rng *rng = rng_new(23);
    int same = 0;

    for (int round = 0; round < rounds && same == round; round++) {
        struct instance *instance =
            random_instance(rng, kinds[(size_t)round % (sizeof kinds / sizeof kinds[0])],
                            (size_t)rng_range(rng, 1, 30));

        if (solver_applies(pair->spec, instance)) {
            struct plan *fast = solver_plan(pair->spec, instance, 1), *plain = plan_new(instance);

            pair->plain(instance, plain);
            same += same_plan(pair->spec, instance, fast, plain);
            plan_free(fast);
            plan_free(plain);
        } else {
            same++;
        }
        instance_free(instance);
    }
    is_int(same, rounds, "%s: lists of events", pair->spec);
    rng_free(rng);
}

/* The buffers of INSTANCE that begin at NOW or before; what ends later ends at some other time, and
 * two that begin later are there instead of the rest.  KEPT: their indices.  */
static struct instance *other_future(const struct instance *instance, struct rng *rng, int64_t now,
                                     size_t *kept, size_t *count)
{
    struct instance *other = instance_new("other future");
    char id[32];

    *count = 0;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        int64_t end = buffer->end > now ? now + 1 + rng_range(rng, 0, 20) : buffer->end;

        if (buffer->begin > now)
            continue;
        kept[(*count)++] = b;
        instance_add(other, buffer->id, buffer->begin, end, buffer->size, buffer->alignment);
    }
    for (int i = 0; i < 2; i++) {
        snprintf(id, sizeof id, "later-%d", i);
        instance_add(other, id, now + 1, now + 1 + rng_range(rng, 1, 9), rng_range(rng, 1, 4000),
                     instance->max_alignment);
    }
    return sealed(other);
}

enum view { NOT_ASKED, BLIND, SEES };

static enum view one_future(const char *spec, struct rng *rng, enum random_kind kind)
{
    struct instance *instance = random_instance(rng, kind, (size_t)rng_range(rng, 2, 40)), *other;
    int64_t now = instance->buffer[rng_range(rng, 0, (int64_t)instance->n - 1)].begin;
    size_t *kept = memory_alloc(instance->n, sizeof *kept), count;
    enum view view = NOT_ASKED;

    other = other_future(instance, rng, now, kept, &count);
    if (solver_applies(spec, instance) && solver_applies(spec, other)) {
        struct plan *plan = solver_plan(spec, instance, 1), *same = solver_plan(spec, other, 1);

        view = BLIND;
        for (size_t i = 0; i < count; i++)
            if (plan->object != NULL ? plan->object[kept[i]] != same->object[i]
                                     : plan->offset[kept[i]] != same->offset[i])
                view = SEES;
        plan_free(plan);
        plan_free(same);
    }
    free(kept);
    instance_free(instance);
    instance_free(other);
    return view;
}

/* Whether SPEC does the same whatever comes later.  */
static enum view view_of(const char *spec)
{
    static const enum random_kind kinds[] = {RANDOM_UNIFORM, RANDOM_CHAIN, RANDOM_TIES,
                                             RANDOM_ALIGNED, RANDOM_TOUCHING};
    struct rng *rng = rng_new(7);
    enum view view = NOT_ASKED;

    for (int round = 0; view != SEES && round < tap_tier(100, 1000); round++)
        for (size_t k = 0; view != SEES && k < sizeof kinds / sizeof kinds[0]; k++) {
            enum view one = one_future(spec, rng, kinds[k]);

            view = one != NOT_ASKED ? one : view;
        }
    rng_free(rng);
    return view;
}

static unsigned capabilities(const struct solver *solver, const char *given)
{
    struct params params;
    struct error error;
    unsigned can;

    if (!params_parse(&params, solver->name, given, &solver->params, 1, &error))
        tap_bail(error.text);
    can = solver_capabilities(solver, &params);
    params_clear(&params);
    return can;
}

static void check_view(const struct solver *solver, const char *given)
{
    char *spec = memory_printf("%s%s%s", solver->name, given[0] != '\0' ? ":" : "", given);
    bool online = (capabilities(solver, given) & SOLVER_ONLINE) != 0;
    enum view view = view_of(spec);

    if (view == NOT_ASKED)
        tap_skip(1, "it takes networks alone");
    else
        ok(view == (online ? BLIND : SEES), "%s %s into the future", spec,
           online ? "never looks" : "looks");
    free(spec);
}

/* tinygrad's memory is twice the sum of all sizes: a's block of 1000 units is in the bucket of the
 * 1003 that are left above b, and behind them; if d comes later, more is left, in another one.  */
static void sees_total(void)
{
    static const struct record now[] = {{0, 1, 1000}, {0, 3, 1}, {1, 2, 1}, {2, 3, 1000}};

    golden_plans_of("now", now, 3, 0, 1, OFFSETS(0, 1000, 1001),
                    (const char *[]){"tinygrad", NULL});
    golden_plans("later", now, 0, 1, OFFSETS(0, 1000, 0, 1001), "tinygrad");
}

static void who_is_online(void)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        if (entry->solver->kind == SOLVER_HEURISTIC &&
            (entry->solver->capabilities & (SOLVER_ANYTIME | SOLVER_RAW_PARAMETER)) == 0 &&
            strcmp(entry->solver->name, "tinygrad") != 0) /* random ones don't show it */
            check_view(entry->solver, "");
    check_view(solver_find("glow")->solver, "planner=online");
    check_view(solver_find("onert")->solver, "planner=first-fit");
    check_view(solver_find("onert")->solver, "planner=bump");
    check_view(solver_find("bfc")->solver, "region=500");
    check_view(solver_find("pytorch-caching")->solver, "small=30");
    check_view(solver_find("tinygrad")->solver, "memory=1GiB");
    check_view(solver_find("buddy")->solver, "unit=24");
    check_view(solver_find("size-classes")->solver, "page=64");
    sees_total();
}

int main(void)
{
    bfc();
    bfc_regions();
    pytorch();
    textbook();
    refusals();
    who_is_online();
    same_plans(pairs);
    for (const struct plain_pair *pair = pairs; pair->spec != NULL; pair++)
        many_lists(pair);
    return tap_done();
}
