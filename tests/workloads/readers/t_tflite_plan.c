/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in TensorFlow Lite models: the numbers that are written, that they are read
 * back, and what is refused.  */
#include <config.h>

#include "workloads/readers/tflite/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/tap.h"
#include "tests/support/tflite_models.h"

static struct error error;

static const struct tflite_options plain = {.batch = 0};

static bool contains(const char *text, size_t length, const int32_t *number, size_t count)
{
    for (size_t at = 0; at + 4 * count <= length; at += 4)
        if (memcmp(text + at, number, 4 * count) == 0)
            return true;
    return false;
}

/* All buffers beside one another, 16 bytes apart.  */
static struct plan *stacked(const struct instance *instance)
{
    struct plan *plan = plan_new(instance);
    int64_t top = 0;

    for (size_t b = 0; b < instance->n; b++) {
        plan->offset[b] = top;
        top += (instance->buffer[b].size + 15) / 16 * 16;
    }
    plan->peak = plan_peak(instance, plan);
    return plan;
}

static void write_plan(const void *data, size_t size, const struct instance *instance, char **text,
                       size_t *length)
{
    struct plan *plan = stacked(instance);
    FILE *out = memory_stream(text, length);

    ok(tflite_plan_write("t.tflite", data, size, 0, instance, plan, out, &error), "written (%s)",
       error.text);
    memory_stream_close(out);
    plan_free(plan);
}

static void same_plan(const void *data, size_t size, const struct instance *instance)
{
    struct plan *plan = tflite_plan_read("t.tflite", data, size, 0, instance, &error);
    struct plan *want = stacked(instance);

    if (ok(plan != NULL, "read (%s)", error.text)) {
        ok(memcmp(plan->offset, want->offset, instance->n * sizeof *plan->offset) == 0 &&
               plan->peak == want->peak,
           "the offsets that were written");
        ok(verify_plan(instance, plan, &error), "a valid plan");
    }
    plan_free(plan);
    plan_free(want);
}

static struct instance *small_instance(const struct writer *writer,
                                       const struct lifetime_options *options)
{
    return tflite_instance(tflite_parse(writer->data, writer->size, 0, &plain, NULL, &error),
                           options, &error);
}

static void plans(void)
{
    /* version, sub-graphs, tensors; image 0, conv 32, depthwise 80, rows 96, logits
     * 112, sum 128; the constants are not the arena's.  */
    static const int32_t numbers[] = {0, 1, 12, 0, -1, -1, 32, -1, 80, -1, 96, -1, 112, 128, -1};
    const struct lifetime_options both = {.io = IO_BOTH}, none = {0};
    const struct lifetime_options alias = {.io = IO_BOTH, .alias = true};
    struct instance *instance, *inner, *shared;
    char *once, *twice;
    size_t once_length, twice_length;
    struct writer writer;
    struct plan *plan;

    tflite_make(&writer, &tflite_small, 1);
    instance = small_instance(&writer, &both);
    inner = small_instance(&writer, &none);
    shared = small_instance(&writer, &alias);
    plan = tflite_plan_read("t.tflite", writer.data, writer.size, 0, instance, &error);
    ok(plan == NULL && strstr(error.text, "there is no plan in it") != NULL, "no plan (%s)",
       error.text);
    write_plan(writer.data, writer.size, instance, &once, &once_length);
    ok(contains(once, once_length, numbers, sizeof numbers / sizeof numbers[0]),
       "the numbers that TFLite Micro reads");
    same_plan(once, once_length, instance);
    plan = tflite_plan_read("t.tflite", once, once_length, 0, shared, &error);
    ok(plan == NULL && strstr(error.text, "'depthwise' and 'rows' are not at one place") != NULL,
       "tensors that should share a buffer and do not (%s)", error.text);
    write_plan(once, once_length, shared, &twice, &twice_length);
    same_plan(twice, twice_length, shared);
    plan = tflite_plan_read("t.tflite", twice, twice_length, 0, inner, &error);
    ok(plan != NULL, "the part of a plan that an instance needs (%s)", error.text);
    plan_free(plan);
    free(twice);
    write_plan(once, once_length, inner, &twice, &twice_length);
    plan = tflite_plan_read("t.tflite", twice, twice_length, 0, instance, &error);
    ok(plan == NULL && strstr(error.text, "'image' is left to the runtime") != NULL,
       "tensors without an offset (%s)", error.text);
    free(twice);
    free(once);
    instance_free(instance);
    instance_free(inner);
    instance_free(shared);
    writer_clear(&writer);
}

