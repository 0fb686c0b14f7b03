/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/tflite/model.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/names.h"
#include "workloads/readers/tflite/ops.h"

static const char identifier[] = "TFL3";

/* Codes above this one do not fit the old, one-byte field.  */
#define PLACEHOLDER_FOR_GREATER_OP_CODES 127

bool tflite_operator_error(const struct tflite_model *model, const struct tflite_graph *graph,
                           size_t index, const char *format, ...)
{
    const struct tflite_operator *op = &graph->op[index];
    struct error *error = model->buffer.error;
    va_list args;

    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return error_prefix(error, "%s: operator %zu (%s)", model->buffer.path, index,
                        op->custom != NULL ? op->custom : tflite_op_find(op->code)->name);
}

/* --- operator codes --- */

/* Old files have the code in field 0, one byte wide, newer ones in field 3.  */
static bool read_code(struct tflite_model *model, const struct flatbuffer_vector *codes,
                      size_t index)
{
    struct flatbuffer_table table;
    struct flatbuffer_vector custom;
    int32_t code;
    int old;

    if (!flatbuffer_table_at(&model->buffer, codes, index, &table) ||
        !flatbuffer_byte(&model->buffer, &table, 0, 0, &old) ||
        !flatbuffer_vector(&model->buffer, &table, 1, 1, &custom) ||
        !flatbuffer_int(&model->buffer, &table, 3, 0, &code))
        return false;
    if (code < PLACEHOLDER_FOR_GREATER_OP_CODES && old > code)
        code = old;
    model->code[index].code = code;
    if (code == TFLITE_CUSTOM)
        model->code[index].custom = flatbuffer_text(&model->buffer, &custom);
    return true;
}

static bool read_codes(struct tflite_model *model)
{
    struct flatbuffer_vector codes;

    if (!flatbuffer_vector(&model->buffer, &model->root, TFLITE_CODES, 4, &codes))
        return false;
    model->n_codes = codes.count;
    model->code = memory_zalloc(codes.count, sizeof *model->code);
    for (size_t i = 0; i < codes.count; i++)
        if (!read_code(model, &codes, i))
            return false;
    return true;
}

bool tflite_model_open(struct tflite_model *model, const char *path, const void *data, size_t size,
                       struct error *error)
{
    struct flatbuffer *buffer = &model->buffer;
    int32_t version;

    *model = (struct tflite_model){.n_codes = 0};
    if (flatbuffer_open(buffer, path, data, size, identifier, error) &&
        flatbuffer_root(buffer, &model->root) &&
        flatbuffer_int(buffer, &model->root, TFLITE_VERSION, 0, &version) &&
        flatbuffer_vector(buffer, &model->root, TFLITE_SUBGRAPHS, 4, &model->subgraphs) &&
        flatbuffer_vector(buffer, &model->root, TFLITE_BUFFERS, 4, &model->buffers) &&
        read_codes(model)) {
        if (version == 3)
            return true;
        flatbuffer_error(buffer, model->root.at, "version %d of the schema, expected 3", version);
    }
    tflite_model_close(model);
    return false;
}

void tflite_model_close(struct tflite_model *model)
{
    for (size_t i = 0; i < model->n_codes; i++)
        free(model->code[i].custom);
    free(model->code);
    model->code = NULL;
    model->n_codes = 0;
}

/* Models above 2 GiB have their data behind the flatbuffer: at byte OFFSET.  */
static bool outer_data(const struct tflite_model *model, const struct flatbuffer_table *table,
                       struct flatbuffer_vector *data)
{
    uint64_t field[2] = {0, 0};

