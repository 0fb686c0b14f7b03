/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run in groups promises beside its outputs (t_groups.c): operators of a step at the same
 * time, one message of what fails, and times.  */
#include <config.h>

#include "runtime/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/order.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "tests/support/fake_kernel.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"
#include "workloads/seeded.h"

/* --- at once --- */

/* Of the kernel that waits for another of its own.  */
static bool meeting_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    (void)params;
    fake_kernel_layouts(plan);
    return plan->request.threads == 1 ||
           error_set(error, "%d threads in a region", plan->request.threads);
}

static const struct conv_kernel meeting = {
    .name = "meeting",
    .isas = 1U << ISA_GENERIC,
    .plan = meeting_plan,
    .clear = fake_kernel_clear,
    .pack = fake_kernel_pack,
    .run = fake_kernel_meet,
};

static void at_once(void)
{
    const struct run_options options = {
        .kernel = &meeting, .isa = ISA_GENERIC, .threads = 2, .groups = true};
    struct builder *b = builder_new("two", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 1, 4, 4}), y[2];
    struct network *network;
    struct schedule *schedule;
    struct run_memory *memory;
    struct error error = {""};
    struct run *run;

    if (pool_processors() < 2) {
        tap_skip(3, "there is a single processor");
        builder_finish(b, &error);
        return;
    }
    y[0] = builder_conv(b, "a", x, 1, .r = 1, .bias = true);
    y[1] = builder_conv(b, "b", x, 1, .r = 1, .bias = true);
    builder_output(b, y[0]);
    builder_output(b, y[1]);
    network = builder_finish(b, &error);
    seed_weights(network);
    schedule = order_groups(network, 1);
    memory = run_memory_plain(network);
    run = run_new(network, schedule, memory, &options, &error);
    is_int(run == NULL ? 0 : (int64_t)run_facts(run).convolutions, 2,
           "convolutions of a region are planned for one thread %s",
           run == NULL ? error.text : run_facts(run).reason);
    *(atomic_int *)memory->value[x] = 0;
    ok(run != NULL && run_once(run, &error), "two that wait for each other both end");
    ok(*(const float *)memory->value[y[0]] == 1 && *(const float *)memory->value[y[1]] == 1,
       "since they run at the same time");
    run_free(run);
    run_memory_free(memory);
    schedule_free(schedule);
    network_free(network);
}

/* --- what goes wrong --- */

static size_t operator_on(struct network *network, const char *name, const char *computation,
                          const size_t *input, size_t inputs)
{
    const int64_t two = 2;
    size_t op = network_add_op(network, name, OP_OTHER, "test", input, inputs);
    size_t output = network_add_output(network, op, name, DTYPE_F32, 1, &two);

    network_set_computation(network, op, computation_new(computation, 13, inputs, 1));
    return output;
}

/* Two elements of X by index, three times in one step; the third one's sine is in the next.  */
static struct network *gathering(void)
{
    static const char *const names[] = {"g1", "g2", "g3"};
    struct network *network = network_new("gathering");
    const int64_t three = 3, two = 2;
    size_t input[2] = {network_add_value(network, "x", VALUE_INPUT, DTYPE_F32, 1, &three),
                       network_add_value(network, "good", VALUE_INPUT, DTYPE_I64, 1, &two)};
    size_t bad[2] = {input[0], network_add_value(network, "bad", VALUE_INPUT, DTYPE_I64, 1, &two)};
    size_t last = 0;

