/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <string.h>

#include "lib/base/checked.h"

/* --- attributes --- */

static const struct onnx_attribute *find(const struct onnx_op *op, const char *name)
{
    for (size_t i = 0; i < op->node->attributes; i++)
        if (strcmp(op->node->attribute[i].name, name) == 0)
            return &op->node->attribute[i];
    return NULL;
}

bool onnx_has(const struct onnx_op *op, const char *name)
{
    return find(op, name) != NULL;
}

const struct onnx_attribute *onnx_attribute(const struct onnx_op *op, const char *name,
                                            enum onnx_attribute_kind kind)
{
    const struct onnx_attribute *attribute = find(op, name);

    return attribute != NULL && attribute->kind == kind ? attribute : NULL;
}

int64_t onnx_int(const struct onnx_op *op, const char *name, int64_t otherwise)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_INT);

    return attribute == NULL ? otherwise : attribute->i;
}

double onnx_float(const struct onnx_op *op, const char *name, double otherwise)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_FLOAT);

    return attribute == NULL ? otherwise : (double)attribute->f;
}

bool onnx_text_is(const struct onnx_op *op, const char *name, const char *text, bool otherwise)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_TEXT);

    if (attribute == NULL)
        return otherwise;
    return attribute->text.size == strlen(text) &&
           memcmp(attribute->text.data, text, attribute->text.size) == 0;
}

const int64_t *onnx_ints(const struct onnx_op *op, const char *name, size_t *count)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_INTS);

    *count = attribute == NULL ? 0 : attribute->n_ints;
    return attribute == NULL ? NULL : attribute->ints;
}

/* --- inputs --- */

struct onnx_value *onnx_input(const struct onnx_op *op, size_t i)
{
    return i < op->inputs ? op->input[i] : NULL;
}

bool onnx_needs(struct onnx_op *op, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (onnx_input(op, i) == NULL)
            return error_set(op->error, "input %zu of %zu is missing", i, count);
    return true;
}

bool onnx_needs_rule(struct onnx_op *op)
{
    if (op->rule->inputs != ONNX_ALL)
        return onnx_needs(op, (size_t)op->rule->inputs);
    return onnx_needs(op, op->inputs) && onnx_needs(op, 1);
}

bool onnx_open(struct onnx_op *op, size_t i)
{
    op->open = true;
    return error_set(op->error, "its shape depends on the elements of '%s', which only a run knows",
                     op->input[i]->name);
}

bool onnx_open_length(struct onnx_op *op, size_t i, int64_t limit, int64_t *length)
{
    op->asked = true;
    op->limit = limit;
    *length = min64(op->most, limit);
    return (op->most >= 0 && *length != ONNX_NO_LIMIT) || onnx_open(op, i);
}

bool onnx_numbers(struct onnx_op *op, size_t i, const char *name, const int64_t **number,
                  size_t *count)
{
    const struct onnx_value *input = onnx_input(op, i);
    struct tensor tensor;
    int64_t *copy;

    *number = NULL;
    *count = 0;
    if (input == NULL) {
        if (name != NULL)
            *number = onnx_ints(op, name, count);
        return true;
    }
    if (!onnx_has_integers(input))
        return onnx_open(op, i);
    tensor = onnx_as_tensor(input);
    *count = (size_t)tensor_elements(&tensor);
    if (tensor.dtype == DTYPE_I64) {
        *number = tensor.data;
        return true;
    }
    *number = copy = onnx_take(op->budget, *count, sizeof *copy);
    for (size_t n = 0; copy != NULL && n < *count; n++)
        copy[n] = tensor_integer(&tensor, (int64_t)n);
    return copy != NULL;
}

/* Constants have no batch, be their first dimension what it may.  */
bool onnx_is_batch(const struct onnx_op *op, size_t i, int64_t first)
{
    const struct onnx_value *input = op->input[i];

    return op->batch.from != op->batch.to && first == op->batch.from && !input->constant &&
           input->shape.rank > 0 && input->shape.dim[0] == op->batch.to;
}

/* --- results --- */

bool onnx_set(struct onnx_op *op, size_t slot, const struct shape *shape, enum dtype dtype)
{
    if (slot < op->outputs)
        op->result[slot] = (struct onnx_result){.shape = *shape, .dtype = dtype, .given = true};
    return true;
}

bool onnx_set_optional(struct onnx_op *op, size_t slot, const struct shape *shape, enum dtype dtype)
{
    onnx_set(op, slot, shape, dtype);
    if (slot < op->outputs)
        op->result[slot].optional = true;
    return true;
}

bool onnx_set_same(struct onnx_op *op)
{
    return onnx_set(op, 0, &op->input[0]->shape, op->input[0]->dtype);
}

bool onnx_macs(struct onnx_op *op, const int64_t *factor, size_t count)
{
    int64_t macs = 1;

    for (size_t i = 0; i < count; i++)
        if (factor[i] == 0)
            return true;
    for (size_t i = 0; i < count; i++)
        if (!checked_mul(macs, factor[i], &macs))
            return error_set(op->error, "its multiply-accumulates overflow 64 bits");
    op->macs = macs;
    return true;
}
