/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depthwise convolution: every output channel reads one input channel.
 *
 * Lanes of a vector are channels, so there is nothing to broadcast and no sum
 * over channels: a filter of 3 x 3 vectors stays in registers for the whole
 * image and the inputs stream by, a column of a band of rows at a time.  Each is
 * the last tap of one output, the middle one of the next and the first of a
 * third (stride 1, here a band of one row and its sums' places):
 *
 *     input column      q     q + 1   q + 2   q + 3
 *     tap 0 of output   q     q + 1   q + 2   q + 3   begins, in place q % 3
 *     tap 1             q-1   q       q + 1   q + 2
 *     tap 2             q-2   q-1     q       q + 1   ends and is stored
 */
#ifndef ARENABENCH_KERNELS_MGEMM_DEPTHWISE_H
#define ARENABENCH_KERNELS_MGEMM_DEPTHWISE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "kernels/kernel.h"

/* A rectangle of output pixels of one block of channels.  Steps are in floats.
 * All pixels have the same taps; but for the kept filter, where the sides say
 * which of its outermost taps are padding: that input is not read.  */
struct depthwise_call {
    const float *input;  /* first pixel, first tap */
    const float *filter; /* first tap */
    const float *bias;   /* a vector */
    float *output;
    int64_t pixels, lines;           /* of the rectangle, either may be the rows */
    int64_t input_pixel, input_line; /* between neighbours */
    int64_t output_pixel, output_line;
    int64_t rows, taps; /* of the filter */
    int64_t input_row, input_tap, filter_row;
    const int32_t *lane; /* where each lane's input is, in this block and the next; or NULL */
    int64_t next_block;  /* from the input's block to the next; 0: there is none */
    bool top, bottom, left, right;
    int relu;
};

typedef void depthwise_tile(const struct depthwise_call *call);

struct depthwise_set {
    depthwise_tile *any;    /* any filter, any steps */
    depthwise_tile *gather; /* the same with call->lane */
    /* 3 x 3, dilation 1, two pixels and more: by stride - 1, without ReLU and with.  */
    depthwise_tile *kept[2][2];
    int rows[2]; /* that kept adds up at a time */
    int width;   /* pixels that the others do */
};

/* NULL when the kernels were not built for ISA.  */
const struct depthwise_set *depthwise_set(enum isa isa);

/* A depthwise layer, or one that rows.h does on ISA.  */
bool depthwise_suits(const struct conv_shape *shape, enum isa isa);

/* Plans of mgemm for these; not in the registry by itself.  */
extern const struct conv_kernel depthwise_kernel;

#endif
