/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losses of training graphs and their gradients (lib/graph/train_compute.h).  The mean is over the
 * labels; classes are a dimension wherever it is, of tokens the last.  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <inttypes.h>
#include <math.h>
#include <tgmath.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"

/* The element of the class that is prediction I's label.  */
static int64_t labelled(const struct along *along, const struct tensor *labels, int64_t i)
{
    return along_first(along, i) + tensor_integer(labels, i) * along->inner;
}

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/log_softmax_real.h"
#include "runtime/operators/gradient_loss_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/log_softmax_real.h"
#include "runtime/operators/gradient_loss_real.h"

enum kind { CROSS_ENTROPY, LIKELIHOOD };

static bool is_likelihood(const struct call *call)
{
    return call_rule(call)->detail == LIKELIHOOD;
}

/* X, the scores or what has their shape, along its classes.  */
static bool read_classes(const struct call *call, const struct tensor *x,
                         const struct tensor *labels, struct along *along)
{
    int axis = call_axis(computation_integer(call->computation, "axis", 1), x->rank);

    if (!attributes_among(call, "axis"))
        return false;
    if (axis < 0)
        return error_set(call->error, "classes along a dimension that there is not");
    *along = along_axis(x, axis);
    if (labels->dtype != DTYPE_I64 && labels->dtype != DTYPE_I32)
        return error_set(call->error, "labels of type %s", dtype_name(labels->dtype));
    return tensor_elements(labels) == along->outer * along->inner ||
           error_set(call->error, "not one label for each prediction");
}

/* Whether all labels are classes.  */
static bool check_labels(const struct call *call, const struct tensor *labels, int64_t classes)
{
    for (int64_t i = 0; i < tensor_elements(labels); i++)
        if (tensor_integer(labels, i) < 0 || tensor_integer(labels, i) >= classes)
            return error_set(call->error, "label %" PRId64 " of %" PRId64 " classes",
                             tensor_integer(labels, i), classes);
    return true;
}

/* --- losses --- */

static bool accepts_loss(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *labels = call_input(call, 1);
    struct along along;

    if (x == NULL || labels == NULL || call_output(call, 0) == NULL)
        return error_set(call->error, "an input or the output is missing");
    if (!is_likelihood(call) && call_output(call, 1) == NULL)
        return error_set(call->error, "no place for the logarithms");
    return accept_types(call, 0, 1, TYPES_REAL) && read_classes(call, x, labels, &along);
}

static bool run_loss(const struct call *call)
{
    const struct tensor *x = call->input[0], *labels = call->input[1];
    void *loss = call->output[0]->data;
    struct along along;

    if (!read_classes(call, x, labels, &along) || !check_labels(call, labels, along.count))
        return false;
    if (is_likelihood(call))
        CALL_REAL(x->dtype, likelihood, &along, labels, x->data, loss);
    else
        CALL_REAL(x->dtype, cross_entropy, &along, labels, x->data, call->output[1]->data, loss);
    return true;
}

/* --- their gradients --- */

/* The probabilities, or the logarithms that were saved.  */
static const struct tensor *read_from(const struct call *call)
{
    return is_likelihood(call) ? gradient_input(call, 0) : gradient_output(call, 1);
}

static bool accepts_gradient(const struct call *call)
{
    const struct tensor *from = read_from(call), *labels = gradient_input(call, 1);
    const struct tensor *to = call_output(call, 0);
    struct along along;

    if (from == NULL || labels == NULL)
        return error_set(call->error, "a prediction or its labels are missing");
    if (from->dtype != DTYPE_F32 && from->dtype != DTYPE_F64)
        return error_set(call->error, "a prediction of type %s", dtype_name(from->dtype));
    return read_classes(call, from, labels, &along) &&
           (to == NULL || gradient_same_shape(call, to, from));
}

static bool run_gradient(const struct call *call)
{
    const struct tensor *from = read_from(call), *labels = gradient_input(call, 1);
    const struct tensor *to = call_output(call, 0);
    struct along along;

    if (to == NULL)
        return true;
    if (!read_classes(call, from, labels, &along) || !check_labels(call, labels, along.count))
        return false;
    if (is_likelihood(call))
        CALL_REAL(to->dtype, likelihood_gradient, &along, labels, from->data, to->data);
    else
        CALL_REAL(to->dtype, cross_entropy_gradient, &along, labels, from->data, to->data);
    return true;
}

const struct operator_rule operators_gradient_loss[] = {
    {".CrossEntropyLoss", accepts_loss, run_loss, CROSS_ENTROPY},
    {".CrossEntropyLossGrad", accepts_gradient, run_gradient, CROSS_ENTROPY},
    {".LikelihoodLoss", accepts_loss, run_loss, LIKELIHOOD},
    {".LikelihoodLossGrad", accepts_gradient, run_gradient, LIKELIHOOD},
    {0},
};
