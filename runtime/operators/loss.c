/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss.
 *
 * ONNX's texts of these (versions 12 and 13, which compute the same).  A mean is over the weights
 * of the targets that are not ignored.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <math.h>
#include <stdlib.h>
#include <tgmath.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/log_softmax_real.h"
#include "runtime/operators/loss_real.h"

#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/log_softmax_real.h"
#include "runtime/operators/loss_real.h"

enum kind { LIKELIHOOD, CROSS_ENTROPY };

static bool read_loss(const struct call *call, struct loss *loss)
{
    const struct computation *computation = call->computation;
    const struct tensor *in = call->input[0];

    *loss = (struct loss){
        .along = along_axis(in, 1),
        .target = call->input[1],
        .ignores = computation_find(computation, "ignore_index") != NULL,
        .ignored = computation_integer(computation, "ignore_index", 0),
    };
    if (computation_text_is(computation, "reduction", "mean", true))
        loss->reduction = LOSS_MEAN;
    else if (computation_text_is(computation, "reduction", "sum", false))
        loss->reduction = LOSS_SUM;
    else if (computation_text_is(computation, "reduction", "none", false))
        loss->reduction = LOSS_NONE;
    else
        return error_set(call->error, "reduction '%s' is unknown",
                         computation_text(computation, "reduction", ""));
    return true;
}

static bool accepts(const struct call *call)
{
    const struct tensor *in, *out = call_output(call, 0), *weight = call_input(call, 2);
    int64_t costs;
    struct loss loss;

    if (!accept_inputs(call, 2) || !attributes_among(call, "ignore_index reduction") ||
        !accept_types(call, 0, 1, TYPES_REAL) || !accept_types(call, 1, 1, TYPES_INDEX) ||
        !accept_output(call, 0, call->input[0]->dtype) ||
        !accept_output(call, 1, call->input[0]->dtype))
        return false;
    in = call->input[0];
    if (in->rank < 2)
        return error_set(call->error, "input 0 has no classes");
    if (!read_loss(call, &loss) || (call_output(call, 1) != NULL && !accept_shape(call, 1, 0)))
        return false;
    costs = loss.along.outer * loss.along.inner;
    if (tensor_elements(call->input[1]) != costs)
        return error_set(call->error, "not one target for each place");
    if (weight != NULL &&
        (weight->dtype != in->dtype || tensor_elements(weight) != loss.along.count))
        return error_set(call->error, "not one weight for each class");
    return out == NULL || tensor_elements(out) == (loss.reduction == LOSS_NONE ? costs : 1) ||
           error_set(call->error, "an output of another shape");
}

/* Without output 0 the cost goes nowhere.  */
static bool run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    const void *weight = call_input(call, 2) == NULL ? NULL : call->input[2]->data;
    bool softmax = call_rule(call)->detail == CROSS_ENTROPY, good = true;
    const struct tensor *kept = softmax ? call_output(call, 1) : NULL;
    void *held = NULL, *logs = in->data;
    struct loss loss;

    read_loss(call, &loss);
    if (softmax && kept == NULL)
        held = memory_alloc((size_t)tensor_elements(in), dtype_size(in->dtype));
    if (softmax)
        logs = kept == NULL ? held : kept->data;
    if (softmax)
        CALL_REAL(in->dtype, log_softmax, &loss.along, in->data, logs);
    if (out != NULL)
        good = CALL_REAL(in->dtype, cost, &loss, logs, weight, out->data);
    free(held);
    return good || error_set(call->error, "a target that is not a class");
}

const struct operator_rule operators_loss[] = {
    {"NegativeLogLikelihoodLoss", accepts, run, LIKELIHOOD},
    {"SoftmaxCrossEntropyLoss", accepts, run, CROSS_ENTROPY},
    {0},
};
