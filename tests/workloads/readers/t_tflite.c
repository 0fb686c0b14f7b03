/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite models: one made by hand with figures worked out by hand, sizes
 * bound to the inputs, what is refused, damaged files, and real models, whose
 * figures a script outside the project worked out.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "tests/support/figures.h"
#include "tests/support/tap.h"
#include "tests/support/tflite_models.h"
#include "workloads/readers/tflite/flatbuffer.h"
#include "workloads/readers/tflite/network.h"

static struct error error;

static struct network *parse_made(const struct graph_made *graph,
                                  const struct tflite_options *options)
{
    struct writer writer;
    struct network *network;

    tflite_make(&writer, graph, 1);
    network = tflite_parse(writer.data, writer.size, 0, options, NULL, &error);
    writer_clear(&writer);
    return network;
}

static const struct tflite_options plain = {.batch = 0};

/* --- figures --- */

static void check(const char *what, const struct tflite_options *options,
                  const struct lifetime_options *lifetimes, struct figures want)
{
    struct instance *instance =
        tflite_instance(parse_made(&tflite_small, options), lifetimes, &error);

    figures_match(what, instance, &error, &want);
    instance_free(instance);
}

/* conv [0,2) 48, depthwise [1,3) 12, rows [2,4) 12, logits [3,5) 5; with aliases
 * depthwise and rows are one, [1,4).  The image has 32 bytes, the sum 5; what is
 * stored has 54 + 12 + 27 + 8 + 60 + 5.  */
static void figures(void)
{
    const struct lifetime_options none = {0};

    check("plain", &plain, &none, (struct figures){4, 77, 60, 48, 2});
    check("alias=on", &plain, &(struct lifetime_options){.alias = true},
          (struct figures){3, 65, 60, 48, 2});
    check("io=both", &plain, &(struct lifetime_options){.io = IO_BOTH},
          (struct figures){6, 114, 80, 48, 2});
    check("weights=on", &plain, &(struct lifetime_options){.weights = true},
          (struct figures){10, 243, 226, 60, 8});
    check("two images", &(struct tflite_options){.batch = 2}, &none,
          (struct figures){4, 154, 120, 96, 2});
    check("shapes worked out", &(struct tflite_options){.infer_all = true}, &none,
          (struct figures){4, 77, 60, 48, 2});
    /* 4 x 8 x 3, then 2 x 4 x 3: two rows of 12 */
    check("another size", &(struct tflite_options){.h = 4, .w = 8}, &none,
          (struct figures){4, 154, 120, 96, 2});
}

static void operators(void)
{
    struct network *network = parse_made(&tflite_small, &plain);
    const struct network_op *op;

    if (!ok(network != NULL, "read (%s)", error.text))
        return;
    op = &network->op[0];
    ok(op->kind == OP_CONV && op->channels_last && op->conv.n == 1 && op->conv.c == 2 &&
           op->conv.h == 4 && op->conv.k == 3 && op->conv.groups == 1 && op->conv.pad_top == 1,
       "a convolution");
    is_int(op->macs, 3 * 16 * 2 * 9, "its multiply-accumulates");
    is_text(op->activation, "relu", "its activation");
    is_text(op->name, "CONV_2D_0", "its name");
    op = &network->op[1];
    ok(op->conv.groups == 3 && op->conv.k == 3 && op->conv.stride_h == 2 && op->conv.pad_top == 0 &&
           op->conv.pad_bottom == 1 && op->inputs == 2,
       "a depthwise one, without the bias that is left out");
    is_text(op->activation, "relu6", "its activation");
    ok(network->op[2].kind == OP_ALIAS, "a reshape is an alias");
    is_int(network->op[3].macs, 60, "a fully connected layer");
    ok(network->value[network->op[3].input[1]].role == VALUE_WEIGHT, "its weights");
    ok(network->value[network->op[4].input[1]].role == VALUE_CONSTANT, "another constant");
    network_free(network);
}

/* --- what is refused --- */

static void refused(const char *what, const struct graph_made *graph,
                    const struct tflite_options *options, const char *want)
{
    struct network *network = parse_made(graph, options);

    ok(network == NULL && strstr(error.text, want) != NULL &&
           strncmp(error.text, "t.tflite: ", 10) == 0,
       "%s (%s)", what, error.text);
    network_free(network);
}

