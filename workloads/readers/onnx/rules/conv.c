/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What slides a window: convolutions and pools, of any number of dimensions.
 *
 * With ceil_mode the last window may hang over the end if it starts inside the
 * input or the padding before it, as the operators' text says today (older
 * texts left that open).  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <inttypes.h>

#include "lib/graph/window.h"

/* Batch and channels come before the dimensions that a window slides along.  */
#define FRONT 2
#define MAX_AXES (NETWORK_MAX_RANK - FRONT)

struct sliding {
    int axes;
    struct window_axis axis[MAX_AXES];
    bool same; /* padded so that only the stride shortens the output */
};

/* Element I of COUNT numbers, OTHERWISE when there are none.  */
static int64_t element(const int64_t *number, size_t count, int i, int64_t otherwise)
{
    return count == 0 ? otherwise : number[i];
}

static bool counts(struct onnx_op *op, const char *name, size_t count, size_t expected)
{
    return count == 0 || count == expected ||
           error_set(op->error, "attribute '%s' has %zu numbers, expected %zu", name, count,
                     expected);
}

/* Strides, dilations and padding over X, with TAPS along each axis.  */
static bool read_sliding(struct onnx_op *op, const struct shape *x, const int64_t *taps,
                         struct sliding *sliding)
{
    size_t n_strides, n_dilations, n_pads, axes;
    const int64_t *strides = onnx_ints(op, "strides", &n_strides);
    const int64_t *dilations = onnx_ints(op, "dilations", &n_dilations);
    const int64_t *pads = onnx_ints(op, "pads", &n_pads);
    bool upper = onnx_text_is(op, "auto_pad", "SAME_UPPER", false);
    bool lower = onnx_text_is(op, "auto_pad", "SAME_LOWER", false);

    sliding->axes = x->rank - FRONT;
    sliding->same = upper || lower;
    axes = (size_t)sliding->axes;
    if (!counts(op, "strides", n_strides, axes) || !counts(op, "dilations", n_dilations, axes) ||
        !counts(op, "pads", n_pads, 2 * axes))
        return false;
    if (onnx_text_is(op, "auto_pad", "VALID", false))
        n_pads = 0;
    for (int i = 0; i < sliding->axes; i++) {
        struct window_axis *axis = &sliding->axis[i];

        *axis = (struct window_axis){
            .length = x->dim[FRONT + i],
            .taps = taps[i],
            .stride = element(strides, n_strides, i, 1),
            .dilation = element(dilations, n_dilations, i, 1),
            .before = element(pads, n_pads, i, 0),
            .after = element(pads, n_pads, i + sliding->axes, 0),
        };
        if (sliding->same && !window_pad_same(axis, lower, op->error))
            return false;
    }
    return true;
}

static bool is_image(struct onnx_op *op, const struct shape *x)
{
    return x->rank > FRONT ||
           error_set(op->error, "its input has %d dimensions, expected at least 3", x->rank);
}

/* --- convolutions --- */