    for (size_t i = 0; i < 3; i++) {
        last = operator_on(network, names[i], "Gather", i == 0 ? input : bad, 2);
        network_mark_output(network, last);
    }
    network_mark_output(network, operator_on(network, "s", "Sin", &last, 1));
    return network;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static bool floats_are(const void *value, float a, float b)
{
    const float want[] = {a, b};

    return memcmp(value, want, sizeof want) == 0;
}

/* The failures of a step: g2 and g3 fail, g3 comes first, g2 is reported.  */
static void failures(int threads)
{
    const struct run_options options = {
        .threads = threads, .groups = true, .time = (const double[]){1, 2, 3, 1}};
    struct network *network = gathering();
    struct schedule *schedule = order_groups(network, 1);
    struct run_memory *memory = run_memory_plain(network);
    struct error error = {""};
    struct run *run = run_new(network, schedule, memory, &options, &error);
    const float *x = memcpy(memory->value[0], (const float[]){5, 6, 7}, 3 * sizeof(float));
    float *sine = memory->value[network->op[3].output[0]];
    int64_t *bad = memcpy(memory->value[2], (const int64_t[]){0, 9}, 2 * sizeof(int64_t));

    memcpy(memory->value[1], (const int64_t[]){2, 0}, 2 * sizeof(int64_t));
    sine[0] = 42;
    ok(run != NULL && !run_once(run, &error), "%d threads: an operator fails", threads);
    ok(strncmp(error.text, "operator 'g2': Gather: ", 23) == 0 &&
           count_of(error.text, "operator '") == 1 && strstr(error.text, "9") != NULL,
       "of two the first one's reason is reported, once: %s", error.text);
    ok(floats_are(memory->value[network->op[0].output[0]], x[2], x[0]),
       "the third of the step has run");
    ok(sine[0] == 42, "the next step has not");
    bad[1] = 1;
    ok(run_once(run, &error) && floats_are(memory->value[network->op[2].output[0]], x[0], x[1]) &&
           fabsf(sine[0] - sinf(x[0])) < 1e-6F,
       "the same run goes well with other input");
    run_free(run);
    run_memory_free(memory);
    schedule_free(schedule);
    network_free(network);
}

/* Two operators fail after two that wait for each other, so that each thread fails with one: with
 * which hangs on who is first, and what is reported does not.  */
static void failures_of_both(void)
{
    const struct run_options options = {.kernel = &meeting,
                                        .isa = ISA_GENERIC,
                                        .threads = 2,
                                        .groups = true,
                                        .time = (const double[]){9, 8, 2, 3}};
    const int64_t two = 2;
    struct builder *b = builder_new("both", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 1, 4, 4}), input[2];
    struct network *network;
    struct schedule *schedule;
    struct run_memory *memory;
    struct error error = {""};
    int rounds = 200, good = 0;
    struct run *run;

    builder_output(b, builder_conv(b, "a", x, 1, .r = 1, .bias = true));
    builder_output(b, builder_conv(b, "b", x, 1, .r = 1, .bias = true));
    network = builder_finish(b, &error);
    seed_weights(network);
    input[0] = x;
    input[1] = network_add_value(network, "bad", VALUE_INPUT, DTYPE_I64, 1, &two);
    network_mark_output(network, operator_on(network, "g1", "Gather", input, 2));
    network_mark_output(network, operator_on(network, "g2", "Gather", input, 2));
    schedule = order_groups(network, 1);
    memory = run_memory_plain(network);
    run = run_new(network, schedule, memory, &options, &error);
    memcpy(memory->value[input[1]], (const int64_t[]){0, 9}, 2 * sizeof(int64_t));
    for (int round = 0; run != NULL && round < rounds; round++) {
        *(atomic_int *)memory->value[x] = 0;
        good += !run_once(run, &error) && strncmp(error.text, "operator 'g1': ", 15) == 0;
    }
    is_int(good, rounds, "of two threads' failures the first operator's is reported: %s",
           error.text);
    run_free(run);
    run_memory_free(memory);
    schedule_free(schedule);
    network_free(network);
}

/* Each byte that nobody may write.  */
static bool is_guarded(struct run_memory *memory)
{
    bool guarded = run_memory_intact(memory);

    for (int64_t i = 1; i <= RUN_CANARY; i++)
        for (int side = 0; side < 2; side++) {
            unsigned char *byte =
                memory->arena[0].data + (side == 0 ? -i : memory->arena[0].bytes + i - 1);

            *byte ^= 1;
            guarded = guarded && !run_memory_intact(memory);
            *byte ^= 1;
        }
    return guarded && run_memory_intact(memory);
}

static void canaries(void)
{
    const struct run_options options = {.threads = 1, .groups = true};
    const struct lifetime_options counting = {.alignment = 4};
    struct network *network = network_of("squeezenet1_1:size=64");
    struct run_inputs *inputs = run_inputs_new(network, NULL);
    struct instance *instance;
    struct plan *plan;
    struct run_memory *memory;
    struct error error = {""};
    struct run *run;

    seed_weights(network);
    instance = lifetimes_instance(network, order_groups(network, 1), &counting, &error);
    plan = solver_plan("greedy-by-size", instance, 1);
    memory = run_memory_planned(instance, plan, &error);
    run = run_new(network, instance->origin->schedule, memory, &options, &error);
    run_inputs_write(inputs, memory);
    ok(run_once(run, &error), "nobody writes beside the arena %s", error.text);
    ok(is_guarded(memory), "each byte beside it is looked at");
    memory->arena[0].data[-1] ^= 1;
    ok(!run_once(run, &error), "who does is seen");
    is_text(error.text, "operator 'conv1' wrote beside the arena", "... in its step");
    run_free(run);
    run_memory_free(memory);
    plan_free(plan);
    run_inputs_free(inputs);
    instance_free(instance);
}