static void bad_graphs(void)
{
    static const struct tensor_made tensor[] = {I8("a", 1, 4), I8("b", 1, 4), I8("c", 1, 4),
                                                I8("open", -1, 4), I8("bad", -7, 4)};
    static const struct op_made relu = {19, 1, {0}, 1, {1}, 0, {{0, 0}}};
    static const struct op_made later[] = {{19, 1, {2}, 1, {1}, 0, {{0, 0}}},
                                           {19, 1, {1}, 1, {2}, 0, {{0, 0}}}};
    static const struct op_made twice[] = {{19, 1, {0}, 1, {1}, 0, {{0, 0}}},
                                           {19, 1, {0}, 1, {1}, 0, {{0, 0}}}};
    static const struct op_made input = {19, 1, {1}, 1, {0}, 0, {{0, 0}}};
    static const struct op_made beyond = {19, 1, {6}, 1, {1}, 0, {{0, 0}}};
    static const struct op_made open = {119, 1, {0}, 1, {3}, 0, {{0, 0}}};
    struct graph_made graph = {.tensor = tensor,
                               .tensors = 4,
                               .op = &relu,
                               .ops = 1,
                               .inputs = 1,
                               .input = {0},
                               .outputs = 1,
                               .output = {1}};

    graph.op = later;
    graph.ops = 2;
    refused("a cycle", &graph, &plain,
            "operator 0 (RELU): reads tensor 'c' before operator 1 makes it: a cycle");
    graph.op = twice;
    refused("two makers", &graph, &plain,
            "operator 1 (RELU): makes tensor 'b', which operator 0 makes");
    graph.ops = 1;
    graph.op = &input;
    refused("an input that is made", &graph, &plain, "makes tensor 'a', which is an input");
    graph.op = &beyond;
    refused("a tensor that is not there", &graph, &plain, "tensor 6, expected one of 4");
    graph.op = &relu;
    graph.inputs = 0;
    refused("a missing input", &graph, &plain,
            "operator 0 (RELU): reads tensor 'a', which nothing makes and which has no data");
    graph.inputs = 1;
    graph.output[0] = 2;
    refused("an output that nothing makes", &graph, &plain, "nothing makes tensor 'c'");
    graph.output[0] = 1;
    graph.input[0] = 3;
    refused("an open input", &graph, &plain, "dimension 0 of input 'open' is open: give it");
    graph.input[0] = 0;
    graph.op = &open;
    graph.output[0] = 3;
    refused("an open output of an operator that is not known well enough", &graph, &plain,
            "operator 0 (WHILE): the shapes that it makes cannot be worked out");
    graph.tensors = 5;
    refused("a negative dimension", &graph, &plain, "dimension 0 of tensor 'bad' is -7");
    refused("channels that the filter has not", &tflite_small, &(struct tflite_options){.c = 3},
            "operator 0 (CONV_2D)");
}

/* --- damaged files --- */

/* Whatever is cut off or changed: an error with the file's name, or a network, and
 * no access outside the bytes (the sanitizers see it).  */
static void damaged(void)
{
    struct writer writer;
    size_t accepted = 0, nameless = 0;

    tflite_make(&writer, &tflite_small, 1);
    for (size_t i = 0; i < 2 * writer.size; i++) {
        size_t size = i < writer.size ? i : writer.size;
        uint8_t *copy = memory_copy(writer.data, size, 1);
        struct network *network;

        if (i >= writer.size)
            copy[i - writer.size] ^= i % 2 == 0 ? 0xff : 0x80;
        network = tflite_parse(copy, size, 0, &plain, NULL, &error);
        accepted += network != NULL && i + 64 < writer.size;
        nameless += network == NULL && strncmp(error.text, "t.tflite: ", 10) != 0;
        network_free(network);
        free(copy);
    }
    is_int((int64_t)accepted, 0, "files that are cut off are refused");
    is_int((int64_t)nameless, 0, "messages begin with the file's name");
    writer_clear(&writer);
}

/* A table of 12 bytes, the last of which are the file's but for ROOM, with a vtable of 8: field 0
 * is at PLACE of it.  */
static void lay_out(uint8_t *file, uint8_t vtable, uint8_t size, uint8_t place)
{
    const uint8_t bytes[] = {16,   0, 0,     0, 'T', 'F', 'L', '3', vtable, 0,
                             size, 0, place, 0, 4,   0,   8,   0,   0,      0};

    memset(file, 0, 32);
    memcpy(file, bytes, sizeof bytes);
}

/* Where fields of a table may lie: behind its first four bytes and before its end, if there is
 * more of the file or not.  */
