/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depthwise convolution with filters 5, 7 and 9 wide, dilation 1.
 *
 * The sums of a piece of an output row stay in registers, and so does a row of the filter.  Each
 * input of a row is loaded once and used for all sums that it is a tap of; then comes the next row
 * of the filter.  Inputs in the padding are not read.
 *
 * A whole filter of 5 x 5 would be 25 registers of 32 and leave 6 for sums; with a row of it there
 * are 14, for as few loads.  Of 16 registers 5 weights leave 8 for sums, 7 leave 7, 9 leave 5.
 */
#ifndef ARENABENCH_KERNELS_MGEMM_DEPTHWISE_ROWS_H
#define ARENABENCH_KERNELS_MGEMM_DEPTHWISE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "kernels/kernel.h"

enum { DEPTHWISE_ROWS_STRIDES = 2, DEPTHWISE_ROWS_WIDEST = 14 };

/* Rows [first, end) of the output of one block of channels.  */
struct depthwise_rows_call {
    const float *input;    /* pixel 0, 0 */
    const float *filter;   /* a vector a tap, row by row */
    const float *bias;     /* a vector */
    float *output;         /* pixel 0, 0 */
    int64_t height, width; /* of the input */
    int64_t pad_top, pad_left;
    int64_t stride_h;
    int64_t rows;   /* of the filter */
    int64_t pixels; /* of an output row; at least those of a tile */
    int64_t first, end;
    bool relu;
};

typedef void depthwise_rows_function(const struct depthwise_rows_call *call);

/* Of one instruction set and one width of the filter: by stride - 1 and pixels of a tile - 1, up to
 * the widest.  */
struct depthwise_rows_set {
    depthwise_rows_function *tile[DEPTHWISE_ROWS_STRIDES][DEPTHWISE_ROWS_WIDEST];
    int widest; /* in pixels */
};

/* SHAPE, a depthwise layer, is one that these tiles do.  */
bool depthwise_rows_suits(const struct conv_shape *shape);

/* Pixels of the tiles for filters TAPS wide that an output row of PIXELS is cut into, as evenly as
 * it goes.  ISA: one that the kernels were built for.  */
int64_t depthwise_rows_width(enum isa isa, int64_t taps, int64_t pixels);

/* The tile for STRIDE and such a width.  */
depthwise_rows_function *depthwise_rows_tile(enum isa isa, int64_t taps, int64_t stride,
                                             int64_t width);

#endif
