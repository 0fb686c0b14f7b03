/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs of pointwise layers that do not lie as the tiles need them: copied, some pixels and
 * channels at a time, into blocks of channels, pixel by pixel.
 *
 * A filter of one tap with a stride leaves out pixels.  A filter over few channels with a large
 * stride, such as the patches that vision transformers cut images into, is a pointwise layer too,
 * whose channels are the filter's rows, channels and columns, in this order.  */
#ifndef ARENABENCH_KERNELS_MGEMM_GATHER_H
#define ARENABENCH_KERNELS_MGEMM_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"

/* The channels [channel, channel + channels) of the output's pixels [first, end).  */
struct gather {
    const float *image;
    int64_t first, end, channel, channels;
    int64_t vector; /* floats of a block */
    int64_t block;  /* from one block of channels to the next, in floats */
};

/* Whether a layer's planar input is gathered in patches: no padding, stride above 2, fewer channels
 * than a vector has floats.  */
bool gather_suits_patches(const struct conv_shape *shape, enum isa isa);

/* The pointwise layer that a layer of patches is.  */
struct conv_shape gather_patches(const struct conv_shape *shape);

/* Of a pointwise layer SHAPE, from an image in blocks.  */
void gather_pixels(const struct conv_shape *shape, const struct gather *gather, float *to);

/* Of a layer SHAPE that gather_suits_patches, from a planar image.  */
void gather_taps(const struct conv_shape *shape, const struct gather *gather, float *to);

#endif
