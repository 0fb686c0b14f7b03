/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisations in training, by the statistics of what they normalise, and the gradients of these,
 * of LRN and of softmax.
 *
 * Batch normalisation: Ioffe and Szegedy, "Batch normalization", ICML 2015; the running statistics
 * are not read, and not brought up to date.  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"

/* OUTER x COUNT x INNER elements: those of a group, which have one mean, lie OUTER apart, of a
 * channel over the batch; or side by side, a row.  */
struct norm {
    int64_t outer, channels, inner; /* of a batch; a layer's rows are outer, and inner is 1 */
    double epsilon;
};

/* Local response normalisation over channels.  */
struct lrn {
    int64_t batch, channels, inner;
    int64_t before, after; /* neighbours on either side */
    double factor, beta, bias;
};

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/sum_real.h"
#include "runtime/operators/gradient_norm_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/sum_real.h"
#include "runtime/operators/gradient_norm_real.h"

enum kind { BATCH, LAYER };

enum { SCALE = 1, SHIFT };    /* inputs after the first */
enum { MEAN = 1, DEVIATION }; /* outputs after the first; of the deviation the reciprocal */

/* --- batches and layers --- */

static bool read_norm(const struct call *call, const struct tensor *x, struct norm *norm)
{
    norm->epsilon = computation_real(call->computation, "epsilon", 1e-5);
    if (x->rank < 2)
        return error_set(call->error, "an input of %d dimensions", x->rank);
    if (call_rule(call)->detail == BATCH) {
        struct along along = along_axis(x, 1);

        norm->outer = along.outer;
        norm->channels = along.count;
        norm->inner = along.inner;
    } else {
        norm->channels = x->dim[x->rank - 1];
        norm->outer = norm->channels == 0 ? 0 : tensor_elements(x) / norm->channels;
        norm->inner = 1;
        if (call_axis(computation_integer(call->computation, "axis", -1), x->rank) != x->rank - 1)
            return error_set(call->error, "an axis that is not the last one");
    }
    return true;
}

/* Attributes that change what is computed here, or belong to running statistics.  */
static bool accepts_attributes(const struct call *call)
{
    if (call_rule(call)->detail == LAYER)
        return attributes_among(call, "axis epsilon stash_type");
    return attributes_among(call, "epsilon momentum spatial training_mode") &&
           (computation_integer(call->computation, "spatial", 1) == 1 ||
            error_set(call->error, "statistics for each element"));
}

/* Whether TENSOR, if it is there, has COUNT elements.  */
static bool has(const struct call *call, const struct tensor *tensor, int64_t count)
{
    return tensor == NULL || tensor_elements(tensor) == count ||
           error_set(call->error, "%" PRId64 " elements where there should be %" PRId64,
                     tensor_elements(tensor), count);
}

/* Of one mean for each channel, or for each row.  */
static int64_t groups(const struct call *call, const struct norm *norm)
{
    return call_rule(call)->detail == BATCH ? norm->channels : norm->outer;
}

static bool accepts_norm(const struct call *call)
{
    const struct tensor *x = call_input(call, 0);
    struct norm norm;

    for (size_t i = 0; i < 3; i++)
        if (call_input(call, i) == NULL)
            return error_set(call->error, "input %zu is missing", i);
    return accept_types(call, 0, 3, TYPES_REAL) && accepts_attributes(call) &&
           read_norm(call, x, &norm) && has(call, call->input[SCALE], norm.channels) &&
           has(call, call->input[SHIFT], norm.channels) &&
           has(call, call_output(call, 0), tensor_elements(x)) &&
           has(call, call_output(call, MEAN), groups(call, &norm)) &&
           has(call, call_output(call, DEVIATION), groups(call, &norm));
}

static void *data_of(const struct tensor *tensor)
{
    return tensor == NULL ? NULL : tensor->data;
}

/* Statistics that no gradient reads may be left out.  */
static bool run_norm(const struct call *call)
{
    const struct tensor *x = call->input[0];
    const void *scale = call->input[SCALE]->data, *shift = call->input[SHIFT]->data;
    void *y = data_of(call_output(call, 0)), *mean = data_of(call_output(call, MEAN));
    void *deviation = data_of(call_output(call, DEVIATION));
    bool batch = call_rule(call)->detail == BATCH;
    struct norm norm;

    if (!read_norm(call, x, &norm))
        return false;
    if (x->dtype == DTYPE_F32)
        (batch ? batch_f32 : layer_f32)(&norm, x->data, scale, shift, y, mean, deviation);
    else
        (batch ? batch_f64 : layer_f64)(&norm, x->data, scale, shift, y, mean, deviation);
    return true;
}

static bool accepts_norm_gradient(const struct call *call)
{
    const struct tensor *x;
    struct norm norm;

    if (!gradient_accepts(call, 3, 3, GRADIENT_OF(0) | GRADIENT_OF(SCALE),
                          GRADIENT_OF(MEAN) | GRADIENT_OF(DEVIATION)) ||
        !accepts_attributes(call))
        return false;
    x = gradient_input(call, 0);
    return read_norm(call, x, &norm) && gradient_same_shape(call, gradient_given(call, 0), x) &&
           has(call, gradient_input(call, SCALE), norm.channels) &&
           has(call, gradient_output(call, MEAN), groups(call, &norm)) &&
           has(call, gradient_output(call, DEVIATION), groups(call, &norm)) &&
           has(call, call_output(call, 0), tensor_elements(x)) &&
           has(call, call_output(call, SCALE), norm.channels) &&
           has(call, call_output(call, SHIFT), norm.channels);
}

