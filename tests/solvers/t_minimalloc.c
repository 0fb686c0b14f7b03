/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MiniMalloc's search: against exhaustive search at every capacity, with every switch
 * off, alone and in pairs; its published node counts; gaps; limits.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/brackets.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* The nine switches; the first six only cut branches off.  */
static const char *const switches[] = {
    "canonical_only",    "section_inference",  "check_dominance",
    "unallocated_floor", "monotonic_floor",    "hatless_pruning",
    "dynamic_ordering",  "static_preordering", "dynamic_decomposition"};

enum { SWITCHES = sizeof switches / sizeof *switches, CUTS = 6 };

static struct instance *tight(int seed, int most)
{
    char *spec =
        memory_printf("tight:n=%d,steps=7,cap=10,low=2,high=4,longest=4,seed=%d", most, seed);
    struct instance *instance = instance_of(spec);

    free(spec);
    return instance;
}

/* The gap gadget with up to two buffers more, until the optimum is above the load.  */
static struct instance *above_load(struct rng *rng, int64_t *optimum)
{
    for (;;) {
        struct instance *instance = gadget_and_others(rng, rng_range(rng, 0, 2));

        *optimum = brute_force_optimum(instance);
        if (*optimum > instance->load)
            return instance;
        instance_free(instance);
    }
}

/* Asked about CAPACITY, it says what is true.  */
static bool right_at(const struct instance *instance, const char *extra, int64_t capacity,
                     int64_t optimum)
{
    char *setting = memory_printf("minimalloc:capacity=%" PRId64 "%s", capacity, extra);
    struct solver_run result = solver_run(setting, instance, 1, 0);
    bool right =
        result.valid && (result.outcome == OUTCOME_OPTIMAL) == (result.peak == result.bound);

    if (capacity >= optimum)
        right = right && result.peak <= capacity && result.bound == instance->load;
    else
        right = right && result.peak > capacity && result.bound == capacity + 1;
    if (!right)
        tap_diag("%s: peak %" PRId64 ", bound %" PRId64 ", optimum %" PRId64, setting, result.peak,
                 result.bound, optimum);
    free(setting);
    return right;
}

static void against_brute_force(void)
{
    struct rng *rng = rng_new(17);
    int rounds = tap_tier(50, 800), same = 0, right = 0, above = 0;

    for (int round = 1; round <= rounds; round++) {
        enum random_kind kind = (enum random_kind)(round % RANDOM_HUGE);
        bool is_tight = round % 2 == 0;
        struct instance *instance =
            is_tight ? tight(round, 9) : random_instance(rng, kind, (size_t)rng_range(rng, 1, 6));
        int64_t optimum = brute_force_optimum(instance);
        struct solver_run result = solver_run("minimalloc", instance, 1, 0);
        bool all = right_at(instance, "", optimum, optimum) &&
                   (optimum == instance->load || right_at(instance, "", optimum - 1, optimum));

        for (int64_t c = instance->load; is_tight && c < optimum; c++)
            all = all && right_at(instance, "", c, optimum);
        same += result.valid && result.outcome == OUTCOME_OPTIMAL && result.peak == optimum &&
                result.bound == optimum;
        right += all;
        above += optimum > instance->load;
        instance_free(instance);
    }
    is_int(same, rounds, "the optimum that exhaustive search finds");
    is_int(right, rounds, "right at every capacity");
    ok(above > 0, "%d of %d optima above the load", above, rounds);
    rng_free(rng);
}

/* Every switch off, alone and in pairs: right at the optimum and one below.  */
static void ablations(void)
{
    int rounds = tap_tier(4, 20), right[SWITCHES][SWITCHES] = {{0}};
    struct rng *rng = rng_new(5);

    for (int round = 1; round <= rounds; round++) {
        int64_t optimum;
        struct instance *instance = above_load(rng, &optimum);

        for (size_t i = 0; i < SWITCHES; i++)
            for (size_t k = i; k < SWITCHES; k++) {
                char *off = memory_printf(",%s=off%s%s%s", switches[i], k == i ? "" : ",",
                                          k == i ? "" : switches[k], k == i ? "" : "=off");

                right[i][k] += right_at(instance, off, optimum, optimum) &&
                               right_at(instance, off, optimum - 1, optimum);
                free(off);
            }
        instance_free(instance);
    }
    for (size_t i = 0; i < SWITCHES; i++)
        for (size_t k = i; k < SWITCHES; k++)
            is_int(right[i][k], rounds, "the same without %s and %s", switches[i], switches[k]);
    rng_free(rng);
}

