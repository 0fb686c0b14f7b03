/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of elementwise operators of one input: what is given times the derivative, which is a
 * function of the input or of the output, or of neither.  Where a derivative jumps, it is that of
 * the flat side: of a ReLU at 0 it is 0.  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <math.h>
#include <stdio.h>
#include <tgmath.h>

#include "runtime/operators/attributes.h"

enum from { FROM_INPUT, FROM_OUTPUT, FROM_NOTHING };

/* A row: the operator, what of it is v, its attributes and their values where it has none, called a
 * and b, and the gradient, where g is given.  Constants that are no attributes stand there too.  */
#define MAPS(MAP)                                                                                \
    MAP(Relu, OUTPUT, "", 0, "", 0, v > 0 ? g : 0)                                               \
    MAP(LeakyRelu, OUTPUT, "alpha", 0.01f, "", 0, v < 0 ? a * g : g)                             \
    MAP(Clip, OUTPUT, "min", -(double)INFINITY, "max", (double)INFINITY, v > a && v < b ? g : 0) \
    MAP(Sigmoid, OUTPUT, "", 0, "", 0, g *(v * (1 - v)))                                         \
    MAP(Tanh, OUTPUT, "", 0, "", 0, g *(1 - v * v))                                              \
    MAP(HardSigmoid, OUTPUT, "alpha", 0.2f, "beta", 0.5f, v > 0 && v < 1 ? a * g : 0)            \
    MAP(HardSwish, INPUT, "", 1.0 / 3, "", 0.5, v <= -3 ? 0 : v >= 3 ? g : g * (a * v + b))      \
    MAP(Swish, INPUT, "alpha", 1, "", 0, g *swish_slope(a *v, 1 / (1 + exp(-a * v))))            \
    MAP(Gelu, INPUT, "", M_SQRT1_2, "", M_2_SQRTPI *M_SQRT1_2 / 2,                               \
        g * ((1 + erf(v * a)) / 2 + v * b * exp(-v * v / 2)))                                    \
    MAP(Elu, INPUT, "alpha", 1, "", 0, v < 0 ? g * a * exp(v) : g)                               \
    MAP(Softplus, INPUT, "", 0, "", 0, g / (1 + exp(-v)))                                        \
    MAP(Exp, INPUT, "", 0, "", 0, g *exp(v))                                                     \
    MAP(Log, INPUT, "", 0, "", 0, g / v)                                                         \
    MAP(Sqrt, INPUT, "", 0, "", 0, g / (2 * sqrt(v)))                                            \
    MAP(Abs, INPUT, "", 0, "", 0, v > 0 ? g : v < 0 ? -g : 0)                                    \
    MAP(Neg, NOTHING, "", 0, "", 0, -g)                                                          \
    MAP(Scale, NOTHING, "factor", 1, "offset", 0, a *g)

/* What Gelu's is under approximate="tanh".  */
#define GELU_TANH(MAP)                                               \
    MAP(GeluTanh, INPUT, "", (M_SQRT1_2 * M_2_SQRTPI), "", 0.044715, \
        g *gelu_slope(v, tanh(a *(v + b * v * v * v)), a *(1 + 3 * b * v * v)))

/* Of x times SIGMOID of x; of x / 2 times 1 + T, whose derivative is 1 - T * T times INNER.  */
#define swish_slope(x, sigmoid) ((sigmoid) * (1 + (x) * (1 - (sigmoid))))
#define gelu_slope(x, t, inner) ((1 + (t)) / 2 + (x) / 2 * (1 - (t) * (t)) * (inner))

/* V may be OUT or GIVEN, whichever is not read.  */
#define DEFINE(type, name, expression)                                              \
    static void name(int64_t count, const type *given, const type *from, type *out, \
                     const double *number)                                          \
    {                                                                               \
        const type a = (type)number[0], b = (type)number[1];                        \
                                                                                    \
        (void)a, (void)b;                                                           \
        for (int64_t i = 0; i < count; i++) {                                       \
            const type g = given[i], v = from[i];                                   \
                                                                                    \
            (void)v;                                                                \
            out[i] = expression;                                                    \
        }                                                                           \
    }
