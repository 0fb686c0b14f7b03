/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks a file that was scanned, with memory bounded, into the structures of model.h.  This file
 * and scan.c are all that knows protobuf-c.  */
#include <config.h>

#include "workloads/readers/onnx/file/model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "workloads/readers/onnx/file/onnx.pb-c.h"
#include "workloads/readers/onnx/file/scan.h"

bool onnx_available(void)
{
    return true;
}

/* --- unpacking within a limit --- */

struct budget {
    size_t left;
    bool exceeded;
};

/* Each block begins with its size, for the budget to get it back.  */
#define BLOCK_HEAD 16

static void *budget_alloc(void *context, size_t size)
{
    struct budget *budget = context;
    size_t whole;
    char *block;

    if (__builtin_add_overflow(size, BLOCK_HEAD, &whole) || whole > budget->left) {
        budget->exceeded = true;
        return NULL;
    }
    block = memory_alloc(1, whole);
    memcpy(block, &whole, sizeof whole);
    budget->left -= whole;
    return block + BLOCK_HEAD;
}

static void budget_free(void *context, void *pointer)
{
    struct budget *budget = context;
    size_t whole;
    char *block;

    if (pointer == NULL)
        return;
    block = (char *)pointer - BLOCK_HEAD;
    memcpy(&whole, block, sizeof whole);
    budget->left += whole;
    free(block);
}

/* What model->unpacked is.  */
struct unpacked {
    const uint8_t *file;
    ProtobufCAllocator allocator;
    struct budget budget;
    Onnx__ModelProto *proto;
};

/* Of a file of SIZE bytes what was scanned.  */
static bool unpack(struct unpacked *unpacked, const struct onnx_bytes *slim, size_t size,
                   const char *path, struct error *error)
{
    unpacked->budget.left = size * ONNX_UNPACK_MULTIPLE + ONNX_UNPACK_SPARE;
    unpacked->allocator = (ProtobufCAllocator){budget_alloc, budget_free, &unpacked->budget};
    unpacked->proto = onnx__model_proto__unpack(&unpacked->allocator, slim->size, slim->data);
    if (unpacked->proto != NULL)
        return true;
    if (unpacked->budget.exceeded)
        return error_set(error,
                         "%s: unpacking %zu bytes needs more than %d times as much memory: this is "
                         "no honest ONNX file",
                         path, size, ONNX_UNPACK_MULTIPLE);
    return error_set(error, "%s: its fields are not those of an ONNX model", path);
}

/* --- copying into our own structures --- */

static void *take(struct onnx_model *model, size_t count, size_t size)
{
    void *block;

    if (count == 0)
        return NULL;
    block = memory_zalloc(count, size);
    model->block =
        memory_grow(model->block, &model->block_capacity, model->blocks + 1, sizeof *model->block);
    model->block[model->blocks++] = block;
    return block;
}

static const char *text(const char *given)
{
    return given == NULL ? "" : given;
}

static struct onnx_bytes raw_of(const struct onnx_model *model, const Onnx__TensorProto *from)
{
    const struct unpacked *unpacked = model->unpacked;
    struct onnx_place place;

    if (from->raw_data.len != sizeof place)
        return (struct onnx_bytes){0};
    memcpy(&place, from->raw_data.data, sizeof place);
    return (struct onnx_bytes){place.size, unpacked->file + place.at};
}

/* TENSOR's elements are in another file.  */
static void note_external(struct onnx_model *model, struct onnx_tensor *tensor,
                          const Onnx__TensorProto *from)
{
    struct onnx_external external = {.tensor = tensor};

    for (size_t i = 0; i < from->n_external_data; i++) {
        const Onnx__StringStringEntryProto *entry = from->external_data[i];

        if (strcmp(text(entry->key), "location") == 0)
            external.location = text(entry->value);
        else if (strcmp(text(entry->key), "offset") == 0)
            external.offset = text(entry->value);
        else if (strcmp(text(entry->key), "length") == 0)
            external.length = text(entry->value);
    }
    tensor->absent = "its elements are in another file";
    model->external = memory_grow(model->external, &model->external_capacity, model->externals + 1,
                                  sizeof *model->external);
    model->external[model->externals++] = external;
}

