/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CenterCropPad (ONNX's text since version 18): the middle of the input, or the input in the middle
 * of zeros.  Of an odd number that is cut off or added, the larger half is behind.  */
#include <config.h>

#include "runtime/operators/resize.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

bool crop_accepts(const struct call *call)
{
    const struct tensor *y = call_output(call, 0);

    if (call->computation->version < 18)
        return error_set(call->error, "version %" PRId64 ", expected 18 or later",
                         call->computation->version);
    if (!accept_inputs(call, 1) || !attributes_among(call, "axes") ||
        !accept_output(call, 0, call->input[0]->dtype))
        return false;
    return y == NULL || y->rank == call->input[0]->rank ||
           error_set(call->error, "the output has another rank");
}

/* What the shape is, is seen from the output.  */
bool crop_run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call_output(call, 0);
    struct strided loops = {.operands = 2, .rank = x->rank};
    size_t size = dtype_size(x->dtype), from = 0, to = 0;

    if (y == NULL || tensor_elements(y) == 0)
        return true;
    memset(y->data, 0, (size_t)tensor_elements(y) * size);
    if (tensor_elements(x) == 0)
        return true;
    strided_dense(y->rank, y->dim, loops.stride[0]);
    strided_dense(x->rank, x->dim, loops.stride[1]);
    for (int d = 0; d < x->rank; d++) {
        loops.extent[d] = min64(x->dim[d], y->dim[d]);
        to += (size_t)((y->dim[d] - loops.extent[d]) / 2 * loops.stride[0][d]);
        from += (size_t)((x->dim[d] - loops.extent[d]) / 2 * loops.stride[1][d]);
    }
    strided_copy(&loops, size, (char *)y->data + to * size, (const char *)x->data + from * size);
    return true;
}
