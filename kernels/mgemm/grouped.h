/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution with a few channels a group: so few that the groups of one vector's output channels
 * read no other input channels than those of the same vector.
 *
 * Lanes are output channels, as in depthwise layers, and no lane is idle, where the tiles of mGEMM
 * have one group at a time and leave all lanes idle beyond it.  Instead of a broadcast a
 * permutation gives each lane the c-th input channel of its own group:
 *
 *     groups of 4      0 0 0 0   1 1 1 1   2 2 2 2   3 3 3 3
 *     input channels   0 1 2 3   4 5 6 7   8 9 . .
 *     lanes of c = 1   1 1 1 1   5 5 5 5   9 9 9 9   . . . .
 *
 * The sums of a piece of an output row stay in registers; for each channel of the group so do the
 * weights of a row of the filter, and each input of the row is permuted once for all sums
 * that it is a tap of.
 */
#ifndef ARENABENCH_KERNELS_MGEMM_GROUPED_H
#define ARENABENCH_KERNELS_MGEMM_GROUPED_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "kernels/kernel.h"

enum { GROUPED_STRIDES = 2, GROUPED_WIDEST = 14 };

/* Rows [first, end) of the output of one block of channels.  */
struct grouped_call {
    const float *input;    /* pixel 0, 0 */
    const float *filter;   /* a row of the filter has channels, each of which has a vector a tap */
    const float *bias;     /* a vector */
    float *output;         /* pixel 0, 0 */
    int64_t height, width; /* of the input */
    int64_t pad_top, pad_left;
    int64_t stride_h, dilation_h;
    int64_t rows, channels; /* of the filter, the channels of one group */
    int64_t pixels;         /* of an output row; at least those of a tile */
    int64_t first, end;
    bool relu;
};

typedef void grouped_function(const struct grouped_call *call);

/* Of one instruction set and one width of the filter: by stride - 1 and pixels of a tile - 1, up to
 * the widest.  */
struct grouped_set {
    grouped_function *tile[GROUPED_STRIDES][GROUPED_WIDEST];
    int widest; /* in pixels; 0: it has no permutation of lanes, and no tiles */
};

/* SHAPE is one that these tiles do on ISA, one that the kernels were built for: groups of 2
 * channels up to half a vector, a power of two, as many inputs as outputs, filters 3 or 5 wide,
 * stride 1 or 2 and dilation 1 along a row, and at each end of it half a filter of padding at
 * most.  */
bool grouped_suits(const struct conv_shape *shape, enum isa isa);

/* Pixels of the tiles for filters TAPS wide that an output row of PIXELS is cut into, as evenly as
 * it goes.  */
int64_t grouped_width(enum isa isa, int64_t taps, int64_t pixels);

/* The tile for STRIDE and such a width.  */
grouped_function *grouped_tile(enum isa isa, int64_t taps, int64_t stride, int64_t width);

#endif
