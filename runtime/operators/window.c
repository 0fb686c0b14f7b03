/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions and pools: Conv, ConvTranspose, AveragePool, MaxPool, LpPool, their global forms,
 * MaxUnpool.  What they share, and the table; window_conv.c and window_pool.c run them.  */
#include <config.h>

#include "runtime/operators/window.h"

#include "lib/base/memory.h"
#include "runtime/operators/attributes.h"

static bool read_axes(const struct call *call, int axes, const int64_t *taps,
                      struct window_axis *axis)
{
    int64_t own[WINDOW_AXES], stride[WINDOW_AXES], dilation[WINDOW_AXES], pad[2 * WINDOW_AXES];

    if (taps == NULL && computation_find(call->computation, "kernel_shape") == NULL)
        return error_set(call->error, "there is no kernel_shape");
    if (!attribute_integers(call, "kernel_shape", axes, 1, INT32_MAX, 1, own) ||
        !attribute_integers(call, "strides", axes, 1, INT32_MAX, 1, stride) ||
        !attribute_integers(call, "dilations", axes, 1, INT32_MAX, 1, dilation) ||
        !attribute_integers(call, "pads", 2 * axes, 0, INT32_MAX, 0, pad))
        return false;
    for (int i = 0; i < axes; i++) {
        axis[i].taps = taps == NULL ? own[i] : taps[i];
        axis[i].stride = stride[i];
        axis[i].dilation = dilation[i];
        axis[i].before = pad[i];
        axis[i].after = pad[axes + i];
    }
    return true;
}

/* NOTSET: pads stay.  */
static bool pad_automatically(const struct call *call, int axes, struct window_axis *axis)
{
    static const char *const words[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID", NULL};
    int choice = attribute_choice(call, "auto_pad", words);

    if (choice < 0)
        return false;
    for (int i = 0; i < axes; i++) {
        if (choice == 3)
            axis[i].before = axis[i].after = 0;
        if ((choice == 1 || choice == 2) && !window_pad_same(&axis[i], choice == 2, call->error))
            return false;
    }
    return true;
}

bool windows_read(const struct call *call, const struct tensor *image, const struct tensor *places,
                  const int64_t *taps, struct windows *windows)
{
    int axes = image->rank - WINDOW_FRONT, lead = WINDOW_AXES - axes;
    struct window_axis *axis = windows->axis + lead;

    if (axes < 1 || axes > WINDOW_AXES || places->rank != image->rank)
        return error_set(call->error, "an image of %d dimensions, expected 3 to %d", image->rank,
                         WINDOW_FRONT + WINDOW_AXES);
    for (int i = 0; i < WINDOW_AXES; i++) {
        windows->axis[i] = (struct window_axis){.length = 1, .taps = 1, .stride = 1, .dilation = 1};
        windows->output[i] = 1;
    }
    for (int i = 0; i < axes; i++) {
        axis[i].length = image->dim[WINDOW_FRONT + i];
        windows->output[lead + i] = places->dim[WINDOW_FRONT + i];
    }
    return read_axes(call, axes, taps, axis) && pad_automatically(call, axes, axis);
}

int64_t windows_image(const struct windows *windows)
{
    return windows->axis[0].length * windows->axis[1].length * windows->axis[2].length;
}

int64_t windows_places(const struct windows *windows)
{
    return windows->output[0] * windows->output[1] * windows->output[2];
}

int64_t windows_taps(const struct windows *windows)
{
    return windows->axis[0].taps * windows->axis[1].taps * windows->axis[2].taps;
}

struct window_tap *windows_list(const struct windows *windows)
{
    const int64_t taps = windows_taps(windows);
    struct window_tap *list = memory_alloc((size_t)taps, sizeof *list);

    for (int64_t i = 0; i < taps; i++) {
        int64_t rest = i;

        for (int a = WINDOW_AXES - 1; a >= 0; a--) {
            const struct window_axis *axis = &windows->axis[a];

            list[i].axis[a].number = rest % axis->taps;
            window_range(axis, windows->output[a], rest % axis->taps, &list[i].axis[a].first,
                         &list[i].axis[a].past);
            rest /= axis->taps;
        }
    }
    return list;
}

int64_t windows_see(const struct windows *windows, const int64_t *place, int64_t *seen)
{
    const struct window_axis *axis = windows->axis;
    int64_t count = 0;

    for (int64_t t = 0; t < axis[0].taps; t++)
        for (int64_t s = 0; s < axis[1].taps; s++) {
            int64_t plane = window_at(&axis[0], place[0], t);
            int64_t row = window_at(&axis[1], place[1], s);

            if (!window_inside(&axis[0], plane) || !window_inside(&axis[1], row))
                continue;
            for (int64_t u = 0; u < axis[2].taps; u++) {
                int64_t column = window_at(&axis[2], place[2], u);

                if (window_inside(&axis[2], column))
                    seen[count++] = (plane * axis[1].length + row) * axis[2].length + column;
            }
        }
    return count;
}

const struct operator_rule operators_window[] = {
    {"AveragePool", window_accepts_pool, window_run_pool, WINDOW_MEAN},
    {"Conv", window_accepts_conv, window_run_conv, 0},
    {"ConvTranspose", window_accepts_transposed, window_run_transposed, 0},
    {"GlobalAveragePool", window_accepts_pool, window_run_pool, WINDOW_GLOBAL_MEAN},
    {"GlobalLpPool", window_accepts_pool, window_run_pool, WINDOW_GLOBAL_NORM},
    {"GlobalMaxPool", window_accepts_pool, window_run_pool, WINDOW_MAX},
    {"LpPool", window_accepts_pool, window_run_pool, WINDOW_NORM},
    {"MaxPool", window_accepts_max, window_run_max, 0},
    {"MaxUnpool", window_accepts_unpool, window_run_unpool, 0},
    {0},
};