/* What is stored in the file has no place in a plan: nothing is written.  */
static void refused(const struct writer *writer, const struct lifetime_options *options,
                    const char *tensor)
{
    struct instance *instance = small_instance(writer, options);
    struct plan *plan = stacked(instance);
    size_t length;
    char *text;
    FILE *out = memory_stream(&text, &length);

    ok(!tflite_plan_write("t.tflite", writer->data, writer->size, 0, instance, plan, out, &error) &&
           strstr(error.text, tensor) != NULL &&
           strstr(error.text, "is stored in the file") != NULL,
       "a plan with room for it is refused (%s)", error.text);
    memory_stream_close(out);
    is_int((int64_t)length, 0, "nothing is written");
    free(text);
    plan_free(plan);
    instance_free(instance);
}

static void stored(void)
{
    static const struct tensor_made tensor[] = {
        I8("x", 1, 3), {"k", TFLITE_INT8, 1, {3}, 3, NULL, false}, I8("y", 1, 3)};
    static const struct op_made add = {0, 2, {0, 1}, 1, {2}, 0, {{0, 0}}};
    static const struct graph_made constant_output = {.tensor = tensor,
                                                      .tensors = 3,
                                                      .op = &add,
                                                      .ops = 1,
                                                      .inputs = 1,
                                                      .input = {0},
                                                      .outputs = 2,
                                                      .output = {2, 1}};
    struct writer writer;

    tflite_make(&writer, &tflite_small, 1);
    refused(&writer, &(struct lifetime_options){.io = IO_BOTH, .weights = true},
            "expected weights");
    writer_clear(&writer);
    tflite_make(&writer, &constant_output, 1);
    refused(&writer, &(struct lifetime_options){.io = IO_BOTH}, "'k'");
    writer_clear(&writer);
}

/* Tensors of several sub-graphs stand one after the other.  */
static void second_graph(void)
{
    static const int32_t numbers[] = {0,  2,  15, -1, -1, -1, -1, -1, -1,
                                      -1, -1, -1, -1, -1, -1, 0,  -1, 16};
    static const struct tensor_made tensor[] = {
        I8("x", 1, 3), {"k", TFLITE_INT8, 1, {3}, 3, NULL, false}, I8("x", 1, 3)};
    static const struct op_made add = {0, 2, {0, 1}, 1, {2}, 0, {{0, 0}}};
    const struct graph_made graph[] = {tflite_small,
                                       {.tensor = tensor,
                                        .tensors = 3,
                                        .op = &add,
                                        .ops = 1,
                                        .inputs = 1,
                                        .input = {0},
                                        .outputs = 1,
                                        .output = {2}}};
    const struct lifetime_options both = {.io = IO_BOTH};
    struct instance *instance;
    struct plan *plan;
    struct writer writer;
    size_t length;
    char *text;
    FILE *out;

    tflite_make(&writer, graph, 2);
    instance = tflite_instance(tflite_parse(writer.data, writer.size, 1, &plain, NULL, &error),
                               &both, &error);
    if (ok(instance != NULL && instance->n == 2, "two tensors of one name (%s)", error.text)) {
        plan = stacked(instance);
        out = memory_stream(&text, &length);
        ok(tflite_plan_write("t.tflite", writer.data, writer.size, 1, instance, plan, out, &error),
           "written (%s)", error.text);
        memory_stream_close(out);
        ok(contains(text, length, numbers, sizeof numbers / sizeof numbers[0]),
           "in the second sub-graph's places");
        free(text);
        plan_free(plan);
    }
    instance_free(instance);
    writer_clear(&writer);
}

int main(void)
{
    plans();
    stored();
    second_graph();
    return tap_done();
}
