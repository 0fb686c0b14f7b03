/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/tensor_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "workloads/readers/onnx/rules/value.h"

/* The fields of the format that lead from a model to a stored tensor.  */
enum { MODEL_GRAPH = 7, GRAPH_INITIALIZER = 5, LENGTH_DELIMITED = 2, HEAD_MAX = 12 };

/* Writes what stands before a message of LENGTH bytes as field FIELD; returns its own length.  */
static size_t put_head(uint8_t *to, unsigned field, size_t length)
{
    size_t used = 0;

    to[used++] = (uint8_t)(field << 3 | LENGTH_DELIMITED);
    for (; length >= 0x80; length >>= 7)
        to[used++] = (uint8_t)(length | 0x80);
    to[used++] = (uint8_t)length;
    return used;
}

/* The bytes of a model that has nothing but this tensor; the caller frees them.  So there is one
 * way into the format, with one set of checks.  */
static uint8_t *wrap(const void *data, size_t size, size_t *whole)
{
    uint8_t *model = memory_alloc(size + 2 * HEAD_MAX, 1), inner[HEAD_MAX];
    size_t inner_length = put_head(inner, GRAPH_INITIALIZER, size);
    size_t outer_length = put_head(model, MODEL_GRAPH, inner_length + size);

    memcpy(model + outer_length, inner, inner_length);
    memcpy(model + outer_length + inner_length, data, size);
    *whole = outer_length + inner_length + size;
    return model;
}

static bool take(struct tensor_file *tensor, const struct onnx_tensor *from, struct error *error)
{
    struct shape shape;
    int64_t count;

    if (!onnx_tensor_shape(from, &shape, &tensor->dtype, &count, error))
        return false;
    tensor->rank = shape.rank;
    memcpy(tensor->dim, shape.dim, sizeof tensor->dim);
    tensor->elements = onnx_tensor_elements(from, tensor->dtype, count, error);
    if (tensor->elements == NULL)
        return false;
    tensor->name = memory_strdup(from->name);
    return true;
}

bool tensor_file_unpack(struct tensor_file *tensor, const void *data, size_t size, const char *path,
                        struct error *error)
{
    struct onnx_model *model;
    uint8_t *whole;
    bool good;

    *tensor = (struct tensor_file){0};
    whole = wrap(data, size, &size);
    model = onnx_model_unpack(whole, size, path, error);
    good = model != NULL;
    if (good && !take(tensor, &model->graph->initializer[0], error))
        good = error_prefix(error, "%s", path);
    onnx_model_free(model);
    free(whole);
    return good;
}

bool tensor_file_read(struct tensor_file *tensor, const char *path, struct error *error)
{
    size_t size;
    char *data;
    bool good;

    *tensor = (struct tensor_file){0};
    if (!file_read(path, INT_MAX - 2 * HEAD_MAX, &data, &size, error))
        return false;
    good = tensor_file_unpack(tensor, data, size, path, error);
    free(data);
    return good;
}

void tensor_file_clear(struct tensor_file *tensor)
{
    free(tensor->name);
    elements_release(tensor->elements);
    *tensor = (struct tensor_file){0};
}
