/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic on elements, broadcast: Add, Sub, Mul, Div, Pow, Mod, BitShift, PRelu, and of any
 * number of inputs Min, Max, Sum, Mean.
 *
 * ONNX's texts of these; versions before 7 (8 for any number of inputs) by their own rules of
 * broadcasting (pair.h).  Whole numbers wrap around where they overflow, are divided towards zero,
 * and not by 0, which is an error; the power of a whole number to a negative one is an error too.
 * Min and Max of what is no number is that.
 * Halves are computed with in f32, all but powers.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <math.h>
#include <stdlib.h>
#include <tgmath.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/cast.h"
#include "runtime/operators/numbers.h"
#include "runtime/operators/pair.h"
#include "runtime/operators/strided.h"

#define DTYPES (DTYPE_C128 + 1)

enum operation { ADD, SUB, MUL, DIV, POW, MOD, FMOD, MIN, MAX, LEFT, RIGHT, PRELU, OPERATIONS };

/* --- the types --- */

static int64_t divide(int64_t x, int64_t y)
{
    return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

/* The rest has X's sign.  */
static int64_t rest_of(int64_t x, int64_t y)
{
    return y == -1 ? 0 : x % y;
}

/* The rest has Y's sign.  */
static int64_t modulo(int64_t x, int64_t y)
{
    int64_t rest = rest_of(x, y);

    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static int64_t power(int64_t x, int64_t y)
{
    uint64_t base = (uint64_t)x, result = 1;

    for (; y > 0; y /= 2) {
        if (y % 2 == 1)
            result *= base;
        base *= base;
    }
    return (int64_t)result;
}

/* By Y bits; as many as there are or more leave nothing.  */
#define SHIFTED(x, operator, y) ((y) < 64 ? (uint64_t)(x) operator(y) : 0)

#define SHARED_RUNS(suffix, type)                               \
    PAIR_RUN(min_##suffix, type, type, x < y || x != x ? x : y) \
    PAIR_RUN(max_##suffix, type, type, x > y || x != x ? x : y)
#define REAL_RUNS(dtype, suffix, type)              \
    SHARED_RUNS(suffix, type)                       \
    PAIR_RUN(add_##suffix, type, type, x + y)       \
    PAIR_RUN(sub_##suffix, type, type, x - y)       \
    PAIR_RUN(mul_##suffix, type, type, (x * y))     \
    PAIR_RUN(div_##suffix, type, type, x / y)       \
    PAIR_RUN(pow_##suffix, type, type, pow(x, y))   \
    PAIR_RUN(fmod_##suffix, type, type, fmod(x, y)) \
    PAIR_RUN(prelu_##suffix, type, type, x < 0 ? x * y : x)
#define WHOLE_RUNS(suffix, type)                                  \
    SHARED_RUNS(suffix, type)                                     \
    PAIR_RUN(add_##suffix, type, type, (uint64_t)x + (uint64_t)y) \
    PAIR_RUN(sub_##suffix, type, type, (uint64_t)x - (uint64_t)y) \
    PAIR_RUN(mul_##suffix, type, type, ((uint64_t)x * (uint64_t)y))
#define SIGNED_RUNS(dtype, suffix, type)             \
    WHOLE_RUNS(suffix, type)                         \
    PAIR_RUN(div_##suffix, type, type, divide(x, y)) \
    PAIR_RUN(mod_##suffix, type, type, modulo(x, y)) \
    PAIR_RUN(fmod_##suffix, type, type, rest_of(x, y))
#define UNSIGNED_RUNS(dtype, suffix, type)                 \
    WHOLE_RUNS(suffix, type)                               \
    PAIR_RUN(div_##suffix, type, type, x / y)              \
    PAIR_RUN(mod_##suffix, type, type, x % y)              \
    PAIR_RUN(left_##suffix, type, type, SHIFTED(x, <<, y)) \
    PAIR_RUN(right_##suffix, type, type, SHIFTED(x, >>, y))

NUMBERS_REAL(REAL_RUNS)
NUMBERS_SIGNED(SIGNED_RUNS)
NUMBERS_UNSIGNED(UNSIGNED_RUNS)
PAIR_RUN(pow_i64, int64_t, int64_t, power(x, y))

#define SHARED_ROW(s)                                                                    \
    [ADD] = add_##s, [SUB] = sub_##s, [MUL] = mul_##s, [DIV] = div_##s, [MIN] = min_##s, \
    [MAX] = max_##s
#define REAL_ROW(s)                                                            \
    {                                                                          \
        SHARED_ROW(s), [POW] = pow_##s, [FMOD] = fmod_##s, [PRELU] = prelu_##s \
    }
#define SIGNED_ROW(s)                                     \
    {                                                     \
        SHARED_ROW(s), [MOD] = mod_##s, [FMOD] = fmod_##s \
    }
#define UNSIGNED_ROW(s)                                                                          \
    {                                                                                            \
        SHARED_ROW(s), [MOD] = mod_##s, [FMOD] = mod_##s, [LEFT] = left_##s, [RIGHT] = right_##s \
    }

/* Powers of whole numbers are worked out in i64.  */
static pair_run *const runs[DTYPES][OPERATIONS] = {
    [DTYPE_F32] = REAL_ROW(f32),
    [DTYPE_F64] = REAL_ROW(f64),
    [DTYPE_I8] = SIGNED_ROW(i8),
    [DTYPE_I16] = SIGNED_ROW(i16),
    [DTYPE_I32] = SIGNED_ROW(i32),
    [DTYPE_I64] = {SHARED_ROW(i64), [MOD] = mod_i64, [FMOD] = fmod_i64, [POW] = pow_i64},
    [DTYPE_U8] = UNSIGNED_ROW(u8),
    [DTYPE_U16] = UNSIGNED_ROW(u16),
    [DTYPE_U32] = UNSIGNED_ROW(u32),
    [DTYPE_U64] = UNSIGNED_ROW(u64),
};

/* --- of two inputs --- */

static bool plain_accepts(const struct call *call)
{
    return pair_accepts(call, TYPES_NUMBER | TYPE(DTYPE_F16), "") &&
           accept_output(call, 0, call->input[0]->dtype);
}

/* Whole numbers have no quotient by 0.  */
static bool no_zero(const struct call *call, const struct tensor *divisor)
{
    int64_t elements = tensor_elements(divisor);

    if (divisor->dtype == DTYPE_F32 || divisor->dtype == DTYPE_F64)
        return true;
    for (int64_t i = 0; i < elements; i++)
        if (tensor_integer(divisor, i) == 0)
            return error_set(call->error, "division by zero");
    return true;
}

static bool plain_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *x = call->input[0];
    int operation = call_rule(call)->detail;
    struct tensor y;

    if (out == NULL || tensor_elements(out) == 0)
        return true;
    if (x->dtype == DTYPE_F16)
        return cast_halves(call, plain_run);
    if (!pair_second(call, &y) || ((operation == DIV || operation == MOD) && !no_zero(call, &y)))
        return false;
    if (operation == MOD && computation_integer(call->computation, "fmod", 0) != 0)
        operation = FMOD;
    pair_broadcast(runs[x->dtype][operation], out, x, &y);
    return true;
}

static bool mod_accepts(const struct call *call)
{
    bool fmod = computation_integer(call->computation, "fmod", 0) != 0;

    return pair_accepts(call, fmod ? TYPES_NUMBER | TYPE(DTYPE_F16) : TYPES_WHOLE, "fmod") &&
           accept_output(call, 0, call->input[0]->dtype);
}

static bool shift_accepts(const struct call *call)
{
    const struct computation *computation = call->computation;

    if (!computation_text_is(computation, "direction", "LEFT", false) &&
        !computation_text_is(computation, "direction", "RIGHT", false))
        return error_set(call->error, "direction is neither LEFT nor RIGHT");
    return pair_accepts(call, TYPES_UNSIGNED, "direction") &&
           accept_output(call, 0, call->input[0]->dtype);
}

static bool shift_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *x = call->input[0];
    bool left = computation_text_is(call->computation, "direction", "LEFT", false);

    if (out != NULL)
        pair_broadcast(runs[x->dtype][left ? LEFT : RIGHT], out, x, call->input[1]);
    return true;
}

/* --- powers --- */

static bool pow_accepts(const struct call *call)
{
    return accept_types(call, 0, 1, TYPES_NUMBER) && accept_types(call, 1, 1, TYPES_NUMBER) &&
           pair_shapes(call, "") && accept_output(call, 0, call->input[0]->dtype);
}

static bool is_real(const struct tensor *tensor)
{
    return (TYPE(tensor->dtype) & TYPES_REAL) != 0;
}

/* Room for TENSOR in another type; the caller frees its data.  */
static struct tensor room(const struct tensor *tensor, enum dtype dtype)
{
    struct tensor room = *tensor;

    room.dtype = dtype;
    room.data = memory_alloc((size_t)tensor_elements(tensor), dtype_size(dtype));
    return room;
}

/* In the base's type where that is real, else in f64 for a real exponent, else in i64.  */
static bool pow_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *x = call->input[0];
    enum dtype dtype;
    struct tensor y, base, exponent, result;

    if (out == NULL || tensor_elements(out) == 0)
        return true;
    if (!pair_second(call, &y))
        return false;
    dtype = is_real(x) ? x->dtype : is_real(&y) ? DTYPE_F64 : DTYPE_I64;
    for (int64_t i = 0, elements = tensor_elements(&y); dtype == DTYPE_I64 && i < elements; i++)
        if (tensor_integer(&y, i) < 0)
            return error_set(call->error, "a whole number to the power of a negative one");
    if (is_real(x) && tensor_elements(&y) == 1 && tensor_real(&y, 0) == 2) {
        pair_broadcast(runs[dtype][MUL], out, x, x);
        return true;
    }
    if (x->dtype == dtype && y.dtype == dtype) {
        pair_broadcast(runs[dtype][POW], out, x, &y);
        return true;
    }
    base = room(x, dtype);
    exponent = room(&y, dtype);
    result = room(out, dtype);
    cast_elements(&base, x);
    cast_elements(&exponent, &y);
    pair_broadcast(runs[dtype][POW], &result, &base, &exponent);
    cast_elements(out, &result);
    free(base.data);
    free(exponent.data);
    free(result.data);
    return true;
}

/* --- the slope of a PRelu --- */

/* Before version 7 it has an element a channel, or one for all.  */
static struct tensor slope(const struct call *call)
{
    struct tensor slope = *call->input[1];

    if (call->computation->version < 7 && slope.rank == 1)
        while (slope.rank < call->input[0]->rank - 1)
            slope.dim[slope.rank++] = 1;
    return slope;
}

static bool prelu_accepts(const struct call *call)
{
    const struct tensor *input[2];
    struct call view = *call;
    struct tensor second;

    if (!accept_inputs(call, 2))
        return false;
    second = slope(call);
    input[0] = call->input[0];
    input[1] = &second;
    view.input = input;
    view.inputs = 2;
    return accept_types(call, 0, 2, TYPES_REAL) && attributes_among(call, "") &&
           accept_output(call, 0, call->input[0]->dtype) && accept_broadcast(&view);
}

static bool prelu_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    struct tensor second = slope(call);

    if (out != NULL)
        pair_broadcast(runs[out->dtype][PRELU], out, call->input[0], &second);
    return true;
}

/* --- of any number of inputs --- */

static bool many_accepts(const struct call *call)
{
    int operation = call_rule(call)->detail;
    bool limit = operation == MIN || operation == MAX, stretches;

    if (call->inputs == 0 || !accept_inputs(call, call->inputs) || !attributes_among(call, "") ||
        !accept_types(call, 0, call->inputs,
                      (limit ? TYPES_NUMBER : TYPES_REAL) | TYPE(DTYPE_F16)) ||
        !accept_output(call, 0, call->input[0]->dtype))
        return false;
    stretches = call->computation->version >= 8 && call->inputs > 1;
    for (size_t i = 0; !stretches && i < call->inputs; i++)
        if (!accept_shape(call, 0, i))
            return false;
    return accept_broadcast(call);
}

static void fold(const struct call *call, pair_run *run, const struct tensor *out)
{
    if (call->inputs == 1)
        dense_copy(out, call->input[0]);
    else
        pair_broadcast(run, out, call->input[0], call->input[1]);
    for (size_t i = 2; i < call->inputs; i++)
        pair_broadcast(run, out, out, call->input[i]);
}

/* Mean is DIV: a sum that is then divided.  */
static bool many_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    int operation = call_rule(call)->detail;
    struct tensor result, count = {0};
    float inputs_f32 = (float)call->inputs;
    double inputs_f64 = (double)call->inputs;
    bool overlaps = false;

    if (out == NULL)
        return true;
    if (out->dtype == DTYPE_F16)
        return cast_halves(call, many_run);
    for (size_t i = 2; i < call->inputs; i++) /* would be overwritten before it is read */
        overlaps = overlaps || call->input[i]->data == out->data;
    result = *out;
    if (overlaps)
        result.data = memory_alloc((size_t)tensor_elements(out), dtype_size(out->dtype));
    fold(call, runs[out->dtype][operation == DIV ? ADD : operation], &result);
    count.dtype = out->dtype;
    count.data = out->dtype == DTYPE_F32 ? (void *)&inputs_f32 : (void *)&inputs_f64;
    if (operation == DIV)
        pair_broadcast(runs[out->dtype][DIV], out, &result, &count);
    else
        dense_copy(out, &result);
    if (overlaps)
        free(result.data);
    return true;
}

const struct operator_rule operators_arithmetic[] = {
    {"Add", plain_accepts, plain_run, ADD},
    {"BitShift", shift_accepts, shift_run, 0},
    {"Div", plain_accepts, plain_run, DIV},
    {"Max", many_accepts, many_run, MAX},
    {"Mean", many_accepts, many_run, DIV},
    {"Min", many_accepts, many_run, MIN},
    {"Mod", mod_accepts, plain_run, MOD},
    {"Mul", plain_accepts, plain_run, MUL},
    {"PRelu", prelu_accepts, prelu_run, 0},
    {"Pow", pow_accepts, pow_run, 0},
    {"Sub", plain_accepts, plain_run, SUB},
    {"Sum", many_accepts, many_run, ADD},
    {0},
};
