/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointwise layers of one pixel: a matrix times a vector.
 *
 * Each weight is read for a single multiply-add, so what counts is that they lie in the order in
 * which they are read, and that enough sums are under way: PIXEL_SUMS of each output channel, which
 * are added at the end.  That number and the order are the same for every block of output channels.
 * So an output does not depend on how blocks are cut and shared by threads.
 */
#ifndef ARENABENCH_KERNELS_MGEMM_PIXEL_H
#define ARENABENCH_KERNELS_MGEMM_PIXEL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "kernels/kernel.h"

enum { PIXEL_SUMS = 4, PIXEL_MOST_VECTORS = 6 };

/* A block of output channels of one image.  */
struct pixel_call {
    const float *input;  /* channel by channel */
    const float *filter; /* for each channel the block's vectors */
    const float *bias;
    float *output;
    int64_t channels;
    bool relu;
};

typedef void pixel_function(const struct pixel_call *call);

struct pixel_set {
    pixel_function *block[PIXEL_MOST_VECTORS]; /* by vectors - 1 */
    int vectors;                               /* of the widest */
};

/* One tap, one pixel, one group.  */
bool pixel_suits(const struct conv_shape *shape);

/* Plans of mgemm for these; not in the registry by itself.  */
extern const struct conv_kernel pixel_kernel;

#endif
