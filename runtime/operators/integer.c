/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of whole numbers with zeros of their own: ConvInteger, MatMulInteger, QLinearConv,
 * QLinearMatMul.
 *
 * ONNX's texts of these.  Each is a convolution or a product of matrices in double, in which
 * differences of bytes and their products are exact, and sums of them up to 2^53; sums become whole
 * numbers of 32 bits, or bytes by the scales, ties to even.  A zero is one for all elements or one
 * for each row of the first matrix, column of the second, filter of the weights.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/cast.h"

#define TYPES_BYTE (TYPE(DTYPE_I8) | TYPE(DTYPE_U8))

enum product { CONVOLUTION = 1, SCALED = 2 };

/* Which inputs are what; -1: there is none.  */
struct slots {
    int x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias;
};

static const struct slots whole = {0, -1, 2, 1, -1, 3, -1, -1, -1};
static const struct slots scaled = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static const struct slots *slots_of(const struct call *call)
{
    return (call_rule(call)->detail & SCALED) != 0 ? &scaled : &whole;
}

static bool is_convolution(const struct call *call)
{
    return (call_rule(call)->detail & CONVOLUTION) != 0;
}

static const struct tensor *slot(const struct call *call, int i)
{
    return i < 0 ? NULL : call_input(call, (size_t)i);
}

/* The axis of the weights, or of the first factor, whose indices may have zeros and scales of their
 * own.  */
static int own_axis(const struct call *call, bool weights)
{
    int rank = call->input[weights ? slots_of(call)->w : slots_of(call)->x]->rank;

    if (is_convolution(call))
        return weights ? 0 : 1;
    return rank < 2 ? 0 : weights ? rank - 1 : rank - 2;
}

/* --- in double --- */

static struct tensor widened(const struct tensor *tensor)
{
    struct tensor wide = *tensor;

    wide.dtype = DTYPE_F64;
    wide.data = memory_zalloc((size_t)tensor_elements(tensor), sizeof(double));
    return wide;
}

/* Element I of TENSOR, one for all or one an index; otherwise without one.  */
static double number_at(const struct tensor *tensor, int64_t i, double otherwise)
{
    if (tensor == NULL)
        return otherwise;
    return tensor_real(tensor, tensor_elements(tensor) == 1 ? 0 : i);
}

/* TENSOR less its zeros.  */
static struct tensor without_zero(const struct tensor *tensor, const struct tensor *zero, int axis)
{
    struct tensor wide = widened(tensor);
    struct along along = along_axis(tensor, axis);
    double *to = wide.data;

    for (int64_t o = 0; o < along.outer; o++)
        for (int64_t k = 0; k < along.count; k++)
            for (int64_t i = 0; i < along.inner; i++) {
                int64_t at = (o * along.count + k) * along.inner + i;

                to[at] = (double)tensor_integer(tensor, at) - number_at(zero, k, 0.0);
            }
    return wide;
}

/* The same operator on reals.  Attributes are the call's.  */
static bool run_plainly(const struct call *call, const struct tensor *x, const struct tensor *w,
                        const struct tensor *bias, const struct tensor *y, bool asking)
{
    struct computation *computation = computation_copy(call->computation);
    const struct tensor *input[] = {x, w, bias};
    struct call plain = {.computation = computation,
                         .inputs = bias == NULL ? 2 : 3,
                         .outputs = 1,
                         .input = input,
                         .output = &y,
                         .error = call->error};
    bool good;

    free(computation->name);
    computation->name = memory_strdup(is_convolution(call) ? "Conv" : "MatMul");
    computation->version = is_convolution(call) ? 11 : 13;
    good = asking ? operator_accepts(&plain) : operator_run(&plain);
    computation_free(computation);
    return good;
}

/* --- bytes from sums --- */

/* How much a sum counts at index K of the axis that the weights' scales are along.  */
static double factor_at(const struct call *call, int64_t k)
{
    const struct slots *slots = slots_of(call);

    return number_at(slot(call, slots->x_scale), 0, 1.0) *
           number_at(slot(call, slots->w_scale), k, 1.0) /
           number_at(slot(call, slots->y_scale), 0, 1.0);
}

static void scale(const struct call *call, const struct tensor *sums)
{
    const struct tensor *y = call->output[0];
    struct along along = along_axis(y, is_convolution(call) ? 1 : y->rank - 1);
    double least = y->dtype == DTYPE_I8 ? -128 : 0, most = y->dtype == DTYPE_I8 ? 127 : 255;
    double zero = number_at(slot(call, slots_of(call)->y_zero), 0, 0.0);
    double *sum = sums->data;

    for (int64_t o = 0; o < along.outer; o++)
        for (int64_t k = 0; k < along.count; k++)
            for (int64_t i = 0; i < along.inner; i++) {
                double *at = &sum[(o * along.count + k) * along.inner + i];

                *at = fmin(fmax(rint(*at * factor_at(call, k)) + zero, least), most);
            }
}

