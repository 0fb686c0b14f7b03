/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XLA's planners: by hand, and buffer for buffer against the plain ones.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/shipped/xla.h"
#include "tests/support/golden.h"
#include "tests/oracles/plain_xla.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* Half-open lifetimes.  */
static struct instance *make(const struct record *record, size_t count)
{
    return golden_instance("by hand", record, count, 0, 1);
}

/* The table in solvers/shipped/xla.h, and its plain replay.  */
static void event_clock(void)
{
    static const struct record row[] = {{0, 2, 1}, {0, 2, 1}, {1, 2, 1}, {2, 3, 1}};
    static const int64_t start[] = {0, 1, 2, 6}, end[] = {3, 4, 5, 7};
    static const size_t numbered[] = {0, 1, 2, 3};
    struct instance *instance = make(row, 4);
    int64_t plain_start[4], plain_end[4];
    uint64_t duration[4];

    plain_xla_clock(instance, plain_start, plain_end);
    xla_durations(instance, numbered, duration);
    for (size_t b = 0; b < 4; b++) {
        is_int(plain_start[b], start[b], "%s is allocated", instance->buffer[b].id);
        is_int(plain_end[b], end[b], "%s is freed", instance->buffer[b].id);
        is_int((int64_t)duration[b], end[b] - start[b], "its duration");
    }
    instance_free(instance);
}

/* Where ticks and steps differ: a lives 2 steps with little going on, b to e 1 step
 * with more.  Events: a+ f+ (0, 1), a- at step 1 (2), b+ c+ d+ e+ (3 to 6), then f-
 * and b- to e- (7 to 11): f has 6 ticks, b to e 5, a 2.
 *
 * spatial    f (2 bytes) at 0, then b to e at 2 to 5, then a, above f alone, at 2
 * temporal   the same  */
static void ticks(void)
{
    static const struct record row[] = {{0, 2, 1}, {2, 3, 1}, {2, 3, 1},
                                        {2, 3, 1}, {2, 3, 1}, {0, 3, 2}};

    golden_plans("by hand", row, 0, 1, OFFSETS(2, 2, 3, 4, 5, 0), "xla-spatial", "xla-temporal");
}

/* Three orders.  Ticks: a+ b+ c+ (0 to 2), a- at step 0 (3), d+ (4), d- (5), e+ (6),
 * then b-, c-, e- by begin and number (7, 8, 9): a 3, b 6, c 6, d 1, e 3.
 *
 * spatial    a (10), d (9), e (6), b (4), c (1)
 *            a 0, d 0, e 0; b above a: 10; c above b: 14: peak 15
 * temporal   b, c (6 ticks; b is larger), a, e (3), d (1)
 *            b 0, c 4, a 5, e 5, d 5: peak 15
 * area       a (30), b (24), e (18), d (9), c (6)
 *            a 0, b 10, e 0, d 0, c: [9, 10) is taken by a at step 0, so 14  */
static void orders(void)
{
    static const struct record row[] = {{0, 1, 10}, {0, 3, 4}, {0, 3, 1}, {1, 2, 9}, {2, 3, 6}};

    golden_plans("by hand", row, 0, 1, OFFSETS(0, 10, 14, 0, 0), "xla-spatial", "xla-area",
                 "xla-search");
    golden_plans("by hand", row, 0, 1, OFFSETS(5, 0, 4, 5, 5), "xla-temporal");
}

/* At step 0 stand a [0, 12), b [12, 21), c [21, 29), d [29, 36); at step 1 only b
 * and d are left: 12 bytes are free below b and 8 below d, and e has 6.  */
static void fits(void)
{
    static const struct record row[] = {{0, 1, 12}, {0, 2, 9}, {0, 1, 8}, {0, 2, 7}, {1, 2, 6}};

    golden_plans("by hand", row, 0, 1, OFFSETS(0, 12, 21, 29, 21), "xla-spatial");
    golden_plans("by hand", row, 0, 1, OFFSETS(0, 12, 21, 29, 0), "xla-spatial:fit=lowest");
}

