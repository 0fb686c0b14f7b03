/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NNC's planner: cases worked out by hand, and plans that hold whatever order
 * the operators run in.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/order.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_nnc.h"
#include "tests/support/instances.h"
#include "tests/support/loop_case.h"
#include "tests/support/network_text.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* A chain of operators with outputs of these sizes, all but the last, which is
 * one byte and the network's output, intermediates.  */
static struct network *chain(const int64_t *size, size_t count)
{
    struct network *network = network_new("chain");
    size_t value = case_input(network, "x", 1);

    for (size_t i = 0; i < count; i++) {
        char *name = memory_printf("v%zu", i);

        value = case_op(network, name, size[i], &value, 1);
        free(name);
    }
    network_mark_output(network, CASE_OP(network, "end", 1, value));
    return network;
}

static struct instance *file_order(struct network *network)
{
    return lifetimes_of(network, NULL, &(struct lifetime_options){.io = IO_NONE});
}

/* OFFSET and GROUP of each buffer by hand.  */
static void is_plan(const int64_t *size, size_t count, const char *spec, const int64_t *offset,
                    const size_t *group, int64_t peak)
{
    struct instance *instance = file_order(chain(size, count));
    struct plan *plan = solver_plan(spec, instance, 1);
    bool same = plan->peak == peak;

    for (size_t b = 0; same && b < count; b++)
        same = plan->offset[b] == offset[b] && (group == NULL || plan->object[b] == group[b]);
    ok(same, "a chain of %zu by hand, %s, peak %" PRId64, count, spec, plan->peak);
    plan_free(plan);
    instance_free(instance);
}

/* 10, 6, 4: the third goes where the first was.  8, 2, 5, 2, 8: the last takes
 * the first one's place, 5 goes on the edge between the two; 2 and 2 share a
 * buffer, the first of them begins it.  */
static void by_hand(void)
{
    is_plan((const int64_t[]){10, 6, 4}, 3, "nnc", (const int64_t[]){0, 10, 0},
            (const size_t[]){0, 1, 0}, 16);
    is_plan((const int64_t[]){8, 2, 5, 2, 8}, 5, "nnc", (const int64_t[]){0, 8, 0, 8, 0},
            (const size_t[]){0, 1, 0, 1, 0}, 10);
    is_plan((const int64_t[]){8, 2, 5, 2, 8}, 5, "nnc:as=arena", (const int64_t[]){0, 8, 0, 8, 0},
            NULL, 10);
    is_plan((const int64_t[]){8, 2, 5, 2, 8}, 5, "nnc:order=steps",
            (const int64_t[]){0, 8, 0, 8, 0}, (const size_t[]){0, 1, 0, 1, 0}, 10);
    /* Interferences 1, 2, 1: b alone comes first, then a with the larger c; both
     * lie above b, in a buffer of 9.  */
    is_plan((const int64_t[]){4, 6, 9}, 3, "nnc:rule=tuples", (const int64_t[]){6, 0, 6},
            (const size_t[]){1, 0, 1}, 15);
}

/* Two branches: by the graph nothing on one is before anything on the other, by
 * the steps of the schedule it is.  */
static void branches(void)
{
    struct instance *instance = file_order(network_of_text(
        "branches", "x:1; a:8 = f(x); c:1 = f(a); b:8 = f(x); d:1 = f(b); z!:1 = f(c, d)"));
    struct plan *graph, *steps;

    graph = solver_plan("nnc", instance, 1);
    steps = solver_plan("nnc:order=steps", instance, 1);
    ok(graph->peak == 18, "by the graph two branches share nothing");
    ok(steps->peak == 10, "by the steps one follows the other");
    plan_free(graph);
    plan_free(steps);
    instance_free(instance);
}

/* --- any order --- */

static struct network *random_network(struct rng *rng, size_t n)
{
    struct network *network = network_new("random");
    size_t made[64], last = 0;

