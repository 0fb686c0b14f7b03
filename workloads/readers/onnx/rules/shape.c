/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pure aliases, questions about shapes, and where values come from.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <math.h>

#include "lib/base/checked.h"

/* --- aliases --- */

/* Output 0 is input 0 in another shape, elements and all.  */
static bool alias(struct onnx_op *op, const struct shape *shape)
{
    onnx_set(op, 0, shape, op->input[0]->dtype);
    if (op->outputs > 0)
        op->result[0].elements = op->input[0]->elements;
    return true;
}

/* WANTED with the batch that was given instead of the file's, where that is the shape that fits
 * or where a dimension is left to what fits.  */
static bool with_batch(struct onnx_op *op, const int64_t *wanted, size_t count, bool zero_copies,
                       struct shape *shape)
{
    int64_t given[NETWORK_MAX_RANK];
    bool open = false;

    if (count == 0 || count > NETWORK_MAX_RANK || !onnx_is_batch(op, 0, wanted[0]))
        return false;
    for (size_t i = 0; i < count; i++) {
        given[i] = i == 0 ? op->batch.to : wanted[i];
        open = open || wanted[i] == -1;
    }
    return (open ||
            !shape_reshape(&op->input[0]->shape, wanted, count, zero_copies, shape, NULL)) &&
           shape_reshape(&op->input[0]->shape, given, count, zero_copies, shape, NULL);
}

static bool infer_reshape(struct onnx_op *op)
{
    bool zero_copies = onnx_int(op, "allowzero", 0) == 0;
    const int64_t *wanted;
    struct shape shape;
    size_t count;

    if (!onnx_numbers(op, 1, "shape", &wanted, &count) ||
        (!with_batch(op, wanted, count, zero_copies, &shape) &&
         !shape_reshape(&op->input[0]->shape, wanted, count, zero_copies, &shape, op->error)))
        return false;
    return alias(op, &shape);
}

static bool infer_flatten(struct onnx_op *op)
{
    struct shape shape;
    int64_t axis = onnx_int(op, "axis", 1);

    if (axis < 0)
        axis += op->input[0]->shape.rank;
    if (axis < 0 || axis > NETWORK_MAX_RANK)
        return error_set(op->error, "axis out of range");
    return shape_flatten(&op->input[0]->shape, (int)axis, &shape, op->error) && alias(op, &shape);
}

/* DETAIL: Unsqueeze.  */
static bool infer_squeeze(struct onnx_op *op)
{
    const int64_t *axes;
    struct shape shape;
    size_t count;

    return onnx_numbers(op, 1, "axes", &axes, &count) &&
           (op->rule->detail != 0 ? shape_unsqueeze : shape_squeeze)(&op->input[0]->shape, axes,
                                                                     count, &shape, op->error) &&
           alias(op, &shape);
}

static bool infer_identity(struct onnx_op *op)
{
    return alias(op, &op->input[0]->shape);
}

/* In training it makes something.  The first operator sets say by an attribute
 * that it is inference; then it always was; now an input says.  */
static bool infer_dropout(struct onnx_op *op)
{
    int64_t training = 0;

    if (onnx_input(op, 2) != NULL && !onnx_integer(op->input[2], &training))
        training = 1;
    if (training != 0 || (op->opset < 7 && onnx_int(op, "is_test", 0) == 0))
        op->kind = OP_OTHER;
    if (op->kind == OP_ALIAS)
        alias(op, &op->input[0]->shape);
    else
        onnx_set_same(op);
    return onnx_set_optional(op, 1, &op->input[0]->shape,
                             op->opset < 10 ? op->input[0]->dtype : DTYPE_BOOL);
}

/* --- questions --- */

