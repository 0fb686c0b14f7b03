/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Col2Im (ONNX's text since version 18): blocks of an image, each in a column, added where they lie
 * in it; what lies on padding is dropped.  */
#include <config.h>

#include "runtime/operators/resize.h"

#include <inttypes.h>
#include <stdlib.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/window.h"

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/col2im_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/col2im_real.h"

/* The windows of blocks of TAPS elements over the output.  */
static bool read_windows(const struct call *call, const int64_t *taps, struct windows *windows)
{
    const struct tensor *y = call->output[0];

    if (!windows_read(call, y, y, taps, windows))
        return false;
    for (int i = 0; i < WINDOW_AXES; i++) {
        const struct window_axis *axis = &windows->axis[i];
        int64_t room = axis->length + axis->before + axis->after;
        int64_t reach = axis->dilation * (axis->taps - 1) + 1;

        windows->output[i] = room < reach ? 0 : (room - reach) / axis->stride + 1;
    }
    return true;
}

bool col2im_accepts(const struct call *call)
{
    static const int64_t taps[WINDOW_AXES] = {1, 1, 1};
    const struct tensor *x, *y = call_output(call, 0);
    struct windows windows;

    if (call->computation->version < 18)
        return error_set(call->error, "version %" PRId64 ", expected 18 or later",
                         call->computation->version);
    if (!accept_inputs(call, 3) || !accept_types(call, 0, 1, TYPES_REAL) ||
        !accept_types(call, 1, 2, TYPE(DTYPE_I64)) ||
        !attributes_among(call, "dilations pads strides"))
        return false;
    x = call->input[0];
    if (y == NULL)
        return true;
    if (x->rank != 3 || y->rank < 3 || y->dim[0] != x->dim[0] ||
        tensor_elements(call->input[1]) != y->rank - WINDOW_FRONT ||
        tensor_elements(call->input[2]) != y->rank - WINDOW_FRONT)
        return error_set(call->error, "columns, an image and blocks that do not go together");
    return windows_read(call, y, y, taps, &windows);
}

/* Whether the blocks, TAPS an axis, fill X.  */
static bool check_blocks(const struct call *call, const int64_t *taps)
{
    const struct tensor *x = call->input[0], *y = call->output[0];
    int64_t block = 1, column = x->dim[1];

    for (int i = 0; i < y->rank - WINDOW_FRONT; i++) {
        if (taps[i] < 1 || taps[i] > x->dim[1] || column % taps[i] != 0)
            return error_set(call->error, "columns of %" PRId64 " are not made of blocks",
                             x->dim[1]);
        column /= taps[i];
        block *= taps[i];
    }
    return block * y->dim[1] == x->dim[1] ||
           error_set(call->error, "columns of %" PRId64 " for %" PRId64 " channels", x->dim[1],
                     y->dim[1]);
}

bool col2im_run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call_output(call, 0);
    struct windows windows;
    int64_t *taps;
    size_t count;
    bool good;

    if (y == NULL || tensor_elements(y) == 0)
        return true;
    taps = tensor_integers(call->input[2], &count);
    good = check_blocks(call, taps) && read_windows(call, taps, &windows);
    free(taps);
    if (good && windows_places(&windows) != x->dim[2])
        good = error_set(call->error, "%" PRId64 " columns for %" PRId64 " blocks", x->dim[2],
                         windows_places(&windows));
    if (good)
        CALL_REAL(y->dtype, col2im, &windows, y->dim[0] * y->dim[1], x->data, y->data);
    return good;
}
