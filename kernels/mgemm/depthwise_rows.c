/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/depthwise_rows.h"

#include <stddef.h>

#define DECLARE(isa)                                                                   \
    extern const struct depthwise_rows_set depthwise5_set_##isa, depthwise7_set_##isa, \
        depthwise9_set_##isa;
#define ENTER(isa)                                                          \
    {                                                                       \
        &depthwise5_set_##isa, &depthwise7_set_##isa, &depthwise9_set_##isa \
    }

#ifdef HAVE_X86_KERNELS
DECLARE(avx2)
DECLARE(avx512)
#endif
DECLARE(generic)

enum { NARROWEST = 5, WIDTHS = 3 }; /* 5, 7, 9 taps */

static const struct depthwise_rows_set *find(enum isa isa, int64_t taps)
{
    static const struct depthwise_rows_set *const sets[ISA_COUNT][WIDTHS] = {
        [ISA_GENERIC] = ENTER(generic),
#ifdef HAVE_X86_KERNELS
        [ISA_AVX2] = ENTER(avx2),
        [ISA_AVX512] = ENTER(avx512),
#endif
    };

    return sets[isa][(taps - NARROWEST) / 2];
}

/* A tile asks only for its outermost inputs at each side, half a filter, whether they are there. */
bool depthwise_rows_suits(const struct conv_shape *shape)
{
    return shape->k == shape->c && shape->s >= NARROWEST && shape->s < NARROWEST + 2 * WIDTHS &&
           shape->s % 2 == 1 && shape->dilation_h == 1 && shape->dilation_w == 1 &&
           shape->stride_w <= DEPTHWISE_ROWS_STRIDES && shape->pad_left <= shape->s / 2 &&
           shape->pad_right <= shape->s / 2;
}

int64_t depthwise_rows_width(enum isa isa, int64_t taps, int64_t pixels)
{
    const int64_t widest = find(isa, taps)->widest, tiles = (pixels + widest - 1) / widest;

    return (pixels + tiles - 1) / tiles;
}

depthwise_rows_function *depthwise_rows_tile(enum isa isa, int64_t taps, int64_t stride,
                                             int64_t width)
{
    return find(isa, taps)->tile[stride - 1][width - 1];
}