#define DEFINE_BOTH(name, of, attribute_a, default_a, attribute_b, default_b, expression) \
    DEFINE(float, f32_##name, expression)                                                 \
    DEFINE(double, f64_##name, expression)
MAPS(DEFINE_BOTH)
GELU_TANH(DEFINE_BOTH)

struct map {
    enum from from;
    const char *attribute[2];
    double otherwise[2];
    void (*f32)(int64_t count, const float *given, const float *from, float *out,
                const double *number);
    void (*f64)(int64_t count, const double *given, const double *from, double *out,
                const double *number);
};

#define NAMED(name, ...) MAP_##name,
enum { MAPS(NAMED) GELU_TANH(NAMED) CAUSAL_MASK };

#define ROW(name, of, attribute_a, default_a, attribute_b, default_b, expression) \
    {FROM_##of, {attribute_a, attribute_b}, {default_a, default_b}, f32_##name, f64_##name},
static const struct map maps[] = {MAPS(ROW) GELU_TANH(ROW)};

static const struct tensor *read_from(const struct call *call, enum from from)
{
    switch (from) {
    case FROM_INPUT:
        return gradient_input(call, 0);
    case FROM_OUTPUT:
        return gradient_output(call, 0);
    case FROM_NOTHING:
        break;
    }
    return gradient_given(call, 0);
}

/* The shapes: all one.  */
static bool is_elementwise(const struct call *call, const struct tensor *from)
{
    const struct tensor *to = call_output(call, 0);

    return gradient_same_shape(call, gradient_given(call, 0), from) &&
           (to == NULL || gradient_same_shape(call, to, from));
}

/* From version 11 on limits are inputs: a number each, or left out.  */
static bool accepts_limits(const struct call *call)
{
    for (size_t i = 1; i < gradient_inputs(call); i++) {
        const struct tensor *limit = gradient_input(call, i);

        if (limit != NULL &&
            (limit->dtype != gradient_given(call, 0)->dtype || tensor_elements(limit) != 1))
            return error_set(call->error, "a limit that is not a number of the input's type");
    }
    return true;
}

/* What the limits are.  */
static void read_limits(const struct call *call, double *number)
{
    for (size_t i = 1; i < 3; i++)
        if (gradient_input(call, i) != NULL)
            number[i - 1] = tensor_real(gradient_input(call, i), 0);
}

static bool accepts(const struct call *call)
{
    int detail = call_rule(call)->detail;
    const struct map *map = &maps[detail];
    char names[64];

    snprintf(names, sizeof names, "%s %s%s", map->attribute[0], map->attribute[1],
             detail == MAP_Gelu ? "approximate" : "");
    if (!gradient_accepts(call, 1, 1, map->from == FROM_INPUT ? GRADIENT_OF(0) : GRADIENT_NONE,
                          map->from == FROM_OUTPUT ? GRADIENT_OF(0) : GRADIENT_NONE) ||
        !attributes_among(call, names))
        return false;
    if (detail == MAP_Clip && !accepts_limits(call))
        return false;
    /* The output has to tell which side the input was on.  */
    if (detail == MAP_LeakyRelu && !(computation_real(call->computation, "alpha", 0.01) > 0.0))
        return error_set(call->error, "a slope that is not positive");
    return is_elementwise(call, read_from(call, map->from));
}

static bool run(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *to = call_output(call, 0);
    const struct map *map = &maps[call_rule(call)->detail];
    const struct tensor *from = read_from(call, map->from);
    double number[2];

    if (computation_text_is(call->computation, "approximate", "tanh", false))
        map = &maps[MAP_GeluTanh];
    for (int i = 0; i < 2; i++)
        number[i] = computation_real(call->computation, map->attribute[i], map->otherwise[i]);
    if (to == NULL)
        return true;
    if (call_rule(call)->detail == MAP_Clip)
        read_limits(call, number);
    if (to->dtype == DTYPE_F32)
        map->f32(tensor_elements(to), given->data, from->data, to->data, number);
    else
        map->f64(tensor_elements(to), given->data, from->data, to->data, number);
    return true;
}

/* --- the causal mask: what it hides has no gradient --- */

static bool accepts_mask(const struct call *call)
{
    return gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) &&
           attributes_among(call, "") && is_elementwise(call, gradient_given(call, 0)) &&
           (gradient_given(call, 0)->rank >= 2 || error_set(call->error, "no matrix"));
}

#define MASK(name, type)                                                                \
    static void name(const type *given, type *to, int64_t rows, int64_t all, int64_t n) \
    {                                                                                   \
        for (int64_t i = 0; i < all; i++)                                               \
            for (int64_t c = 0; c < n; c++)                                             \
                to[i * n + c] = c > i % rows ? 0 : given[i * n + c];                    \
    }
MASK(mask_f32, float)
MASK(mask_f64, double)

static bool run_mask(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *to = call_output(call, 0);
    int64_t rows = given->dim[given->rank - 2], columns = given->dim[given->rank - 1];

    if (to == NULL || tensor_elements(to) == 0)
        return true;
    CALL_REAL(to->dtype, mask, given->data, to->data, rows, tensor_elements(to) / columns, columns);
    return true;
}

#define RULE(name, ...) {"." #name "Grad", accepts, run, MAP_##name},
const struct operator_rule operators_gradient_map[] = {
    MAPS(RULE){".CausalMaskGrad", accepts_mask, run_mask, CAUSAL_MASK},
    {0},
};
