/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ncnn layers with windows that slide: convolutions and pools.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/graph/window.h"
#include "workloads/readers/ncnn/layers.h"

/* Padding that keeps the length, the odd one last or first.  */
#define SAME_UPPER NCNN_REST
#define SAME_LOWER (-234)

bool ncnn_activation(struct ncnn_work *work, int64_t key)
{
    static const char *const word[] = {NULL,      "relu", "leaky_relu", "clip",
                                       "sigmoid", "mish", "hard_swish"};
    int64_t type = ncnn_int(work, key, 0);

    if (type < 0 || type >= (int64_t)(sizeof word / sizeof word[0]))
        return error_set(work->error, "activation %" PRId64 ", expected 0 to 6", type);
    work->activation = word[type];
    return true;
}

/* Works out padding that keeps the length, where that is asked for.  */
static bool resolve_padding(struct ncnn_work *work, struct window_axis *axis)
{
    if (axis->before != SAME_UPPER && axis->before != SAME_LOWER)
        return true;
    return window_pad_same(axis, axis->before == SAME_LOWER, work->error);
}

/* What the parameters say of a convolution, 2-D, over IMAGE, or of a transposed one.  */
static struct conv_shape conv_params(struct ncnn_work *work, struct ncnn_image image,
                                     int64_t groups)
{
    struct conv_shape conv = {.n = 1, .c = image.c, .h = image.h, .w = image.w, .groups = groups};

    conv.k = ncnn_int(work, 0, 0);
    conv.s = ncnn_int(work, 1, 0);
    conv.r = ncnn_int(work, 11, conv.s);
    conv.dilation_w = ncnn_int(work, 2, 1);
    conv.dilation_h = ncnn_int(work, 12, conv.dilation_w);
    conv.stride_w = ncnn_int(work, 3, 1);
    conv.stride_h = ncnn_int(work, 13, conv.stride_w);
    conv.pad_left = ncnn_int(work, 4, 0);
    conv.pad_top = ncnn_int(work, 14, conv.pad_left);
    conv.pad_right = ncnn_int(work, 15, conv.pad_left);
    conv.pad_bottom = ncnn_int(work, 16, conv.pad_top);
    return conv;
}

static bool resolve_paddings(struct ncnn_work *work, struct conv_shape *conv)
{
    struct window_axis rows = window_rows(conv), columns = window_columns(conv);

    if (!resolve_padding(work, &rows) || !resolve_padding(work, &columns))
        return false;
    conv->pad_top = rows.before;
    conv->pad_bottom = rows.after;
    conv->pad_left = columns.before;
    conv->pad_right = columns.after;
    return true;
}

/* Notes weights and bias, after checking their number where the file has it.  */
static bool store_weights(struct ncnn_work *work, int rank, const int64_t *dim)
{
    int64_t said = ncnn_int(work, 6, 0), elements;

    if (!ncnn_store(work, "weight", VALUE_WEIGHT, rank, dim) ||
        !shape_elements(&work->stored[work->n_stored - 1].shape, &elements, work->error))
        return false;
    if (said != 0 && said != elements)
        return error_set(work->error, "%" PRId64 " weights, expected %" PRId64, said, elements);
    return ncnn_int(work, 5, 0) == 0 || ncnn_store(work, "bias", VALUE_WEIGHT, 1, &dim[0]);
}

/* With weights that another layer makes, shapes cannot be told.  */
static bool weights_come_in(struct ncnn_work *work)
{
    work->open = ncnn_int(work, 19, 0) != 0;
    return work->open;
}

static bool conv(struct ncnn_work *work, int64_t groups)
{
    struct conv_shape shape;

    if (!ncnn_activation(work, 9))
        return false;
    if (weights_come_in(work))
        return true;
    shape = conv_params(work, ncnn_image(&work->in[0]), groups);
    if (!resolve_paddings(work, &shape) || !conv_shape_check(&shape, work->error))
        return false;
    work->conv = shape;
    work->macs = conv_shape_macs(&shape);
    work->out[0] = ncnn_image_shape(shape.k, conv_shape_out_h(&shape), conv_shape_out_w(&shape));
    return store_weights(work, 4, (const int64_t[]){shape.k, shape.c / groups, shape.r, shape.s});
}