/* --- the rules --- */

/* A zero or a scale that is one, or one an index of AXIS of TENSOR.  */
static bool fits(const struct call *call, const struct tensor *own, const struct tensor *tensor,
                 int axis, bool single)
{
    int64_t count = own == NULL ? 1 : tensor_elements(own);

    if (count == 1 || (!single && tensor->rank > axis && count == tensor->dim[axis]))
        return true;
    return error_set(call->error, "%" PRId64 " zeros or scales", count);
}

static bool accepts_types_of(const struct call *call, const struct slots *slots)
{
    const int reals[] = {slots->x_scale, slots->w_scale, slots->y_scale};
    const int zeros[] = {slots->x_zero, slots->w_zero, slots->y_zero};
    const int of[] = {slots->x, slots->w, -1};

    for (size_t i = 0; i < 3; i++) {
        const struct tensor *real = slot(call, reals[i]), *zero = slot(call, zeros[i]);
        enum dtype dtype = of[i] < 0 ? call->output[0]->dtype : call->input[of[i]]->dtype;

        if ((reals[i] >= 0 && real == NULL) ||
            (real != NULL && (TYPE(real->dtype) & TYPES_REAL) == 0))
            return error_set(call->error, "a scale is not a real number, or missing");
        if (zero != NULL && zero->dtype != dtype)
            return error_set(call->error, "a zero of another type");
    }
    return slot(call, slots->bias) == NULL || call->input[slots->bias]->dtype == DTYPE_I32 ||
           error_set(call->error, "a bias that is not i32");
}

static bool accepts(const struct call *call)
{
    const struct slots *slots = slots_of(call);
    bool bytes = (call_rule(call)->detail & SCALED) != 0;
    const struct tensor *x = slot(call, slots->x), *w = slot(call, slots->w);
    const struct tensor *y = call_output(call, 0), *bias = slot(call, slots->bias);
    struct tensor wide[4] = {{0}};

    if (x == NULL || w == NULL || y == NULL || x->rank == 0 || w->rank == 0 || y->rank == 0)
        return error_set(call->error, "an input or the output is missing");
    if (!accept_types(call, (size_t)slots->x, 1, TYPES_BYTE) ||
        !accept_types(call, (size_t)slots->w, 1, TYPES_BYTE) ||
        (TYPE(y->dtype) & (bytes ? TYPES_BYTE : TYPE(DTYPE_I32))) == 0)
        return error_set(call->error, "types that are not those of bytes and their sums");
    if (!accepts_types_of(call, slots))
        return false;
    if (!fits(call, slot(call, slots->x_zero), x, own_axis(call, false), is_convolution(call)) ||
        !fits(call, slot(call, slots->w_zero), w, own_axis(call, true), false) ||
        !fits(call, slot(call, slots->x_scale), x, 0, true) ||
        !fits(call, slot(call, slots->w_scale), w, own_axis(call, true), false) ||
        !fits(call, slot(call, slots->y_scale), y, 0, true) ||
        !fits(call, slot(call, slots->y_zero), y, 0, true))
        return false;
    wide[0] = *x;
    wide[1] = *w;
    wide[2] = *y;
    if (bias != NULL)
        wide[3] = *bias;
    for (size_t i = 0; i < 4; i++)
        wide[i].dtype = DTYPE_F64;
    return run_plainly(call, &wide[0], &wide[1], bias == NULL ? NULL : &wide[3], &wide[2], true);
}

static bool run(const struct call *call)
{
    const struct slots *slots = slots_of(call);
    const struct tensor *bias = slot(call, slots->bias);
    struct tensor x =
        without_zero(call->input[slots->x], slot(call, slots->x_zero), own_axis(call, false));
    struct tensor w =
        without_zero(call->input[slots->w], slot(call, slots->w_zero), own_axis(call, true));
    struct tensor y = widened(call->output[0]), sum = {.data = NULL};
    bool good;

    if (bias != NULL) {
        sum = widened(bias);
        cast_elements(&sum, bias);
    }
    good = run_plainly(call, &x, &w, bias == NULL ? NULL : &sum, &y, false);
    if (good && (call_rule(call)->detail & SCALED) != 0)
        scale(call, &y);
    if (good)
        cast_elements(call->output[0], &y);
    free(sum.data);
    free(y.data);
    free(w.data);
    free(x.data);
    return good;
}

const struct operator_rule operators_integer[] = {
    {"ConvInteger", accepts, run, CONVOLUTION},
    {"MatMulInteger", accepts, run, 0},
    {"QLinearConv", accepts, run, CONVOLUTION | SCALED},
    {"QLinearMatMul", accepts, run, SCALED},
    {0},
};