static bool infer_shape(struct onnx_op *op)
{
    struct shape result = {.rank = 1};
    const struct shape *shape = &op->input[0]->shape;
    int64_t start, end, rank;

    rank = shape->rank;
    start = onnx_int(op, "start", 0);
    end = onnx_int(op, "end", rank);
    start = max64(0, min64(start < 0 ? start + rank : start, rank));
    end = max64(start, min64(end < 0 ? end + rank : end, rank));
    result.dim[0] = end - start;
    onnx_set(op, 0, &result, DTYPE_I64);
    op->read = 0;
    return true;
}

static bool infer_size(struct onnx_op *op)
{
    const struct shape scalar = {.rank = 0};

    onnx_set(op, 0, &scalar, DTYPE_I64);
    op->read = 0;
    return true;
}

/* --- constants --- */

/* Numbers that an attribute gives without a tensor around them.  */
static bool plain_constant(struct onnx_op *op)
{
    const struct onnx_attribute *attribute = NULL;
    struct shape shape = {.rank = 0};
    bool real;

    for (size_t i = 0; i < op->node->attributes && attribute == NULL; i++) {
        enum onnx_attribute_kind kind = op->node->attribute[i].kind;

        if (kind == ONNX_ATTRIBUTE_FLOAT || kind == ONNX_ATTRIBUTE_INT ||
            kind == ONNX_ATTRIBUTE_FLOATS || kind == ONNX_ATTRIBUTE_INTS)
            attribute = &op->node->attribute[i];
    }
    if (attribute == NULL)
        return error_set(op->error, "it has no value of a type with a fixed size");
    real = attribute->kind == ONNX_ATTRIBUTE_FLOAT || attribute->kind == ONNX_ATTRIBUTE_FLOATS;
    if (attribute->kind == ONNX_ATTRIBUTE_FLOATS || attribute->kind == ONNX_ATTRIBUTE_INTS)
        shape = (struct shape){.rank = 1,
                               .dim = {(int64_t)(real ? attribute->n_floats : attribute->n_ints)}};
    return onnx_set(op, 0, &shape, real ? DTYPE_F32 : DTYPE_I64);
}

static bool infer_constant(struct onnx_op *op)
{
    const struct onnx_attribute *value = onnx_attribute(op, "value", ONNX_ATTRIBUTE_TENSOR);
    struct onnx_value constant;

    op->constant = true;
    if (value == NULL)
        value = onnx_attribute(op, "sparse_value", ONNX_ATTRIBUTE_SPARSE);
    if (value == NULL)
        return plain_constant(op);
    if (!onnx_constant(op->budget, value->tensor, &constant))
        return false;
    onnx_set(op, 0, &constant.shape, constant.dtype);
    if (op->outputs > 0)
        op->result[0].elements = constant.elements;
    return true;
}

/* Numbers as a shape.  */
static bool shape_from(struct onnx_op *op, const int64_t *number, size_t count, struct shape *shape)
{
    int64_t elements;

    if (count > NETWORK_MAX_RANK)
        return error_set(op->error, "%zu dimensions, expected at most %d", count, NETWORK_MAX_RANK);
    *shape = (struct shape){.rank = (int)count};
    for (size_t i = 0; i < count; i++)
        shape->dim[i] = number[i];
    return shape_elements(shape, &elements, op->error);
}

/* One value, the same all over.  */
static bool infer_constant_of_shape(struct onnx_op *op)
{
    const struct onnx_attribute *value = onnx_attribute(op, "value", ONNX_ATTRIBUTE_TENSOR);
    struct onnx_value one = {.dtype = DTYPE_F32};
    const int64_t *number;
    struct shape shape;
    size_t count;

    if (!onnx_numbers(op, 0, NULL, &number, &count) || !shape_from(op, number, count, &shape))
        return false;
    if (value != NULL && !onnx_constant(op->budget, value->tensor, &one))
        return false;
    onnx_set(op, 0, &shape, one.dtype);
    op->constant = true;
    return true;
}

/* --- sequences and chance --- */

