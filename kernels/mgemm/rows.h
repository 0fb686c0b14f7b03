/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution by rows, with output channels as lanes: the sums of a piece of an output row stay in
 * registers, and so does a row of the filter.  Each input of a row is loaded once and used for all
 * sums that it is a tap of; then comes the next channel of the group, or the next row of the
 * filter. Inputs in the padding are not read.
 *
 * Depthwise layers with filters 1, 3, 5, 7 and 9 wide (3 x 3 are elsewhere, see depthwise.h): a
 * whole filter of 5 x 5 would be 25 registers of 32 and leave 6 for sums; with a row of it there
 * are 14, for as few loads.  Of 16 registers up to 3 weights leave 10 for sums, 5 leave 8, 7 leave
 * 7, 9 leave 5.
 *
 * Groups of few channels with filters 3 and 5 wide: so few that the groups of one vector's output
 * channels read no other input channels than those of the same vector.  No lane is idle, where the
 * tiles of mGEMM have one group at a time and leave all lanes idle beyond it.  Instead of a
 * broadcast a permutation gives each lane the c-th input channel of its own group:
 *
 *     groups of 4      0 0 0 0   1 1 1 1   2 2 2 2   3 3 3 3
 *     input channels   0 1 2 3   4 5 6 7   8 9 . .
 *     lanes of c = 1   1 1 1 1   5 5 5 5   9 9 9 9   . . . .
 *
 * Other groups lie across the vectors' ends.  There each step permutes two vectors, and says which.
 * Where a vector's first group begins in the vector before it and its last one ends in the next,
 * the first group goes ahead and the last comes behind, so that a step needs one of those two
 * vectors beside the output's own.  A lane that waits multiplies a channel of its group by 0.
 *
 *     output channels (groups of 3)     8   9 10 11  12 13 14   15
 *     step 0, input channels            6   9  9  9  12 12 12  (15)  own vector and the one before
 *     step 1                            7  10 10 10  13 13 13   15
 *     step 2                            8  11 11 11  14 14 14   16   own vector and the next
 *     step 3                           (8)    (11)      (14)    17
 */
#ifndef ARENABENCH_KERNELS_MGEMM_ROWS_H
#define ARENABENCH_KERNELS_MGEMM_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "kernels/kernel.h"

enum { ROWS_STRIDES = 2, ROWS_WIDEST = 14, ROWS_LANES = 16, ROWS_MOST_CHANNELS = 48 };

/* What is added at a time of groups that lie across vectors: a channel in each lane.  */
struct rows_step {
    int32_t lane[ROWS_LANES];    /* where its input is, as vec_pick takes it */
    int32_t channel[ROWS_LANES]; /* of the group; -1: the lane waits */
    int64_t first, second;       /* the two vectors, from the output's on, in floats */
};

/* Rows [first, end) of the output of one block of channels.  */
struct rows_call {
    const float *input;    /* pixel 0, 0 */
    const float *filter;   /* a row of the filter has channels, each of which has a vector a tap */
    const float *bias;     /* a vector */
    float *output;         /* pixel 0, 0 */
    int64_t height, width; /* of the input */
    int64_t pad_top, pad_left;
    int64_t stride_h, dilation_h;
    int64_t rows, channels;       /* of the filter, the channels of one group or the steps */
    const struct rows_step *step; /* of groups that lie across vectors */
    int64_t pixels;               /* of an output row; at least those of a tile */
    int64_t first, end;
    bool relu;
};

typedef void rows_function(const struct rows_call *call);

/* Of one instruction set, one width of the filter, and depthwise layers or groups: by stride - 1
 * and pixels of a tile - 1, up to the widest.  */
struct rows_set {
    rows_function *tile[ROWS_STRIDES][ROWS_WIDEST];
    int widest; /* in pixels; 0: it has no permutation of lanes, and no tiles */
};

/* The tiles that do SHAPE on ISA, one that the kernels were built for; NULL: none do.  They do as
 * many outputs as inputs, along a row stride 1 or 2, dilation 1 and half a filter of padding at
 * most at each end, and of these depthwise layers without dilation 1, 3, 5, 7 or 9 wide, and groups
 * of 2 channels up to half a vector, a power of two, 3 or 5 wide; where lanes can be permuted, also
 * groups across vectors, 3 wide, of up to ROWS_MOST_CHANNELS, of half as many at stride 2: there
 * mGEMM's tiles are as fast.  */
const struct rows_set *rows_set(const struct conv_shape *shape, enum isa isa);

/* Whether groups of SHAPE lie across vectors of so many lanes.  */
bool rows_split(const struct conv_shape *shape, int64_t vector);

/* The steps of output block BLOCK of such a layer, as many as are returned; STEP may be NULL.  */
int64_t rows_steps(const struct conv_shape *shape, int64_t vector, int64_t block,
                   struct rows_step *step);

/* Pixels of the tiles that an output row of PIXELS is cut into, as evenly as it goes.  */
int64_t rows_width(const struct rows_set *set, int64_t pixels);

#endif
