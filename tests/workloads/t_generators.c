/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generators: that each makes what its comment promises, recomputed here from the buffers.  That it
 * is the same for ever t_same_instances.c holds.  */
#include <config.h>

#include "workloads/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* Every registered generator: complete description, a seed, other seeds.  */
static void registry(void)
{
    for (size_t g = 0; generator_registry[g] != NULL; g++) {
        const struct generator *generator = generator_registry[g];
        bool seeded = false;

        for (const struct param *p = generator->params; p->name != NULL; p++) {
            seeded = seeded || strcmp(p->name, "seed") == 0;
            if (p->help == NULL || p->initial == NULL)
                ok(false, "%s: %s has a help text and a default", generator->name, p->name);
        }
        /* What draws nothing has no seed; lifetimes are always drawn.  */
        ok((seeded || generator->network != NULL) && generator->title != NULL &&
               generator->source != NULL &&
               (generator->instance != NULL) != (generator->network != NULL),
           "%s is described", generator->name);
    }
}

static void seeds(void)
{
    static const char *const random[] = {"caches", "chain", "cuts",     "stretches", "filled",
                                         "nested", "heavy", "pinwheel", "planted",   "power",
                                         "short",  "tight", "uniform",  "random-dag"};

    for (size_t i = 0; i < sizeof random / sizeof random[0]; i++) {
        char *spec = memory_printf("%s:seed=2", random[i]);
        struct instance *one = instance_of(random[i]), *two = instance_of(spec);

        ok(instance_checksum(one) != instance_checksum(two), "%s: the seed matters", random[i]);
        instance_free(one);
        instance_free(two);
        free(spec);
    }
}

static void refusals(void)
{
    static const char *const bad[] = {
        "uniform:seed=0",
        "uniform:seed=4294967296",
        "uniform:n=0",
        "uniform:low=9,high=8",
        "chain:low=9,high=8",
        "chain:skip=101",
        "short:low=2,high=1",
        "heavy:low=100,high=99",
        "power:low=5,high=7",
        "planted:n=10,height=1,steps=9",
        "planted:drop=100",
        "pinwheel:steps=2",
        "pinwheel:pinwheels=10,steps=3",
        "tight:low=9,high=8",
        "tight:low=101,high=200",
        "random-dag:n=1",
        "random-dag:low=2,high=1",
        "gadget:repeat=0",
        "heavy:law=normal",
        "staircase:steps=4",
        "chained:of=nothing-of-this-name",
        "chained:of=uniform+",
        "overlaid:of=chained+no.csv",
        "overlaid:n=0",
        "cuts:height=100,unit=64",
        "cuts:n=50,steps=5,height=9",
        "cuts:slack=51",
        "filled:of=nothing-of-this-name",
        "filled:keep=0",
        "nested:low=9,high=8",
        "steps:low=9,high=8",
        "steps:of=uniform",
        "steps:of=no-network",
        "steps:of=steps",
        "caches:low=9,high=8",
        "caches:layers=10000,tokens=100000",
        "stretches:low=9,high=8",
        "stretches:least=3",
        "stretches:align=48",
        "stretches:least=8,align=4",
        "uniform:n=10000,low=1000000000000000,high=1000000000000000",
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};
        struct instance *instance = instance_from(bad[i], &error);

        ok(instance == NULL && error.text[0] != '\0', "refused: %s (%s)", bad[i], error.text);
        instance_free(instance);
    }
}