    for (size_t i = 0; i < 2; i++) {
        size_t at;

        if (!flatbuffer_field(&model->buffer, table, 1 + i, 8, &at))
            return false;
        if (at != 0)
            field[i] = flatbuffer_u32(&model->buffer, at) |
                       (uint64_t)flatbuffer_u32(&model->buffer, at + 4) << 32;
    }
    if (field[0] <= 1 || data->count > 0)
        return true;
    if (field[0] > model->buffer.size || field[1] > model->buffer.size - field[0])
        return flatbuffer_error(&model->buffer, table->at, "data beyond the end of the file");
    *data = (struct flatbuffer_vector){.at = (size_t)field[0], .count = (size_t)field[1]};
    return true;
}

bool tflite_buffer(struct tflite_model *model, size_t index, struct flatbuffer_vector *data)
{
    struct flatbuffer_table table;
    size_t budget = model->buffer.budget;

    *data = (struct flatbuffer_vector){0};
    if (index >= model->buffers.count)
        return flatbuffer_error(&model->buffer, model->root.at, "buffer %zu, expected below %zu",
                                index, model->buffers.count);
    if (!flatbuffer_table_at(&model->buffer, &model->buffers, index, &table) ||
        !flatbuffer_vector(&model->buffer, &table, 0, 1, data) || !outer_data(model, &table, data))
        return false;
    model->buffer.budget = budget; /* the data stays where it is, and may be shared */
    return true;
}

/* --- tensors --- */

static bool read_shape(struct tflite_model *model, const struct flatbuffer_table *table,
                       struct tflite_tensor *tensor)
{
    struct flatbuffer_vector dims;

    if (!flatbuffer_vector(&model->buffer, table, 0, 4, &dims))
        return false;
    if (dims.count > NETWORK_MAX_RANK)
        return flatbuffer_error(&model->buffer, dims.at,
                                "tensor '%s' has %zu dimensions, expected at most %d", tensor->name,
                                dims.count, NETWORK_MAX_RANK);
    tensor->shape.rank = (int)dims.count;
    for (size_t i = 0; i < dims.count; i++) {
        tensor->shape.dim[i] = flatbuffer_int_at(&model->buffer, &dims, i);
        if (tensor->shape.dim[i] < -1)
            return flatbuffer_error(&model->buffer, dims.at + 4 * i,
                                    "dimension %zu of tensor '%s' is %" PRId64, i, tensor->name,
                                    tensor->shape.dim[i]);
    }
    return true;
}

static bool read_tensor(struct tflite_model *model, const struct flatbuffer_vector *tensors,
                        size_t index, struct tflite_tensor *tensor)
{
    struct flatbuffer *buffer = &model->buffer;
    struct flatbuffer_table table;
    struct flatbuffer_vector name;
    int32_t data;
    size_t sparse;
    int variable;

    if (!flatbuffer_table_at(buffer, tensors, index, &table) ||
        !flatbuffer_vector(buffer, &table, 3, 1, &name))
        return false;
    tensor->name =
        name.count > 0 ? flatbuffer_text(buffer, &name) : memory_printf("tensor_%zu", index);
    if (!read_shape(model, &table, tensor) ||
        !flatbuffer_byte(buffer, &table, 1, 0, &tensor->type) ||
        !flatbuffer_byte(buffer, &table, 5, 0, &variable) ||
        !flatbuffer_field(buffer, &table, 6, 4, &sparse) ||
        !flatbuffer_int(buffer, &table, 2, 0, &data))
        return false;
    tensor->variable = variable != 0;
    tensor->sparse = sparse != 0;
    return tflite_buffer(model, (size_t)(uint32_t)data, &tensor->data);
}

/* Tensors are known by their numbers; their names only have to be told apart.  */
static void make_names_unique(struct tflite_graph *graph)
{
    char ***slot = memory_alloc(graph->n_tensors, sizeof *slot);

    for (size_t i = 0; i < graph->n_tensors; i++)
        slot[i] = &graph->tensor[i].name;
    names_make_unique(slot, graph->n_tensors);
    free(slot);
}