/* Any of the switches off, on any small instance.  */
static void any_switches(void)
{
    struct rng *rng = rng_new(23);
    int rounds = tap_tier(100, 2000), right = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_instance(rng, (enum random_kind)(round % RANDOM_HUGE),
                                                    (size_t)rng_range(rng, 3, 6));
        int64_t optimum = brute_force_optimum(instance);
        char off[400] = "";

        for (size_t i = 0; i < SWITCHES; i++)
            if (rng_range(rng, 0, 1) == 1)
                snprintf(off + strlen(off), sizeof off - strlen(off), ",%s=off", switches[i]);
        right += right_at(instance, off, optimum, optimum) &&
                 (optimum == instance->load || right_at(instance, off, optimum - 1, optimum));
        instance_free(instance);
    }
    is_int(right, rounds, "right with any switches off");
    rng_free(rng);
}

/* Two that hatless pruning loses where children do not come by least offset: a sibling
 * that starts lower is then no longer allowed below.  */
static void hatless(void)
{
    static const int64_t four[][3] = {{1, 2, 5}, {2, 6, 3}, {0, 3, 5}, {5, 6, 3}};
    static const int64_t other[][3] = {{0, 1, 5}, {0, 2, 4}, {1, 3, 3}, {2, 3, 4}};
    static const char setting[] = ",section_inference=off,dynamic_ordering=off,"
                                  "check_dominance=off,dynamic_decomposition=off,"
                                  "monotonic_floor=off,orders=WAT";

    for (int k = 0; k < 2; k++) {
        struct instance *instance = instance_new("hatless");
        int64_t optimum;
        char id[] = "a";

        for (size_t i = 0; i < 4; i++, id[0]++) {
            const int64_t *row = k == 0 ? four[i] : other[i];

            instance_add(instance, id, row[0], row[1], row[2], 1);
        }
        sealed(instance);
        optimum = brute_force_optimum(instance);
        ok(right_at(instance, setting, optimum, optimum), "a packing within %" PRId64 " is found",
           optimum);
        instance_free(instance);
    }
}

/* Nodes to find that there is no packing one below the optimum.  */
static int64_t refuting_nodes(const struct instance *instance, int64_t optimum, const char *off)
{
    char *setting =
        memory_printf("minimalloc:capacity=%" PRId64 ",orders=TWA%s%s%s", optimum - 1,
                      off == NULL ? "" : ",", off == NULL ? "" : off, off == NULL ? "" : "=off");
    int64_t nodes = solver_run(setting, instance, 1, 0).nodes;

    free(setting);
    return nodes;
}

/* A switch that cuts branches off never costs nodes of a refutation.  */
static void what_switches_buy(void)
{
    int rounds = tap_tier(4, 20), more[SWITCHES] = {0};
    struct rng *rng = rng_new(6);
    struct instance *larger = instance_of("tight:seed=2");
    int64_t on = refuting_nodes(larger, 106, NULL), without;

    without = refuting_nodes(larger, 106, "monotonic_floor");
    ok(refuting_nodes(larger, 106, "unallocated_floor") > on && without > on,
       "more than %" PRId64 " nodes with lower floors", on);
    ok(refuting_nodes(larger, 106, "monotonic_floor=off,check_dominance") > without,
       "then dominance buys something too");
    instance_free(larger);
    for (int round = 1; round <= rounds; round++) {
        int64_t optimum;
        struct instance *instance = above_load(rng, &optimum);

        on = refuting_nodes(instance, optimum, NULL);
        for (size_t i = 0; i < CUTS; i++)
            more[i] += on > refuting_nodes(instance, optimum, switches[i]);
        instance_free(instance);
    }
    for (size_t i = 0; i < CUTS; i++)
        is_int(more[i], 0, "never more nodes with %s", switches[i]);
    rng_free(rng);
}

/* --- real instances --- */

