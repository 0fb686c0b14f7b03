/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conv, by sums over taps whose inner loop goes along a row of the output, and ConvTranspose, by a
 * product of matrices whose elements are spread: what ONNX's text says since versions 1; how
 * attribute output_shape of a transposed one splits its padding is the other way round in
 * version 1.  */
#include <config.h>

#include "runtime/operators/window.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/matrix.h"

struct conv {
    struct windows windows; /* of a transposed one those that its output is the image of */
    int64_t images, groups;
    int64_t channels; /* of the input, a group */
    int64_t filters;  /* output channels of a group */
    int64_t filter;   /* elements of a filter */
};

#define FILTERS 4   /* at a time: their sums share what is read of the input */
#define CHANNELS 16 /* in a block */
#define TILE 128    /* columns; the sums stay in the first-level cache */

/* Of a transposed one: places at a time, and filters' taps; the sums stay in the second.  */
#define STRIP 512
#define STRIP_SUMS 256

/* What a tap sees of one channel's image in a tile: COUNT elements from FIRST on, for the columns
 * from AT on.  */
struct stretch {
    int64_t tap, first, at, count;
};

/* Of a tile, in the order of the taps.  They are the same in all channels.  */
struct stretches {
    const struct window_tap *tap;
    struct stretch *stretch; /* has room for all taps */
    int64_t n;
};

/* Those of the tile of COUNT columns at PLACE.  */
static void find_stretches(const struct windows *windows, const int64_t *place, int64_t count,
                           struct stretches *found)
{
    const struct window_axis *axis = windows->axis;
    const int64_t taps = windows_taps(windows);

    found->n = 0;
    for (int64_t i = 0; i < taps; i++) {
        const struct window_tap *tap = &found->tap[i];
        const int64_t plane = window_at(&axis[0], place[0], tap->axis[0].number);
        const int64_t row = window_at(&axis[1], place[1], tap->axis[1].number);
        const int64_t first = max64(tap->axis[2].first, place[2]);
        const int64_t past = min64(tap->axis[2].past, place[2] + count);

        if (window_inside(&axis[0], plane) && window_inside(&axis[1], row) && first < past)
            found->stretch[found->n++] =
                (struct stretch){i,
                                 (plane * axis[1].length + row) * axis[2].length +
                                     window_at(&axis[2], first, tap->axis[2].number),
                                 first - place[2], past - first};
    }
}

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/window_conv_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/window_conv_real.h"

/* A pointwise convolution has one long row.  */
static void flatten(struct windows *windows)
{
    for (int i = 0; i < WINDOW_AXES; i++) {
        const struct window_axis *axis = &windows->axis[i];

        if (axis->taps != 1 || axis->stride != 1 || axis->before != 0 ||
            axis->length != windows->output[i])
            return;
    }
    for (int i = 0; i < WINDOW_AXES - 1; i++) {
        windows->axis[WINDOW_AXES - 1].length *= windows->axis[i].length;
        windows->output[WINDOW_AXES - 1] *= windows->output[i];
        windows->axis[i].length = windows->output[i] = 1;
    }
}

/* All of the shapes that the loops rely on.  */
static bool read_groups(const struct call *call, const struct tensor *w, int64_t x_channels,
                        int64_t y_channels, struct conv *conv)
{
    const struct tensor *bias = call_input(call, 2);

    if (!attribute_integers(call, "group", 1, 1, INT32_MAX, 1, &conv->groups))
        return false;
    if (x_channels % conv->groups != 0 || y_channels % conv->groups != 0)
        return error_set(call->error, "channels that do not fit the groups");
    conv->channels = x_channels / conv->groups;
    conv->filters = y_channels / conv->groups;
    conv->filter = 1;
    for (int i = 1; i < w->rank; i++)
        conv->filter *= w->dim[i];
    if (bias != NULL && tensor_elements(bias) != y_channels)
        return error_set(call->error, "a bias that does not fit the channels");
    return true;
}

