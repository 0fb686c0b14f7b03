/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementwise operators of one input: functions of reals, and activations with up to two numbers
 * as attributes.
 *
 * ONNX's texts of these operators; Gelu is that of version 20 of the set and Swish that of
 * version 24, Mish of 18, which built-in networks use whatever version they name.  Selu's numbers
 * were others before version 6, which is refused.  Abs, Sign and Relu also take whole numbers,
 * and Neg those with a sign.  What is no number stays so: a maximum with 0 keeps it.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <math.h>
#include <stdio.h>
#include <tgmath.h>
#include <stdio.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/exponential.h"
#include "runtime/operators/strided.h"
#include "runtime/operators/vectors.h"

/* A row: the operator, its attributes and their values where the file has none, called a and b
 * in the function of x.  Constants that are no attributes stand there too, without a name.  */
#define MAPS(MAP)                                                                         \
    MAP(Abs, "", 0, "", 0, fabs(x))                                                       \
    MAP(Neg, "", 0, "", 0, -x)                                                            \
    MAP(Sign, "", 0, "", 0, x > 0 ? 1 : x < 0 ? -1 : x)                                   \
    MAP(Floor, "", 0, "", 0, floor(x))                                                    \
    MAP(Ceil, "", 0, "", 0, ceil(x))                                                      \
    MAP(Round, "", 0, "", 0, rint(x))                                                     \
    MAP(Sqrt, "", 0, "", 0, sqrt(x))                                                      \
    MAP(Exp, "", 0, "", 0, exp(x))                                                        \
    MAP(Log, "", 0, "", 0, log(x))                                                        \
    MAP(Reciprocal, "", 0, "", 0, 1 / x)                                                  \
    MAP(Sin, "", 0, "", 0, sin(x))                                                        \
    MAP(Cos, "", 0, "", 0, cos(x))                                                        \
    MAP(Tan, "", 0, "", 0, tan(x))                                                        \
    MAP(Asin, "", 0, "", 0, asin(x))                                                      \
    MAP(Acos, "", 0, "", 0, acos(x))                                                      \
    MAP(Atan, "", 0, "", 0, atan(x))                                                      \
    MAP(Sinh, "", 0, "", 0, sinh(x))                                                      \
    MAP(Cosh, "", 0, "", 0, cosh(x))                                                      \
    MAP(Tanh, "", 0, "", 0, tanh(x))                                                      \
    MAP(Asinh, "", 0, "", 0, asinh(x))                                                    \
    MAP(Acosh, "", 0, "", 0, acosh(x))                                                    \
    MAP(Atanh, "", 0, "", 0, atanh(x))                                                    \
    MAP(Erf, "", 0, "", 0, erf(x))                                                        \
    MAP(Relu, "", 0, "", 0, x < 0 ? 0 : x)                                                \
    MAP(LeakyRelu, "alpha", 0.01f, "", 0, x < 0 ? a * x : x)                              \
    MAP(Elu, "alpha", 1, "", 0, x < 0 ? a * expm1(x) : x)                                 \
    MAP(Selu, "alpha", 1.67326319217681884765625, "gamma", 1.05070102214813232421875,     \
        (x > 0 ? x : a * expm1(x)) * b)                                                   \
    MAP(Celu, "alpha", 1, "", 0, x < 0 ? a * expm1(x / a) : x)                            \
    MAP(ThresholdedRelu, "alpha", 1, "", 0, x <= a ? 0 : x)                               \
    MAP(Sigmoid, "", 0, "", 0, 1 / (1 + exponential(-x)))                                 \
    MAP(HardSigmoid, "alpha", 0.2f, "beta", 0.5f, between_0_and_1(b + a * x))             \
    MAP(HardSwish, "", 1.0 / 6, "", 0.5, x * between_0_and_1(b + a * x))                  \
    MAP(Softplus, "", 0, "", 0, softplus(x))                                              \
    MAP(Softsign, "", 0, "", 0, x / (1 + fabs(x)))                                        \
    MAP(Shrink, "lambd", 0.5, "bias", 0, x > a ? x - b : -x > a ? x + b : x == x ? 0 : x) \
    MAP(Mish, "", 0, "", 0, tanh(softplus(x)) * x)                                        \
    MAP(Gelu, "", 0, "", 0, x *normal(x))                                                 \
    MAP(Swish, "alpha", 1, "", 0, x / (1 + exponential(-a * x)))

/* What Gelu is under approximate="tanh", as that of u is 2 / (1 + exp(-2 u)) - 1.  */
#define GELU_TANH(MAP)                                      \
    MAP(GeluTanh, "", (M_SQRT2 * M_2_SQRTPI), "", 0.044715, \
        x / (1 + exponential(-a * (x + b * x * x * x))))

/* For both types; the exponential is of what is not positive, so it stays in range.  */
#define between_0_and_1(y) ((y) < 0 ? 0 : (y) > 1 ? 1 : (y))
#define softplus(x) ((x > 0 ? x : 0) + log1p(exp(-fabs(x))))

#define DEFINE(target, type, name, expression)                                              \
    target static void name(int64_t count, const type *in, type *out, const double *number) \
    {                                                                                       \
        const type a = (type)number[0], b = (type)number[1];                                \
                                                                                            \
        (void)a, (void)b;                                                                   \
        for (int64_t i = 0; i < count; i++) {                                               \
            const type x = in[i];                                                           \
                                                                                            \
            out[i] = expression;                                                            \
        }                                                                                   \
    }
