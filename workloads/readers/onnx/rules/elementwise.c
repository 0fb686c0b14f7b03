/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What works element by element, with broadcasting; and quantisation.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <stdint.h>

#include "workloads/readers/onnx/rules/calculate.h"

/* Types of results, as a rule's detail says.  */
enum { SAME_TYPE, TRUTH };

/* A rule's detail: the type of the result, and above it the calculation.  */
#define DETAIL(type, calculation) ((type) + 2 * (calculation))

static enum dtype result_type(const struct onnx_op *op, enum dtype otherwise)
{
    return op->rule->detail % 2 == TRUTH ? DTYPE_BOOL : otherwise;
}

static enum calculation calculation_of(const struct onnx_op *op)
{
    return (enum calculation)(op->rule->detail / 2);
}

/* --- shapes --- */

static bool infer_unary(struct onnx_op *op)
{
    if (!onnx_needs(op, 1))
        return false;
    onnx_set(op, 0, &op->input[0]->shape, result_type(op, op->input[0]->dtype));
    return true;
}

/* Two inputs or more, all joined.  Before operator set 7 the first input had
 * the result's shape.  */
static bool infer_joined(struct onnx_op *op)
{
    struct shape shape;

    if (!onnx_needs(op, op->inputs) || !onnx_needs(op, 1))
        return false;
    shape = op->input[0]->shape;
    for (size_t i = 1; i < op->inputs && op->opset >= 7; i++)
        if (!shape_broadcast(&shape, &op->input[i]->shape, &shape, op->error))
            return false;
    onnx_set(op, 0, &shape, result_type(op, op->input[0]->dtype));
    return true;
}

/* The slope has the channels' shape and the result the first input's.  */
static bool infer_prelu(struct onnx_op *op)
{
    if (!onnx_needs(op, 2))
        return false;
    onnx_set_same(op);
    return true;
}

/* Limits that are constants, or none, make an activation.  */
static bool infer_clip(struct onnx_op *op)
{
    if (!onnx_needs(op, 1))
        return false;
    for (size_t i = 1; i < op->inputs; i++)
        if (op->input[i] != NULL && !op->input[i]->constant)
            op->kind = OP_ELEMENTWISE;
    onnx_set_same(op);
    return true;
}

static bool infer_where(struct onnx_op *op)
{
    struct shape shape;

    if (!onnx_needs(op, 3) ||
        !shape_broadcast(&op->input[0]->shape, &op->input[1]->shape, &shape, op->error) ||
        !shape_broadcast(&shape, &op->input[2]->shape, &shape, op->error))
        return false;
    onnx_set(op, 0, &shape, op->input[1]->dtype);
    return true;
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

    if (!onnx_needs(op, 1))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (onnx_text_is(op, "to", names[i].name, false))
            to = names[i].element;
    if (to < 0 || to > ONNX_BFLOAT16 || !onnx_dtype((int)to, &dtype))
        return onnx_unsized(to, op->error);
    onnx_set(op, 0, &op->input[0]->shape, dtype);
    return true;
}

/* The type of the second input, its scale.  */
static bool infer_dequantize(struct onnx_op *op)
{
    if (!onnx_needs(op, 2))
        return false;
    onnx_set(op, 0, &op->input[0]->shape, op->input[1]->dtype);
    return true;
}

/* The same of what it is like, of which nothing else is read.  */
static bool infer_cast_like(struct onnx_op *op)
{
    if (!infer_dequantize(op))
        return false;
    op->constant = op->input[0]->constant;
    return true;
}

/* x, scale, and perhaps the zero point, whose type the result has.  */
static bool infer_quantize(struct onnx_op *op)
{
    const struct onnx_value *zero = onnx_input(op, 2);

    if (!onnx_needs(op, 2))
        return false;
    onnx_set(op, 0, &op->input[0]->shape, zero == NULL ? DTYPE_U8 : zero->dtype);
    return true;
}

/* y, its scale, its zero point.  */
static bool infer_dynamic_quantize(struct onnx_op *op)
{
    const struct shape scalar = {.rank = 0};

    if (!onnx_needs(op, 1))
        return false;
    onnx_set(op, 0, &op->input[0]->shape, DTYPE_U8);
    onnx_set(op, 1, &scalar, DTYPE_F32);
    onnx_set(op, 2, &scalar, DTYPE_U8);
    return true;
}

/* --- elements --- */

/* Where element I of WHOLE comes from in PART, which is broadcast to it.  */
static size_t source_of(const struct shape *whole, const struct shape *part, size_t i)
{
    size_t index = 0, stride = 1;

    for (int d = 1; d <= whole->rank; d++) {
        size_t length = (size_t)whole->dim[whole->rank - d];
        size_t own = d <= part->rank ? (size_t)part->dim[part->rank - d] : 1;

        if (own != 1)
            index += i % length * stride;
        stride *= own;
        i /= length;
    }
    return index;
}