static void uniform(void)
{
    struct instance *instance = instance_of("uniform:n=20000,steps=100,low=5,high=14");
    int64_t sum = 0, bytes = 0;
    int outside = 0, seen[15] = {0};

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        outside += buffer->begin < 0 || buffer->end > 100 || buffer->size < 5 || buffer->size > 14;
        sum += buffer->end - buffer->begin;
        bytes += buffer->size;
        seen[buffer->size]++;
    }
    is_int(outside, 0, "uniform: within the axis and the sizes");
    /* Two different ends out of 0 .. S are (S + 2) / 3 apart on average; the
     * deviation of one length is about 24, so of the mean 0.17.  */
    ok(sum > 20000 * 33 && sum < 20000 * 35, "uniform: mean length 34 (%.2f)", (double)sum / 20000);
    ok(bytes > 20000 * 9 && bytes < 20000 * 10 && seen[5] > 1700 && seen[14] > 1700,
       "uniform: sizes spread evenly");
    instance_free(instance);
    instance = instance_of("uniform:n=7,steps=1");
    is_int(instance->width, 7, "uniform: one step");
    instance_free(instance);
}

static void chain(void)
{
    static const struct {
        const char *spec;
        int64_t width; /* and longest life: length + 2 */
    } bound[] = {
        {"chain:n=100000", 18},
        {"chain:n=3000,skip=100,length=62", 64},
        {"chain:n=3000,skip=0", 2},
        {"chain:n=1", 1},
    };

    for (size_t i = 0; i < sizeof bound / sizeof bound[0]; i++) {
        struct instance *instance = instance_of(bound[i].spec);
        int64_t life = 0;
        int bad = 0;

        for (size_t b = 0; b < instance->n; b++) {
            life = max64(life, instance->buffer[b].end - instance->buffer[b].begin);
            bad += instance->buffer[b].begin != (int64_t)b ||
                   (instance->buffer[b].end < (int64_t)b + 2) ||
                   instance->buffer[b].end > (int64_t)instance->n + 1;
        }
        is_int(life, i == 3 ? 2 : bound[i].width, "%s: the longest life", bound[i].spec);
        ok(bad == 0 && instance->width <= bound[i].width, "%s: width %" PRId64 " <= %" PRId64,
           bound[i].spec, instance->width, bound[i].width);
        instance_free(instance);
    }
}

static void sizes(void)
{
    struct instance *instance = instance_of("heavy:n=20000,law=pareto,shape=1,low=1000,"
                                            "high=1000000000");
    int64_t doubled = 0, median = 0, sigma = 0, powers = 0, life = 0;

    for (size_t b = 0; b < instance->n; b++)
        doubled += instance->buffer[b].size >= 2000;
    ok(doubled > 9700 && doubled < 10300, "pareto of shape 1: half are twice the smallest (%d)",
       (int)doubled);
    ok(instance->max_size > 1000000, "pareto: a heavy tail");
    instance_free(instance);
    instance = instance_of("heavy:n=20000,median=65536,sigma=1");
    for (size_t b = 0; b < instance->n; b++) {
        median += instance->buffer[b].size >= 65536;
        /* e x 65536 and 65536 / e */
        sigma += instance->buffer[b].size <= 178145 && instance->buffer[b].size >= 24109;
    }
    ok(median > 9700 && median < 10300, "lognormal: the median (%d)", (int)median);
    ok(sigma > 13400 && sigma < 13900, "lognormal: 68.3 %% within one sigma (%d)", (int)sigma);
    instance_free(instance);
    instance = instance_of("power:n=5000,low=3,high=5000");
    for (size_t b = 0; b < instance->n; b++)
        powers += __builtin_popcountll((uint64_t)instance->buffer[b].size) == 1 &&
                  instance->buffer[b].size >= 4 && instance->buffer[b].size <= 4096;
    is_int(powers, 5000, "power: powers of two from 4 to 4096");
    is_int(instance->max_size, 4096, "power: the largest is drawn");
    instance_free(instance);
    instance = instance_of("short:n=5000,life=3,steps=1000");
    for (size_t b = 0; b < instance->n; b++)
        life = max64(life, instance->buffer[b].end - instance->buffer[b].begin);
    is_int(life, 3, "short: the longest life");
    instance_free(instance);
}

/* Bytes in use at each step, from scratch.  */
static int64_t *profile(const struct instance *instance, int64_t steps)
{
    int64_t *bytes = memory_zalloc((size_t)steps, sizeof *bytes);

    for (size_t b = 0; b < instance->n; b++)
        for (int64_t t = instance->buffer[b].begin; t < instance->buffer[b].end; t++)
            bytes[t] += instance->buffer[b].size;
    return bytes;
}

