/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators whose output is their input in another shape: Reshape, Flatten, Squeeze, Unsqueeze,
 * Identity, and Dropout as it is when nothing is trained.
 *
 * ONNX's texts of these; shapes are what inference found.  Dropout in training draws random
 * numbers and is refused, but for the ratio 0, which leaves all elements; before version 7 its
 * attribute `is_test` says that nothing is trained, from version 12 on it is an input that says
 * that something is.  Its mask is of the input's type before version 10.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

enum shaping { RESHAPE, FLATTEN, SQUEEZE, UNSQUEEZE, IDENTITY };

static const char *const attributes[] = {
    [RESHAPE] = "shape allowzero", [FLATTEN] = "axis", [SQUEEZE] = "axes",
    [UNSQUEEZE] = "axes",          [IDENTITY] = "",
};

static bool same_elements(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);

    if (out == NULL || tensor_elements(out) == tensor_elements(call->input[0]))
        return true;
    return error_set(call->error, "the output has another number of elements");
}

static bool accepts(const struct call *call)
{
    return accept_inputs(call, 1) && attributes_among(call, attributes[call_rule(call)->detail]) &&
           same_elements(call) && accept_output(call, 0, call->input[0]->dtype);
}

static bool run(const struct call *call)
{
    if (call_output(call, 0) != NULL)
        dense_copy(call->output[0], call->input[0]);
    return true;
}

/* --- Dropout --- */

/* False with a reason where elements would be left out.  */
static bool keeps_all(const struct call *call)
{
    const struct tensor *ratio = call_input(call, 1), *training = call_input(call, 2);

    if (training == NULL || tensor_elements(training) != 1 || tensor_integer(training, 0) == 0 ||
        (ratio != NULL && tensor_elements(ratio) == 1 && tensor_real(ratio, 0) == 0))
        return true;
    return error_set(call->error, "training draws random numbers");
}

static bool dropout_accepts(const struct call *call)
{
    int64_t version = call->computation->version;
    const struct tensor *ratio = call_input(call, 1), *training = call_input(call, 2);
    const struct tensor *mask = call_output(call, 1);

    if (!accept_inputs(call, 1) ||
        !attributes_among(call, version < 7    ? "ratio is_test"
                                : version < 12 ? "ratio"
                                               : "seed") ||
        !accept_types(call, 0, 1, TYPES_REAL) || !accept_output(call, 0, call->input[0]->dtype) ||
        !same_elements(call))
        return false;
    if (version < 7 && computation_integer(call->computation, "is_test", 0) == 0)
        return error_set(call->error, "training draws random numbers");
    if (!accept_types(call, 1, 1, TYPES_REAL) || !accept_types(call, 2, 1, TYPE(DTYPE_BOOL)) ||
        (mask != NULL && !accept_shape(call, 1, 0)))
        return false;
    if (training != NULL && training->data != NULL && (ratio == NULL || ratio->data != NULL) &&
        !keeps_all(call))
        return false;
    return mask == NULL || mask->dtype == DTYPE_BOOL ||
           accept_output(call, 1, call->input[0]->dtype);
}

static bool dropout_run(const struct call *call)
{
    const struct tensor *mask = call_output(call, 1);
    int64_t elements = tensor_elements(call->input[0]);

    if (!keeps_all(call))
        return false;
    run(call);
    for (int64_t i = 0; mask != NULL && i < elements; i++)
        if (mask->dtype == DTYPE_BOOL)
            ((uint8_t *)mask->data)[i] = 1;
        else if (mask->dtype == DTYPE_F32)
            ((float *)mask->data)[i] = 1;
        else
            ((double *)mask->data)[i] = 1;
    return true;
}

const struct operator_rule operators_reshape[] = {
    {"Dropout", dropout_accepts, dropout_run, 0},
    {"Flatten", accepts, run, FLATTEN},
    {"Identity", accepts, run, IDENTITY},
    {"Reshape", accepts, run, RESHAPE},
    {"Squeeze", accepts, run, SQUEEZE},
    {"Unsqueeze", accepts, run, UNSQUEEZE},
    {0},
};