    made[0] = case_input(network, "x", 1);
    for (size_t o = 1; o <= n; o++) {
        size_t count = (size_t)rng_range(rng, 1, 2), input[2];
        char *name = memory_printf("o%zu", o);

        for (size_t i = 0; i < count; i++)
            input[i] = made[rng_range(rng, o > 5 ? (int64_t)o - 5 : 0, (int64_t)o - 1)];
        made[o] = last = case_op(network, name, rng_range(rng, 1, 30), input, count);
        free(name);
    }
    network_mark_output(network, last);
    return network;
}

/* A topological order with random choices.  */
static struct schedule *random_order(struct rng *rng, const struct network *network)
{
    struct schedule *schedule = schedule_file_order(network);

    for (size_t o = 0; o < network->n_ops; o++)
        schedule->step[o] = -1;
    for (int64_t step = 0; step < schedule->steps;) {
        size_t o = (size_t)rng_range(rng, 0, (int64_t)network->n_ops - 1);
        bool ready = schedule->step[o] < 0;

        for (size_t i = 0; i < network->op[o].inputs && ready; i++) {
            size_t producer = network->value[network->op[o].input[i]].producer;

            ready = producer == NETWORK_NONE || schedule->step[producer] >= 0;
        }
        if (ready)
            schedule->step[o] = step++;
    }
    return schedule;
}

static void any_order(void)
{
    static const char *const specs[] = {"nnc", "nnc:rule=tuples"};
    struct rng *rng = rng_new(41);
    int rounds = tap_tier(60, 300);

    for (size_t r = 0; r < 2; r++) {
        int valid = 0, bounded = 0;

        for (int round = 0; round < rounds; round++) {
            struct network *network = random_network(rng, (size_t)rng_range(rng, 1, 25));
            struct schedule *other = random_order(rng, network);
            struct lifetime_options options = {0};
            struct error error = {{0}};
            struct instance *shuffled =
                lifetimes_instance(network_copy(network), other, &options, &error);
            struct instance *instance = file_order(network);
            struct plan *plan = solver_plan(specs[r], instance, 1);

            valid += verify_plan(shuffled, plan, &error);
            bounded += plan->peak >= instance->load && plan->peak <= instance->total;
            plan_free(plan);
            instance_free(shuffled);
            instance_free(instance);
        }
        is_int(valid, rounds, "%s: the plan of one order holds in any other", specs[r]);
        is_int(bounded, rounds, "%s: peaks between the load and the sum", specs[r]);
    }
    rng_free(rng);
}

/* Instances without a graph.  */
static void steps_only(void)
{
    struct rng *rng = rng_new(43);
    int rounds = tap_tier(5, 40);

    for (int kind = 0; kind < RANDOM_KINDS; kind++) {
        int refused = 0;

        for (int round = 0; round < rounds; round++) {
            struct instance *instance = random_instance(rng, (enum random_kind)kind, 25);

            if (solver_applies("nnc:order=steps", instance)) {
                plan_free(solver_plan("nnc:order=steps", instance, 1));
                plan_free(solver_plan("nnc:order=steps,rule=tuples", instance, 1));
            } else {
                refused++;
            }
            instance_free(instance);
        }
        ok(refused == 0 || kind == RANDOM_MIXED,
           "by steps, without a network: valid plans of %s, refused only where alignments differ",
           random_kind_name((enum random_kind)kind));
    }
    rng_free(rng);
}

/* --- as it was published --- */

static void against_plain(const char *spec, enum random_kind kind,
                          void (*plain)(const struct instance *instance, struct plan *plan))
{
    struct rng *rng = rng_new(47);
    int rounds = tap_tier(60, 600), same = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_instance(rng, kind, (size_t)rng_range(rng, 0, 40));
        struct plan *plan = solver_plan(spec, instance, 1), *other = plan_new(instance);

        plain(instance, other);
        same += plan != NULL && plan->peak == other->peak &&
                (instance->n == 0 ||
                 memcmp(plan->offset, other->offset, instance->n * sizeof *plan->offset) == 0);
        plan_free(plan);
        plan_free(other);
        instance_free(instance);
    }
    is_int(same, rounds, "%s gives the plain planner's offsets: %s", spec, random_kind_name(kind));
    rng_free(rng);
}