#define DEFINE_BOTH(name, attribute_a, default_a, attribute_b, default_b, expression) \
    DEFINE(, float, f32_16_##name, expression)                                        \
    DEFINE(, double, f64_16_##name, expression)
MAPS(DEFINE_BOTH)
GELU_TANH(DEFINE_BOTH)
#ifdef HAVE_X86_KERNELS
#define DEFINE_MORE(name, attribute_a, default_a, attribute_b, default_b, expression) \
    DEFINE(VECTORS_32, float, f32_32_##name, expression)                              \
    DEFINE(VECTORS_32, double, f64_32_##name, expression)                             \
    DEFINE(VECTORS_64, float, f32_64_##name, expression)                              \
    DEFINE(VECTORS_64, double, f64_64_##name, expression)
MAPS(DEFINE_MORE)
GELU_TANH(DEFINE_MORE)
#define SETS(type, name)                                     \
    {                                                        \
        type##_16_##name, type##_32_##name, type##_64_##name \
    }
#else
#define SETS(type, name) \
    {                    \
        type##_16_##name \
    }
#endif

struct map {
    const char *attribute[2];
    double otherwise[2];
    /* One a set of vectors.h.  */
    void (*f32[VECTOR_SETS])(int64_t count, const float *in, float *out, const double *number);
    void (*f64[VECTOR_SETS])(int64_t count, const double *in, double *out, const double *number);
};

#define NAMED(name, ...) MAP_##name,
enum { MAPS(NAMED) GELU_TANH(NAMED) };

#define ROW(name, attribute_a, default_a, attribute_b, default_b, expression) \
    {{attribute_a, attribute_b}, {default_a, default_b}, SETS(f32, name), SETS(f64, name)},
static const struct map maps[] = {MAPS(ROW) GELU_TANH(ROW)};

/* --- whole numbers --- */

static int64_t whole(int map, int64_t x)
{
    switch (map) {
    case MAP_Abs:
        return x < 0 ? (int64_t)(0 - (uint64_t)x) : x;
    case MAP_Neg:
        return (int64_t)(0 - (uint64_t)x);
    case MAP_Sign:
        return (x > 0) - (x < 0);
    default: /* MAP_Relu */
        return x < 0 ? 0 : x;
    }
}

#define WHOLE(name, type)                                               \
    static void name(int map, int64_t count, const type *in, type *out) \
    {                                                                   \
        for (int64_t i = 0; i < count; i++)                             \
            out[i] = (type)whole(map, in[i]);                           \
    }
WHOLE(whole_i8, int8_t)
WHOLE(whole_i16, int16_t)
WHOLE(whole_i32, int32_t)
WHOLE(whole_i64, int64_t)

static unsigned whole_types(int map)
{
    return map == MAP_Abs || map == MAP_Neg || map == MAP_Sign || map == MAP_Relu ? TYPES_SIGNED
                                                                                  : 0;
}

/* --- the rule --- */

static bool accepts(const struct call *call)
{
    const struct computation *computation = call->computation;
    int detail = call_rule(call)->detail;
    const struct map *map = &maps[detail];
    char names[64];

    snprintf(names, sizeof names, "%s %s%s", map->attribute[0], map->attribute[1],
             detail == MAP_Gelu ? "approximate" : "");
    if (detail == MAP_Selu && computation->version < 6)
        return error_set(call->error, "version %d is not supported", (int)computation->version);
    if (detail == MAP_Gelu && !computation_text_is(computation, "approximate", "none", true) &&
        !computation_text_is(computation, "approximate", "tanh", true))
        return error_set(call->error, "approximation '%s' is unknown",
                         computation_text(computation, "approximate", ""));
    return accept_inputs(call, 1) && attributes_among(call, names) &&
           accept_types(call, 0, 1, TYPES_REAL | whole_types(detail)) &&
           accept_output(call, 0, call->input[0]->dtype) && accept_shape(call, 0, 0);
}

static bool run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    int detail = call_rule(call)->detail;
    const struct map *map = &maps[detail];
    int64_t count = tensor_elements(in);
    double number[2];

    if (detail == MAP_Gelu && computation_text_is(call->computation, "approximate", "tanh", false))
        map = &maps[MAP_GeluTanh];
    for (int i = 0; i < 2; i++)
        number[i] = computation_real(call->computation, map->attribute[i], map->otherwise[i]);
    if (out == NULL)
        return true;
    if (in->dtype == DTYPE_F32)
        map->f32[vector_sets() - 1](count, in->data, out->data, number);
    else if (in->dtype == DTYPE_F64)
        map->f64[vector_sets() - 1](count, in->data, out->data, number);
    else if (in->dtype == DTYPE_I8)
        whole_i8(detail, count, in->data, out->data);
    else if (in->dtype == DTYPE_I16)
        whole_i16(detail, count, in->data, out->data);
    else if (in->dtype == DTYPE_I32)
        whole_i32(detail, count, in->data, out->data);
    else
        whole_i64(detail, count, in->data, out->data);
    return true;
}

#define RULE(name, ...) {#name, accepts, run, MAP_##name},
const struct operator_rule operators_unary[] = {MAPS(RULE){0}};
