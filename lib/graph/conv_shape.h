/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shape of a two-dimensional convolution.  */
#ifndef ARENABENCH_LIB_GRAPH_CONV_SHAPE_H
#define ARENABENCH_LIB_GRAPH_CONV_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct conv_shape {
    int64_t n;                      /* batch */
    int64_t c, h, w;                /* input channels, height, width */
    int64_t k;                      /* output channels */
    int64_t r, s;                   /* filter height and width */
    int64_t stride_h, stride_w;     /* at least 1 */
    int64_t pad_top, pad_bottom;    /* rows of zeros */
    int64_t pad_left, pad_right;    /* columns of zeros */
    int64_t dilation_h, dilation_w; /* at least 1 */
    int64_t groups;                 /* divides c and k */
};

/* Checks every field, that the output is not empty, and that the element and
 * multiply-accumulate counts fit in int64_t.  */
bool conv_shape_check(const struct conv_shape *shape, struct error *error);

/* Whether no side has padding.  */
bool conv_shape_unpadded(const struct conv_shape *shape);

/* A matrix product over the pixels of N images: a filter of one tap, stride 1, one group, no
 * padding.  */
struct conv_shape conv_shape_pointwise(int64_t n, int64_t c, int64_t h, int64_t w, int64_t k);

/* Output height P and width Q of a checked shape.  */
int64_t conv_shape_out_h(const struct conv_shape *shape);
int64_t conv_shape_out_w(const struct conv_shape *shape);

/* Multiply-accumulates of a checked shape, padding taps counted.  */
int64_t conv_shape_macs(const struct conv_shape *shape);

#endif
