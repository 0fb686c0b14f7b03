/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of convolutions and pools.
 *
 * That of a convolution by its input is the transposed convolution of what is given, and the other
 * way round.  That by its weights is, for each tap, the sum of the products of what the tap sees
 * and what is given at the place.  A maximum's gradient goes to the first element of the window
 * that is as large.  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/window.h"

/* Two tensors of which one slides over the other: a convolution's output over its input, a
 * transposed one's input over its output.  */
struct slide {
    struct windows windows;
    int64_t batch, groups;
    int64_t places, images; /* channels of a group that slide, and that are slid over */
};

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/sum_real.h"
#include "runtime/operators/gradient_window_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/sum_real.h"
#include "runtime/operators/gradient_window_real.h"

#define CONV_ATTRIBUTES "auto_pad dilations group kernel_shape pads strides"

enum conv { PLAIN, TRANSPOSED };

/* --- convolutions --- */

/* WEIGHTS, or their gradient, are groups x places x images x taps.  */
static bool read_slide(const struct call *call, const struct tensor *places,
                       const struct tensor *images, const struct tensor *weights,
                       struct slide *slide)
{
    if (weights->rank != images->rank || images->rank <= WINDOW_FRONT ||
        !windows_read(call, images, places, weights->dim + WINDOW_FRONT, &slide->windows) ||
        !attribute_integers(call, "group", 1, 1, INT32_MAX, 1, &slide->groups))
        return false;
    if (places->dim[0] != images->dim[0] || places->dim[1] % slide->groups != 0 ||
        images->dim[1] % slide->groups != 0)
        return error_set(call->error, "channels that do not fit the groups");
    slide->batch = places->dim[0];
    slide->places = places->dim[1] / slide->groups;
    slide->images = images->dim[1] / slide->groups;
    return (weights->dim[0] == places->dim[1] && weights->dim[1] == slide->images) ||
           error_set(call->error, "weights that do not fit the channels");
}

/* What slides, and what it slides over: the tensor that is given, and the input or its gradient. */
static bool read_conv(const struct call *call, const struct tensor *input,
                      const struct tensor *weights, struct slide *slide)
{
    const struct tensor *given = gradient_given(call, 0);

    return call_rule(call)->detail == PLAIN ? read_slide(call, given, input, weights, slide)
                                            : read_slide(call, input, given, weights, slide);
}

/* A call of the convolution that makes the gradient of the input, other way round than the forward
 * one.  */
static void turn_round(const struct call *call, const struct tensor **input, struct call *turned)
{
    input[0] = gradient_given(call, 0);
    input[1] = gradient_input(call, 1);
    *turned = (struct call){
        .computation = call->computation,
        .inputs = 2,
        .outputs = 1,
        .input = input,
        .output = call->output,
        .error = call->error,
    };
}

static bool accepts_conv(const struct call *call)
{
    const struct tensor *by_input = call_output(call, 0), *by_weight = call_output(call, 1);
    const struct tensor *by_bias = call_output(call, 2);
    unsigned read =
        (by_input != NULL ? GRADIENT_OF(1) : 0) | (by_weight != NULL ? GRADIENT_OF(0) : 0);
    struct slide slide;

    if (!gradient_accepts(call, 2, 1, read, GRADIENT_NONE) ||
        !attributes_among(call, CONV_ATTRIBUTES))
        return false;
    /* Transposed convolutions of older versions split such padding the other way round.  */
    if (call->computation->version < 11 &&
        (computation_text_is(call->computation, "auto_pad", "SAME_LOWER", false) ||
         computation_text_is(call->computation, "auto_pad", "SAME_UPPER", false)))
        return error_set(call->error, "auto_pad before version 11");
    if (by_bias != NULL && tensor_elements(by_bias) != gradient_given(call, 0)->dim[1])
        return error_set(call->error, "a bias that does not fit the channels");
    return (by_input == NULL || read_conv(call, by_input, gradient_input(call, 1), &slide)) &&
           (by_weight == NULL || read_conv(call, gradient_input(call, 0), by_weight, &slide));
}

