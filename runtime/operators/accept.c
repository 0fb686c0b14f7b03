/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/accept.h"

#include <inttypes.h>
#include <string.h>

bool accept_inputs(const struct call *call, size_t inputs)
{
    for (size_t i = 0; i < inputs; i++)
        if (call_input(call, i) == NULL)
            return error_set(call->error, "input %zu is missing", i);
    return true;
}

bool accept_types(const struct call *call, size_t first, size_t count, unsigned types)
{
    const struct tensor *found = NULL;

    for (size_t i = first; i < first + count; i++) {
        const struct tensor *input = call_input(call, i);

        if (input == NULL)
            continue;
        if ((types & TYPE(input->dtype)) == 0)
            return error_set(call->error, "input %zu of type %s cannot be computed with", i,
                             dtype_name(input->dtype));
        if (found != NULL && found->dtype != input->dtype)
            return error_set(call->error, "input %zu is %s beside %s", i, dtype_name(input->dtype),
                             dtype_name(found->dtype));
        found = input;
    }
    return true;
}

bool accept_output(const struct call *call, size_t i, enum dtype dtype)
{
    const struct tensor *output = call_output(call, i);

    if (output == NULL || output->dtype == dtype)
        return true;
    return error_set(call->error, "output %zu is %s, expected %s", i, dtype_name(output->dtype),
                     dtype_name(dtype));
}

static bool can_be_broadcast(const struct tensor *from, const struct tensor *to)
{
    int missing = to->rank - from->rank;

    for (int d = 0; d < from->rank; d++)
        if (missing < 0 || (from->dim[d] != 1 && from->dim[d] != to->dim[missing + d]))
            return false;
    return true;
}

bool accept_broadcast(const struct call *call)
{
    const struct tensor *output = call_output(call, 0);

    for (size_t i = 0; output != NULL && i < call->inputs; i++)
        if (call->input[i] != NULL && !can_be_broadcast(call->input[i], output))
            return error_set(call->error, "input %zu cannot be broadcast to the output's shape", i);
    return true;
}

bool accept_shape(const struct call *call, size_t i, size_t from)
{
    const struct tensor *output = call_output(call, i), *input = call_input(call, from);

    if (output == NULL ||
        (output->rank == input->rank &&
         memcmp(output->dim, input->dim, (size_t)input->rank * sizeof *input->dim) == 0))
        return true;
    return error_set(call->error, "output %zu has another shape than input %zu", i, from);
}

bool accept_axis(const struct call *call, int64_t otherwise, int rank)
{
    int64_t axis = computation_integer(call->computation, "axis", otherwise);

    if (call_axis(axis, rank) >= 0)
        return true;
    return error_set(call->error, "axis %" PRId64 " of a tensor of rank %d", axis, rank);
}
