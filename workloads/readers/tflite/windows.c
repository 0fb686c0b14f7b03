/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's convolutions, pools and matrix products.  Images are
 * N x H x W x C.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/graph/window.h"
#include "workloads/readers/tflite/ops.h"

enum { SAME, VALID };

/* Padding (field 0), strides (1 and 2), and, unless DILATION is 0, dilations
 * (DILATION and the next): of convolutions and pools alike.  */
static bool get_window(struct tflite_work *work, struct conv_shape *conv, size_t dilation)
{
    struct window_axis rows, columns;
    int padding;

    conv->dilation_w = conv->dilation_h = 1;
    if (!tflite_option_byte(work, 0, &padding) || !tflite_option(work, 1, &conv->stride_w) ||
        !tflite_option(work, 2, &conv->stride_h))
        return false;
    if (dilation != 0 && (!tflite_option(work, dilation, &conv->dilation_w) ||
                          !tflite_option(work, dilation + 1, &conv->dilation_h)))
        return false;
    if (conv->dilation_w == 0) /* left out */
        conv->dilation_w = 1;
    if (conv->dilation_h == 0)
        conv->dilation_h = 1;
    if (padding != SAME && padding != VALID)
        return error_set(work->error, "padding %d, expected 0 (SAME) or 1 (VALID)", padding);
    if (padding == VALID)
        return true;
    rows = window_rows(conv);
    columns = window_columns(conv);
    if (!window_pad_same(&rows, false, work->error) ||
        !window_pad_same(&columns, false, work->error))
        return false;
    conv->pad_top = rows.before;
    conv->pad_bottom = rows.after;
    conv->pad_left = columns.before;
    conv->pad_right = columns.after;
    return true;
}

static bool is_image(struct tflite_work *work, size_t index, const char *what)
{
    return tflite_in(work, index)->rank == 4 ||
           error_set(work->error, "%s has %d dimensions, expected 4", what,
                     tflite_in(work, index)->rank);
}

static struct conv_shape over(const struct shape *image)
{
    return (struct conv_shape){
        .n = image->dim[0], .h = image->dim[1], .w = image->dim[2], .c = image->dim[3]};
}

static void set_output(struct tflite_work *work, int64_t n, int64_t h, int64_t w, int64_t c)
{
    work->out[0] = (struct shape){.rank = 4, .dim = {n, h, w, c}};
}

static bool convolve(struct tflite_work *work, const struct conv_shape *conv)
{
    if (!conv_shape_check(conv, work->error))
        return false;
    work->conv = *conv;
    work->macs = conv_shape_macs(conv);
    set_output(work, conv->n, conv_shape_out_h(conv), conv_shape_out_w(conv), conv->k);
    return true;
}

/* Filters are K x R x S x C / groups: there are as many groups as that makes.  */
bool tflite_conv(struct tflite_work *work)
{
    const struct shape *filter = tflite_in(work, 1);
    struct conv_shape conv;

    if (!is_image(work, 0, "the input") || !is_image(work, 1, "the filter"))
        return false;
    conv = over(tflite_in(work, 0));
    conv.k = filter->dim[0];
    conv.r = filter->dim[1];
    conv.s = filter->dim[2];
    if (filter->dim[3] < 1 || conv.c % filter->dim[3] != 0)
        return error_set(work->error, "a filter of %" PRId64 " channels for %" PRId64,
                         filter->dim[3], conv.c);
    conv.groups = conv.c / filter->dim[3];
    return get_window(work, &conv, 4) && convolve(work, &conv);
}

/* Filters are 1 x R x S x K.  */
bool tflite_depthwise(struct tflite_work *work)
{
    const struct shape *filter = tflite_in(work, 1);
    struct conv_shape conv;

    if (!is_image(work, 0, "the input") || !is_image(work, 1, "the filter"))
        return false;
    conv = over(tflite_in(work, 0));
    conv.r = filter->dim[1];
    conv.s = filter->dim[2];
    conv.k = filter->dim[3];
    conv.groups = conv.c;
    return get_window(work, &conv, 5) && convolve(work, &conv);
}