/* Elements from FIRST up to LIMIT, not included, by STEP; -1: too many.  */
static int64_t range_length(double first, double limit, double step)
{
    double length = ceil((limit - first) / step);

    if (step == 0.0 || isnan(length) || length > 1e15)
        return -1;
    return length < 0.0 ? 0 : (int64_t)length;
}

static bool infer_range(struct onnx_op *op)
{
    struct shape shape = {.rank = 1};
    double number[3];
    size_t open = 3;

    for (size_t i = 0; i < 3; i++) {
        if (!onnx_number(op->input[i], &number[i]) && open == 3)
            open = i;
        if (op->input[i]->dtype != op->input[0]->dtype)
            return error_set(op->error, "start, limit and step differ in type");
    }
    if (open < 3)
        return onnx_open_length(op, open, ONNX_NO_LIMIT, &shape.dim[0]) &&
               onnx_set(op, 0, &shape, op->input[0]->dtype);
    shape.dim[0] = range_length(number[0], number[1], number[2]);
    if (shape.dim[0] < 0)
        return error_set(op->error, "a range from %g to %g by %g", number[0], number[1], number[2]);
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    op->constant = true;
    return true;
}

/* Output 0 of SHAPE, of the type that attribute `dtype` says, or OTHERWISE.  */
static bool set_typed(struct onnx_op *op, const struct shape *shape, enum dtype otherwise)
{
    int64_t element = onnx_int(op, "dtype", 0);
    enum dtype dtype = otherwise;

    if (element < 0 || element > ONNX_BFLOAT16 ||
        (element != 0 && !onnx_dtype((int)element, &dtype)))
        return error_set(op->error, "an element type without a fixed size");
    return onnx_set(op, 0, shape, dtype);
}

/* Random numbers, in the shape that attributes give, or input 0's.  */
static bool infer_random(struct onnx_op *op)
{
    const struct onnx_value *like = onnx_input(op, 0);
    struct shape shape;
    const int64_t *number;
    size_t count;

    op->random = true;
    if (like != NULL)
        return set_typed(op, &like->shape, like->dtype);
    number = onnx_ints(op, "shape", &count);
    return shape_from(op, number, count, &shape) && set_typed(op, &shape, DTYPE_F32);
}

/* Zeros and ones, or a part, in the shape of input 0.  */
static bool infer_like(struct onnx_op *op)
{
    return set_typed(op, &op->input[0]->shape, op->input[0]->dtype);
}

const struct onnx_rule onnx_rules_shape[] = {
    {"Reshape", "reshape", OP_ALIAS, infer_reshape, 1, 0},
    {"Flatten", "flatten", OP_ALIAS, infer_flatten, 1, 0},
    {"Squeeze", "squeeze", OP_ALIAS, infer_squeeze, 1, 0},
    {"Unsqueeze", "unsqueeze", OP_ALIAS, infer_squeeze, 1, 1},
    {"Identity", "identity", OP_ALIAS, infer_identity, 1, 0},
    {"Dropout", "dropout", OP_ALIAS, infer_dropout, 1, 0},
    {"Shape", "shape", OP_OTHER, infer_shape, 1, 0},
    {"Size", "size", OP_OTHER, infer_size, 1, 0},
    {"Constant", "constant", OP_OTHER, infer_constant, 0, 0},
    {"ConstantOfShape", "constant", OP_OTHER, infer_constant_of_shape, 1, 0},
    {"Range", "range", OP_OTHER, infer_range, 3, 0},
    {"RandomNormal", "random", OP_OTHER, infer_random, 0, 0},
    {"RandomUniform", "random", OP_OTHER, infer_random, 0, 0},
    {"RandomNormalLike", "random", OP_OTHER, infer_random, 0, 0},
    {"RandomUniformLike", "random", OP_OTHER, infer_random, 0, 0},
    {"Bernoulli", "random", OP_OTHER, infer_random, 0, 0},
    {"EyeLike", "eye", OP_OTHER, infer_like, 1, 0},
    {0},
};
