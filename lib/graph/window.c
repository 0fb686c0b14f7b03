/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/window.h"

#include <inttypes.h>
#include <stddef.h>

#include "lib/base/checked.h"
#include "lib/graph/conv_shape.h"

struct window_axis window_rows(const struct conv_shape *shape)
{
    return (struct window_axis){.length = shape->h,
                                .taps = shape->r,
                                .stride = shape->stride_h,
                                .dilation = shape->dilation_h,
                                .before = shape->pad_top,
                                .after = shape->pad_bottom};
}

struct window_axis window_columns(const struct conv_shape *shape)
{
    return (struct window_axis){.length = shape->w,
                                .taps = shape->s,
                                .stride = shape->stride_w,
                                .dilation = shape->dilation_w,
                                .before = shape->pad_left,
                                .after = shape->pad_right};
}

/* With every field below 2^31 no product or sum here leaves 64 bits.  */
static bool in_range(const struct window_axis *axis, struct error *error)
{
    const struct {
        const char *name;
        int64_t value, low;
    } field[] = {
        {"length", axis->length, 1},     {"filter", axis->taps, 1},    {"stride", axis->stride, 1},
        {"dilation", axis->dilation, 1}, {"padding", axis->before, 0}, {"padding", axis->after, 0},
    };

    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++)
        if (field[i].value < field[i].low || field[i].value > INT32_MAX)
            return error_set(error, "window: %s %" PRId64 ", expected %" PRId64 " to %d",
                             field[i].name, field[i].value, field[i].low, INT32_MAX);
    return true;
}

/* The elements from a window's first tap to its last.  */
static int64_t reach(const struct window_axis *axis)
{
    return axis->dilation * (axis->taps - 1) + 1;
}

bool window_output(const struct window_axis *axis, enum window_rounding rounding, int64_t *output,
                   struct error *error)
{
    int64_t room, out;

    if (!in_range(axis, error))
        return false;
    room = axis->before + axis->length + axis->after - reach(axis);
    if (room < 0)
        return error_set(error, "window: %" PRId64 " elements do not fit %" PRId64 " with padding",
                         reach(axis), axis->before + axis->length + axis->after);
    out = room / axis->stride + 1;
    if (rounding != WINDOW_FLOOR && room % axis->stride != 0)
        out++;
    if (rounding == WINDOW_CEIL_INSIDE && (out - 1) * axis->stride >= axis->length + axis->before)
        out--;
    *output = out;
    return true;
}

bool window_pad_same(struct window_axis *axis, bool odd_first, struct error *error)
{
    int64_t out, total;

    axis->before = axis->after = 0;
    if (!in_range(axis, error))
        return false;
    out = (axis->length + axis->stride - 1) / axis->stride;
    total = max64((out - 1) * axis->stride + reach(axis) - axis->length, 0);
    axis->before = odd_first ? total - total / 2 : total / 2;
    axis->after = total - axis->before;
    return true;
}

bool window_transposed(const struct window_axis *axis, int64_t extra, int64_t *output,
                       struct error *error)
{
    int64_t out;

    if (!in_range(axis, error))
        return false;
    if (extra < 0 || extra > INT32_MAX)
        return error_set(error, "window: output padding %" PRId64 ", expected 0 to %d", extra,
                         INT32_MAX);
    out = (axis->length - 1) * axis->stride + reach(axis) + extra - axis->before - axis->after;
    if (out < 1)
        return error_set(error, "window: the padding leaves nothing of the output");
    *output = out;
    return true;
}
