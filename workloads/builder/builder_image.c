/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/builder/builder.h"

#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/graph/window.h"
#include "workloads/builder/builder_private.h"

/* --- windows --- */

/* The convolution that slides WINDOW over image X with K output channels.  */
static struct conv_shape window_shape(struct builder *b, size_t x, int64_t k,
                                      const struct window *window)
{
    const struct value *value = builder_value(b, x);
    int64_t stride = window->stride == 0 ? 1 : window->stride;
    struct conv_shape shape = {
        .n = value->dim[0],
        .c = value->dim[1],
        .h = value->dim[2],
        .w = value->dim[3],
        .k = k,
        .r = window->r,
        .s = window->s == 0 ? window->r : window->s,
        .stride_h = stride,
        .stride_w = stride,
        .pad_top = window->pad + window->pad_h,
        .pad_bottom = window->pad + window->pad_h,
        .pad_left = window->pad + window->pad_w,
        .pad_right = window->pad + window->pad_w,
        .dilation_h = 1,
        .dilation_w = 1,
        .groups = window->groups == 0 ? 1 : window->groups,
    };

    if (window->same) {
        struct window_axis rows = window_rows(&shape), columns = window_columns(&shape);
        struct error error;

        if (!window_pad_same(&rows, false, &error) || !window_pad_same(&columns, false, &error))
            builder_fail(b, "%s", error.text);
        shape.pad_top = rows.before;
        shape.pad_bottom = rows.after;
        shape.pad_left = columns.before;
        shape.pad_right = columns.after;
    }
    return shape;
}

/* What a window is called among the attributes of convolutions and pools.  */
static void set_window(struct computation *computation, const struct conv_shape *shape)
{
    computation_set_integers(computation, "kernel_shape", (const int64_t[]){shape->r, shape->s}, 2);
    computation_set_integers(computation, "strides",
                             (const int64_t[]){shape->stride_h, shape->stride_w}, 2);
    computation_set_integers(
        computation, "pads",
        (const int64_t[]){shape->pad_top, shape->pad_left, shape->pad_bottom, shape->pad_right}, 4);
}

size_t builder_conv_window(struct builder *b, const char *name, size_t x, int64_t k,
                           struct window window)
{
    struct computation *computation;
    struct conv_shape shape;
    struct error error;
    size_t input[3] = {x}, inputs = 2, value;

    if (!builder_is_image(b, name, x))
        return NETWORK_NONE;
    shape = window_shape(b, x, k, &window);
    if (!conv_shape_check(&shape, &error)) {
        builder_fail(b, "%s%s: %s", b->prefix, name, error.text);
        return NETWORK_NONE;
    }
    input[1] = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 4,
                                  (const int64_t[]){k, shape.c / shape.groups, shape.r, shape.s});
    if (window.bias)
        input[inputs++] = builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, &k);
    value = builder_add_op(
        b, name, OP_CONV, "conv", input, inputs, 4,
        (const int64_t[]){shape.n, k, conv_shape_out_h(&shape), conv_shape_out_w(&shape)});
    builder_maker(b, value)->conv = shape;
    builder_maker(b, value)->macs = conv_shape_macs(&shape);
    computation = builder_computes(b, value, "Conv", 11);
    set_window(computation, &shape);
    computation_set_integer(computation, "group", shape.groups);
    return value;
}

/* FUNCTION is the pool's name in ONNX's set.  */
static size_t add_pool(struct builder *b, const char *name, const char *type, const char *function,
                       size_t x, const struct window *window)
{
    enum window_rounding rounding = window->ceil ? WINDOW_CEIL_INSIDE : WINDOW_FLOOR;
    struct computation *computation;
    struct window_axis rows, columns;
    struct conv_shape shape;
    struct error error;
    int64_t dim[4];
    size_t value;

    if (!builder_is_image(b, name, x))
        return NETWORK_NONE;
    /* A pool slides like a depthwise convolution.  */
    shape = window_shape(b, x, builder_dim(b, x, 1), window);
    shape.groups = shape.c;
    if (!conv_shape_check(&shape, &error)) {
        builder_fail(
            b, "%s%s: a window of %" PRId64 " x %" PRId64 " does not fit %" PRId64 " x %" PRId64,
            b->prefix, name, shape.r, shape.s, shape.h, shape.w);
        return NETWORK_NONE;
    }
    dim[0] = shape.n;
    dim[1] = shape.c;
    rows = window_rows(&shape);
    columns = window_columns(&shape);
    if (!window_output(&rows, rounding, &dim[2], &error) ||
        !window_output(&columns, rounding, &dim[3], &error)) {
        builder_fail(b, "%s%s: %s", b->prefix, name, error.text);
        return NETWORK_NONE;
    }
    value = builder_add_op(b, name, OP_POOL, type, &x, 1, 4, dim);
    computation = builder_computes(b, value, function, 12);
    set_window(computation, &shape);
    computation_set_integer(computation, "ceil_mode", window->ceil);
    return value;
}

