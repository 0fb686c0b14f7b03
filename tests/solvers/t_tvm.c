/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TVM's planners: by hand, and buffer for buffer against the plain ones.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/oracles/plain_tvm.h"
#include "tests/support/random_instances.h"
#include "tests/support/real_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* The drawing in tvm-size.c: b and c meet 4, d 3, e 2 others, so they come in the
 * order of the alphabet, and e goes on top of c.  The hill climb's first order is
 * the same; by first fit e goes to 0 instead, and the peak is the load.  */
static void drawing(void)
{
    static const struct golden_row top[] = {
        {"a", 0, 1, 4, 0}, {"b", 0, 2, 3, 4}, {"c", 0, 2, 2, 7},
        {"d", 0, 1, 2, 9}, {"e", 1, 2, 2, 9},
    };
    static const struct golden_row first[] = {
        {"a", 0, 1, 4, 0}, {"b", 0, 2, 3, 4}, {"c", 0, 2, 2, 7},
        {"d", 0, 1, 2, 9}, {"e", 1, 2, 2, 0},
    };

    golden_by_hand("tvm-size", top, 5);
    golden_by_hand("tvm-hill-climb", first, 5);
}

/* w and z meet 3 others, x and y 2: the larger one goes first of each two, so the
 * order is w, z, y, x, though y is the largest.  */
static void conflicts(void)
{
    static const struct golden_row row[] = {
        {"w", 1, 3, 5, 0}, {"x", 2, 4, 6, 6}, {"y", 0, 2, 7, 6}, {"z", 0, 4, 1, 5}};

    golden_by_hand("tvm-conflicts", row, 4);
}

/* Equal keys: names descending as strings, so b9 stands before b10.  */
static void names(void)
{
    static const struct golden_row name[] = {
        {"b10", 0, 1, 3, 6}, {"b8", 0, 1, 3, 3}, {"b9", 0, 1, 3, 0}};
    static const struct golden_row index[] = {
        {"b10", 0, 1, 3, 0}, {"b8", 0, 1, 3, 3}, {"b9", 0, 1, 3, 6}};

    golden_by_hand("tvm-size", name, 3);
    golden_by_hand("tvm-conflicts", name, 3);
    golden_by_hand("tvm-size:ties=index", index, 3);
}

static void alignments(void)
{
    struct instance *instance = three(4);

    ok(!solver_applies("tvm-size", instance) && !solver_applies("tvm-hill-climb", instance),
       "different alignments are refused");
    ok(solver_applies("tvm-size:rounding=own", instance) &&
           solver_applies("tvm-hill-climb:rounding=own", instance),
       "but not where each buffer is rounded to its own");
    instance_free(instance);
}

/* The plain ones keep all pairs.  */
static const struct plain_pair pairs[] = {
    {"tvm-size", plain_tvm_size, 1000, 2000},
    {"tvm-conflicts", plain_tvm_conflicts, 1000, 2000},
    {NULL, NULL, 0, 0},
};

/* What accept=upstream returned, against what was seen on the way.  */
struct climbs {
    int run, same, kept, within;
};

static void climb(const struct instance *instance, unsigned seed, struct climbs *climbs)
{
    struct plan *plain = plan_new(instance), *last, *best;
    const char *spec = "tvm-hill-climb:attempts=60";
    int64_t first_peak, best_peak;

    plain_tvm_hill_climb(instance, 60, seed, plain, &first_peak, &best_peak);
    last = seed == 0 ? solver_plan(spec, instance, 1)
                     : solver_plan("tvm-hill-climb:attempts=60,draws=seed", instance, seed);
    best = seed == 0 ? solver_plan("tvm-hill-climb:attempts=60,accept=keep-best", instance, 1)
                     : solver_plan("tvm-hill-climb:attempts=60,accept=keep-best,draws=seed",
                                   instance, seed);
    climbs->run++;
    climbs->same += same_plan(spec, instance, last, plain);
    climbs->kept += best->peak == best_peak;
    climbs->within += best->peak >= instance->load && best->peak <= first_peak;
    plan_free(last);
    plan_free(best);
    plan_free(plain);
}

static void random_climbs(void)
{
    struct rng *rng = rng_new(20250214);
    int rounds = tap_tier(4, 40);
    struct climbs climbs = {0};

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++) {
            size_t n = (size_t)rng_range(rng, 0, 40);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);

            if (kind != RANDOM_MIXED)
                climb(instance, round % 2 == 0 ? 0 : (unsigned)round, &climbs);
            instance_free(instance);
        }
    is_int(climbs.same, climbs.run, "tvm-hill-climb goes the plain one's way");
    is_int(climbs.kept, climbs.run, "accept=keep-best returns the best plan on that way");
    is_int(climbs.within, climbs.run, "which is between the load and the first fit");
    rng_free(rng);
}

/* Found among random ones with the plain planner: the walk from seed 0 starts at a
 * peak of 1122, takes a worse plan early, and in 500 attempts never comes back.  */
static void forgets(void)
{
    static const struct golden_row row[] = {
        {"b0", 0, 6, 529, 0}, {"b1", 7, 14, 542, 0}, {"b2", 11, 16, 291, 0}, {"b3", 10, 17, 288, 0},
        {"b4", 5, 7, 308, 0}, {"b5", 16, 24, 10, 0}, {"b6", 6, 11, 1, 0},    {"b7", 5, 9, 190, 0},
    };
    struct instance *instance = golden_rows(row, sizeof row / sizeof row[0], 1);

    is_int(instance->load, 1121, "where the best plan is forgotten: the load");
    is_int(run_solver_peak("tvm-hill-climb:attempts=1", instance), 1122, "the first attempt");
    is_int(run_solver_peak("tvm-hill-climb", instance), 1261, "what upstream returns");
    is_int(run_solver_peak("tvm-hill-climb:accept=keep-best", instance), 1122,
           "what an incumbent would have kept");
    instance_free(instance);
}

static void real_climb(const struct instance *instance, const void *context)
{
    struct climbs climbs = {0};

    (void)context;
    if (instance->n > (size_t)tap_tier(200, 500))
        return;
    climb(instance, 0, &climbs);
    is_int(climbs.same, 1, "the plain hill climb's plan on %s", instance->name);
}

int main(void)
{
    drawing();
    conflicts();
    names();
    alignments();
    same_plans(pairs);
    random_climbs();
    forgets();
    real_instances(real_climb, NULL);
    return tap_done();
}