/* Whether SPEC has N buffers, and at each of STEPS all of HEIGHT in use.  */
static void is_full(const char *spec, int n, int steps, int height)
{
    struct instance *instance = instance_of(spec);
    int64_t *bytes = profile(instance, steps);
    int uneven = 0;

    for (int t = 0; t < steps; t++)
        uneven += bytes[t] != height;
    ok(uneven == 0 && instance->load == height && (int64_t)instance->n == n,
       "%s: full at every step", spec);
    free(bytes);
    instance_free(instance);
}

static void planted(void)
{
    for (int seed = 1; seed <= tap_tier(5, 40); seed++) {
        int n = 1 + 37 * (seed % 13), steps = 20 + seed, height = 30 + 7 * seed;
        char *spec =
            memory_printf("planted:n=%d,steps=%d,height=%d,seed=%d", n, steps, height, seed);

        is_full(spec, n, steps, height);
        free(spec);
    }
}

static void planted_limits(void)
{
    struct instance *instance = instance_of("planted:n=600,steps=20,height=30");
    struct instance *dropped;

    is_int(instance->max_size * instance->load, 30, "planted: down to single cells");
    instance_free(instance);
    instance = instance_of("planted:n=200,seed=5");
    dropped = instance_of("planted:n=200,drop=10,seed=5");
    is_int((int64_t)dropped->n, 180, "planted: drop leaves out that many per cent");
    ok(dropped->load <= 1024 && instance->load == 1024, "planted: the height stays an upper bound");
    instance_free(dropped);
    instance_free(instance);
    instance = instance_of("planted:n=100000,height=100000");
    is_int(instance->load, 100000, "planted: large ones too");
    instance_free(instance);
}

/* Can the buffers from B on be placed below CAPACITY?  Tries every offset.  */
static bool can_place(const struct instance *instance, int64_t *offset, size_t b, int64_t capacity)
{
    const struct buffer *buffer = &instance->buffer[b];

    if (b == instance->n)
        return true;
    for (offset[b] = 0; offset[b] + buffer->size <= capacity; offset[b]++) {
        bool clash = false;

        for (size_t i = 0; i < b && !clash; i++)
            clash = buffers_overlap_in_time(buffer, &instance->buffer[i]) &&
                    offset[b] < offset[i] + instance->buffer[i].size &&
                    offset[i] < offset[b] + buffer->size;
        if (!clash && can_place(instance, offset, b + 1, capacity))
            return true;
    }
    return false;
}

/* Full at every step, and small ones fit within the load.  */
static void pinwheel(void)
{
    struct instance *instance;
    int64_t offset[16];

    for (int seed = 1; seed <= tap_tier(5, 40); seed++) {
        int pinwheels = seed % 7 * (seed % 7), steps = 40 + seed, height = 99 + 7 * seed;
        char *spec = memory_printf("pinwheel:pinwheels=%d,steps=%d,height=%d,seed=%d", pinwheels,
                                   steps, height, seed);

        is_full(spec, 4 * pinwheels + 1, steps, height);
        free(spec);
    }
    for (int seed = 1; seed <= 20; seed++) {
        char *spec = memory_printf("pinwheel:pinwheels=2,steps=8,height=9,seed=%d", seed);

        instance = instance_of(spec);
        ok(can_place(instance, offset, 0, instance->load), "%s: a plan at the load", spec);
        instance_free(instance);
        free(spec);
    }
    instance = instance_of("pinwheel:pinwheels=50,drop=10");
    is_int((int64_t)instance->n, 201 - 20, "pinwheel: drop leaves out that many per cent");
    instance_free(instance);
}

