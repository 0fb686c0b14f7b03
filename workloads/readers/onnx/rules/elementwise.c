/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What works element by element, with broadcasting; and quantisation.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

/* Types of results, as a rule's detail says.  */
enum { SAME_TYPE, TRUTH };

static enum dtype result_type(const struct onnx_op *op, enum dtype otherwise)
{
    return op->rule->detail == TRUTH ? DTYPE_BOOL : otherwise;
}

/* --- shapes --- */

static bool infer_unary(struct onnx_op *op)
{
    return onnx_set(op, 0, &op->input[0]->shape, result_type(op, op->input[0]->dtype));
}

/* One input or more, all joined.  Before operator set 7 the first input had
 * the result's shape.  */
static bool infer_joined(struct onnx_op *op)
{
    struct shape shape = op->input[0]->shape;

    for (size_t i = 1; i < op->inputs && op->opset >= 7; i++)
        if (!shape_broadcast(&shape, &op->input[i]->shape, &shape, op->error))
            return false;
    return onnx_set(op, 0, &shape, result_type(op, op->input[0]->dtype));
}

static bool infer_pair(struct onnx_op *op)
{
    if (op->inputs != 2)
        return error_set(op->error, "expected two inputs, not %zu", op->inputs);
    return onnx_needs(op, 2) && infer_joined(op);
}

/* Limits that are constants, or none, make an activation.  */
static bool infer_clip(struct onnx_op *op)
{
    for (size_t i = 1; i < op->inputs; i++)
        if (op->input[i] != NULL && !op->input[i]->constant)
            op->kind = OP_ELEMENTWISE;
    return onnx_set_same(op);
}

static bool infer_where(struct onnx_op *op)
{
    struct shape shape;

    if (!shape_broadcast(&op->input[0]->shape, &op->input[1]->shape, &shape, op->error) ||
        !shape_broadcast(&shape, &op->input[2]->shape, &shape, op->error))
        return false;
    return onnx_set(op, 0, &shape, op->input[1]->dtype);
}

/* The type is a number, or, in the first operator sets, its name.  */
static bool infer_cast(struct onnx_op *op)
{
    static const struct {
        const char *name;
        int element;
    } names[] = {
        {"FLOAT", ONNX_FLOAT}, {"UINT8", ONNX_UINT8},   {"INT8", ONNX_INT8},
        {"INT16", ONNX_INT16}, {"INT32", ONNX_INT32},   {"INT64", ONNX_INT64},
        {"BOOL", ONNX_BOOL},   {"DOUBLE", ONNX_DOUBLE}, {"FLOAT16", ONNX_FLOAT16},
    };
    int64_t to = onnx_int(op, "to", 0);
    enum dtype dtype;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (onnx_text_is(op, "to", names[i].name, false))
            to = names[i].element;
    if (to < 0 || to > ONNX_BFLOAT16 || !onnx_dtype((int)to, &dtype))
        return onnx_unsized(to, op->error);
    return onnx_set(op, 0, &op->input[0]->shape, dtype);
}

/* The type of the second input, its scale.  */
static bool infer_dequantize(struct onnx_op *op)
{
    return onnx_set(op, 0, &op->input[0]->shape, op->input[1]->dtype);
}

/* The same of what it is like, of which nothing else is read.  */
static bool infer_cast_like(struct onnx_op *op)
{
    op->read = 1;
    return infer_dequantize(op);
}

/* x, scale, and perhaps the zero point, whose type the result has.  */
static bool infer_quantize(struct onnx_op *op)
{
    const struct onnx_value *zero = onnx_input(op, 2);

    return onnx_set(op, 0, &op->input[0]->shape, zero == NULL ? DTYPE_U8 : zero->dtype);
}

/* y, its scale, its zero point.  */
static bool infer_dynamic_quantize(struct onnx_op *op)
{
    const struct shape scalar = {.rank = 0};

    onnx_set(op, 0, &op->input[0]->shape, DTYPE_U8);
    onnx_set(op, 1, &scalar, DTYPE_F32);
    return onnx_set(op, 2, &scalar, DTYPE_U8);
}

const struct onnx_rule onnx_rules_elementwise[] = {
    {"Relu", "relu", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"LeakyRelu", "leaky_relu", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"ThresholdedRelu", "thresholded_relu", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Sigmoid", "sigmoid", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"HardSigmoid", "hard_sigmoid", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"HardSwish", "hard_swish", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Tanh", "tanh", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Elu", "elu", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Selu", "selu", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Celu", "celu", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Gelu", "gelu", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Mish", "mish", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Swish", "swish", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Softplus", "softplus", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Softsign", "softsign", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Shrink", "shrink", OP_ACTIVATION, infer_unary, 1, SAME_TYPE},
    {"Clip", "clip", OP_ACTIVATION, infer_clip, 1, 0},
    {"PRelu", "prelu", OP_ELEMENTWISE, onnx_set_same, 2, 0}, /* a slope has the channels' shape */
    {"Abs", "abs", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Neg", "neg", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Floor", "floor", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Ceil", "ceil", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Round", "round", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Sqrt", "sqrt", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Not", "not", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Reciprocal", "reciprocal", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Exp", "exp", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Log", "log", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Erf", "erf", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Sign", "sign", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Sin", "sin", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Cos", "cos", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Tan", "tan", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Asin", "asin", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Acos", "acos", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Atan", "atan", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Sinh", "sinh", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Cosh", "cosh", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Asinh", "asinh", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Acosh", "acosh", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"Atanh", "atanh", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"BitwiseNot", "bitwise_not", OP_ELEMENTWISE, infer_unary, 1, SAME_TYPE},
    {"IsNaN", "is_nan", OP_ELEMENTWISE, infer_unary, 1, TRUTH},
    {"IsInf", "is_inf", OP_ELEMENTWISE, infer_unary, 1, TRUTH},
    {"Add", "add", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"Sub", "sub", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"Mul", "mul", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"Div", "div", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"Mod", "mod", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"Pow", "pow", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"Sum", "sum", OP_ELEMENTWISE, infer_joined, ONNX_ALL, SAME_TYPE},
    {"Min", "min", OP_ELEMENTWISE, infer_joined, ONNX_ALL, SAME_TYPE},
    {"Max", "max", OP_ELEMENTWISE, infer_joined, ONNX_ALL, SAME_TYPE},
    {"Mean", "mean", OP_ELEMENTWISE, infer_joined, ONNX_ALL, SAME_TYPE},
    {"BitShift", "bit_shift", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"BitwiseAnd", "bitwise_and", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"BitwiseOr", "bitwise_or", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"BitwiseXor", "bitwise_xor", OP_ELEMENTWISE, infer_pair, 0, SAME_TYPE},
    {"Equal", "equal", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"Less", "less", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"LessOrEqual", "less_or_equal", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"Greater", "greater", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"GreaterOrEqual", "greater_or_equal", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"And", "and", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"Or", "or", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"Xor", "xor", OP_ELEMENTWISE, infer_pair, 0, TRUTH},
    {"Where", "where", OP_ELEMENTWISE, infer_where, 3, 0},
    {"Cast", "cast", OP_ELEMENTWISE, infer_cast, 1, 0},
    {"CastLike", "cast", OP_ELEMENTWISE, infer_cast_like, 2, 0},
    {"QuantizeLinear", "quantize", OP_OTHER, infer_quantize, 2, 0},
    {"DequantizeLinear", "dequantize", OP_OTHER, infer_dequantize, 2, 0},
    {"DynamicQuantizeLinear", "dynamic_quantize", OP_OTHER, infer_dynamic_quantize, 1, 0},
    {0},
};
