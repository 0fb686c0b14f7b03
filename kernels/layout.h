/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tensors lie in memory.
 *
 * Activations are N-(C/block)-H-W-block: block 1 is NCHW, block C is NHWC, and
 * kernels that compute with vectors take the vector's length.  The last block
 * is filled up with channels of zeros.  Filters are (K/c_o)-R-C-S-c_o.  */
#ifndef ARENABENCH_KERNELS_LAYOUT_H
#define ARENABENCH_KERNELS_LAYOUT_H

#include <stdint.h>

#include "lib/graph/conv_shape.h"

struct tensor_layout {
    int64_t n, c, h, w;
    int64_t block; /* channels that lie side by side, 1 to c or more */
};

struct tensor_layout layout_input(const struct conv_shape *shape, int64_t block);
struct tensor_layout layout_output(const struct conv_shape *shape, int64_t block);

/* Floats of the tensor, the channels that fill up the last block included; -1
 * when its bytes do not fit in int64_t.  */
int64_t layout_floats(const struct tensor_layout *layout);

/* Where an element is, in floats.  */
int64_t layout_index(const struct tensor_layout *layout, int64_t n, int64_t c, int64_t h,
                     int64_t w);

/* Copies a tensor into another layout of the same sizes.  Channels that fill
 * up are written as zeros.  */
void layout_convert(const struct tensor_layout *from, const float *source,
                    const struct tensor_layout *to, float *target);

/* A dense filter in blocks of at most c_o output channels.  A group's whole
 * vectors are split evenly among them, so that no narrow one is left over.  */
struct filter_layout {
    int64_t groups, k, c, r, s; /* k and c: channels of one group */
    int64_t co;                 /* a multiple of vector */
    int64_t vector;
};

struct filter_layout filter_layout(const struct conv_shape *shape, int64_t co, int64_t vector);

int64_t filter_layout_floats(const struct filter_layout *layout); /* -1: does not fit */
int64_t filter_layout_blocks(const struct filter_layout *layout); /* of one group */
/* The first output channel of a block; of the one after the last: all channels,
 * in whole vectors.  */
int64_t filter_layout_first(const struct filter_layout *layout, int64_t block);
/* Output channels of a block, rounded up to whole vectors.  */
int64_t filter_layout_width(const struct filter_layout *layout, int64_t block);
/* Where a block begins, in floats.  */
int64_t filter_layout_offset(const struct filter_layout *layout, int64_t group, int64_t block);
/* The same for a vector of one value a channel, as the bias.  */
int64_t filter_layout_bias_offset(const struct filter_layout *layout, int64_t group, int64_t block);
int64_t filter_layout_bias_floats(const struct filter_layout *layout);

/* From K-C-R-S, and from one value a channel (NULL: zeros).  */
void filter_layout_pack(const struct filter_layout *layout, const float *filter, float *packed);
void filter_layout_pack_bias(const struct filter_layout *layout, const float *bias, float *packed);

/* A filter whose lanes are output channels: (K/vector)-R-C-S-vector, C the channels of a group.  */
void layout_pack_lanes(const struct conv_shape *shape, int64_t vector, const float *filter,
                       float *packed);

#endif