/* The drawings in first-fit-by-start.c and linear.c.  */
static void by_begin(void)
{
    static const struct record first[] = {{0, 1, 2}, {0, 3, 4}, {1, 2, 3}, {2, 3, 2}};
    static const struct record rows[] = {{0, 2, 3}, {0, 3, 5}, {1, 3, 4}, {2, 4, 6}};

    golden_plans("by hand", first, 0, 1, OFFSETS(0, 2, 6, 0), "first-fit-by-start");
    golden_plans("by hand", rows, 0, 1, OFFSETS(0, 6, 11, 0), "linear");
}

static void spatial_best(const struct instance *instance, struct plan *plan)
{
    plain_xla(instance, PLAIN_XLA_SPATIAL, plain_best, plan);
}

static void temporal_best(const struct instance *instance, struct plan *plan)
{
    plain_xla(instance, PLAIN_XLA_TEMPORAL, plain_best, plan);
}

static void area_best(const struct instance *instance, struct plan *plan)
{
    plain_xla(instance, PLAIN_XLA_AREA, plain_best, plan);
}

static void spatial_lowest(const struct instance *instance, struct plan *plan)
{
    plain_xla(instance, PLAIN_XLA_SPATIAL, plain_first, plan);
}

static void temporal_lowest(const struct instance *instance, struct plan *plan)
{
    plain_xla(instance, PLAIN_XLA_TEMPORAL, plain_first, plan);
}

static void area_lowest(const struct instance *instance, struct plan *plan)
{
    plain_xla(instance, PLAIN_XLA_AREA, plain_first, plan);
}

/* The first one of the least peak.  */
static void search(const struct instance *instance, struct plan *plan)
{
    static void (*const each[])(const struct instance *instance, struct plan *plan) = {
        spatial_best, temporal_best, area_best, spatial_lowest, temporal_lowest, area_lowest};
    struct plan *trial = plan_new(instance);

    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        each[i](instance, trial);
        if (i == 0 || trial->peak < plan->peak)
            plan_copy(plan, trial);
    }
    plan_free(trial);
}

static void by_start(const struct instance *instance, struct plan *plan)
{
    size_t *order = plain_order(instance, plain_earlier, false);

    plain_place(instance, order, plain_first, plan);
    free(order);
}

static const struct plain_pair pairs[] = {
    {"xla-spatial", spatial_best, 2000, 5000},
    {"xla-temporal", temporal_best, 2000, 5000},
    {"xla-area", area_best, 2000, 5000},
    {"xla-spatial:fit=lowest", spatial_lowest, 2000, 5000},
    {"xla-temporal:fit=lowest", temporal_lowest, 2000, 5000},
    {"xla-area:fit=lowest", area_lowest, 2000, 5000},
    {"xla-search", search, 500, 5000},
    {"first-fit-by-start", by_start, 2000, 5000},
    {NULL, NULL, 0, 0},
};

/* As many rows as live together; with equal sizes the peak is the load.  */
static bool rows_good(const struct instance *instance, bool equal)
{
    struct plan *plan = solver_plan("linear", instance, 1);
    bool good =
        (int64_t)plan->objects == instance->width && (!equal || plan->peak == instance->load);

    plan_free(plan);
    return good;
}

static void rows(void)
{
    struct rng *rng = rng_new(1971);
    int rounds = tap_tier(40, 300), good = 0;

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++) {
            size_t n = (size_t)rng_range(rng, 0, round % 20 == 0 ? 300 : 40);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);

            good += rows_good(instance, kind == RANDOM_EQUAL);
            instance_free(instance);
        }
    is_int(good, rounds * RANDOM_KINDS, "linear opens width rows, and is optimal at equal sizes");
    rng_free(rng);
}

int main(void)
{
    event_clock();
    ticks();
    orders();
    fits();
    by_begin();
    rows();
    same_plans(pairs);
    return tap_done();
}
