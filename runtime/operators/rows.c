/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that look at parts of rows: ReverseSequence, Trilu.
 *
 * ONNX's texts of these (versions 10 and 14), which have not changed since.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

/* --- ReverseSequence --- */

static bool reverse_accepts(const struct call *call)
{
    const struct computation *computation = call->computation;
    int time, batch;

    if (!accept_inputs(call, 2) || !attributes_among(call, "batch_axis time_axis") ||
        !accept_types(call, 1, 1, TYPE(DTYPE_I64)) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_shape(call, 0, 0))
        return false;
    time = call_axis(computation_integer(computation, "time_axis", 0), call->input[0]->rank);
    batch = call_axis(computation_integer(computation, "batch_axis", 1), call->input[0]->rank);
    if (time < 0 || batch < 0 || time == batch)
        return error_set(call->error, "axes of time and batch that are none or the same");
    if (tensor_elements(call->input[1]) != call->input[0]->dim[batch])
        return error_set(call->error, "not one length a sequence");
    return true;
}

static bool reverse_run(const struct call *call)
{
    const struct computation *computation = call->computation;
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    int time = call_axis(computation_integer(computation, "time_axis", 0), in->rank);
    int batch = call_axis(computation_integer(computation, "batch_axis", 1), in->rank);
    const int64_t *length = call->input[1]->data;
    size_t size = dtype_size(in->dtype);
    int64_t stride[NETWORK_MAX_RANK];

    strided_dense(in->rank, in->dim, stride);
    for (int64_t b = 0; out != NULL && b < in->dim[batch]; b++) {
        if (length[b] < 0 || length[b] > in->dim[time])
            return error_set(call->error, "sequence %" PRId64 " has a length of %" PRId64, b,
                             length[b]);
        for (int64_t t = 0; t < in->dim[time]; t++) {
            int64_t from = t < length[b] ? length[b] - 1 - t : t;
            struct strided loops = {.operands = 2, .rank = in->rank};

            memcpy(loops.extent, in->dim, sizeof in->dim);
            memcpy(loops.stride[0], stride, sizeof stride);
            memcpy(loops.stride[1], stride, sizeof stride);
            loops.extent[time] = loops.extent[batch] = 1;
            strided_copy(&loops, size,
                         (char *)out->data + (size_t)(b * stride[batch] + t * stride[time]) * size,
                         (const char *)in->data +
                             (size_t)(b * stride[batch] + from * stride[time]) * size);
        }
    }
    return true;
}

/* --- Trilu --- */

static bool triangle_accepts(const struct call *call)
{
    const struct tensor *diagonal = call_input(call, 1);

    if (!accept_inputs(call, 1) || !attributes_among(call, "upper") ||
        !accept_types(call, 1, 1, TYPE(DTYPE_I64)) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_shape(call, 0, 0))
        return false;
    if (call->input[0]->rank < 2)
        return error_set(call->error, "input 0 is not a matrix");
    if (diagonal != NULL && tensor_elements(diagonal) != 1)
        return error_set(call->error, "input 1 is not a single number");
    return true;
}

/* Elements [FIRST, LAST) of a row stay, the others become 0.  */
static void keep(char *to, const char *from, int64_t columns, int64_t first, int64_t last,
                 size_t size)
{
    size_t before = (size_t)first * size, behind = (size_t)(columns - last) * size;

    memset(to, 0, before);
    if (to != from && first < last)
        memmove(to + before, from + before, (size_t)(last - first) * size);
    memset(to + (size_t)last * size, 0, behind);
}

static bool triangle_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    bool upper = computation_integer(call->computation, "upper", 1) != 0;
    int64_t diagonal = call_input(call, 1) == NULL ? 0 : tensor_integer(call->input[1], 0);
    int64_t rows = in->dim[in->rank - 2], columns = in->dim[in->rank - 1];
    size_t size = dtype_size(in->dtype), row_size = (size_t)columns * size;

    if (out == NULL || tensor_elements(out) == 0)
        return true;
    diagonal = max64(-rows, min64(diagonal, columns)); /* further ones keep as much */
    for (int64_t row = 0; row < tensor_elements(in) / columns; row++) {
        /* The first column that an upper triangle keeps, and a lower one does not.  */
        int64_t border = row % rows + diagonal + (upper ? 0 : 1);

        border = max64(0, min64(border, columns));
        keep((char *)out->data + (size_t)row * row_size,
             (const char *)in->data + (size_t)row * row_size, columns, upper ? border : 0,
             upper ? columns : border, size);
    }
    return true;
}

const struct operator_rule operators_rows[] = {
    {"ReverseSequence", reverse_accepts, reverse_run, 0},
    {"Trilu", triangle_accepts, triangle_run, 0},
    {0},
};
