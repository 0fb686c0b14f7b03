/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/gradient.h"

static const struct operator_rule *const families[] = {
    operators_along,     operators_arithmetic, operators_boxes,   operators_cast,
    operators_clip,      operators_fill,       operators_integer, operators_logic,
    operators_loss,      operators_matrix,     operators_move,    operators_ngrams,
    operators_normalise, operators_own,        operators_pad,     operators_parts,
    operators_quantize,  operators_recurrent,  operators_reduce,  operators_reshape,
    operators_resize,    operators_rows,       operators_scatter, operators_select,
    operators_signal,    operators_softmax,    operators_topk,    operators_unary,
    operators_unique,    operators_window,
};

const struct operator_rule *operator_find(const char *name)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (const struct operator_rule *rule = families[f]; rule->name != NULL; rule++)
            if (strcmp(rule->name, name) == 0)
                return rule;
    return gradient_find(name);
}

const struct operator_rule *call_rule(const struct call *call)
{
    return operator_find(call->computation->name);
}

/* --- what goes on in place --- */

/* The next computation of CALL, on what it makes: one output, which need not be the text's first (a
 * recurrent layer's last state).  */
struct following {
    struct call call;
    const struct tensor *input, *output;
};

static void follow(const struct call *call, struct following *next)
{
    size_t i = 0;

    while (i + 1 < call->outputs && call->output[i] == NULL)
        i++;
    next->input = next->output = call_output(call, i);
    next->call = (struct call){
        .computation = call->computation->then,
        .inputs = 1,
        .outputs = 1,
        .input = &next->input,
        .output = &next->output,
        .error = call->error,
    };
}

static bool refuse(const struct call *call)
{
    return error_prefix(call->error, "%s", call->computation->name);
}

/* Of a tensor without elements too, products of its other dimensions have to be numbers: rules
 * count in them.  */
static bool is_bounded(const struct tensor *tensor)
{
    int64_t bytes = (int64_t)dtype_size(tensor->dtype);

    for (int i = 0; i < tensor->rank; i++)
        if (!checked_mul(bytes, max64(tensor->dim[i], 1), &bytes))
            return false;
    return true;
}

static bool are_bounded(const struct call *call)
{
    bool bounded = true;

    for (size_t i = 0; i < call->inputs; i++)
        bounded = bounded && (call->input[i] == NULL || is_bounded(call->input[i]));
    for (size_t i = 0; i < call->outputs; i++)
        bounded = bounded && (call->output[i] == NULL || is_bounded(call->output[i]));
    return bounded;
}

bool operator_accepts(const struct call *call)
{
    const struct operator_rule *rule = call_rule(call);
    struct following next;

    if (rule == NULL)
        return error_set(call->error, "%s: no such operator here", call->computation->name);
    if (!are_bounded(call))
        return error_set(call->error, "%s: dimensions whose product overflows 64 bits",
                         call->computation->name);
    if (!rule->accepts(call))
        return refuse(call);
    if (call->computation->then == NULL)
        return true;
    follow(call, &next);
    return operator_accepts(&next.call);
}

bool operator_run(const struct call *call)
{
    struct following next;

    if (!call_rule(call)->run(call))
        return refuse(call);
    if (call->computation->then == NULL)
        return true;
    follow(call, &next);
    return operator_run(&next.call);
}

/* --- what rules call --- */

const struct tensor *call_input(const struct call *call, size_t i)
{
    return i < call->inputs ? call->input[i] : NULL;
}

const struct tensor *call_output(const struct call *call, size_t i)
{
    return i < call->outputs ? call->output[i] : NULL;
}

bool call_found(const struct call *call, int64_t found, int64_t room)
{
    if (call->found == NULL)
        return error_set(call->error, "it finds %" PRId64 ", and there is room for %" PRId64, found,
                         room);
    *call->found = found;
    for (size_t i = 0; i < call->outputs; i++) {
        const struct tensor *out = call->output[i];

        if (out != NULL)
            memset(out->data, 0, (size_t)tensor_elements(out) * dtype_size(out->dtype));
    }
    return true;
}

int call_axis(int64_t number, int rank)
{
    if (number < -rank || number >= rank)
        return -1;
    return (int)(number < 0 ? number + rank : number);
}

int64_t tensor_elements(const struct tensor *tensor)
{
    int64_t elements = 1;

    for (int i = 0; i < tensor->rank; i++)
        elements *= tensor->dim[i];
    return elements;
}

double tensor_real(const struct tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case DTYPE_F32:
        return (double)((const float *)tensor->data)[i];
    case DTYPE_F64:
        return ((const double *)tensor->data)[i];
    case DTYPE_U64:
        return (double)((const uint64_t *)tensor->data)[i];
    default:
        return (double)tensor_integer(tensor, i);
    }
}

int64_t tensor_integer(const struct tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case DTYPE_F32:
        return (int64_t)((const float *)tensor->data)[i];
    case DTYPE_F64:
        return (int64_t)((const double *)tensor->data)[i];
    case DTYPE_I8:
        return ((const int8_t *)tensor->data)[i];
    case DTYPE_U8:
    case DTYPE_BOOL:
        return ((const uint8_t *)tensor->data)[i];
    case DTYPE_I16:
        return ((const int16_t *)tensor->data)[i];
    case DTYPE_U16:
        return ((const uint16_t *)tensor->data)[i];
    case DTYPE_I32:
        return ((const int32_t *)tensor->data)[i];
    case DTYPE_U32:
        return ((const uint32_t *)tensor->data)[i];
    case DTYPE_I64:
        return ((const int64_t *)tensor->data)[i];
    case DTYPE_U64:
        return (int64_t)((const uint64_t *)tensor->data)[i];
    default:
        return 0;
    }
}

int64_t *tensor_integers(const struct tensor *tensor, size_t *count)
{
    int64_t *number;

    *count = (size_t)tensor_elements(tensor);
    number = memory_alloc(*count, sizeof *number);
    for (size_t i = 0; i < *count; i++)
        number[i] = tensor_integer(tensor, (int64_t)i);
    return number;
}
