/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depthwise convolution with a filter of 5 x 5, dilation 1.
 *
 * The sums of a piece of an output row stay in registers, and so does a row of the filter: 5
 * weights.  Each input of a row is loaded once and used for all sums that it is a tap of; then
 * comes the next row of the filter.  Inputs in the padding are not read.
 *
 * The whole filter would be 25 registers of 32 and leave 6 for sums; with a row of it there are
 * 14, for as few loads.  16 registers hold 8.
 */
#ifndef ARENABENCH_KERNELS_MGEMM_DEPTHWISE5_H
#define ARENABENCH_KERNELS_MGEMM_DEPTHWISE5_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "kernels/kernel.h"

enum { DEPTHWISE5_TAPS = 5, DEPTHWISE5_STRIDES = 2, DEPTHWISE5_WIDEST = 14 };

/* Rows [first, end) of the output of one block of channels.  */
struct depthwise5_call {
    const float *input;    /* pixel 0, 0 */
    const float *filter;   /* 25 vectors */
    const float *bias;     /* a vector */
    float *output;         /* pixel 0, 0 */
    int64_t height, width; /* of the input */
    int64_t pad_top, pad_left;
    int64_t pixels; /* of an output row; at least those of a tile */
    int64_t first, end;
    bool relu;
};

typedef void depthwise5_function(const struct depthwise5_call *call);

/* Of one instruction set: by stride - 1 and pixels of a tile - 1, up to the widest.  */
struct depthwise5_set {
    depthwise5_function *tile[DEPTHWISE5_STRIDES][DEPTHWISE5_WIDEST];
    int widest; /* in pixels */
};

/* SHAPE, a depthwise layer, is one that these tiles do.  */
bool depthwise5_suits(const struct conv_shape *shape);

/* Pixels of the tiles that an output row of PIXELS is cut into, as evenly as it goes.  */
int64_t depthwise5_width(enum isa isa, int64_t pixels);

/* The tile for STRIDE and such a width.  ISA: one that the kernels were built for.  */
depthwise5_function *depthwise5_tile(enum isa isa, int64_t stride, int64_t width);

#endif