static double real_at(const struct onnx_data *data, size_t i)
{
    return data->real != NULL ? data->real[i] : (double)data->integer[i];
}

/* A op B for all elements; B may be A, for functions of one.  */
static void calculate(struct onnx_op *op, struct onnx_data *to, const struct onnx_data *a,
                      const struct shape *a_shape, const struct onnx_value *b)
{
    enum calculation calculation = calculation_of(op);
    const struct shape *whole = &op->result[0].shape;

    for (size_t i = 0; i < to->count; i++) {
        size_t x = source_of(whole, a_shape, i), y = source_of(whole, &b->shape, i);

        if (to->real != NULL)
            to->real[i] = calculate_real(calculation, real_at(a, x), real_at(b->data, y));
        else if (a->integer != NULL && b->data->integer != NULL)
            to->integer[i] = calculate_integer(calculation, a->integer[x], b->data->integer[y]);
        else
            to->integer[i] = compare_real(calculation, real_at(a, x), real_at(b->data, y));
    }
}

static struct onnx_data *result_data(struct onnx_op *op)
{
    int64_t elements;

    if (!shape_elements(&op->result[0].shape, &elements, NULL))
        return NULL;
    return onnx_data_new(op->budget, elements, dtype_is_real(op->result[0].dtype));
}

static void fold_unary(struct onnx_op *op)
{
    struct onnx_data *to = result_data(op);

    if (to != NULL)
        calculate(op, to, op->input[0]->data, &op->input[0]->shape, op->input[0]);
    op->result[0].data = to;
}

static void fold_joined(struct onnx_op *op)
{
    const struct onnx_data *from = op->input[0]->data;
    const struct shape *shape = &op->input[0]->shape;
    struct onnx_data *to = NULL;

    if (op->opset < 7)
        return;
    for (size_t i = 1; i < op->inputs; i++) {
        to = result_data(op);
        if (to == NULL)
            return;
        calculate(op, to, from, shape, op->input[i]);
        from = to;
        shape = &op->result[0].shape;
    }
    op->result[0].data = from;
}

static void fold_where(struct onnx_op *op)
{
    const struct onnx_value *condition = op->input[0];
    const struct shape *whole = &op->result[0].shape;
    struct onnx_data *to = result_data(op);

    if (to == NULL || condition->data->integer == NULL)
        return;
    for (size_t i = 0; i < to->count; i++) {
        bool first = condition->data->integer[source_of(whole, &condition->shape, i)] != 0;
        const struct onnx_value *from = op->input[first ? 1 : 2];
        size_t at = source_of(whole, &from->shape, i);

        if (to->real != NULL)
            to->real[i] = real_at(from->data, at);
        else if (from->data->integer != NULL)
            to->integer[i] = from->data->integer[at];
        else
            return;
    }
    op->result[0].data = to;
}

/* Reals are cut to integers; those out of range become 0.  */
static void fold_cast(struct onnx_op *op)
{
    const struct onnx_data *from = op->input[0]->data;
    struct onnx_data *to = result_data(op);
    bool truth = op->result[0].dtype == DTYPE_BOOL;

    if (to == NULL || from == NULL)
        return;
    for (size_t i = 0; i < to->count; i++) {
        double number = real_at(from, i);

        if (to->real != NULL)
            to->real[i] = number;
        else if (truth)
            to->integer[i] = number != 0.0;
        else if (from->integer != NULL)
            to->integer[i] = from->integer[i];
        else
            to->integer[i] = number > -9.2e18 && number < 9.2e18 ? (int64_t)number : 0;
    }
    op->result[0].data = to;
}

#define ACTIVATION(name, word)                                  \
    {                                                           \
        name, word, OP_ACTIVATION, infer_unary, NULL, SAME_TYPE \
    }
#define UNARY(name, word, calculation)                                                         \
    {                                                                                          \
        name, word, OP_ELEMENTWISE, infer_unary, (calculation) == NOTHING ? NULL : fold_unary, \
            DETAIL(SAME_TYPE, calculation)                                                     \
    }
#define JOINED(name, word, type, calculation)                                                    \
    {                                                                                            \
        name, word, OP_ELEMENTWISE, infer_joined, (calculation) == NOTHING ? NULL : fold_joined, \
            DETAIL(type, calculation)                                                            \
    }

