/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/tflite_models.h"

#include "lib/graph/schedule.h"
#include "workloads/readers/tflite/model.h"

static const int32_t rows_of_12[] = {-1, 12};

static const struct tensor_made small_tensors[] = {
    {"image", TFLITE_INT8, 4, {1, 4, 4, 2}, 0, NULL, false},
    {"filter", TFLITE_INT8, 4, {3, 3, 3, 2}, 54, NULL, false},
    {"bias", TFLITE_INT32, 1, {3}, 12, NULL, false},
    {"conv", TFLITE_INT8, 4, {1, 4, 4, 3}, 0, NULL, false},
    {"taps", TFLITE_INT8, 4, {1, 3, 3, 3}, 27, NULL, false},
    {"depthwise", TFLITE_INT8, 4, {1, 2, 2, 3}, 0, NULL, false},
    {"shape", TFLITE_INT32, 1, {2}, 8, rows_of_12, false},
    {"rows", TFLITE_INT8, 2, {1, 12}, 0, NULL, false},
    {"weights", TFLITE_INT8, 2, {5, 12}, 60, NULL, false},
    {"logits", TFLITE_INT8, 2, {1, 5}, 0, NULL, false},
    {"sum", TFLITE_INT8, 2, {1, 5}, 0, NULL, false},
    {"offset", TFLITE_INT8, 1, {5}, 5, NULL, false},
};

/* Options as in the schema: padding, strides (width first), activation; for the
 * depthwise one the multiplier before the activation.  */
static const struct op_made small_ops[] = {
    {3, 3, {0, 1, 2}, 1, {3}, 4, {{1, 0}, {4, 1}, {4, 1}, {1, 1}}},
    {4, 3, {3, 4, -1}, 1, {5}, 5, {{1, 0}, {4, 2}, {4, 2}, {4, 1}, {1, 3}}},
    {22, 2, {5, 6}, 1, {7}, 0, {{0, 0}}},
    {9, 2, {7, 8}, 1, {9}, 0, {{0, 0}}},
    {0, 2, {9, 11}, 1, {10}, 0, {{0, 0}}},
};

const struct graph_made tflite_small = {.tensor = small_tensors,
                                        .tensors = sizeof small_tensors / sizeof small_tensors[0],
                                        .op = small_ops,
                                        .ops = sizeof small_ops / sizeof small_ops[0],
                                        .inputs = 1,
                                        .input = {0},
                                        .outputs = 1,
                                        .output = {10}};

/* A vector of COUNT references, referred to by field FIELD of TABLE.  Returns the
 * place of the first reference.  */
static size_t references(struct writer *writer, size_t table, size_t field, size_t count)
{
    size_t vector = writer_vector(writer, NULL, count, 4, 4);

    writer_refer(writer, writer_field(writer, table, field), vector);
    return vector + 4;
}

static void numbers(struct writer *writer, size_t table, size_t field, const int32_t *number,
                    size_t count)
{
    size_t at = references(writer, table, field, count);

    for (size_t i = 0; i < count; i++)
        writer_set32(writer, at + 4 * i, (uint32_t)number[i]);
}

static void set8(struct writer *writer, size_t at, uint8_t number)
{
    writer->data[at] = number;
}

static void make_tensor(struct writer *writer, size_t at, const struct tensor_made *tensor,
                        size_t buffer)
{
    static const uint8_t width[] = {4, 1, 4, 4, 0, 1};
    size_t table = writer_table(writer, width, sizeof width);

    writer_refer(writer, at, table);
    set8(writer, writer_field(writer, table, 1), tensor->type);
    writer_set32(writer, writer_field(writer, table, 2), (uint32_t)buffer);
    set8(writer, writer_field(writer, table, 5), tensor->variable);
    numbers(writer, table, 0, tensor->dim, tensor->rank);
    writer_refer(writer, writer_field(writer, table, 3), writer_string(writer, tensor->name));
}