/* The one input of TYPE of a network lies AT bytes from the arena's begin.  */
static bool may_lie(enum dtype type, int64_t at, struct error *error)
{
    const struct lifetime_options counting = {.io = IO_BOTH, .alignment = 1};
    struct network *network = network_new("one");
    const int64_t two = 2;
    size_t x = network_add_value(network, "x", VALUE_INPUT, type, 1, &two);
    size_t op = network_add_op(network, "o", OP_OTHER, "test", &x, 1);
    struct instance *instance;
    struct run_memory *memory;
    struct plan *plan;

    network_mark_output(network, network_add_output(network, op, "y", DTYPE_I8, 1, &two));
    instance = lifetimes_instance(network, schedule_file_order(network), &counting, error);
    plan = plan_new(instance);
    plan->offset[instance->origin->buffer[x]] = at;
    plan->peak = plan_peak(instance, plan);
    memory = run_memory_planned(instance, plan, error);
    plan_free(plan);
    instance_free(instance);
    run_memory_free(memory);
    return memory != NULL;
}

/* Elements lie at multiples of their size, or of 8 where that is less.  */
static void alignments(void)
{
    static const struct {
        enum dtype type;
        int64_t alignment;
    } rows[] = {{DTYPE_I8, 1},  {DTYPE_F16, 2}, {DTYPE_F32, 4},
                {DTYPE_F64, 8}, {DTYPE_C64, 8}, {DTYPE_C128, 8}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error error = {""};
        int64_t least = 1;

        while (!may_lie(rows[i].type, least, &error))
            least++;
        is_int(least, rows[i].alignment, "%s: at multiples of %" PRId64, dtype_name(rows[i].type),
               rows[i].alignment);
    }
}

/* Each operator's seconds, of those that run.  */
static void seconds(void)
{
    const struct run_options options = {.threads = pool_processors() > 1 ? 2 : 1, .groups = true};
    double begin, sum = 0;
    struct network *network = network_of("squeezenet1_1:size=64");
    struct schedule *schedule = order_groups(network, 1);
    double *second = memory_zalloc(network->n_ops, sizeof *second);
    struct run_inputs *inputs = run_inputs_new(network, NULL);
    struct run_memory *memory;
    struct error error = {""};
    size_t timed = 0;
    struct run *run;

    seed_weights(network);
    memory = run_memory_plain(network);
    run = run_new(network, schedule, memory, &options, &error);
    run_inputs_write(inputs, memory);
    begin = timer_now();
    ok(run != NULL && run_timed(run, second, &error), "a timed run %s", error.text);
    for (size_t o = 0; o < network->n_ops; o++) {
        timed += second[o] > 0;
        sum += second[o];
    }
    ok(sum <= options.threads * (timer_now() - begin), "no more than the whole run took");
    is_int((int64_t)timed, (int64_t)(network->n_ops - run_facts(run).idle),
           "each operator that runs has its seconds");
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(memory);
    free(second);
    schedule_free(schedule);
    network_free(network);
}

static void too_many_threads(void)
{
    const struct run_options options = {.threads = pool_processors() + 1, .groups = true};
    struct network *network = gathering();
    struct schedule *schedule = order_groups(network, 1);
    struct run_memory *memory = run_memory_plain(network);
    struct error error = {""};

    ok(run_new(network, schedule, memory, &options, &error) == NULL &&
           strstr(error.text, "processors") != NULL,
       "more threads than processors: %s", error.text);
    run_memory_free(memory);
    schedule_free(schedule);
    network_free(network);
}

int main(void)
{
    at_once();
    for (int threads = 1; threads <= pool_processors() && threads <= 2; threads++)
        failures(threads);
    if (pool_processors() > 1)
        failures_of_both();
    canaries();
    alignments();
    seconds();
    too_many_threads();
    return tap_done();
}