static void fields(void)
{
    static const struct {
        uint8_t place;
        size_t width, at; /* 0: refused */
    } rows[] = {{4, 4, 20}, {4, 8, 20}, {8, 4, 24}, {9, 4, 0},  {11, 1, 27}, {12, 1, 0},
                {5, 8, 0},  {16, 4, 0}, {13, 1, 0}, {14, 1, 0}, {3, 1, 0},   {2, 1, 0}};
    struct flatbuffer_table table;
    struct flatbuffer buffer;
    uint8_t file[32];
    size_t at;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool good;

        lay_out(file, 8, 12, rows[i].place);
        good = flatbuffer_open(&buffer, "t", file, sizeof file, "TFL3", &error) &&
               flatbuffer_root(&buffer, &table);
        ok(good && flatbuffer_field(&buffer, &table, 0, rows[i].width, &at) == (rows[i].at != 0) &&
               (rows[i].at == 0 || at == rows[i].at),
           "a field of %zu bytes at byte %u is %s", rows[i].width, rows[i].place,
           rows[i].at != 0 ? "one" : "refused");
    }
    lay_out(file, 8, 12, 0);
    flatbuffer_open(&buffer, "t", file, 28, "TFL3", &error);
    ok(flatbuffer_root(&buffer, &table) && flatbuffer_field(&buffer, &table, 0, 4, &at) && at == 0,
       "a field that is left out, in a table that ends with the file");
    ok(flatbuffer_field(&buffer, &table, 1, 4, &at) && at == 20 &&
           flatbuffer_field(&buffer, &table, 2, 4, &at) && at == 0,
       "the last one of the vtable, and the next");
    flatbuffer_open(&buffer, "t", file, 27, "TFL3", &error);
    ok(!flatbuffer_root(&buffer, &table), "a table that ends behind the file: %s", error.text);
}

/* What a table says of its own size.  */
static void tables(void)
{
    static const struct {
        uint8_t vtable, size;
        bool good;
    } rows[] = {{4, 4, true},  {4, 3, false},  {5, 4, false}, {2, 4, false},
                {24, 4, true}, {26, 4, false}, {4, 16, true}, {4, 17, false}};
    struct flatbuffer_table table;
    struct flatbuffer buffer;
    uint8_t file[32];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lay_out(file, rows[i].vtable, rows[i].size, 0);
        flatbuffer_open(&buffer, "t", file, sizeof file, "TFL3", &error);
        ok(flatbuffer_root(&buffer, &table) == rows[i].good,
           "a vtable of %u bytes and a table of %u: %s", rows[i].vtable, rows[i].size,
           rows[i].good ? "taken" : error.text);
    }
}

/* One tensor with a long name, a thousand times.  */
static void shared_parts(void)
{
    char name[4001];
    const struct tensor_made tensor = {name, TFLITE_INT8, 1, {4}, 0, NULL, false};
    const struct graph_made graph = {.tensor = &tensor, .tensors = 1};
    struct writer writer;
    struct network *network;
    size_t root, graphs, table, list, vector, one;

    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    tflite_make(&writer, &graph, 1);
    /* A second model in front of the first one's graph would be long-winded:
     * its list of tensors is replaced by a long one behind everything, whose
     * entries lead to a tensor behind that.  */
    root = writer.data[0] | (size_t)writer.data[1] << 8;
    graphs = writer_field(&writer, root, 2);
    list = graphs + (writer.data[graphs] | (size_t)writer.data[graphs + 1] << 8) + 4;
    table = list + (writer.data[list] | (size_t)writer.data[list + 1] << 8);
    vector = writer_vector(&writer, NULL, 1000, 4, 4);
    writer_refer(&writer, writer_field(&writer, table, 0), vector);
    one = writer_table(&writer, (const uint8_t[]){0, 1, 0, 4}, 4);
    writer_refer(&writer, writer_field(&writer, one, 3), writer_string(&writer, name));
    for (size_t i = 0; i < 1000; i++)
        writer_refer(&writer, vector + 4 + 4 * i, one);
    network = tflite_parse(writer.data, writer.size, 0, &plain, NULL, &error);
    ok(network == NULL && strstr(error.text, "its parts overlap") != NULL,
       "a small file that describes much (%s)", error.text);
    network_free(network);
    writer_clear(&writer);
}

/* --- the shapes that operators make --- */

static const int32_t axis[] = {1}, order[] = {0, 3, 1, 2}, pads[] = {0, 0, 1, 1, 2, 2, 0, 0};
static const int32_t begin[] = {0, 1, 1, 0}, extent[] = {1, 2, -1, 2}, step[] = {1, 1, 1, 1};
static const int32_t height_width[] = {6, 8}, parts[] = {1, -1, 1}, times[] = {1, 2, 1, 1};
static const int32_t mean_of[] = {1, 2};

