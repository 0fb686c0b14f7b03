/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/depthwise5.h"

#include <stddef.h>

#ifdef HAVE_X86_KERNELS
extern const struct depthwise5_set depthwise5_set_avx2, depthwise5_set_avx512;
#endif
extern const struct depthwise5_set depthwise5_set_generic;

static const struct depthwise5_set *find(enum isa isa)
{
    static const struct depthwise5_set *const sets[ISA_COUNT] = {
        [ISA_GENERIC] = &depthwise5_set_generic,
#ifdef HAVE_X86_KERNELS
        [ISA_AVX2] = &depthwise5_set_avx2,
        [ISA_AVX512] = &depthwise5_set_avx512,
#endif
    };

    return sets[isa];
}

/* A tile asks for its two outermost inputs at each side only whether they are there.  */
bool depthwise5_suits(const struct conv_shape *shape)
{
    return shape->k == shape->c && shape->r == DEPTHWISE5_TAPS && shape->s == DEPTHWISE5_TAPS &&
           shape->dilation_h == 1 && shape->dilation_w == 1 && shape->stride_h == shape->stride_w &&
           shape->stride_w <= DEPTHWISE5_STRIDES && shape->pad_left <= 2 && shape->pad_right <= 2;
}

int64_t depthwise5_width(enum isa isa, int64_t pixels)
{
    const int64_t widest = find(isa)->widest, tiles = (pixels + widest - 1) / widest;

    return (pixels + tiles - 1) / tiles;
}

depthwise5_function *depthwise5_tile(enum isa isa, int64_t stride, int64_t width)
{
    return find(isa)->tile[stride - 1][width - 1];
}
