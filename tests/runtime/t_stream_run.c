/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on streams: two run at the same time, the outputs are those of one after the other with
 * each value in memory of its own, whoever is first; and a plan that forgets a single pair of
 * buffers that keep apart changes them.  */
#include <config.h>

#include "runtime/run.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/streams.h"
#include "lib/problem/conflicts.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "runtime/compare.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "tests/support/fake_kernel.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "tests/support/telling.h"
#include "workloads/builder/builder.h"
#include "workloads/seeded.h"

/* --- at once --- */

static const struct conv_kernel meeting = {
    .name = "meeting",
    .isas = 1U << ISA_GENERIC,
    .plan = fake_kernel_plan,
    .clear = fake_kernel_clear,
    .pack = fake_kernel_pack,
    .run = fake_kernel_meet,
};

/* X, of which two convolutions make their own, which are the outputs Y.  */
static struct network *two_branches(size_t *x, size_t *y)
{
    struct builder *b = builder_new("two", DTYPE_F32);
    struct network *network;

    *x = builder_input(b, "x", 4, (const int64_t[]){1, 1, 4, 4});
    y[0] = builder_conv(b, "a", *x, 1, .r = 1, .bias = true);
    y[1] = builder_conv(b, "b", *x, 1, .r = 1, .bias = true);
    builder_output(b, y[0]);
    builder_output(b, y[1]);
    network = builder_finish(b, NULL);
    seed_weights(network);
    return network;
}

static void at_once(void)
{
    static const size_t stream[] = {0, 1}, many[] = {0, 2};
    struct run_options options = {
        .kernel = &meeting, .isa = ISA_GENERIC, .threads = 2, .stream = stream};
    size_t x, y[2];
    struct network *network = two_branches(&x, y);
    struct schedule *schedule = schedule_file_order(network);
    struct run_memory *memory = run_memory_plain(network);
    struct error error = {""};
    struct run *run = run_new(network, schedule, memory, &options, &error);

    *(atomic_int *)memory->value[x] = 0;
    ok(run != NULL && run_once(run, &error), "two that wait for each other both end");
    ok(*(const float *)memory->value[y[0]] == 1 && *(const float *)memory->value[y[1]] == 1,
       "since they run at the same time");
    run_free(run);
    options.stream = many;
    ok(run_new(network, schedule, memory, &options, &error) == NULL, "more streams than threads");
    is_text(error.text, "3 streams on 2 threads; expected as many threads, or one", "says so");
    run_memory_free(memory);
    schedule_free(schedule);
    network_free(network);
}

/* --- the same outputs --- */

static bool equal_on_streams(const struct instance *instance, const struct run_memory *plain,
                             int rounds)
{
    const struct origin *origin = instance->origin;
    struct plan *plan = solver_plan("greedy-by-size", instance, 1);
    struct run_options options = {.threads = 2, .stream = origin->stream, .after = origin->after};
    struct error error = {""};
    struct run_memory *memory = run_memory_planned(instance, plan, &error);
    struct run_inputs *inputs = run_inputs_new(origin->network, NULL);
    struct run *run;
    bool equal;

    isa_default(&options.isa, NULL);
    run = run_new(origin->network, origin->schedule, memory, &options, &error);
    equal = run != NULL;
    for (int round = 0; round < rounds && equal; round++) {
        run_inputs_write(inputs, memory);
        equal = run_once(run, &error) && run_differs(origin->network, memory, plain) == NULL;
    }
    if (!equal)
        tap_diag("%s: %s", instance->name, error.text);
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(memory);
    plan_free(plan);
    return equal;
}

static struct run_memory *run_plainly(const struct instance *instance)
{
    const struct origin *origin = instance->origin;
    struct run_options options = {.threads = 1};
    struct error error = {""};
    struct run_memory *memory;

    isa_default(&options.isa, NULL);
    memory = run_apart(origin->network, origin->schedule, &options, &error);
    if (memory == NULL)
        tap_bail(error.text);
    return memory;
}

static void same_outputs(const char *spec, int rounds)
{
    struct instance *instance = runnable_of(spec);
    struct run_memory *plain = run_plainly(instance);

    ok(telling_outputs(instance->origin->network, plain), "%s: outputs that could differ", spec);
    ok(equal_on_streams(instance, plain, rounds), "%s: as one operator after the other, %d times",
       spec, rounds);
    run_memory_free(plain);
    instance_free(instance);
}

/* --- without one pair --- */

/* Pairs that the streams keep apart and one clock does not.  */
struct pairs_apart {
    struct conflict_pair *pair;
    size_t count;
};

static struct pairs_apart list_pairs(const struct instance *streams, const struct instance *serial)
{
    struct pairs_apart pairs = {memory_alloc(serial->n * serial->n, sizeof(struct conflict_pair)),
                                0};

    for (size_t a = 0; a < serial->n; a++)
        for (size_t b = 0; b < a; b++)
            if (lives_meet(streams, a, b) && !lives_meet(serial, a, b))
                pairs.pair[pairs.count++] = (struct conflict_pair){CONFLICT_APART, b, a};
    return pairs;
}

