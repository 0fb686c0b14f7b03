/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gives truth values, or chooses by them: And, Or, Xor, Not, Equal, Less, LessOrEqual,
 * Greater, GreaterOrEqual, IsNaN, IsInf, Where.
 *
 * ONNX's texts of these; versions before 7 by their own rules of broadcasting (pair.h).  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <math.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/numbers.h"
#include "runtime/operators/pair.h"
#include "runtime/operators/strided.h"

#define DTYPES (DTYPE_C128 + 1)

/* --- comparisons --- */

enum comparison { EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, COMPARISONS };

#define COMPARE(dtype, suffix, type)                        \
    PAIR_RUN(equal_##suffix, type, uint8_t, x == y)         \
    PAIR_RUN(less_##suffix, type, uint8_t, x < y)           \
    PAIR_RUN(less_or_equal_##suffix, type, uint8_t, x <= y) \
    PAIR_RUN(greater_##suffix, type, uint8_t, x > y)        \
    PAIR_RUN(greater_or_equal_##suffix, type, uint8_t, x >= y)
NUMBERS(COMPARE)

#define ROW(dtype, suffix, type)                                                        \
    [dtype] = {equal_##suffix, less_##suffix, less_or_equal_##suffix, greater_##suffix, \
               greater_or_equal_##suffix},
static pair_run *const comparisons[DTYPES][COMPARISONS] = {[DTYPE_BOOL] = {equal_u8}, NUMBERS(ROW)};

static bool compare_accepts(const struct call *call)
{
    unsigned truth = call_rule(call)->detail == EQUAL ? TYPE(DTYPE_BOOL) : 0;

    return pair_accepts(call, TYPES_NUMBER | truth, "") && accept_output(call, 0, DTYPE_BOOL);
}

static bool run_pair(const struct call *call, pair_run *run)
{
    const struct tensor *out = call_output(call, 0);
    struct tensor y;

    if (out == NULL)
        return true;
    if (!pair_second(call, &y))
        return false;
    pair_broadcast(run, out, call->input[0], &y);
    return true;
}

static bool compare_run(const struct call *call)
{
    return run_pair(call, comparisons[call->input[0]->dtype][call_rule(call)->detail]);
}

/* --- truth values --- */

enum connective { AND, OR, XOR };

PAIR_RUN(both, uint8_t, uint8_t, x &y)
PAIR_RUN(either, uint8_t, uint8_t, x | y)
PAIR_RUN(one, uint8_t, uint8_t, x ^ y)

static pair_run *const connectives[] = {[AND] = both, [OR] = either, [XOR] = one};

static bool connect_accepts(const struct call *call)
{
    return pair_accepts(call, TYPE(DTYPE_BOOL), "") && accept_output(call, 0, DTYPE_BOOL);
}

static bool connect_run(const struct call *call)
{
    return run_pair(call, connectives[call_rule(call)->detail]);
}

static bool not_accepts(const struct call *call)
{
    return accept_inputs(call, 1) && attributes_among(call, "") &&
           accept_types(call, 0, 1, TYPE(DTYPE_BOOL)) && accept_output(call, 0, DTYPE_BOOL) &&
           accept_shape(call, 0, 0);
}

static bool not_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    const uint8_t *from = call->input[0]->data;
    int64_t elements = tensor_elements(call->input[0]);

    for (int64_t i = 0; out != NULL && i < elements; i++)
        ((uint8_t *)out->data)[i] = !from[i];
    return true;
}

/* --- kinds of reals --- */

enum kind { NOT_A_NUMBER, INFINITE };

static bool kind_accepts(const struct call *call)
{
    bool infinite = call_rule(call)->detail == INFINITE;

    return accept_inputs(call, 1) &&
           attributes_among(call, infinite ? "detect_negative detect_positive" : "") &&
           accept_types(call, 0, 1, TYPES_REAL) && accept_output(call, 0, DTYPE_BOOL) &&
           accept_shape(call, 0, 0);
}

static bool kind_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    bool infinite = call_rule(call)->detail == INFINITE;
    bool positive = computation_integer(call->computation, "detect_positive", 1) != 0;
    bool negative = computation_integer(call->computation, "detect_negative", 1) != 0;
    int64_t elements = tensor_elements(in);

    for (int64_t i = 0; out != NULL && i < elements; i++) {
        double x = tensor_real(in, i);
        bool found = infinite ? isinf(x) && (x > 0 ? positive : negative) : isnan(x);

        ((uint8_t *)out->data)[i] = found;
    }
    return true;
}

/* --- choosing --- */

/* Steps of condition, first and second choice.  */
#define CHOOSE(name, type)                                                                  \
    static void name(int64_t count, void *to, const uint8_t *condition, const void *from_x, \
                     const void *from_y, const int64_t *step)                               \
    {                                                                                       \
        const type *x = from_x, *y = from_y;                                                \
        type *out = to;                                                                     \
                                                                                            \
        for (int64_t i = 0; i < count; i++)                                                 \
            out[i] = condition[i * step[0]] ? x[i * step[1]] : y[i * step[2]];              \
    }
CHOOSE(choose_1, element_1)
CHOOSE(choose_2, element_2)
CHOOSE(choose_4, element_4)
CHOOSE(choose_8, element_8)
CHOOSE(choose_16, element_16)

static bool where_accepts(const struct call *call)
{
    return accept_inputs(call, 3) && attributes_among(call, "") &&
           accept_types(call, 0, 1, TYPE(DTYPE_BOOL)) && accept_types(call, 1, 2, TYPES_ANY) &&
           accept_output(call, 0, call->input[1]->dtype) && accept_broadcast(call);
}

static bool where_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    struct strided loops;
    size_t size;

    if (out == NULL)
        return true;
    size = dtype_size(out->dtype);
    strided_broadcast(&loops, out, call->input, 3);
    for (bool more = strided_start(&loops); more; more = strided_next(&loops)) {
        char *to = (char *)out->data + (size_t)loops.at[0] * size;
        const uint8_t *condition = (const uint8_t *)call->input[0]->data + loops.at[1];
        const char *x = (const char *)call->input[1]->data + (size_t)loops.at[2] * size;
        const char *y = (const char *)call->input[2]->data + (size_t)loops.at[3] * size;

        (size == 1   ? choose_1
         : size == 2 ? choose_2
         : size == 4 ? choose_4
         : size == 8 ? choose_8
                     : choose_16)(loops.run, to, condition, x, y, &loops.step[1]);
    }
    return true;
}

const struct operator_rule operators_logic[] = {
    {"And", connect_accepts, connect_run, AND},
    {"Equal", compare_accepts, compare_run, EQUAL},
    {"Greater", compare_accepts, compare_run, GREATER},
    {"GreaterOrEqual", compare_accepts, compare_run, GREATER_OR_EQUAL},
    {"IsInf", kind_accepts, kind_run, INFINITE},
    {"IsNaN", kind_accepts, kind_run, NOT_A_NUMBER},
    {"Less", compare_accepts, compare_run, LESS},
    {"LessOrEqual", compare_accepts, compare_run, LESS_OR_EQUAL},
    {"Not", not_accepts, not_run, 0},
    {"Or", connect_accepts, connect_run, OR},
    {"Where", where_accepts, where_run, 0},
    {"Xor", connect_accepts, connect_run, XOR},
    {0},
};