bool ncnn_conv(struct ncnn_work *work)
{
    int64_t k = ncnn_int(work, 0, 0);

    /* On a vector a 1 x 1 convolution is a fully connected layer.  */
    if (work->in[0].rank == 1 && ncnn_int(work, 1, 0) == 1 && ncnn_int(work, 11, 1) == 1) {
        work->kind = OP_LINEAR;
        work->type = "linear";
        work->out[0] = (struct shape){.rank = 1, .dim = {k}};
        if (!ncnn_activation(work, 9))
            return false;
        if (!checked_mul(k, work->in[0].dim[0], &work->macs))
            return error_set(work->error, "its multiply-accumulates overflow 64 bits");
        return store_weights(work, 2, (const int64_t[]){k, work->in[0].dim[0]});
    }
    return conv(work, 1);
}

bool ncnn_conv_depthwise(struct ncnn_work *work)
{
    int64_t groups = ncnn_int(work, 7, 1);

    if (groups < 1)
        return error_set(work->error, "%" PRId64 " groups, expected at least 1", groups);
    return conv(work, groups);
}

static bool check_groups(struct ncnn_work *work, int64_t groups, int64_t c, int64_t k)
{
    return (groups >= 1 && c % groups == 0 && k % groups == 0) ||
           error_set(work->error, "%" PRId64 " groups have to divide %" PRId64 " and %" PRId64,
                     groups, c, k);
}

/* As many as the weights have elements, at H x W places.  */
static bool count_macs(struct ncnn_work *work, int64_t h, int64_t w)
{
    return (shape_elements(&work->stored[0].shape, &work->macs, work->error) &&
            checked_mul(work->macs, h, &work->macs) && checked_mul(work->macs, w, &work->macs)) ||
           error_set(work->error, "its multiply-accumulates overflow 64 bits");
}

/* Over a sequence: height is the channels.  */
static bool conv1d(struct ncnn_work *work, int64_t groups)
{
    int64_t c = work->in[0].dim[0], k = ncnn_int(work, 0, 0), length;
    struct window_axis axis = {.length = work->in[0].dim[1],
                               .taps = ncnn_int(work, 1, 0),
                               .dilation = ncnn_int(work, 2, 1),
                               .stride = ncnn_int(work, 3, 1),
                               .before = ncnn_int(work, 4, 0)};

    if (!ncnn_activation(work, 9))
        return false;
    if (weights_come_in(work))
        return true;
    axis.after = ncnn_int(work, 15, axis.before);
    if (!check_groups(work, groups, c, k) || !resolve_padding(work, &axis) ||
        !window_output(&axis, WINDOW_FLOOR, &length, work->error))
        return false;
    work->out[0] = (struct shape){.rank = 2, .dim = {k, length}};
    return store_weights(work, 3, (const int64_t[]){k, c / groups, axis.taps}) &&
           count_macs(work, length, 1);
}

bool ncnn_conv1d(struct ncnn_work *work)
{
    return conv1d(work, 1);
}

bool ncnn_conv1d_depthwise(struct ncnn_work *work)
{
    return conv1d(work, ncnn_int(work, 7, 1));
}

/* The output of a transposed convolution along AXIS.  Padding to a given length
 * (WANTED) comes instead of padding by a number of elements.  */
static bool deconv_length(struct ncnn_work *work, struct window_axis axis, int64_t extra,
                          int64_t wanted, int64_t *length)
{
    if (axis.before < 0 || axis.after < 0 || (axis.before == 0 && axis.after == 0)) {
        axis.before = axis.after = 0;
        if (wanted > 0) {
            *length = wanted;
            return true;
        }
    }
    return window_transposed(&axis, extra, length, work->error);
}

static bool deconv(struct ncnn_work *work, int64_t groups)
{
    struct ncnn_image image = ncnn_image(&work->in[0]);
    int64_t extra_w = ncnn_int(work, 18, 0), extra_h = ncnn_int(work, 19, extra_w);
    int64_t wanted_w = ncnn_int(work, 20, 0), wanted_h = ncnn_int(work, 21, wanted_w), h, w;
    struct conv_shape shape = conv_params(work, image, groups);

    if (!check_groups(work, groups, image.c, shape.k) || !ncnn_activation(work, 9) ||
        !deconv_length(work, window_rows(&shape), extra_h, wanted_h, &h) ||
        !deconv_length(work, window_columns(&shape), extra_w, wanted_w, &w))
        return false;
    work->out[0] = ncnn_image_shape(shape.k, h, w);
    return store_weights(work, 4, (const int64_t[]){shape.k, image.c / groups, shape.r, shape.s}) &&
           count_macs(work, image.h, image.w);
}