/* The same operators with FIRST as early as what it waits for allows: all that happens before it,
 * by BEFORE, then it, then the rest.  */
static struct schedule *hurry(const struct schedule *schedule, const uint64_t *before, size_t words,
                              size_t first)
{
    struct schedule *other = memory_alloc(1, sizeof *other);
    size_t *sequence = schedule_sequence(schedule);
    int64_t step = 0;

    *other = *schedule;
    other->step = memory_alloc(schedule->n, sizeof *other->step);
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < schedule->n; i++) {
            const size_t x = sequence[i];
            const bool early = x == first || (before[first * words + x / 64] >> x % 64 & 1) != 0;

            if (early == (turn == 0))
                other->step[x] = step++;
        }
    free(sequence);
    return other;
}

/* Whether the outputs are right where PLAN puts the values of INSTANCE's network and the operators
 * run one after the other in the order of SCHEDULE.  */
static bool right_in(const struct instance *instance, const struct plan *plan,
                     const struct schedule *schedule, const struct run_memory *plain)
{
    const struct network *network = instance->origin->network;
    struct run_options options = {.threads = 1};
    struct error error = {""};
    struct run_memory *memory = run_memory_planned(instance, plan, &error);
    struct run_inputs *inputs = run_inputs_new(network, NULL);
    struct run *run;
    bool right;

    isa_default(&options.isa, NULL);
    run = run_new(network, schedule, memory, &options, &error);
    if (run == NULL)
        tap_bail(error.text);
    run_inputs_write(inputs, memory);
    right = run_once(run, &error) && run_differs(network, memory, plain) == NULL;
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(memory);
    return right;
}

/* Forgets pair FORGOTTEN; whether the plan that comes of it still gives the right outputs when the
 * later of the two buffers is made as early as can be.  */
static bool right_without(const struct instance *streams, const struct instance *serial,
                          const struct pairs_apart *pairs, size_t forgotten,
                          const struct run_memory *plain)
{
    const struct origin *origin = streams->origin;
    const struct conflict_pair gone = pairs->pair[forgotten];
    struct conflict_pair *kept = memory_alloc(pairs->count, sizeof *kept);
    size_t *buffer_of = memory_alloc(serial->n, sizeof *buffer_of), words, count = 0;
    const struct streams order = {
        .stream = origin->stream, .after = origin->after, .schedule = origin->schedule};
    uint64_t *before = streams_before(&order, origin->network, &words);
    struct schedule *early = hurry(origin->schedule, before, words,
                                   origin->network->value[origin->value[gone.b]].producer);
    struct instance *instance;
    struct plan *plan;
    bool right;

    for (size_t i = 0; i < pairs->count; i++)
        if (i != forgotten)
            kept[count++] = pairs->pair[i];
    instance = conflicts_apply(serial, kept, count, buffer_of, NULL);
    plan = solver_plan("first-fit-by-start", instance, 1);
    right = right_in(streams, plan, early, plain);
    plan_free(plan);
    plan = solver_plan("first-fit-by-start", streams, 1);
    if (!verify_plan(streams, plan, NULL) || !right_in(streams, plan, early, plain))
        tap_bail("a plan of the streams is wrong in an order that agrees with them");
    plan_free(plan);
    instance_free(instance);
    schedule_free(early);
    memory_free(before);
    memory_free(buffer_of);
    memory_free(kept);
    return right;
}

static void without_a_pair(const char *spec)
{
    const struct lifetime_options options = {.io = IO_NONE, .alignment = 64, .elements = true};
    struct instance *streams = runnable_of(spec);
    const struct origin *origin = streams->origin;
    struct schedule *copy = schedule_file_order(origin->network);
    struct instance *serial;
    struct run_memory *plain = run_plainly(streams);
    struct pairs_apart pairs;
    size_t wrong = 0, tried = 0;

    memcpy(copy->step, origin->schedule->step, copy->n * sizeof *copy->step);
    serial = lifetimes_instance(network_copy(origin->network), copy, &options, NULL);
    pairs = list_pairs(streams, serial);
    ok(pairs.count > 0, "%s: %zu pairs of buffers keep apart", spec, pairs.count);
    for (size_t i = 0; i < pairs.count && wrong == 0 && tried < 300; i += 1 + pairs.count / 300) {
        tried++;
        wrong += !right_without(streams, serial, &pairs, i, plain);
    }
    ok(wrong > 0, "without one of them the outputs are others (after %zu tries)", tried);
    memory_free(pairs.pair);
    run_memory_free(plain);
    instance_free(serial);
    instance_free(streams);
}

int main(void)
{
    if (pool_processors() < 2) {
        tap_skip(10, "there is a single processor");
    } else {
        at_once();
        same_outputs("resnet50_two_streams:size=32,streams=2,alignment=64", tap_tier(2, 10));
        same_outputs("googlenet:size=64,fuse=all,streams=2,alignment=64", tap_tier(5, 30));
        same_outputs("squeezenet1_1:size=64,weights=fetch,streams=1,ahead=2,alignment=64",
                     tap_tier(3, 20));
    }
    without_a_pair("googlenet:size=64,fuse=all,streams=2,alignment=64");
    return tap_done();
}