/* Within the cap everywhere, and no interval that could have been added is left.  */
static void tight(void)
{
    for (int seed = 1; seed <= tap_tier(5, 40); seed++) {
        char *spec = memory_printf("tight:steps=30,cap=100,low=5,high=40,longest=10,seed=%d", seed);
        struct instance *instance = instance_of(spec);
        int64_t *bytes = profile(instance, 30), most = 0, life = 0;
        int bad = 0, full = 0;

        for (int64_t t = 0; t < 30; t++) {
            most = max64(most, bytes[t]);
            full += bytes[t] == 100;
            bad += bytes[t] <= 95;
        }
        for (size_t b = 0; b < instance->n; b++) {
            const struct buffer *buffer = &instance->buffer[b];

            bad += buffer->begin < 0 || buffer->end > 30 || buffer->size < 5 || buffer->size > 44;
            life = max64(life, buffer->end - buffer->begin);
        }
        ok(bad == 0 && most == 100 && full >= 20 && life <= 10,
           "%s: %d of 30 steps full, none with room", spec, full);
        free(bytes);
        instance_free(instance);
        free(spec);
    }
}

static void tight_limits(void)
{
    struct instance *instance = instance_of("tight:n=7");

    is_int((int64_t)instance->n, 7, "tight: no more than n buffers");
    instance_free(instance);
    instance = instance_of("tight:steps=1,cap=60,low=50,high=50");
    ok(instance->n == 1 && instance->max_size == 60, "tight: the last room is filled exactly");
    instance_free(instance);
}

static void gadget(void)
{
    struct instance *instance = instance_of("gadget:repeat=1");
    int64_t offset[16];

    ok(!can_place(instance, offset, 0, 4), "gadget: no plan of peak 4");
    ok(can_place(instance, offset, 0, 5), "gadget: a plan of peak 5");
    instance_free(instance);
    instance = instance_of("gadget:repeat=2");
    ok(!can_place(instance, offset, 0, 4) && can_place(instance, offset, 0, 5),
       "gadget: twice in time is no different");
    instance_free(instance);
    for (int repeat = 1; repeat < 50; repeat += 12) {
        char *spec = memory_printf("gadget:repeat=%d,scale=%d,shuffle=on", repeat, 3 * repeat);
        int64_t *bytes;
        int short_of = 0;

        instance = instance_of(spec);
        bytes = profile(instance, 5 * repeat);
        for (int t = 0; t < 5 * repeat; t++)
            short_of += bytes[t] > 12 * repeat;
        ok(instance->load == 12 * repeat && (int64_t)instance->n == 7 * repeat && short_of == 0,
           "%s: load 4 x scale, 7 x repeat buffers", spec);
        free(bytes);
        instance_free(instance);
        free(spec);
    }
}

static void staircase(void)
{
    struct instance *instance = instance_of("staircase:n=50,size=3");
    int bad = 0;

    for (size_t b = 0; b < instance->n; b++)
        bad += instance->buffer[b].begin != (int64_t)b ||
               instance->buffer[b].end != (int64_t)b + 2 || instance->buffer[b].size != 3;
    ok(bad == 0 && instance->n == 50 && instance->load == 6, "staircase: [i, i+2)");
    instance_free(instance);
    instance = instance_of("staircase:n=50,size=3,shuffle=on");
    is_int(instance->load, 6, "staircase: shuffled");
    ok(instance->buffer[0].begin != 0 || instance->buffer[1].begin != 1, "... is another order");
    instance_free(instance);
}

/* The conditions of the article's bound that a graph can break.  */
static void random_dag(void)
{
    for (int seed = 1; seed <= tap_tier(20, 200); seed++) {
        int n = 2 + seed % 41;
        char *spec = memory_printf("random-dag:n=%d,reach=%d,density=%d,sources=%d,seed=%d", n,
                                   1 + seed % 12, seed % 60, seed % 35, seed);
        struct network *network = network_of(spec);
        int bad = (int)network->n_ops != n;

        for (size_t o = 0; o < network->n_ops; o++) {
            const struct network_op *op = &network->op[o];
            const struct value *value = &network->value[op->output[0]];
            bool last = o + 1 == network->n_ops, reads = false;

            for (size_t i = 0; i < op->inputs; i++) {
                size_t from = network->value[op->input[i]].producer;

                reads = reads || from != NETWORK_NONE;
                bad += from != NETWORK_NONE && from >= o;
                bad += i > 0 && op->input[i] <= op->input[i - 1];
            }
            bad += op->outputs != 1 || op->inputs == 0 || (value->readers == 0) != last ||
                   value->output != last || (!reads && value->readers == 0) ||
                   value_bytes(value) < 1 || value_bytes(value) > 100;
        }
        ok(bad == 0, "%s: one output each, one sink, none isolated, inputs in order", spec);
        network_free(network);
        free(spec);
    }
}