bool tflite_pool(struct tflite_work *work)
{
    struct conv_shape pool;

    if (!is_image(work, 0, "the input"))
        return false;
    pool = over(tflite_in(work, 0));
    pool.k = pool.groups = pool.c;
    if (!tflite_option(work, 3, &pool.s) || !tflite_option(work, 4, &pool.r) ||
        !get_window(work, &pool, 0) || !conv_shape_check(&pool, work->error))
        return false;
    set_output(work, pool.n, conv_shape_out_h(&pool), conv_shape_out_w(&pool), pool.c);
    return true;
}

/* The output's shape is an input, unless the image's size was changed: then the
 * window decides, as it does for the converter.  Filters are K x R x S x C.  */
bool tflite_transpose_conv(struct tflite_work *work)
{
    const struct shape *image = tflite_in(work, 2), *filter = tflite_in(work, 1);
    struct conv_shape conv;
    int64_t h, w;
    int padding;

    if (!is_image(work, 2, "the input") || !is_image(work, 1, "the filter"))
        return false;
    conv = over(image);
    conv.k = filter->dim[0];
    conv.r = filter->dim[1];
    conv.s = filter->dim[2];
    conv.dilation_h = conv.dilation_w = 1;
    if (!tflite_option_byte(work, 0, &padding) || !tflite_option(work, 1, &conv.stride_w) ||
        !tflite_option(work, 2, &conv.stride_h))
        return false;
    if (padding == SAME) {
        if (!checked_mul(conv.h, conv.stride_h, &h) || !checked_mul(conv.w, conv.stride_w, &w))
            return error_set(work->error, "its output overflows 64 bits");
    } else {
        struct window_axis rows = window_rows(&conv), columns = window_columns(&conv);

        if (!window_transposed(&rows, 0, &h, work->error) ||
            !window_transposed(&columns, 0, &w, work->error))
            return false;
    }
    set_output(work, conv.n, h, w, conv.k);
    work->macs = 1;
    for (int i = 0; i < 4; i++)
        if (!checked_mul(work->macs, i < 3 ? image->dim[i] : 1, &work->macs) ||
            !checked_mul(work->macs, filter->dim[i], &work->macs))
            return error_set(work->error, "its multiply-accumulates overflow 64 bits");
    return true;
}

/* Rows of as many elements as the weights have; with keep_num_dims (option 2)
 * the input's dimensions but for the last.  */
bool tflite_fully_connected(struct tflite_work *work)
{
    const struct shape *in = tflite_in(work, 0), *weight = tflite_in(work, 1);
    int64_t elements, rows;
    int keep;

    if (weight->rank != 2 || weight->dim[1] < 1)
        return error_set(work->error, "weights of %d dimensions, expected 2", weight->rank);
    if (!shape_elements(in, &elements, work->error) || !tflite_option_byte(work, 2, &keep))
        return false;
    if (elements % weight->dim[1] != 0)
        return error_set(work->error, "%" PRId64 " elements for rows of %" PRId64, elements,
                         weight->dim[1]);
    rows = elements / weight->dim[1];
    if (!checked_mul(elements, weight->dim[0], &work->macs))
        return error_set(work->error, "its multiply-accumulates overflow 64 bits");
    work->out[0] = (struct shape){.rank = 2, .dim = {rows, weight->dim[0]}};
    if (keep != 0 && in->rank > 0) {
        work->out[0] = *in;
        work->out[0].dim[in->rank - 1] = weight->dim[0];
    }
    return true;
}

/* Options 0 and 1: the last two dimensions of a side are exchanged.  */
bool tflite_batch_matmul(struct tflite_work *work)
{
    struct shape side[2] = {*tflite_in(work, 0), *tflite_in(work, 1)};

    for (size_t i = 0; i < 2; i++) {
        int rank = side[i].rank, exchanged;

        if (!tflite_option_byte(work, i, &exchanged))
            return false;
        if (exchanged != 0 && rank >= 2) {
            int64_t last = side[i].dim[rank - 1];

            side[i].dim[rank - 1] = side[i].dim[rank - 2];
            side[i].dim[rank - 2] = last;
        }
    }
    return shape_matmul(&side[0], &side[1], &work->out[0], work->error);
}