static bool read_tensors(struct tflite_model *model, const struct flatbuffer_table *table,
                         struct tflite_graph *graph)
{
    struct flatbuffer_vector tensors;

    if (!flatbuffer_vector(&model->buffer, table, 0, 4, &tensors))
        return false;
    graph->tensor = memory_zalloc(tensors.count, sizeof *graph->tensor);
    for (; graph->n_tensors < tensors.count; graph->n_tensors++)
        if (!read_tensor(model, &tensors, graph->n_tensors, &graph->tensor[graph->n_tensors])) {
            free(graph->tensor[graph->n_tensors].name);
            return false;
        }
    make_names_unique(graph);
    return true;
}

/* --- operators --- */

/* A list of tensors; OPTIONAL ones may be left out.  */
static bool read_indices(struct tflite_model *model, const struct tflite_graph *graph,
                         const struct flatbuffer_table *table, size_t field, bool optional,
                         struct flatbuffer_vector *list)
{
    if (!flatbuffer_vector(&model->buffer, table, field, 4, list))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        int32_t tensor = flatbuffer_int_at(&model->buffer, list, i);

        if (tensor < (optional ? TFLITE_NONE : 0) ||
            (tensor >= 0 && (size_t)tensor >= graph->n_tensors))
            return flatbuffer_error(&model->buffer, list->at + 4 * i,
                                    "tensor %d, expected one of %zu", tensor, graph->n_tensors);
    }
    return true;
}

static bool read_operator(struct tflite_model *model, const struct flatbuffer_vector *operators,
                          size_t index, struct tflite_graph *graph)
{
    struct tflite_operator *op = &graph->op[index];
    struct flatbuffer_table table;
    int32_t code;

    if (!flatbuffer_table_at(&model->buffer, operators, index, &table) ||
        !flatbuffer_int(&model->buffer, &table, 0, 0, &code) ||
        !read_indices(model, graph, &table, 1, true, &op->input) ||
        !read_indices(model, graph, &table, 2, true, &op->output) ||
        !flatbuffer_sub_table(&model->buffer, &table, 4, &op->options))
        return false;
    if (code < 0 || (size_t)code >= model->n_codes)
        return flatbuffer_error(&model->buffer, table.at, "operator code %d, expected one of %zu",
                                code, model->n_codes);
    op->code = model->code[code].code;
    op->custom = model->code[code].custom;
    return true;
}

static bool read_operators(struct tflite_model *model, const struct flatbuffer_table *table,
                           struct tflite_graph *graph)
{
    struct flatbuffer_vector operators;

    if (!flatbuffer_vector(&model->buffer, table, 3, 4, &operators))
        return false;
    graph->op = memory_zalloc(operators.count, sizeof *graph->op);
    for (; graph->n_ops < operators.count; graph->n_ops++)
        if (!read_operator(model, &operators, graph->n_ops, graph))
            return false;
    return true;
}

bool tflite_graph_read(struct tflite_model *model, size_t index, struct tflite_graph *graph)
{
    struct flatbuffer_table table;

    *graph = (struct tflite_graph){.index = index};
    if (index >= model->subgraphs.count)
        return flatbuffer_error(&model->buffer, model->root.at,
                                "sub-graph %zu, expected one of %zu", index,
                                model->subgraphs.count);
    if (flatbuffer_table_at(&model->buffer, &model->subgraphs, index, &table) &&
        read_tensors(model, &table, graph) &&
        read_indices(model, graph, &table, 1, false, &graph->input) &&
        read_indices(model, graph, &table, 2, false, &graph->output) &&
        read_operators(model, &table, graph))
        return true;
    tflite_graph_clear(graph);
    return false;
}

void tflite_graph_clear(struct tflite_graph *graph)
{
    for (size_t i = 0; i < graph->n_tensors; i++)
        free(graph->tensor[i].name);
    free(graph->tensor);
    free(graph->op);
    *graph = (struct tflite_graph){.index = graph->index};
}