size_t builder_max_pool_window(struct builder *b, const char *name, size_t x, struct window window)
{
    return add_pool(b, name, "max_pool", "MaxPool", x, &window);
}

size_t builder_avg_pool_window(struct builder *b, const char *name, size_t x, struct window window)
{
    return add_pool(b, name, "avg_pool", "AveragePool", x, &window);
}

size_t builder_global_avg_pool(struct builder *b, const char *name, size_t x)
{
    if (!builder_is_image(b, name, x))
        return NETWORK_NONE;
    x = builder_add_op(b, name, OP_POOL, "global_avg_pool", &x, 1, 4,
                       (const int64_t[]){builder_dim(b, x, 0), builder_dim(b, x, 1), 1, 1});
    builder_computes(b, x, "GlobalAveragePool", 1);
    return x;
}

size_t builder_conv_transpose(struct builder *b, const char *name, size_t x, int64_t k, int64_t r)
{
    int64_t macs, dim[4];
    struct value in;
    size_t input[3] = {x}, value;

    if (!builder_is_image(b, name, x))
        return NETWORK_NONE;
    in = *builder_value(b, x);
    dim[0] = in.dim[0];
    dim[1] = k;
    if (!checked_mul(in.dim[2], r, &dim[2]) || !checked_mul(in.dim[3], r, &dim[3]) ||
        !checked_mul(in.dim[0], k, &macs) || !checked_mul(macs, in.dim[1], &macs) ||
        !checked_mul(macs, dim[2], &macs) || !checked_mul(macs, dim[3], &macs)) {
        builder_fail(b, "%s%s: its multiply-accumulates overflow 64 bits", b->prefix, name);
        return NETWORK_NONE;
    }
    input[1] = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 4,
                                  (const int64_t[]){in.dim[1], k, r, r});
    input[2] = builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, &k);
    value = builder_add_op(b, name, OP_CONV, "conv_transpose", input, 3, 4, dim);
    builder_maker(b, value)->macs = macs;
    computation_set_integers(builder_computes(b, value, "ConvTranspose", 11), "strides",
                             (const int64_t[]){r, r}, 2);
    return value;
}

size_t builder_upsample(struct builder *b, const char *name, size_t x, int64_t factor)
{
    struct value shape;

    if (!builder_is_image(b, name, x))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    if (!checked_mul(shape.dim[2], factor, &shape.dim[2]) ||
        !checked_mul(shape.dim[3], factor, &shape.dim[3])) {
        builder_fail(b, "%s%s: its size overflows 64 bits", b->prefix, name);
        return NETWORK_NONE;
    }
    x = builder_add_op(b, name, OP_OTHER, "upsample", &x, 1, 4, shape.dim);
    computation_set_reals(builder_computes(b, x, "Upsample", 7), "scales",
                          (const double[]){1.0, 1.0, (double)factor, (double)factor}, 4);
    return x;
}

/* --- normalisations --- */

size_t builder_batch_norm(struct builder *b, const char *name, size_t x)
{
    struct value shape;
    size_t input[5];

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    input[0] = x;
    input[1] = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 1, &shape.dim[1]);
    input[2] = builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, &shape.dim[1]);
    input[3] = builder_add_stored(b, name, "running_mean", VALUE_STATISTIC, 1, &shape.dim[1]);
    input[4] = builder_add_stored(b, name, "running_var", VALUE_STATISTIC, 1, &shape.dim[1]);
    x = builder_add_op(b, name, OP_BATCH_NORM, "batch_norm", input, 5, shape.rank, shape.dim);
    builder_computes(b, x, "BatchNormalization", 9);
    return x;
}

size_t builder_lrn(struct builder *b, const char *name, size_t x)
{
    struct computation *computation;

    x = builder_add_same(b, name, OP_LRN, "lrn", x);
    if (builder_failed(b))
        return NETWORK_NONE;
    computation = builder_computes(b, x, "LRN", 13);
    computation_set_integer(computation, "size", 5);
    computation_set_real(computation, "alpha", 1e-4);
    computation_set_real(computation, "beta", 0.75);
    computation_set_real(computation, "bias", 2.0);
    return x;
}