#define I32(name, number)                                                                       \
    {                                                                                           \
        name, TFLITE_INT32, 1, {sizeof number / sizeof number[0]}, sizeof number, number, false \
    }

/* The shapes here are the oracle.  */
static const struct tensor_made view_tensors[] = {
    I8("x", 1, 4, 4, 4),
    I32("order", order),
    I8("transposed", 1, 4, 4, 4),
    {"pads", TFLITE_INT32, 2, {4, 2}, sizeof pads, pads, false},
    I8("padded", 1, 6, 8, 4),
    I32("begin", begin),
    I32("size", extent),
    I8("slice", 1, 2, 7, 2),
    I32("step", step),
    I8("strided", 1, 3, 3, 4),
    I32("hw", height_width),
    I8("resized", 1, 6, 8, 4),
    {"axis", TFLITE_INT32, 0, {0}, sizeof axis, axis, false},
    I8("half", 1, 2, 4, 4),
    I8("other half", 1, 2, 4, 4),
    I32("parts", parts),
    I8("first", 1, 1, 4, 4),
    I8("middle", 1, 2, 4, 4),
    I8("last", 1, 1, 4, 4),
    I8("joined", 1, 4, 4, 4),
    I32("times", times),
    I8("tiled", 1, 8, 4, 4),
    I32("mean of", mean_of),
    I8("mean", 1, 4),
    I8("row", 1, 1, 4),
    I8("squeezed", 4),
    I8("packed", 2, 1, 1, 4),
    I8("unpacked", 1, 1, 4),
    I8("unpacked too", 1, 1, 4),
    I8("gathered", 1),
    {"where", TFLITE_INT32, 0, {0}, sizeof axis, axis, false},
    I8("deep", 1, 2, 2, 16),
    I8("flat", 1, 4, 4, 4),
    I8("pooled", 1, 2, 2, 4),
    I8("argmax", 1, 4, 4),
    I8("product", 1, 4, 4, 4),
};

static const struct op_made view_ops[] = {
    {39, 2, {0, 1}, 1, {2}, 0, {{0, 0}}},
    {34, 2, {0, 3}, 1, {4}, 0, {{0, 0}}},
    {65, 3, {4, 5, 6}, 1, {7}, 0, {{0, 0}}},
    {45, 4, {0, 5, 1, 8}, 1, {9}, 2, {{4, 8}, {4, 15}}}, /* 0:, 1:, 1:, :  */
    {23, 2, {0, 10}, 1, {11}, 0, {{0, 0}}},
    {49, 2, {12, 0}, 2, {13, 14}, 0, {{0, 0}}},
    {102, 3, {0, 15, 12}, 3, {16, 17, 18}, 0, {{0, 0}}},
    {2, 3, {16, 17, 18}, 1, {19}, 1, {{4, 1}}},
    {69, 2, {0, 20}, 1, {21}, 0, {{0, 0}}},
    {40, 2, {0, 22}, 1, {23}, 0, {{0, 0}}},
    {70, 2, {23, 12}, 1, {24}, 0, {{0, 0}}},
    {43, 1, {24}, 1, {25}, 0, {{0, 0}}},
    {83, 2, {24, 24}, 1, {26}, 2, {{4, 2}, {4, 0}}},
    {88, 1, {26}, 2, {27, 28}, 2, {{4, 2}, {4, 0}}},
    {36, 2, {23, 30}, 1, {29}, 1, {{4, 1}}},
    {26, 1, {0}, 1, {31}, 1, {{4, 2}}},
    {5, 1, {31}, 1, {32}, 1, {{4, 2}}},
    {17, 1, {0}, 1, {33}, 5, {{1, 1}, {4, 2}, {4, 2}, {4, 2}, {4, 2}}},
    {56, 2, {0, 12}, 1, {34}, 0, {{0, 0}}},
    {126, 2, {0, 2}, 1, {35}, 2, {{1, 0}, {1, 1}}},
};

static void views(void)
{
    const struct graph_made graph = {.tensor = view_tensors,
                                     .tensors = sizeof view_tensors / sizeof view_tensors[0],
                                     .op = view_ops,
                                     .ops = sizeof view_ops / sizeof view_ops[0],
                                     .inputs = 1,
                                     .input = {0},
                                     .outputs = 1,
                                     .output = {29}};
    struct network *network = parse_made(&graph, &(struct tflite_options){.infer_all = true});

    if (!ok(network != NULL, "read (%s)", error.text))
        return;
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t i = 0; i < op->outputs; i++) {
            struct shape got = shape_of(&network->value[op->output[i]]), want = {0};
            const struct tensor_made *tensor = &view_tensors[view_ops[o].output[i]];
            char *text = shape_text(&got);

            want.rank = (int)tensor->rank;
            for (size_t d = 0; d < tensor->rank; d++)
                want.dim[d] = tensor->dim[d];
            ok(shape_equal(&got, &want), "%s is %s", tensor->name, text);
            free(text);
        }
    }
    network_free(network);
}