static bool run_norm_gradient(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *x = gradient_input(call, 0);
    const void *scale = gradient_input(call, SCALE)->data;
    const void *mean = gradient_output(call, MEAN)->data;
    const void *deviation = gradient_output(call, DEVIATION)->data;
    void *by_x = data_of(call_output(call, 0)), *by_scale = data_of(call_output(call, SCALE));
    void *by_shift = data_of(call_output(call, SHIFT));
    bool batch = call_rule(call)->detail == BATCH;
    struct norm norm;

    if (!read_norm(call, x, &norm))
        return false;
    if (x->dtype == DTYPE_F32)
        (batch ? batch_gradient_f32 : layer_gradient_f32)(&norm, given->data, x->data, scale, mean,
                                                          deviation, by_x, by_scale, by_shift);
    else
        (batch ? batch_gradient_f64 : layer_gradient_f64)(&norm, given->data, x->data, scale, mean,
                                                          deviation, by_x, by_scale, by_shift);
    return true;
}

/* --- LRN --- */

static bool read_lrn(const struct call *call, const struct tensor *x, struct lrn *lrn)
{
    const struct computation *computation = call->computation;
    struct along along;
    int64_t size;

    if (computation_find(computation, "size") == NULL ||
        !attribute_integers(call, "size", 1, 1, INT32_MAX, 1, &size))
        return error_set(call->error, "no size");
    if (x->rank < 2)
        return error_set(call->error, "an input of %d dimensions", x->rank);
    along = along_axis(x, 1);
    *lrn = (struct lrn){
        .batch = along.outer,
        .channels = along.count,
        .inner = along.inner,
        .before = (size - 1) / 2,
        .after = size / 2,
        .factor = computation_real(computation, "alpha", 1e-4) / (double)size,
        .beta = computation_real(computation, "beta", 0.75),
        .bias = computation_real(computation, "bias", 1.0),
    };
    return true;
}

static bool accepts_lrn(const struct call *call)
{
    struct lrn lrn;

    return gradient_accepts(call, 1, 1, GRADIENT_OF(0), GRADIENT_OF(0)) &&
           attributes_among(call, "alpha beta bias size") &&
           read_lrn(call, gradient_input(call, 0), &lrn) &&
           gradient_same_shape(call, gradient_given(call, 0), gradient_input(call, 0)) &&
           has(call, call_output(call, 0), tensor_elements(gradient_input(call, 0)));
}

static bool run_lrn(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *to = call_output(call, 0);
    const void *x = gradient_input(call, 0)->data, *y = gradient_output(call, 0)->data;
    struct lrn lrn;

    if (to == NULL)
        return true;
    if (!read_lrn(call, to, &lrn))
        return false;
    CALL_REAL(to->dtype, lrn_gradient, &lrn, given->data, x, y, to->data);
    return true;
}

/* --- softmax --- */

/* Before version 13 along all dimensions from the axis on, which is 1 if nothing is said.  */
static bool read_softmax(const struct call *call, const struct tensor *y, struct along *along)
{
    bool flat = call->computation->version < 13;
    int axis = call_axis(computation_integer(call->computation, "axis", flat ? 1 : -1), y->rank);

    if (axis < 0)
        return error_set(call->error, "an axis that the input has not");
    *along = along_axis(y, axis);
    if (!flat)
        return true;
    along->count *= along->inner;
    along->inner = 1;
    return true;
}

static bool accepts_softmax(const struct call *call)
{
    struct along along;

    return gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_OF(0)) &&
           attributes_among(call, "axis") && read_softmax(call, gradient_output(call, 0), &along) &&
           gradient_same_shape(call, gradient_given(call, 0), gradient_output(call, 0)) &&
           has(call, call_output(call, 0), tensor_elements(gradient_output(call, 0)));
}

static bool run_softmax(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *y = gradient_output(call, 0);
    const struct tensor *to = call_output(call, 0);
    struct along along;

    if (to == NULL)
        return true;
    if (!read_softmax(call, y, &along))
        return false;
    CALL_REAL(to->dtype, softmax_gradient, &along, given->data, y->data, to->data);
    return true;
}

const struct operator_rule operators_gradient_norm[] = {
    {".BatchNormalization", accepts_norm, run_norm, BATCH},
    {".BatchNormalizationGrad", accepts_norm_gradient, run_norm_gradient, BATCH},
    {".LayerNormalization", accepts_norm, run_norm, LAYER},
    {".LayerNormalizationGrad", accepts_norm_gradient, run_norm_gradient, LAYER},
    {".LRNGrad", accepts_lrn, run_lrn, 0},
    {".SoftmaxGrad", accepts_softmax, run_softmax, 0},
    {0},
};