static void run_weights(const struct call *call, const struct slide *slide)
{
    const struct tensor *given = gradient_given(call, 0), *input = gradient_input(call, 0);
    bool plain = call_rule(call)->detail == PLAIN;
    const void *places = plain ? given->data : input->data;
    const void *images = plain ? input->data : given->data;

    CALL_REAL(given->dtype, weights, slide, places, images, call_output(call, 1)->data);
}

static void run_bias(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0);
    int64_t each = 1;

    for (int i = WINDOW_FRONT; i < given->rank; i++)
        each *= given->dim[i];
    CALL_REAL(given->dtype, bias, given->dim[0], given->dim[1], each, given->data,
              call_output(call, 2)->data);
}

static bool run_conv(const struct call *call)
{
    const struct tensor *input[2];
    struct call turned;
    struct slide slide;

    if (call_output(call, 0) != NULL) {
        turn_round(call, input, &turned);
        if (!(call_rule(call)->detail == PLAIN ? window_run_transposed : window_run_conv)(&turned))
            return false;
    }
    if (call_output(call, 1) != NULL) {
        if (!read_conv(call, gradient_input(call, 0), call_output(call, 1), &slide))
            return false;
        run_weights(call, &slide);
    }
    if (call_output(call, 2) != NULL)
        run_bias(call);
    return true;
}

/* --- pools --- */

enum pool { MAX, MEAN };

static bool accepts_max(const struct call *call)
{
    const struct tensor *to = call_output(call, 0);
    struct windows windows;

    return gradient_accepts(call, 1, 1, GRADIENT_OF(0), GRADIENT_OF(0)) &&
           attributes_among(call, "auto_pad ceil_mode dilations kernel_shape pads storage_order "
                                  "strides") &&
           (to == NULL ||
            (gradient_same_shape(call, to, gradient_input(call, 0)) &&
             gradient_same_shape(call, gradient_given(call, 0), gradient_output(call, 0)) &&
             windows_read(call, to, gradient_given(call, 0), NULL, &windows)));
}

static bool accepts_mean(const struct call *call)
{
    const struct tensor *to = call_output(call, 0);
    struct windows windows;

    return gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) &&
           attributes_among(call, "auto_pad ceil_mode count_include_pad dilations kernel_shape "
                                  "pads strides") &&
           (to == NULL || windows_read(call, to, gradient_given(call, 0), NULL, &windows));
}

static bool run_pool(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *to = call_output(call, 0);
    bool max = call_rule(call)->detail == MAX;
    bool padded = computation_integer(call->computation, "count_include_pad", 0) != 0;
    const void *x = max ? gradient_input(call, 0)->data : NULL;
    const void *y = max ? gradient_output(call, 0)->data : NULL;
    struct windows windows;
    int64_t *seen, planes;

    if (to == NULL)
        return true;
    if (!windows_read(call, to, given, NULL, &windows))
        return false;
    memset(to->data, 0, (size_t)tensor_elements(to) * dtype_size(to->dtype));
    seen = memory_alloc((size_t)windows_image(&windows), sizeof *seen);
    planes = to->dim[0] * to->dim[1];
    CALL_REAL(to->dtype, pool, &windows, padded, planes, given->data, x, y, seen, to->data);
    free(seen);
    return true;
}

static bool accepts_global(const struct call *call)
{
    const struct tensor *to = call_output(call, 0);

    return gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) &&
           attributes_among(call, "") &&
           (to == NULL || to->rank > WINDOW_FRONT || error_set(call->error, "no image"));
}

static bool run_global(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *to = call_output(call, 0);
    int64_t planes, each;

    if (to == NULL || tensor_elements(to) == 0)
        return true;
    planes = to->dim[0] * to->dim[1];
    each = tensor_elements(to) / planes;
    CALL_REAL(to->dtype, spread, planes, each, given->data, to->data);
    return true;
}

const struct operator_rule operators_gradient_window[] = {
    {".ConvGrad", accepts_conv, run_conv, PLAIN},
    {".ConvTransposeGrad", accepts_conv, run_conv, TRANSPOSED},
    {".MaxPoolGrad", accepts_max, run_pool, MAX},
    {".AveragePoolGrad", accepts_mean, run_pool, MEAN},
    {".GlobalAveragePoolGrad", accepts_global, run_global, 0},
    {0},
};