static void make_op(struct writer *writer, size_t at, const struct op_made *op, size_t code)
{
    static const uint8_t width[] = {4, 4, 4, 1, 4};
    size_t table = writer_table(writer, width, sizeof width), options;
    uint8_t option[8];

    writer_refer(writer, at, table);
    writer_set32(writer, writer_field(writer, table, 0), (uint32_t)code);
    numbers(writer, table, 1, op->input, op->inputs);
    numbers(writer, table, 2, op->output, op->outputs);
    for (size_t i = 0; i < op->options; i++)
        option[i] = op->option[i].width;
    options = writer_table(writer, option, op->options);
    writer_refer(writer, writer_field(writer, table, 4), options);
    for (size_t i = 0; i < op->options; i++)
        if (option[i] == 1)
            set8(writer, writer_field(writer, options, i), (uint8_t)op->option[i].number);
        else if (option[i] == 4)
            writer_set32(writer, writer_field(writer, options, i), (uint32_t)op->option[i].number);
}

static void make_graph(struct writer *writer, size_t at, const struct graph_made *graph,
                       size_t first_buffer, size_t first_code)
{
    static const uint8_t width[] = {4, 4, 4, 4};
    size_t table = writer_table(writer, width, sizeof width), list;

    writer_refer(writer, at, table);
    numbers(writer, table, 1, graph->input, graph->inputs);
    numbers(writer, table, 2, graph->output, graph->outputs);
    list = references(writer, table, 0, graph->tensors);
    for (size_t t = 0; t < graph->tensors; t++)
        make_tensor(writer, list + 4 * t, &graph->tensor[t], first_buffer + t);
    list = references(writer, table, 3, graph->ops);
    for (size_t o = 0; o < graph->ops; o++)
        make_op(writer, list + 4 * o, &graph->op[o], first_code + o);
}

static void make_codes(struct writer *writer, size_t root, const struct graph_made *graph,
                       size_t count, size_t ops)
{
    static const uint8_t width[] = {1, 0, 0, 4};
    size_t at = references(writer, root, 1, ops);

    for (size_t g = 0; g < count; g++)
        for (size_t o = 0; o < graph[g].ops; o++, at += 4) {
            int32_t code = graph[g].op[o].code;
            size_t table = writer_table(writer, width, sizeof width);

            writer_refer(writer, at, table);
            set8(writer, writer_field(writer, table, 0), (uint8_t)(code < 127 ? code : 127));
            writer_set32(writer, writer_field(writer, table, 3), (uint32_t)code);
        }
}

static void make_buffers(struct writer *writer, size_t root, const struct graph_made *graph,
                         size_t count, size_t tensors)
{
    size_t at = references(writer, root, 4, tensors + 1), table;

    table = writer_table(writer, NULL, 0); /* the empty one */
    writer_refer(writer, at, table);
    for (size_t g = 0; g < count; g++)
        for (size_t t = 0; t < graph[g].tensors; t++) {
            const struct tensor_made *tensor = &graph[g].tensor[t];

            at += 4;
            table = writer_table(writer, (const uint8_t[]){4}, 1);
            writer_refer(writer, at, table);
            writer_refer(writer, writer_field(writer, table, 0),
                         writer_vector(writer, tensor->data, tensor->bytes, 1, 16));
        }
}

void tflite_make(struct writer *writer, const struct graph_made *graph, size_t count)
{
    static const uint8_t width[] = {4, 4, 4, 0, 4};
    size_t root, list, tensors = 0, ops = 0;

    writer_begin(writer, "TFL3");
    root = writer_table(writer, width, sizeof width);
    writer_refer(writer, 0, root);
    writer_set32(writer, writer_field(writer, root, 0), 3);
    list = references(writer, root, 2, count);
    for (size_t g = 0; g < count; g++) {
        make_graph(writer, list + 4 * g, &graph[g], tensors + 1, ops);
        tensors += graph[g].tensors;
        ops += graph[g].ops;
    }
    make_codes(writer, root, graph, count, ops);
    make_buffers(writer, root, graph, count, tensors);
}

struct network *tflite_parse(const void *data, size_t size, size_t index,
                             const struct tflite_options *options, FILE *notices,
                             struct error *error)
{
    struct network *network = NULL;
    struct tflite_model model;
    struct tflite_graph graph;

    error->text[0] = '\0';
    if (!tflite_model_open(&model, "t.tflite", data, size, error))
        return NULL;
    if (tflite_graph_read(&model, index, &graph)) {
        network = tflite_network(&model, &graph, "t.tflite", options, notices);
        tflite_graph_clear(&graph);
    }
    tflite_model_close(&model);
    return network;
}

struct instance *tflite_instance(struct network *network, const struct lifetime_options *options,
                                 struct error *error)
{
    return network == NULL
               ? NULL
               : lifetimes_instance(network, schedule_file_order(network), options, error);
}