/* The filter's shape, checked against attribute kernel_shape.  */
static bool check_filter(struct onnx_op *op, const struct shape *x, const struct shape *w)
{
    size_t count;
    const int64_t *kernel = onnx_ints(op, "kernel_shape", &count);

    if (!is_image(op, x))
        return false;
    if (w->rank != x->rank)
        return error_set(op->error, "weights of %d dimensions for an input of %d", w->rank,
                         x->rank);
    if (!counts(op, "kernel_shape", count, (size_t)(x->rank - FRONT)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (kernel[i] != w->dim[FRONT + i])
            return error_set(op->error,
                             "kernel_shape says %" PRId64 " where the weights have %" PRId64,
                             kernel[i], w->dim[FRONT + i]);
    return true;
}

/* The shape for convolution kernels, of a two-dimensional one.  */
static void set_conv(struct onnx_op *op, const struct shape *x, const struct shape *w,
                     const struct sliding *sliding, int64_t groups)
{
    const struct window_axis *rows = &sliding->axis[0], *columns = &sliding->axis[1];

    if (sliding->axes != 2 || x->dim[0] == 0)
        return;
    op->conv = (struct conv_shape){
        .n = x->dim[0],
        .c = x->dim[1],
        .h = x->dim[2],
        .w = x->dim[3],
        .k = w->dim[0],
        .r = w->dim[2],
        .s = w->dim[3],
        .stride_h = rows->stride,
        .stride_w = columns->stride,
        .pad_top = rows->before,
        .pad_bottom = rows->after,
        .pad_left = columns->before,
        .pad_right = columns->after,
        .dilation_h = rows->dilation,
        .dilation_w = columns->dilation,
        .groups = groups,
    };
}

static bool check_groups(struct onnx_op *op, int64_t groups, int64_t channels, int64_t a_group,
                         int64_t outputs)
{
    if (groups < 1 || channels % groups != 0 || outputs % groups != 0)
        return error_set(op->error,
                         "%" PRId64 " groups of %" PRId64 " input and %" PRId64 " output channels",
                         groups, channels, outputs);
    if (channels / groups != a_group)
        return error_set(op->error,
                         "weights for %" PRId64 " channels a group, the input has %" PRId64,
                         a_group, channels / groups);
    return true;
}

/* Input X and the filter W are inputs 0 and DETAIL.  */
static bool infer_conv_of(struct onnx_op *op, enum dtype dtype)
{
    int64_t groups = onnx_int(op, "group", 1), factor[2 * NETWORK_MAX_RANK];
    const struct shape *x = &op->input[0]->shape, *w = &op->input[op->rule->detail]->shape;
    struct sliding sliding;
    struct shape y;
    size_t factors = 0;

    if (!check_filter(op, x, w) || !check_groups(op, groups, x->dim[1], w->dim[1], w->dim[0]) ||
        !read_sliding(op, x, w->dim + FRONT, &sliding))
        return false;
    y = *x;
    y.dim[1] = w->dim[0];
    for (int i = 0; i < sliding.axes; i++)
        if (!window_output(&sliding.axis[i], WINDOW_FLOOR, &y.dim[FRONT + i], op->error))
            return false;
    for (int i = 0; i < y.rank; i++)
        factor[factors++] = y.dim[i];
    for (int i = 1; i < w->rank; i++)
        factor[factors++] = w->dim[i];
    set_conv(op, x, w, &sliding, groups);
    onnx_set(op, 0, &y, dtype);
    return onnx_macs(op, factor, factors);
}

static bool infer_conv(struct onnx_op *op)
{
    return infer_conv_of(op, op->input[0]->dtype);
}

static bool infer_conv_integer(struct onnx_op *op)
{
    return infer_conv_of(op, DTYPE_I32);
}

/* x, its scale and zero point, w, its two, y's two, and perhaps a bias.  */
static bool infer_qlinear_conv(struct onnx_op *op)
{
    return infer_conv_of(op, op->input[7]->dtype);
}

/* Length I of the output of a transposed convolution.  */
static bool transposed_length(struct onnx_op *op, const struct sliding *sliding, int i,
                              int64_t *length)
{
    struct window_axis axis = sliding->axis[i];
    size_t n_shape, n_extra;
    const int64_t *shape = onnx_ints(op, "output_shape", &n_shape);
    const int64_t *extra = onnx_ints(op, "output_padding", &n_extra);
    size_t axes = (size_t)sliding->axes;

    if (!counts(op, "output_padding", n_extra, axes))
        return false;
    /* Some writers put batch and channels before.  */
    if (n_shape != axes + FRONT && !counts(op, "output_shape", n_shape, axes))
        return false;
    if (sliding->same)
        axis.before = axis.after = 0;
    if (!window_transposed(&axis, element(extra, n_extra, i, 0), length, op->error))
        return false;
    if (n_shape > 0)
        *length = shape[n_shape - axes + (size_t)i];
    else if (sliding->same)
        *length = axis.length * axis.stride;
    if (*length < 1)
        return error_set(op->error, "its output has length %" PRId64, *length);
    return true;
}

static bool infer_conv_transpose(struct onnx_op *op)
{
    int64_t groups = onnx_int(op, "group", 1), factor[2 * NETWORK_MAX_RANK];
    const struct shape *x = &op->input[0]->shape, *w = &op->input[1]->shape;
    struct sliding sliding;
    struct shape y;
    size_t factors = 0;

    if (!check_filter(op, x, w) || !read_sliding(op, x, w->dim + FRONT, &sliding))
        return false;
    if (groups < 1 || x->dim[1] != w->dim[0] || w->dim[0] % groups != 0)
        return error_set(op->error,
                         "%" PRId64 " input channels in %" PRId64 " groups, weights for %" PRId64,
                         x->dim[1], groups, w->dim[0]);
    y = *x;
    y.dim[1] = w->dim[1];
    if (__builtin_mul_overflow(w->dim[1], groups, &y.dim[1]))
        return error_set(op->error, "its output channels overflow 64 bits");
    for (int i = 0; i < sliding.axes; i++)
        if (!transposed_length(op, &sliding, i, &y.dim[FRONT + i]))
            return false;
    /* Each element of the input meets each tap of its group.  */
    for (int i = 0; i < x->rank; i++)
        factor[factors++] = x->dim[i];
    for (int i = 1; i < w->rank; i++)
        factor[factors++] = w->dim[i];
    onnx_set(op, 0, &y, op->input[0]->dtype);
    return onnx_macs(op, factor, factors);
}

/* --- pools --- */

static bool infer_pool(struct onnx_op *op)
{
    enum window_rounding rounding =
        onnx_int(op, "ceil_mode", 0) != 0 ? WINDOW_CEIL_INSIDE : WINDOW_FLOOR;
    const int64_t *taps;
    const struct shape *x = &op->input[0]->shape;
    struct sliding sliding;
    struct shape y;
    size_t count;

    if (!is_image(op, &op->input[0]->shape))
        return false;
    taps = onnx_ints(op, "kernel_shape", &count);
    if (count != (size_t)(x->rank - FRONT))
        return error_set(op->error, "attribute 'kernel_shape' has %zu numbers, expected %d", count,
                         x->rank - FRONT);
    if (!read_sliding(op, x, taps, &sliding))
        return false;
    y = *x;
    for (int i = 0; i < sliding.axes; i++)
        if (!window_output(&sliding.axis[i], rounding, &y.dim[FRONT + i], op->error))
            return false;
    onnx_set(op, 0, &y, op->input[0]->dtype);
    onnx_set_optional(op, 1, &y, DTYPE_I64); /* where the maxima were */
    return true;
}

static bool infer_global_pool(struct onnx_op *op)
{
    struct shape y = op->input[0]->shape;

    if (!is_image(op, &op->input[0]->shape))
        return false;
    for (int i = FRONT; i < y.rank; i++)
        y.dim[i] = 1;
    return onnx_set(op, 0, &y, op->input[0]->dtype);
}

/* Undoes a maximum pool: back to the shape that is asked for, or to the smallest
 * that the pool could have had.  */
static bool infer_unpool(struct onnx_op *op)
{
    const int64_t *taps, *wanted;
    struct sliding sliding;
    size_t count, given;
    struct shape y = op->input[0]->shape;

    if (!is_image(op, &op->input[0]->shape) || !onnx_numbers(op, 2, NULL, &wanted, &given))
        return false;
    taps = onnx_ints(op, "kernel_shape", &count);
    if (count != (size_t)(y.rank - FRONT) || (given != 0 && given != (size_t)y.rank))
        return error_set(op->error, "kernel_shape or output_shape do not fit %d dimensions",
                         y.rank);
    if (!read_sliding(op, &y, taps, &sliding))
        return false;
    for (int i = 0; i < sliding.axes; i++)
        if (!window_transposed(&sliding.axis[i], 0, &y.dim[FRONT + i], op->error))
            return false;
    for (size_t i = 0; i < given; i++)
        y.dim[i] = wanted[i];
    return onnx_set(op, 0, &y, op->input[0]->dtype);
}

/* Regions of interest: one row each, with the input's channels.  */
static bool infer_roi(struct onnx_op *op)
{
    size_t count;
    const int64_t *pooled = onnx_ints(op, "pooled_shape", &count);
    struct shape y = op->input[0]->shape;

    if (op->input[0]->shape.rank != 4 || op->input[1]->shape.rank != 2)
        return error_set(op->error, "expected an image and a table of regions");
    y.dim[0] = op->input[1]->shape.dim[0];
    y.dim[2] = count == 2 ? pooled[0] : onnx_int(op, "output_height", 1);
    y.dim[3] = count == 2 ? pooled[1] : onnx_int(op, "output_width", 1);
    return onnx_set(op, 0, &y, op->input[0]->dtype);
}

const struct onnx_rule onnx_rules_conv[] = {
    {"Conv", "conv", OP_CONV, infer_conv, 2, 1},
    {"ConvInteger", "conv_integer", OP_CONV, infer_conv_integer, 2, 1},
    {"QLinearConv", "qlinear_conv", OP_CONV, infer_qlinear_conv, 8, 3},
    {"DeformConv", "deform_conv", OP_OTHER, infer_conv, 2, 1},
    {"ConvTranspose", "conv_transpose", OP_CONV, infer_conv_transpose, 2, 0},
    {"AveragePool", "avg_pool", OP_POOL, infer_pool, 1, 0},
    {"MaxPool", "max_pool", OP_POOL, infer_pool, 1, 0},
    {"LpPool", "lp_pool", OP_POOL, infer_pool, 1, 0},
    {"GlobalAveragePool", "global_avg_pool", OP_POOL, infer_global_pool, 1, 0},
    {"GlobalMaxPool", "global_max_pool", OP_POOL, infer_global_pool, 1, 0},
    {"GlobalLpPool", "global_lp_pool", OP_POOL, infer_global_pool, 1, 0},
    {"MaxUnpool", "max_unpool", OP_OTHER, infer_unpool, 2, 0},
    {"MaxRoiPool", "max_roi_pool", OP_OTHER, infer_roi, 2, 0},
    {"RoiAlign", "roi_align", OP_OTHER, infer_roi, 2, 0},
    {0},
};