static void copy_tensor(struct onnx_model *model, struct onnx_tensor *to,
                        const Onnx__TensorProto *from)
{
    *to = (struct onnx_tensor){
        .name = text(from->name),
        .type = from->data_type,
        .rank = from->n_dims,
        .dim = from->dims,
        .raw = raw_of(model, from),
        .n_float = from->n_float_data,
        .float_data = from->float_data,
        .n_int32 = from->n_int32_data,
        .int32_data = from->int32_data,
        .n_int64 = from->n_int64_data,
        .int64_data = from->int64_data,
        .n_double = from->n_double_data,
        .double_data = from->double_data,
        .n_uint64 = from->n_uint64_data,
        .uint64_data = from->uint64_data,
    };
    if (from->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        note_external(model, to, from);
}

/* A sparse tensor stands for the dense one; its elements stay unknown.  */
static void copy_sparse(struct onnx_tensor *to, const Onnx__SparseTensorProto *from)
{
    *to = (struct onnx_tensor){
        .name = from->values == NULL ? "" : text(from->values->name),
        .type = from->values == NULL ? 0 : from->values->data_type,
        .rank = from->n_dims,
        .dim = from->dims,
        .absent = "it is sparse",
    };
}

/* What a type is that is no dense tensor.  */
static const char *other_type(const Onnx__TypeProto *type)
{
    if (type == NULL)
        return NULL;
    switch (type->value_case) {
    case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
        return "a sequence";
    case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
        return "a map";
    case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
        return "an optional";
    case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
        return "a sparse tensor";
    default:
        return NULL;
    }
}

static void copy_info(struct onnx_model *model, struct onnx_info *to,
                      const Onnx__ValueInfoProto *from)
{
    const Onnx__TypeProto__Tensor *type;

    *to = (struct onnx_info){.name = text(from->name), .other = other_type(from->type)};
    if (from->type == NULL || from->type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
        return;
    type = from->type->tensor_type;
    to->tensor = true;
    to->type = type->elem_type;
    if (type->shape == NULL)
        return;
    to->shaped = true;
    to->rank = type->shape->n_dim;
    to->dim = take(model, to->rank, sizeof *to->dim);
    for (size_t i = 0; i < to->rank; i++) {
        const Onnx__TensorShapeProto__Dimension *dim = type->shape->dim[i];

        to->dim[i] = (struct onnx_dim){.name = ""};
        if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
            to->dim[i] = (struct onnx_dim){true, dim->dim_value, ""};
        else if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
            to->dim[i].name = text(dim->dim_param);
    }
}

static struct onnx_info *copy_infos(struct onnx_model *model, Onnx__ValueInfoProto **from,
                                    size_t count)
{
    struct onnx_info *info = take(model, count, sizeof *info);

    for (size_t i = 0; i < count; i++)
        copy_info(model, &info[i], from[i]);
    return info;
}

/* Files from before attributes had types say by their fields what they are.  */
static enum onnx_attribute_kind kind_of(const Onnx__AttributeProto *from)
{
    switch (from->has_type ? from->type : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        return ONNX_ATTRIBUTE_FLOAT;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        return ONNX_ATTRIBUTE_INT;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
        return ONNX_ATTRIBUTE_TEXT;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR:
        return from->t == NULL ? ONNX_ATTRIBUTE_OTHER : ONNX_ATTRIBUTE_TENSOR;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH:
        return from->g == NULL ? ONNX_ATTRIBUTE_OTHER : ONNX_ATTRIBUTE_GRAPH;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
        return ONNX_ATTRIBUTE_FLOATS;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
        return ONNX_ATTRIBUTE_INTS;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS:
        return ONNX_ATTRIBUTE_TEXTS;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR:
        return from->sparse_tensor == NULL ? ONNX_ATTRIBUTE_OTHER : ONNX_ATTRIBUTE_SPARSE;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED:
        break;
    default:
        return ONNX_ATTRIBUTE_OTHER;
    }
    return from->has_f           ? ONNX_ATTRIBUTE_FLOAT
           : from->has_i         ? ONNX_ATTRIBUTE_INT
           : from->has_s         ? ONNX_ATTRIBUTE_TEXT
           : from->t != NULL     ? ONNX_ATTRIBUTE_TENSOR
           : from->g != NULL     ? ONNX_ATTRIBUTE_GRAPH
           : from->n_floats > 0  ? ONNX_ATTRIBUTE_FLOATS
           : from->n_ints > 0    ? ONNX_ATTRIBUTE_INTS
           : from->n_strings > 0 ? ONNX_ATTRIBUTE_TEXTS
                                 : ONNX_ATTRIBUTE_OTHER;
}

static struct onnx_graph *copy_graph(struct onnx_model *model, const Onnx__GraphProto *from);

static void copy_texts(struct onnx_model *model, struct onnx_attribute *to,
                       const Onnx__AttributeProto *from)
{
    struct onnx_bytes *texts = take(model, from->n_strings, sizeof *texts);

    for (size_t i = 0; i < from->n_strings; i++)
        texts[i] = (struct onnx_bytes){from->strings[i].len, from->strings[i].data};
    to->n_texts = from->n_strings;
    to->texts = texts;
}

static void copy_attribute(struct onnx_model *model, struct onnx_attribute *to,
                           const Onnx__AttributeProto *from)
{
    *to = (struct onnx_attribute){
        .name = text(from->name),
        .kind = kind_of(from),
        .f = from->f,
        .i = from->i,
        .text = {from->s.len, from->s.data},
        .n_floats = from->n_floats,
        .floats = from->floats,
        .n_ints = from->n_ints,
        .ints = from->ints,
    };
    if (to->kind == ONNX_ATTRIBUTE_TENSOR || to->kind == ONNX_ATTRIBUTE_SPARSE)
        to->tensor = take(model, 1, sizeof *to->tensor);
    if (to->kind == ONNX_ATTRIBUTE_TENSOR)
        copy_tensor(model, to->tensor, from->t);
    else if (to->kind == ONNX_ATTRIBUTE_SPARSE)
        copy_sparse(to->tensor, from->sparse_tensor);
    else if (to->kind == ONNX_ATTRIBUTE_GRAPH)
        to->graph = copy_graph(model, from->g);
    else if (to->kind == ONNX_ATTRIBUTE_TEXTS)
        copy_texts(model, to, from);
}

static void copy_node(struct onnx_model *model, struct onnx_node *to, const Onnx__NodeProto *from)
{
    *to = (struct onnx_node){
        .name = text(from->name),
        .type = text(from->op_type),
        .domain = text(from->domain),
        .inputs = from->n_input,
        .outputs = from->n_output,
        .attributes = from->n_attribute,
        .input = (const char *const *)from->input,
        .output = (const char *const *)from->output,
        .attribute = take(model, from->n_attribute, sizeof *to->attribute),
    };
    for (size_t i = 0; i < to->attributes; i++)
        copy_attribute(model, &to->attribute[i], from->attribute[i]);
}

/* Depth is bounded by the scan.  */
static struct onnx_graph *copy_graph(struct onnx_model *model, const Onnx__GraphProto *from)
{
    struct onnx_graph *to = take(model, 1, sizeof *to);

    to->name = text(from->name);
    to->nodes = from->n_node;
    to->node = take(model, to->nodes, sizeof *to->node);
    for (size_t i = 0; i < to->nodes; i++)
        copy_node(model, &to->node[i], from->node[i]);
    to->initializers = from->n_initializer + from->n_sparse_initializer;
    to->initializer = take(model, to->initializers, sizeof *to->initializer);
    for (size_t i = 0; i < from->n_initializer; i++)
        copy_tensor(model, &to->initializer[i], from->initializer[i]);
    for (size_t i = 0; i < from->n_sparse_initializer; i++)
        copy_sparse(&to->initializer[from->n_initializer + i], from->sparse_initializer[i]);
    to->inputs = from->n_input;
    to->input = copy_infos(model, from->input, from->n_input);
    to->outputs = from->n_output;
    to->output = copy_infos(model, from->output, from->n_output);
    to->infos = from->n_value_info;
    to->info = copy_infos(model, from->value_info, from->n_value_info);
    return to;
}

static bool is_standard(const char *domain)
{
    return domain == NULL || domain[0] == '\0' || strcmp(domain, "ai.onnx") == 0;
}

static bool copy_model(struct onnx_model *model, const Onnx__ModelProto *from, const char *path,
                       struct error *error)
{
    if (from->graph == NULL)
        return error_set(error, "%s: there is no graph in it: this is not an ONNX model", path);
    model->ir_version = from->ir_version;
    for (size_t i = 0; i < from->n_opset_import; i++)
        if (is_standard(from->opset_import[i]->domain) &&
            from->opset_import[i]->version > model->opset)
            model->opset = from->opset_import[i]->version;
    /* The first two versions of the format name no operator set.  */
    if (model->opset == 0 && from->n_opset_import == 0 && model->ir_version < 3)
        model->opset = 1;
    model->graph = copy_graph(model, from->graph);
    return true;
}

struct onnx_model *onnx_model_unpack(const uint8_t *data, size_t size, const char *path,
                                     struct error *error)
{
    struct onnx_model *model = NULL;
    struct unpacked *unpacked;
    struct onnx_bytes slim;
    uint8_t *owned;
    bool good;

    if (size > INT_MAX) {
        error_set(error, "%s: %zu bytes, an ONNX file has less than 2 GiB", path, size);
        return NULL;
    }
    owned = onnx_scan(data, size, path, &slim.size, error);
    if (owned == NULL)
        return NULL;
    slim.data = owned;
    model = memory_zalloc(1, sizeof *model);
    model->unpacked = unpacked = memory_zalloc(1, sizeof *unpacked);
    unpacked->file = data;
    good = unpack(unpacked, &slim, size, path, error) &&
           copy_model(model, unpacked->proto, path, error);
    free(owned);
    if (good)
        return model;
    onnx_model_free(model);
    return NULL;
}

void onnx_model_free(struct onnx_model *model)
{
    struct unpacked *unpacked;

    if (model == NULL)
        return;
    unpacked = model->unpacked;
    if (unpacked->proto != NULL)
        onnx__model_proto__free_unpacked(unpacked->proto, &unpacked->allocator);
    free(unpacked);
    for (size_t i = 0; i < model->blocks; i++)
        free(model->block[i]);
    free(model->block);
    free(model->external);
    free(model);
}