const struct onnx_rule onnx_rules_elementwise[] = {
    ACTIVATION("Relu", "relu"),
    ACTIVATION("LeakyRelu", "leaky_relu"),
    ACTIVATION("ThresholdedRelu", "thresholded_relu"),
    ACTIVATION("Sigmoid", "sigmoid"),
    ACTIVATION("HardSigmoid", "hard_sigmoid"),
    ACTIVATION("HardSwish", "hard_swish"),
    ACTIVATION("Tanh", "tanh"),
    ACTIVATION("Elu", "elu"),
    ACTIVATION("Selu", "selu"),
    ACTIVATION("Celu", "celu"),
    ACTIVATION("Gelu", "gelu"),
    ACTIVATION("Mish", "mish"),
    ACTIVATION("Swish", "swish"),
    ACTIVATION("Softplus", "softplus"),
    ACTIVATION("Softsign", "softsign"),
    ACTIVATION("Shrink", "shrink"),
    {"Clip", "clip", OP_ACTIVATION, infer_clip, NULL, 0},
    {"PRelu", "prelu", OP_ELEMENTWISE, infer_prelu, NULL, 0},
    UNARY("Abs", "abs", ABSOLUTE),
    UNARY("Neg", "neg", NEGATE),
    UNARY("Floor", "floor", FLOOR),
    UNARY("Ceil", "ceil", CEIL),
    UNARY("Round", "round", ROUND),
    UNARY("Sqrt", "sqrt", SQUARE_ROOT),
    UNARY("Not", "not", NOT),
    UNARY("Reciprocal", "reciprocal", NOTHING),
    UNARY("Exp", "exp", NOTHING),
    UNARY("Log", "log", NOTHING),
    UNARY("Erf", "erf", NOTHING),
    UNARY("Sign", "sign", NOTHING),
    UNARY("Sin", "sin", NOTHING),
    UNARY("Cos", "cos", NOTHING),
    UNARY("Tan", "tan", NOTHING),
    UNARY("Asin", "asin", NOTHING),
    UNARY("Acos", "acos", NOTHING),
    UNARY("Atan", "atan", NOTHING),
    UNARY("Sinh", "sinh", NOTHING),
    UNARY("Cosh", "cosh", NOTHING),
    UNARY("Asinh", "asinh", NOTHING),
    UNARY("Acosh", "acosh", NOTHING),
    UNARY("Atanh", "atanh", NOTHING),
    UNARY("BitwiseNot", "bitwise_not", NOTHING),
    {"IsNaN", "is_nan", OP_ELEMENTWISE, infer_unary, NULL, TRUTH},
    {"IsInf", "is_inf", OP_ELEMENTWISE, infer_unary, NULL, TRUTH},
    JOINED("Add", "add", SAME_TYPE, ADD),
    JOINED("Sub", "sub", SAME_TYPE, SUBTRACT),
    JOINED("Mul", "mul", SAME_TYPE, MULTIPLY),
    JOINED("Div", "div", SAME_TYPE, DIVIDE),
    JOINED("Mod", "mod", SAME_TYPE, MODULO),
    JOINED("Pow", "pow", SAME_TYPE, POWER),
    JOINED("Sum", "sum", SAME_TYPE, ADD),
    JOINED("Min", "min", SAME_TYPE, LEAST),
    JOINED("Max", "max", SAME_TYPE, GREATEST),
    JOINED("Mean", "mean", SAME_TYPE, NOTHING),
    JOINED("BitShift", "bit_shift", SAME_TYPE, NOTHING),
    JOINED("BitwiseAnd", "bitwise_and", SAME_TYPE, NOTHING),
    JOINED("BitwiseOr", "bitwise_or", SAME_TYPE, NOTHING),
    JOINED("BitwiseXor", "bitwise_xor", SAME_TYPE, NOTHING),
    JOINED("Equal", "equal", TRUTH, EQUAL),
    JOINED("Less", "less", TRUTH, LESS),
    JOINED("LessOrEqual", "less_or_equal", TRUTH, LESS_EQUAL),
    JOINED("Greater", "greater", TRUTH, GREATER),
    JOINED("GreaterOrEqual", "greater_or_equal", TRUTH, GREATER_EQUAL),
    JOINED("And", "and", TRUTH, AND),
    JOINED("Or", "or", TRUTH, OR),
    JOINED("Xor", "xor", TRUTH, XOR),
    {"Where", "where", OP_ELEMENTWISE, infer_where, fold_where, 0},
    {"Cast", "cast", OP_ELEMENTWISE, infer_cast, fold_cast, 0},
    {"CastLike", "cast", OP_ELEMENTWISE, infer_cast_like, fold_cast, 0},
    {"QuantizeLinear", "quantize", OP_OTHER, infer_quantize, NULL, 0},
    {"DequantizeLinear", "dequantize", OP_OTHER, infer_dequantize, NULL, 0},
    {"DynamicQuantizeLinear", "dynamic_quantize", OP_OTHER, infer_dynamic_quantize, NULL, 0},
    {NULL, NULL, OP_OTHER, NULL, NULL, 0},
};