/* What the published solver counted at its default parameters, capacity 1048576.  */
static void published_nodes(void)
{
    static const struct {
        const char *file;
        int64_t nodes;
        bool quick;
    } real[] = {{"minimalloc/A.1048576.csv", 116412, false},
                {"minimalloc/C.1048576.csv", 30642, true},
                {"minimalloc/E.1048576.csv", 154625, false},
                {"minimalloc/G.1048576.csv", 5467, true},
                {"minimalloc/I.1048576.csv", 14507, false}};

    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        struct instance *instance;
        struct solver_run result;
        char *spec;

        if (!tap_tier(real[i].quick, true)) {
            tap_skip(1, "slow");
            continue;
        }
        if (tap_skip_without(1, real[i].file))
            continue;
        spec = memory_printf("data:%s", real[i].file);
        instance = instance_of(spec);
        free(spec);
        result = solver_run("minimalloc:capacity=1048576", instance, 1, 0);
        ok(result.valid && result.peak <= 1048576 && result.nodes * 1000 >= real[i].nodes * 999 &&
               result.nodes * 1000 <= real[i].nodes * 1001,
           "%s: %" PRId64 " nodes, published %" PRId64, real[i].file, result.nodes, real[i].nodes);
        instance_free(instance);
    }
}

/* --- limits, gaps, refusals --- */

/* A question that a limit leaves open refutes nothing.  */
static void one_question(void)
{
    int open = 0, rounds = tap_tier(10, 40);

    for (int seed = 1; seed <= rounds; seed++) {
        char *spec = memory_printf("tight:steps=30,low=5,high=40,longest=10,seed=%d", seed);
        struct instance *instance = instance_of(spec);
        struct solver_run run = solver_run("minimalloc:capacity=100", instance, 1, 50);

        open += run.valid && run.bound == instance->load && run.nodes <= 50;
        instance_free(instance);
        free(spec);
    }
    is_int(open, rounds, "one question that a limit leaves open refutes nothing");
}

/* The tall part of a is over when b begins, so that b needs to be above its low part only;
 * c and d could lie inside each other, which this geometry does not know.  */
static void gaps(void)
{
    struct instance *instance = instance_of_rows("a 0 2 0-8 + 2 4 0-4; b 2 4 6");
    struct solver_run result;

    result = solver_run("minimalloc", instance, 1, 0);
    ok(result.valid && result.peak == 10 && result.outcome == OUTCOME_OPTIMAL,
       "a buffer with a gap leaves its room to another");
    instance_free(instance);
    instance = instance_of_rows("c 0 1 0-4 + 1 2 0-1; d 0 1 0-1 + 1 2 0-4; e 0 1 2");
    result = solver_run("minimalloc", instance, 1, 0);
    ok(result.valid && result.bound == instance->load &&
           (result.outcome == OUTCOME_OPTIMAL) == (result.peak == result.bound),
       "nothing above the load is claimed of buffers that could interlock: %" PRId64
       " <= optimum <= %" PRId64,
       result.bound, result.peak);
    instance_free(instance);
}

/* A branch as long as the instance costs no stack.  */
static void depth(void)
{
    char *spec = memory_printf("chain:n=%d,length=6", tap_tier(1000, 5000));
    struct instance *instance = instance_of(spec);
    struct solver_run result = solver_run("minimalloc:capacity=1000000000", instance, 1, 0);

    ok(result.valid && result.nodes >= (int64_t)instance->n,
       "%s within any capacity: %" PRId64 " nodes", spec, result.nodes);
    result = solver_run("minimalloc:max-pairs=10,capacity=1000000000", instance, 1, 0);
    ok(result.valid && result.nodes == 0, "no search beyond max-pairs, but a plan");
    instance_free(instance);
    free(spec);
}

static void refusals(void)
{
    const struct solver *solver = solver_find("minimalloc")->solver;
    struct instance *instance = three(1);
    struct error error = {{0}};
    struct params params;

    if (!params_parse(&params, solver->name, "orders=WAT+X", &solver->params, 1, &error))
        abort();
    ok(!solver->applicable(instance, &params, &error) && strstr(error.text, "'X'") != NULL,
       "a key that is none: %s", error.text);
    params_clear(&params);
    ok(right_at(instance, ",orders=ACLOUWZ", 15, 15), "an order of other keys");
    instance_free(instance);
}

int main(void)
{
    against_brute_force();
    ablations();
    any_switches();
    hatless();
    what_switches_buy();
    published_nodes();
    brackets_under_limits("minimalloc");
    one_question();
    gaps();
    depth();
    refusals();
    return tap_done();
}
