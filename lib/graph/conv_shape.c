/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/conv_shape.h"

#include <inttypes.h>
#include <stddef.h>

#include "lib/base/checked.h"

/* Product of COUNT positive factors; false when it does not fit.  */
static bool product_fits(const int64_t *factor, size_t count)
{
    int64_t product = 1;

    for (size_t i = 0; i < count; i++)
        if (!checked_mul(product, factor[i], &product))
            return false;
    return true;
}

/* Checks one axis: LENGTH + padding has to hold a filter of TAPS taps.
 * *PADDED becomes the padded length.  */
static bool axis_fits(const char *axis, int64_t length, int64_t taps, int64_t dilation,
                      int64_t before, int64_t after, int64_t *padded, struct error *error)
{
    int64_t reach;

    if (!checked_add(length, before, padded) || !checked_add(*padded, after, padded) ||
        !checked_mul(dilation, taps - 1, &reach) || !checked_add(reach, 1, &reach))
        return error_set(error, "convolution: the padded %s overflows 64 bits", axis);
    if (*padded < reach)
        return error_set(error,
                         "convolution: the output is empty: %s %" PRId64
                         " with padding is below the filter's %" PRId64,
                         axis, *padded, reach);
    return true;
}

static bool fields_in_range(const struct conv_shape *shape, struct error *error)
{
    const struct {
        const char *name;
        int64_t value, low;
    } field[] = {
        {"batch", shape->n, 1},
        {"input channels", shape->c, 1},
        {"input height", shape->h, 1},
        {"input width", shape->w, 1},
        {"output channels", shape->k, 1},
        {"filter height", shape->r, 1},
        {"filter width", shape->s, 1},
        {"vertical stride", shape->stride_h, 1},
        {"horizontal stride", shape->stride_w, 1},
        {"top padding", shape->pad_top, 0},
        {"bottom padding", shape->pad_bottom, 0},
        {"left padding", shape->pad_left, 0},
        {"right padding", shape->pad_right, 0},
        {"vertical dilation", shape->dilation_h, 1},
        {"horizontal dilation", shape->dilation_w, 1},
        {"groups", shape->groups, 1},
    };

    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++)
        if (field[i].value < field[i].low)
            return error_set(error, "convolution: %s: %" PRId64 ", expected at least %" PRId64,
                             field[i].name, field[i].value, field[i].low);
    return true;
}

bool conv_shape_check(const struct conv_shape *shape, struct error *error)
{
    int64_t h = 0, w = 0, p, q;

    if (!fields_in_range(shape, error))
        return false;
    if (shape->c % shape->groups != 0 || shape->k % shape->groups != 0)
        return error_set(error,
                         "convolution: %" PRId64 " groups have to divide %" PRId64
                         " input and %" PRId64 " output channels",
                         shape->groups, shape->c, shape->k);
    if (!axis_fits("height", shape->h, shape->r, shape->dilation_h, shape->pad_top,
                   shape->pad_bottom, &h, error) ||
        !axis_fits("width", shape->w, shape->s, shape->dilation_w, shape->pad_left,
                   shape->pad_right, &w, error))
        return false;
    p = conv_shape_out_h(shape);
    q = conv_shape_out_w(shape);
    /* There are no fewer operations than elements of the output or weights.  */
    if (!product_fits((const int64_t[]){shape->n, shape->c, h, w}, 4) ||
        !product_fits((const int64_t[]){shape->n, shape->k, p, q, shape->c / shape->groups,
                                        shape->r, shape->s},
                      7))
        return error_set(error, "convolution: its element or operation count overflows 64 bits");
    return true;
}

int64_t conv_shape_out_h(const struct conv_shape *shape)
{
    int64_t padded = shape->h + shape->pad_top + shape->pad_bottom;

    return (padded - shape->dilation_h * (shape->r - 1) - 1) / shape->stride_h + 1;
}

int64_t conv_shape_out_w(const struct conv_shape *shape)
{
    int64_t padded = shape->w + shape->pad_left + shape->pad_right;

    return (padded - shape->dilation_w * (shape->s - 1) - 1) / shape->stride_w + 1;
}

int64_t conv_shape_macs(const struct conv_shape *shape)
{
    return shape->n * shape->k * conv_shape_out_h(shape) * conv_shape_out_w(shape) *
           (shape->c / shape->groups) * shape->r * shape->s;
}

bool conv_shape_unpadded(const struct conv_shape *shape)
{
    return shape->pad_top == 0 && shape->pad_bottom == 0 && shape->pad_left == 0 &&
           shape->pad_right == 0;
}

struct conv_shape conv_shape_pointwise(int64_t n, int64_t c, int64_t h, int64_t w, int64_t k)
{
    return (struct conv_shape){.n = n,
                               .c = c,
                               .h = h,
                               .w = w,
                               .k = k,
                               .r = 1,
                               .s = 1,
                               .stride_h = 1,
                               .stride_w = 1,
                               .dilation_h = 1,
                               .dilation_w = 1,
                               .groups = 1};
}