static bool read_tensors(const struct call *call, const struct tensor **x, const struct tensor **w,
                         const struct tensor **y)
{
    *x = call_input(call, 0);
    *w = call_input(call, 1);
    *y = call_output(call, 0);
    if (*x == NULL || *w == NULL || *y == NULL)
        return error_set(call->error, "an input or the output is missing");
    if ((*w)->rank != (*x)->rank || (*y)->rank != (*x)->rank || (*x)->rank <= WINDOW_FRONT)
        return error_set(call->error, "input, weights and output differ in dimensions");
    return accept_types(call, 0, 3, TYPES_REAL);
}

static bool read_conv(const struct call *call, struct conv *conv)
{
    const struct tensor *x, *w, *y;

    if (!read_tensors(call, &x, &w, &y) ||
        !windows_read(call, x, y, w->dim + WINDOW_FRONT, &conv->windows) ||
        !read_groups(call, w, x->dim[1], y->dim[1], conv))
        return false;
    if (w->dim[0] != y->dim[1] || w->dim[1] != conv->channels)
        return error_set(call->error, "weights that do not fit the channels");
    conv->images = x->dim[0];
    flatten(&conv->windows);
    return true;
}

bool window_accepts_conv(const struct call *call)
{
    struct conv conv;

    return attributes_among(call, "auto_pad dilations group kernel_shape pads strides") &&
           read_conv(call, &conv);
}

bool window_run_conv(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *w = call_input(call, 1);
    const struct tensor *bias = call_input(call, 2), *y = call_output(call, 0);
    struct conv conv;

    read_conv(call, &conv); /* as it was accepted, by us or for a gradient */
    CALL_REAL(x->dtype, conv, &conv, x->data, w->data, bias == NULL ? NULL : bias->data, y->data);
    return true;
}

/* --- transposed --- */

/* The padding before the output where its shape is what is given: what the windows cover beyond
 * it, in two halves.  */
static bool pad_from_shape(const struct call *call, int axes, struct conv *conv)
{
    bool upper = computation_text_is(call->computation, "auto_pad", "SAME_UPPER", false);
    int64_t extra[WINDOW_AXES];

    if (!attribute_integers(call, "output_padding", axes, 0, INT32_MAX, 0, extra))
        return false;
    if (!upper && !computation_text_is(call->computation, "auto_pad", "SAME_LOWER", false) &&
        computation_find(call->computation, "output_shape") == NULL)
        return true;
    for (int i = 0; i < axes; i++) {
        struct window_axis *axis = &conv->windows.axis[WINDOW_AXES - axes + i];
        int64_t inputs = conv->windows.output[WINDOW_AXES - axes + i];
        int64_t total = (inputs - 1) * axis->stride + (axis->taps - 1) * axis->dilation + 1 +
                        extra[i] - axis->length;

        total = max64(total, 0); /* a larger output has nothing but bias behind */
        axis->before = upper == (call->computation->version >= 11) ? total / 2 : total - total / 2;
        axis->after = total - axis->before;
    }
    return true;
}

static bool read_transposed(const struct call *call, struct conv *conv)
{
    const struct tensor *x, *w, *y;

    if (!read_tensors(call, &x, &w, &y) ||
        !windows_read(call, y, x, w->dim + WINDOW_FRONT, &conv->windows) ||
        !pad_from_shape(call, x->rank - WINDOW_FRONT, conv) ||
        !read_groups(call, w, x->dim[1], y->dim[1], conv))
        return false;
    if (w->dim[0] != x->dim[1] || w->dim[1] != conv->filters)
        return error_set(call->error, "weights that do not fit the channels");
    conv->images = x->dim[0];
    return true;
}

bool window_accepts_transposed(const struct call *call)
{
    struct conv conv;

    return attributes_among(call, "auto_pad dilations group kernel_shape output_padding "
                                  "output_shape pads strides") &&
           read_transposed(call, &conv);
}

bool window_run_transposed(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *w = call_input(call, 1);
    const struct tensor *bias = call_input(call, 2), *y = call_output(call, 0);
    struct conv conv;

    read_transposed(call, &conv); /* as it was accepted, by us or for a gradient */
    CALL_REAL(x->dtype, transposed, &conv, x->data, w->data, bias == NULL ? NULL : bias->data,
              y->data);
    return true;
}
