/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/grouped.h"

#include <stddef.h>

#ifdef HAVE_X86_KERNELS
extern const struct grouped_set grouped3_set_avx2, grouped5_set_avx2;
extern const struct grouped_set grouped3_set_avx512, grouped5_set_avx512;
#endif
extern const struct grouped_set grouped3_set_generic, grouped5_set_generic;

static const struct grouped_set *find(enum isa isa, int64_t taps)
{
    static const struct grouped_set *const sets[ISA_COUNT][2] = {
        [ISA_GENERIC] = {&grouped3_set_generic, &grouped5_set_generic},
#ifdef HAVE_X86_KERNELS
        [ISA_AVX2] = {&grouped3_set_avx2, &grouped5_set_avx2},
        [ISA_AVX512] = {&grouped3_set_avx512, &grouped5_set_avx512},
#endif
    };

    return sets[isa][taps == 5];
}

bool grouped_suits(const struct conv_shape *shape, enum isa isa)
{
    const int64_t channels = shape->c / shape->groups;

    return shape->groups > 1 && shape->k == shape->c && channels > 1 &&
           channels <= isa_vector(isa) / 2 && isa_vector(isa) % channels == 0 &&
           (shape->s == 3 || shape->s == 5) && shape->stride_w <= GROUPED_STRIDES &&
           shape->dilation_w == 1 && shape->pad_left <= shape->s / 2 &&
           shape->pad_right <= shape->s / 2 && find(isa, shape->s)->widest > 0;
}

int64_t grouped_width(enum isa isa, int64_t taps, int64_t pixels)
{
    const int64_t widest = find(isa, taps)->widest, tiles = (pixels + widest - 1) / widest;

    return (pixels + tiles - 1) / tiles;
}

grouped_function *grouped_tile(enum isa isa, int64_t taps, int64_t stride, int64_t width)
{
    return find(isa, taps)->tile[stride - 1][width - 1];
}