/* --- constants, variables, effects --- */

static void folding(void)
{
    static const struct tensor_made tensor[] = {
        I8("x", 1, 4),
        {"k", TFLITE_INT8, 1, {4}, 4, NULL, false},
        {"wide", TFLITE_FLOAT32, 1, {4}, 0, NULL, false},
        {"state", TFLITE_INT8, 2, {1, 4}, 0, NULL, true},
        I8("y", 1, 4),
        {"words", TFLITE_STRING, 1, {4}, 0, NULL, false},
    };
    static const struct op_made op[] = {
        {6, 1, {1}, 1, {2}, 0, {{0, 0}}},       /* DEQUANTIZE of a constant */
        {0, 3, {0, 2, 3}, 1, {4}, 0, {{0, 0}}}, /* ADD, with a state */
        {144, 2, {3, 4}, 0, {0}, 0, {{0, 0}}},  /* ASSIGN_VARIABLE */
        {119, 1, {4}, 1, {5}, 0, {{0, 0}}},     /* WHILE */
    };
    const struct graph_made graph = {.tensor = tensor,
                                     .tensors = 6,
                                     .op = op,
                                     .ops = 4,
                                     .inputs = 1,
                                     .input = {0},
                                     .outputs = 1,
                                     .output = {4}};
    struct network *network;
    struct writer writer;
    size_t length;
    char *said;
    FILE *notices = memory_stream(&said, &length);

    tflite_make(&writer, &graph, 1);
    network = tflite_parse(writer.data, writer.size, 0, &plain, notices, &error);
    memory_stream_close(notices);
    if (ok(network != NULL, "read (%s)", error.text)) {
        is_int((int64_t)network->n_ops, 3, "an operator on constants is folded");
        ok(network->value[network->op[0].input[1]].role == VALUE_CONSTANT &&
               value_bytes(&network->value[network->op[0].input[1]]) == 16,
           "what it makes is a constant");
        ok(network->value[network->op[0].input[2]].role == VALUE_CONSTANT, "a state is stored");
        is_int(value_bytes(&network->value[network->op[1].output[0]]), 0,
               "an operator without an output takes a step");
        is_text(said,
                "t.tflite: 1 tensors have elements of no fixed size: not counted\n"
                "t.tflite: 1 operators run other sub-graphs, whose buffers are not counted\n",
                "what is not counted is said");
    }
    free(said);
    network_free(network);
    writer_clear(&writer);
}

/* --- real models --- */

static const struct file_figures files[] = {
    {"kws_ref_model.tflite", {12, 72140, 16000, 8000, 2}, {11, 72076, 16000, 8000, 2}},
    {"person_detect.tflite", {30, 231812, 55296, 36864, 2}, {29, 231810, 55296, 36864, 2}},
    {"pretrainedResnet_quant.tflite", {15, 114826, 49152, 16384, 3}, {14, 114762, 49152, 16384, 3}},
    {"trained_lstm_int8.tflite", {3, 1130, 1120, 560, 2}, {2, 570, 570, 560, 2}},
};

#define FILE_COUNT (sizeof files / sizeof files[0])

/* The shapes in FILE are an oracle for those that we work out.  */
static void without_shapes(const char *file, const struct figures *want)
{
    char *path = memory_printf("%s/%s", tap_data(), file), *data = NULL;
    struct instance *instance = NULL;
    size_t size;

    if (file_read(path, 1 << 24, &data, &size, &error))
        instance = tflite_instance(
            tflite_parse(data, size, 0, &(struct tflite_options){.infer_all = true}, NULL, &error),
            &(struct lifetime_options){0}, &error);
    figures_match(file, instance, &error, want);
    instance_free(instance);
    free(data);
    free(path);
}

static void files_without_shapes(void)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        char *file = memory_printf("tflite/%s", files[i].file);

        if (!tap_skip_without(1, file))
            without_shapes(file, &files[i].off);
        free(file);
    }
}

int main(void)
{
    figures();
    operators();
    bad_graphs();
    damaged();
    fields();
    tables();
    shared_parts();
    views();
    folding();
    figures_of_files("tflite", files, FILE_COUNT);
    files_without_shapes();
    return tap_done();
}