/* Each step is the network with some batch of those that may be drawn, whole, one behind the other;
 * a long run has the largest one.  */
static void steps_of_networks(void)
{
    struct instance *instance = instance_of("steps:of=alexnet:fuse=all,count=60,low=2,high=4");
    struct instance *batch[3] = {instance_of("alexnet:fuse=all,batch=2"),
                                 instance_of("alexnet:fuse=all,batch=3"),
                                 instance_of("alexnet:fuse=all,batch=4")};
    const size_t n = batch[0]->n;
    int64_t at = 0, seen[3] = {0}, wrong = 0;

    for (size_t b = 0; b < instance->n; b += n) {
        const struct buffer *first = &instance->buffer[b];
        size_t which = 0;
        int64_t end = at;

        while (which < 2 && batch[which]->buffer[0].size != first->size)
            which++;
        seen[which]++;
        for (size_t i = 0; i < n; i++) {
            const struct buffer *buffer = &batch[which]->buffer[i];

            wrong += first[i].size != buffer->size || first[i].begin != at + buffer->begin ||
                     first[i].end != at + buffer->end;
            end = first[i].end > end ? first[i].end : end;
        }
        at = end;
    }
    ok(instance->n == 60 * n && wrong == 0, "steps: whole networks, one after the other");
    ok(seen[0] > 5 && seen[1] > 5 && seen[2] > 5, "... of each batch between low and high");
    is_int(instance->load, batch[2]->load, "... of which the largest has the load");
    instance_free(instance);
    for (size_t i = 0; i < 3; i++)
        instance_free(batch[i]);
}

/* Whole copies, where and as long as they should be.  */
static void copies(void)
{
    struct instance *one = instance_of("gadget:repeat=1"),
                    *instance = instance_of("chained:of=gadget:repeat=1,n=50");
    int64_t latest = 0, bad = 0;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        int64_t at = (int64_t)(b / one->n) * (one->buffer[one->n - 1].end / 2);

        bad += buffer->size != one->buffer[b % one->n].size || buffer->begin < at ||
               buffer->end > at + 5;
        latest = max64(latest, buffer->end);
    }
    ok(bad == 0 && instance->n == 56, "chained: whole copies, half way into the one before");
    is_int(latest, 7 * 2 + 5, "... to the end");
    /* A gadget has 4, 4, 3, 4, 4 bytes in use at its steps, either way in time.  */
    is_int(instance->load, 4 + 3 + 4, "... so that two or three are alive");
    instance_free(instance);

    instance = instance_of("overlaid:of=gadget+staircase:n=50,n=300,seed=3");
    latest = bad = 0;
    for (size_t b = 0; b < instance->n; b++) {
        bad += instance->buffer[b].begin < 0;
        latest = max64(latest, instance->buffer[b].end);
    }
    ok(bad == 0 && instance->n >= 300 && instance->n < 350, "overlaid: from the first step on");
    is_int(latest, 51, "... as long as the longest");
    instance_free(instance);
    instance_free(one);
}

int main(void)
{
    registry();
    seeds();
    refusals();
    uniform();
    chain();
    sizes();
    planted();
    planted_limits();
    pinwheel();
    tight();
    tight_limits();
    gadget();
    staircase();
    random_dag();
    copies();
    steps_of_networks();
    return tap_done();
}
