/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <string.h>

static const struct operator_rule *const families[] = {
    operators_gradient_loss,   operators_gradient_map,  operators_gradient_matrix,
    operators_gradient_move,   operators_gradient_norm, operators_gradient_reduce,
    operators_gradient_window, operators_optimise,
};

const struct operator_rule *gradient_find(const char *name)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (const struct operator_rule *rule = families[f]; rule->name != NULL; rule++)
            if (strcmp(rule->name, name) == 0)
                return rule;
    return NULL;
}

size_t gradient_inputs(const struct call *call)
{
    return call->outputs;
}

/* Each stands among the inputs twice: its gradient and itself.  */
size_t gradient_outputs(const struct call *call)
{
    return call->inputs < call->outputs ? 0 : (call->inputs - call->outputs) / 2;
}

const struct tensor *gradient_given(const struct call *call, size_t i)
{
    return i < gradient_outputs(call) ? call->input[i] : NULL;
}

const struct tensor *gradient_input(const struct call *call, size_t i)
{
    return i < gradient_inputs(call) ? call->input[gradient_outputs(call) + i] : NULL;
}

const struct tensor *gradient_output(const struct call *call, size_t i)
{
    return i < gradient_outputs(call)
               ? call->input[gradient_outputs(call) + gradient_inputs(call) + i]
               : NULL;
}

/* TENSOR, which may be NULL, has the type of the gradient that is given.  */
static bool is_alike(const struct call *call, const struct tensor *tensor, const char *what,
                     size_t i)
{
    enum dtype dtype = gradient_given(call, 0)->dtype;

    return tensor == NULL || tensor->dtype == dtype ||
           error_set(call->error, "%s %zu is %s beside %s", what, i, dtype_name(tensor->dtype),
                     dtype_name(dtype));
}

static bool is_there(const struct call *call, const struct tensor *tensor, const char *what,
                     size_t i)
{
    if (tensor == NULL)
        return error_set(call->error, "the graph does not read %s %zu", what, i);
    return is_alike(call, tensor, what, i);
}

bool gradient_accepts(const struct call *call, size_t inputs, size_t outputs, unsigned read,
                      unsigned saved)
{
    const struct tensor *given = gradient_given(call, 0);

    if (gradient_inputs(call) < inputs || gradient_outputs(call) < outputs)
        return error_set(call->error, "%zu inputs and %zu outputs, expected %zu and %zu",
                         gradient_inputs(call), gradient_outputs(call), inputs, outputs);
    if (given == NULL)
        return error_set(call->error, "there is no gradient of output 0");
    if (given->dtype != DTYPE_F32 && given->dtype != DTYPE_F64)
        return error_set(call->error, "a gradient of type %s, expected f32 or f64",
                         dtype_name(given->dtype));
    for (size_t i = 0; i < inputs; i++)
        if ((read & GRADIENT_OF(i)) != 0 && !is_there(call, gradient_input(call, i), "input", i))
            return false;
    for (size_t i = 0; i < outputs; i++)
        if ((saved & GRADIENT_OF(i)) != 0 && !is_there(call, gradient_output(call, i), "output", i))
            return false;
    for (size_t i = 0; i < gradient_inputs(call); i++)
        if (!is_alike(call, call_output(call, i), "the gradient of input", i))
            return false;
    return true;
}

bool gradient_same_shape(const struct call *call, const struct tensor *x, const struct tensor *y)
{
    if (x->rank == y->rank && memcmp(x->dim, y->dim, (size_t)x->rank * sizeof x->dim[0]) == 0)
        return true;
    return error_set(call->error, "two shapes that should be one");
}
