/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear.
 *
 * ONNX's texts of these up to version 13: a scale and a zero for all elements or, since 13, for
 * each index of an axis; blocks of later versions are refused.  Ties are rounded to even.  What
 * is no number becomes the zero.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <math.h>
#include <tgmath.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"

#define TYPES_BYTE (TYPE(DTYPE_I8) | TYPE(DTYPE_U8))

/* --- by given scales --- */

static int scales_axis(const struct call *call)
{
    return call_axis(computation_integer(call->computation, "axis", 1), call->input[0]->rank);
}

/* Input 1 are the scales and input 2 the zeros, if any: one for all, or as many as the axis has. */
static bool scales_accept(const struct call *call)
{
    bool axis = call->computation->version >= 13;
    const struct tensor *scale, *zero = call_input(call, 2);

    if (!accept_inputs(call, 2) || !attributes_among(call, axis ? "axis" : "") ||
        !accept_types(call, 1, 1, TYPES_REAL) || !accept_shape(call, 0, 0))
        return false;
    scale = call->input[1];
    if (zero != NULL && tensor_elements(zero) != tensor_elements(scale))
        return error_set(call->error, "not one zero for each scale");
    if (tensor_elements(scale) == 1)
        return true;
    if (!axis || scale->rank != 1)
        return error_set(call->error, "scales that are not one, nor along an axis");
    if (!accept_axis(call, 1, call->input[0]->rank))
        return false;
    return call->input[0]->dim[scales_axis(call)] == tensor_elements(scale) ||
           error_set(call->error, "not one scale for each index of the axis");
}

/* The input as seen along the axis of the scales; one scale is for all.  */
static struct along along_scales(const struct call *call)
{
    if (tensor_elements(call->input[1]) == 1)
        return (struct along){1, 1, tensor_elements(call->input[0])};
    return along_axis(call->input[0], scales_axis(call));
}

static void store_byte(const struct tensor *out, int64_t i, double real)
{
    double least = out->dtype == DTYPE_I8 ? -128 : 0, most = out->dtype == DTYPE_I8 ? 127 : 255;

    real = real < least ? least : real > most ? most : real;
    if (out->dtype == DTYPE_I8)
        ((int8_t *)out->data)[i] = (int8_t)real;
    else
        ((uint8_t *)out->data)[i] = (uint8_t)real;
}

/* Whether quotients that are rounded to whole numbers are of single precision: those of DTYPE.  */
static bool is_single(const struct call *call, enum dtype dtype)
{
    return dtype == DTYPE_F32 || call->computation->widened;
}

/* X in units of SCALE, rounded.  */
static double units(double x, double scale, bool single)
{
    double rounded = single ? (double)rint((float)x / (float)scale) : rint(x / scale);

    return isnan(rounded) ? 0 : rounded;
}

static bool quantize_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *zero = call_input(call, 2);

    if (!scales_accept(call) || !accept_types(call, 0, 1, TYPES_REAL | TYPE(DTYPE_I32)) ||
        !accept_types(call, 2, 1, TYPES_BYTE))
        return false;
    return out == NULL || out->dtype == (zero == NULL ? DTYPE_U8 : zero->dtype) ||
           error_set(call->error, "an output of another type than the zero");
}

static bool quantize_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    const struct tensor *scale = call->input[1], *zero = call_input(call, 2);
    bool single = is_single(call, scale->dtype);
    struct along along = along_scales(call);

    for (int64_t i = 0; out != NULL && i < tensor_elements(in); i++) {
        int64_t at = i / along.inner % along.count;
        double offset = zero == NULL ? 0 : tensor_real(zero, at);

        store_byte(out, i, units(tensor_real(in, i), tensor_real(scale, at), single) + offset);
    }
    return true;
}

static bool dequantize_accepts(const struct call *call)
{
    const struct tensor *zero = call_input(call, 2);

    if (!scales_accept(call) || !accept_types(call, 0, 1, TYPES_BYTE | TYPE(DTYPE_I32)) ||
        !accept_output(call, 0, call->input[1]->dtype))
        return false;
    return zero == NULL || zero->dtype == call->input[0]->dtype ||
           error_set(call->error, "a zero of another type than the input");
}

static bool dequantize_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    const struct tensor *scale = call->input[1], *zero = call_input(call, 2);
    struct along along = along_scales(call);

    for (int64_t i = 0; out != NULL && i < tensor_elements(in); i++) {
        int64_t at = i / along.inner % along.count;
        int64_t whole = tensor_integer(in, i) - (zero == NULL ? 0 : tensor_integer(zero, at));

        if (out->dtype == DTYPE_F32)
            ((float *)out->data)[i] = (float)whole * ((const float *)scale->data)[at];
        else
            ((double *)out->data)[i] = (double)whole * tensor_real(scale, at);
    }
    return true;
}

/* --- by the scale that the elements need --- */

static bool dynamic_accepts(const struct call *call)
{
    const struct tensor *scale = call_output(call, 1), *zero = call_output(call, 2);

    if (!accept_inputs(call, 1) || !attributes_among(call, "") ||
        !accept_types(call, 0, 1, TYPES_REAL) || !accept_output(call, 0, DTYPE_U8) ||
        !accept_output(call, 1, call->input[0]->dtype) || !accept_output(call, 2, DTYPE_U8) ||
        (call_output(call, 0) != NULL && !accept_shape(call, 0, 0)))
        return false;
    return ((scale == NULL || tensor_elements(scale) == 1) &&
            (zero == NULL || tensor_elements(zero) == 1)) ||
           error_set(call->error, "a scale or zero that is not a single number");
}

/* The scale in the precision of QUOTIENT: 255 of it reach from the least to the largest element,
 * or 0.  */
#define DYNAMIC_SCALE(name, type, quotient)                          \
    static double name(const type *in, int64_t count, double *least) \
    {                                                                \
        type low = 0, high = 0;                                      \
                                                                     \
        for (int64_t i = 0; i < count; i++) {                        \
            low = in[i] < low ? in[i] : low;                         \
            high = in[i] > high ? in[i] : high;                      \
        }                                                            \
        *least = low;                                                \
        return ((quotient)high - (quotient)low) / 255;               \
    }
DYNAMIC_SCALE(scale_f32, float, float)
DYNAMIC_SCALE(scale_f64, double, double)
DYNAMIC_SCALE(scale_wide, double, float)

static bool dynamic_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    const struct tensor *scale_out = call_output(call, 1), *zero_out = call_output(call, 2);
    int64_t count = tensor_elements(in);
    bool single = is_single(call, in->dtype);
    double least, zero;
    double scale = in->dtype == DTYPE_F32 ? scale_f32(in->data, count, &least)
                   : single               ? scale_wide(in->data, count, &least)
                                          : scale_f64(in->data, count, &least);

    zero = units(-least, scale, single);
    zero = zero > 255 ? 255 : zero;
    for (int64_t i = 0; out != NULL && i < count; i++)
        store_byte(out, i, units(tensor_real(in, i), scale, single) + zero);
    if (scale_out != NULL && in->dtype == DTYPE_F32)
        *(float *)scale_out->data = (float)scale;
    else if (scale_out != NULL)
        *(double *)scale_out->data = scale;
    if (zero_out != NULL)
        store_byte(zero_out, 0, zero);
    return true;
}

const struct operator_rule operators_quantize[] = {
    {"DequantizeLinear", dequantize_accepts, dequantize_run, 0},
    {"DynamicQuantizeLinear", dynamic_accepts, dynamic_run, 0},
    {"QuantizeLinear", quantize_accepts, quantize_run, 0},
    {0},
};