bool ncnn_deconv(struct ncnn_work *work)
{
    return deconv(work, 1);
}

bool ncnn_deconv_depthwise(struct ncnn_work *work)
{
    return deconv(work, ncnn_int(work, 7, 1));
}

/* --- pools --- */

/* One axis of a pool: parameter 5 says how the padding is meant.  */
static bool pool_length(struct ncnn_work *work, struct window_axis axis, int64_t *length)
{
    int64_t mode = ncnn_int(work, 5, 0);

    axis.dilation = 1;
    if (mode < 0 || mode > 3)
        return error_set(work->error, "padding mode %" PRId64 ", expected 0 to 3", mode);
    if (mode >= 2 && !window_pad_same(&axis, mode == 3, work->error))
        return false;
    return window_output(&axis, mode == 0 ? WINDOW_CEIL : WINDOW_FLOOR, length, work->error);
}

static void name_pool(struct ncnn_work *work, bool global)
{
    bool average = ncnn_int(work, 0, 0) != 0;

    if (global)
        work->type = average ? "global_avg_pool" : "global_max_pool";
    else
        work->type = average ? "avg_pool" : "max_pool";
}

bool ncnn_pool(struct ncnn_work *work)
{
    struct ncnn_image image = ncnn_image(&work->in[0]);
    struct window_axis rows = {.length = image.h}, columns = {.length = image.w};
    int64_t h, w;

    name_pool(work, ncnn_int(work, 4, 0) != 0);
    if (ncnn_int(work, 4, 0) != 0) {
        work->out[0] = (struct shape){.rank = 1, .dim = {image.c}};
        return true;
    }
    if (ncnn_int(work, 7, 0) != 0) { /* adaptive */
        w = ncnn_int(work, 8, 0);
        h = ncnn_int(work, 18, w);
        work->out[0] =
            ncnn_image_shape(image.c, h == NCNN_REST ? image.h : h, w == NCNN_REST ? image.w : w);
        return true;
    }
    columns.taps = ncnn_int(work, 1, 0);
    rows.taps = ncnn_int(work, 11, columns.taps);
    columns.stride = ncnn_int(work, 2, 1);
    rows.stride = ncnn_int(work, 12, columns.stride);
    columns.before = ncnn_int(work, 3, 0);
    rows.before = ncnn_int(work, 13, columns.before);
    columns.after = ncnn_int(work, 14, columns.before);
    rows.after = ncnn_int(work, 15, rows.before);
    if (!pool_length(work, rows, &h) || !pool_length(work, columns, &w))
        return false;
    work->out[0] = ncnn_image_shape(image.c, h, w);
    return true;
}

bool ncnn_pool1d(struct ncnn_work *work)
{
    struct window_axis axis = {.length = work->in[0].dim[1]};
    int64_t c = work->in[0].dim[0], w;

    name_pool(work, ncnn_int(work, 4, 0) != 0);
    if (ncnn_int(work, 4, 0) != 0) {
        work->out[0] = (struct shape){.rank = 1, .dim = {c}};
        return true;
    }
    if (ncnn_int(work, 7, 0) != 0) {
        w = ncnn_int(work, 8, 0);
    } else {
        axis.taps = ncnn_int(work, 1, 0);
        axis.stride = ncnn_int(work, 2, 1);
        axis.before = ncnn_int(work, 3, 0);
        axis.after = ncnn_int(work, 14, axis.before);
        if (!pool_length(work, axis, &w))
            return false;
    }
    work->out[0] = (struct shape){.rank = 2, .dim = {c, w == NCNN_REST ? axis.length : w}};
    return true;
}

/* Regions pooled to a fixed size.  */
bool ncnn_roi(struct ncnn_work *work)
{
    work->out[0] =
        ncnn_image_shape(ncnn_image(&work->in[0]).c, ncnn_int(work, 1, 0), ncnn_int(work, 0, 0));
    return true;
}
