/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators of a step at once on several threads: the outputs are, bit for bit, those of one after
 * the other with each value in memory of its own, whoever is first.  */
#include <config.h>

#include "runtime/run.h"

#include <stdlib.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/order.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "runtime/compare.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "tests/support/telling.h"
#include "workloads/builder/builder.h"
#include "workloads/seeded.h"

/* --- planned runs beside plain ones --- */

/* One operator after the other, each value in memory of its own.  */
static struct run_memory *run_plainly(const struct instance *instance,
                                      const struct conv_kernel *kernel)
{
    const struct origin *origin = instance->origin;
    struct run_options options = {.kernel = kernel, .threads = 1};
    struct run_memory *memory;
    struct error error = {""};

    isa_default(&options.isa, NULL);
    memory = run_apart(origin->network, origin->schedule, &options, &error);
    if (memory == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    return memory;
}

/* ROUNDS runs in groups on THREADS threads where PLAN puts the values; whether all of them give
 * what is in PLAIN.  */
static bool equal_in_groups(const struct instance *instance, const struct plan *plan,
                            const struct run_memory *plain, const struct run_options *options,
                            int rounds)
{
    const struct origin *origin = instance->origin;
    struct error error = {""};
    struct run_memory *memory = run_memory_planned(instance, plan, &error);
    struct run *run = run_new(origin->network, origin->schedule, memory, options, &error);
    struct run_inputs *inputs = run_inputs_new(origin->network, NULL);
    bool equal = run != NULL;

    for (int round = 0; round < rounds && equal; round++) {
        run_inputs_write(inputs, memory);
        equal = run_once(run, &error) && run_differs(origin->network, memory, plain) == NULL;
    }
    if (!equal)
        tap_diag("%s on %d threads: %s", instance->name, options->threads, error.text);
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(memory);
    return equal;
}

static const struct lifetime_options treatments[] = {
    {.io = IO_NONE, .alignment = 4},
    {.io = IO_BOTH, .alias = true, .place = true, .alignment = 4},
    {.io = IO_BOTH, .inplace = INPLACE_MEGENGINE, .alignment = 4},
    {.inplace = INPLACE_MEGENGINE, .alias = true, .place = true, .alignment = 4},
    {.inplace = INPLACE_NNC, .alias = true, .place = true, .alignment = 4},
};
enum { TREATMENTS = sizeof treatments / sizeof treatments[0] };

/* A copy of NETWORK, its layers cut into GROUPS.  */
static struct instance *grouped(const struct network *network, int64_t groups, size_t treatment)
{
    struct network *copy = network_copy(network);
    struct error error = {""};
    struct instance *instance =
        lifetimes_instance(copy, order_groups(copy, groups), &treatments[treatment], &error);

    if (instance == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    return instance;
}

static int most_threads(void)
{
    return pool_processors() < 3 ? pool_processors() : 3;
}

static const char *kernel_name(const struct conv_kernel *kernel)
{
    return kernel == NULL ? "no kernel" : kernel->name;
}

/* --- networks of the zoo --- */

/* One assertion, and one for each number of threads.  */
static void zoo(const char *spec, const struct conv_kernel *kernel)
{
    struct network *network = network_of(spec);
    int failed[4] = {0}, answers = 0;

    seed_weights(network);
    for (size_t treatment = 0; treatment < TREATMENTS; treatment++)
        for (int64_t groups = 1; groups <= 2; groups++) {
            struct instance *instance = grouped(network, groups, treatment);
            struct plan *plan = solver_plan("greedy-by-size", instance, 1);
            struct run_memory *plain = run_plainly(instance, kernel);

            answers += telling_outputs(instance->origin->network, plain);
            for (int threads = 1; threads <= most_threads(); threads++) {
                struct run_options options = {.kernel = kernel, .threads = threads, .groups = true};

                isa_default(&options.isa, NULL);
                failed[threads] +=
                    !equal_in_groups(instance, plan, plain, &options, tap_tier(1, 3));
            }
            run_memory_free(plain);
            plan_free(plan);
            instance_free(instance);
        }
    is_int(answers, 2 * TREATMENTS, "%s: outputs that could differ", spec);
    for (int threads = 1; threads <= 3; threads++)
        if (threads <= most_threads())
            is_int(failed[threads], 0, "%s, %s, %d threads: as one operator after the other", spec,
                   kernel_name(kernel), threads);
        else
            tap_skip(1, "there are not so many processors");
    network_free(network);
}

/* --- networks at random --- */

enum { MAX_VALUES = 64, SIDE = 4 };

struct draft {
    struct builder *builder;
    struct rng *rng;
    size_t value[MAX_VALUES];
    bool read[MAX_VALUES];
    size_t values;
};

/* Some value, mostly an early one, so that many read the same; it counts as read.  */
static size_t any(struct draft *draft)
{
    int64_t last = (int64_t)draft->values - 1;
    size_t at = (size_t)rng_range(draft->rng, 0, rng_range(draft->rng, 0, last));

    draft->read[at] = true;
    return draft->value[at];
}

/* One of as many channels as X, if one comes up, else X.  */
static size_t any_like(struct draft *draft, size_t x)
{
    for (int i = 0; i < 8; i++) {
        size_t at = (size_t)rng_range(draft->rng, 0, (int64_t)draft->values - 1);

        if (builder_dim(draft->builder, draft->value[at], 1) == builder_dim(draft->builder, x, 1)) {
            draft->read[at] = true;
            return draft->value[at];
        }
    }
    return x;
}

static void add(struct draft *draft, size_t value)
{
    draft->read[draft->values] = false;
    draft->value[draft->values++] = value;
}

/* An activation on a view of X.  */
static size_t add_view(struct draft *draft, const char *name, size_t x)
{
    struct builder *b = draft->builder;
    int64_t c = builder_dim(b, x, 1);

    builder_push(b, "%s.", name);
    x = builder_reshape(b, "flat", x, 2, (const int64_t[]){1, c * SIDE * SIDE});
    x = builder_activation(b, "tanh", "tanh", x);
    x = builder_reshape(b, "image", x, 4, (const int64_t[]){1, c, SIDE, SIDE});
    builder_pop(b);
    return x;
}

static void add_operator(struct draft *draft, const char *name)
{
    static const int64_t channels[] = {6, 8, 16};
    struct builder *b = draft->builder;
    size_t x = any(draft), part[2];
    int64_t c = builder_dim(b, x, 1), k = channels[rng_range(draft->rng, 0, 2)];

    switch (rng_range(draft->rng, 0, 8)) {
    case 0:
    case 1:
        add(draft, builder_relu(b, name, x));
        break;
    case 2:
        add(draft, builder_activation(b, name, "sigmoid", x));
        break;
    case 3:
        add(draft, builder_add(b, name, x, any_like(draft, x)));
        break;
    case 4:
        add(draft, builder_conv(b, name, x, k, .r = 1));
        break;
    case 5:
        add(draft, builder_conv(b, name, x, k, .r = 3, .pad = 1, .bias = true));
        break;
    case 6:
        add(draft, builder_slice(b, name, x, 1, c / 2, c - c / 2));
        break;
    case 7:
        if (c >= 32) {
            builder_split(b, name, x, 1, part, 2);
            add(draft, part[0]);
            add(draft, part[1]);
        } else {
            part[0] = x;
            part[1] = any(draft);
            add(draft, builder_concat(b, name, part, 2));
        }
        break;
    default:
        add(draft, add_view(draft, name, x));
        break;
    }
}

static struct network *random_network(struct rng *rng)
{
    struct draft draft = {.builder = builder_new("random", DTYPE_F32), .rng = rng};
    struct error error = {""};
    struct network *network;

    add(&draft, builder_input(draft.builder, "x", 4, (const int64_t[]){1, 8, SIDE, SIDE}));
    draft.read[0] = true;
    for (int i = 0; i < 20; i++) {
        char *name = memory_printf("o%d", i);

        add_operator(&draft, name);
        free(name);
    }
    for (size_t i = 0; i < draft.values; i++)
        if (!draft.read[i])
            builder_output(draft.builder, draft.value[i]);
    network = builder_finish(draft.builder, &error);
    if (network == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    seed_weights(network);
    return network;
}

/* In any order within a step, since the times by which the longest is first are drawn.  */
static bool random_trial(struct rng *rng, int threads, const struct conv_kernel *kernel)
{
    struct network *network = random_network(rng);
    double *time = memory_alloc(network->n_ops, sizeof *time);
    bool equal = true;

    for (size_t treatment = 0; treatment < TREATMENTS && equal; treatment++) {
        struct instance *instance = grouped(network, rng_range(rng, 1, 2), treatment);
        struct plan *plan = solver_plan("greedy-by-size", instance, 1);
        struct run_memory *plain = run_plainly(instance, kernel);

        for (int i = 0; i < 4 && equal; i++) {
            struct run_options options = {
                .kernel = kernel, .threads = threads, .groups = true, .time = time};

            isa_default(&options.isa, NULL);
            for (size_t o = 0; o < network->n_ops; o++)
                time[o] = rng_unit(rng);
            equal = equal_in_groups(instance, plan, plain, &options, 2);
        }
        run_memory_free(plain);
        plan_free(plan);
        instance_free(instance);
    }
    free(time);
    network_free(network);
    return equal;
}

static void random_trials(const struct conv_kernel *kernel)
{
    struct rng *rng = rng_new(11);
    int rounds = tap_tier(10, 100);

    for (int threads = 1; threads <= 3; threads++) {
        int equal = 0;

        if (threads > most_threads()) {
            tap_skip(1, "there are not so many processors");
            continue;
        }
        for (int round = 0; round < rounds; round++)
            equal += random_trial(rng, threads, kernel);
        is_int(equal, rounds, "random networks, %s, %d threads", kernel_name(kernel), threads);
    }
    rng_free(rng);
}

int main(void)
{
    for (size_t i = 0; conv_kernel_registry[i].kernel != NULL; i++)
        zoo("squeezenet1_1:size=64", conv_kernel_registry[i].kernel);
    zoo("squeezenet1_1:size=64", NULL);
    if (tap_tier(0, 1) != 0)
        zoo("inception_v3:fuse=all,size=75", conv_kernel_find("mgemm"));
    random_trials(conv_kernel_find("mgemm"));
    random_trials(NULL);
    return tap_done();
}
