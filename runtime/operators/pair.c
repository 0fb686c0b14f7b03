/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/pair.h"

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

void pair_broadcast(pair_run *run, const struct tensor *out, const struct tensor *x,
                    const struct tensor *y)
{
    const struct tensor *const input[] = {x, y};
    size_t in_size = dtype_size(x->dtype), out_size = dtype_size(out->dtype);
    struct strided loops;

    strided_broadcast(&loops, out, input, 2);
    for (bool more = strided_start(&loops); more; more = strided_next(&loops))
        run(loops.run, (char *)out->data + (size_t)loops.at[0] * out_size,
            (const char *)x->data + (size_t)loops.at[1] * in_size, loops.step[1],
            (const char *)y->data + (size_t)loops.at[2] * in_size, loops.step[2]);
}

bool pair_second(const struct call *call, struct tensor *second)
{
    const struct computation *computation = call->computation;
    const struct tensor *x = call->input[0];
    int64_t given = computation_integer(computation, "axis", 0);
    int axis;

    *second = *call->input[1];
    if (computation->version >= 7)
        return true;
    if (computation_integer(computation, "broadcast", 0) == 0)
        return accept_shape(call, 0, 0) && accept_shape(call, 0, 1);
    if (computation_find(computation, "axis") == NULL)
        return second->rank <= x->rank ||
               error_set(call->error, "input 1 has more dimensions than input 0");
    axis = call_axis(given, x->rank);
    if (axis < 0 || axis + second->rank > x->rank)
        return error_set(call->error, "axis: no place for input 1 among the dimensions of input 0");
    while (axis + second->rank < x->rank)
        second->dim[second->rank++] = 1;
    return true;
}

bool pair_shapes(const struct call *call, const char *names)
{
    const struct tensor *input[2];
    struct call view = *call;
    struct tensor second;

    if (!accept_inputs(call, 2) ||
        !attributes_among(call, call->computation->version < 7 ? "broadcast axis" : names) ||
        !pair_second(call, &second))
        return false;
    input[0] = call->input[0];
    input[1] = &second;
    view.input = input;
    view.inputs = 2;
    return accept_broadcast(&view);
}

bool pair_accepts(const struct call *call, unsigned types, const char *names)
{
    return accept_types(call, 0, 2, types) && pair_shapes(call, names);
}