static void as_published(void)
{
    for (int kind = 0; kind < RANDOM_KINDS; kind++) {
        if (kind == RANDOM_MIXED) /* alignments that do not divide */
            continue;
        against_plain("nnc:order=steps,as=arena", (enum random_kind)kind, plain_nnc_size);
        against_plain("nnc:rule=tuples,order=steps,as=arena", (enum random_kind)kind,
                      plain_nnc_tuples);
    }
}

/* The body of a loop whose carried value has 160 bytes, those between 80, 120 and 80, and its
 * next value lies where it was.  */
static void companions(void)
{
    static const char *const specs[] = {"nnc:order=steps", "nnc:rule=tuples,order=steps",
                                        "nnc:order=steps,as=arena"};
    struct instance *instance = instance_new("carried");
    struct error error = {{0}};

    rows_add(instance, "xy 0 2 0-160 + 4 6 0-160; a 1 3 80; b 2 4 120; c 3 5 80");
    if (!instance_seal(instance, NULL, &error))
        abort();
    is_int(instance->load, 240, "the load of the loop's body");
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct plan *plan = solver_plan(specs[i], instance, 1);

        if (!ok(plan != NULL, "%s: a good plan", specs[i]))
            continue;
        is_int(plan->peak, 240, "%s: a tensor lies between two companions", specs[i]);
        ok(plan->offset[2] == plan->offset[0], "%s: at their offset", specs[i]);
        plan_free(plan);
    }
    instance_free(instance);
}

/* Buffers of up to three stretches; some have pieces that are none.  */
static struct instance *with_pauses(struct rng *rng)
{
    struct instance *instance = instance_new("pauses");
    int64_t n = rng_range(rng, 2, 14);

    for (int64_t b = 0; b < n; b++) {
        int64_t step = rng_range(rng, 0, 8), size = rng_range(rng, 2, 20);
        size_t count = (size_t)rng_range(rng, 1, 3);
        bool whole = rng_range(rng, 0, 4) > 0;
        struct piece piece[3];

        for (size_t i = 0; i < count; i++) {
            piece[i] = (struct piece){step, step + rng_range(rng, 1, 4), 0, size, true};
            if (i == 1 && !whole)
                piece[i].lo = 1;
            step = piece[i].end + rng_range(rng, 1, 4);
        }
        add_shape(instance, piece, count, 1);
    }
    return instance;
}

static void any_companions(void)
{
    static const char *const specs[] = {"nnc:order=steps", "nnc:rule=tuples,order=steps"};
    struct rng *rng = rng_new(47);
    int cases = tap_tier(100, 1000), bad = 0, better[2] = {0};

    for (int c = 0; c < cases; c++) {
        struct instance *instance = with_pauses(rng), *joined;
        struct error error = {{0}};

        if (!instance_seal(instance, NULL, &error))
            abort();
        joined = instance_joined(instance);
        for (size_t i = 0; i < 2; i++) {
            struct plan *plan = solver_plan(specs[i], instance, 1),
                        *around = solver_plan(specs[i], joined, 1);

            bad += plan == NULL || around == NULL;
            better[i] += plan != NULL && around != NULL && plan->peak < around->peak;
            plan_free(plan);
            plan_free(around);
        }
        instance_free(joined);
        instance_free(instance);
    }
    is_int(bad, 0, "all plans of buffers with pauses are good");
    for (size_t i = 0; i < 2; i++)
        ok(better[i] > cases / (i == 0 ? 6 : 4),
           "%s: many are smaller than those of rectangles (%d)", specs[i], better[i]);
    rng_free(rng);
}

int main(void)
{
    as_published();
    companions();
    any_companions();
    by_hand();
    branches();
    any_order();
    steps_only();
    return tap_done();
}
