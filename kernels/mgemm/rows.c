/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/rows.h"

#include <stddef.h>

/* The widths of filters that there are tiles for.  */
enum {
    DEPTHWISE_1,
    DEPTHWISE_3,
    DEPTHWISE_5,
    DEPTHWISE_7,
    DEPTHWISE_9,
    GROUPED_3,
    GROUPED_5,
    SETS
};

#define DECLARE(isa)                                                                               \
    extern const struct rows_set depthwise1_set_##isa, depthwise3_set_##isa, depthwise5_set_##isa, \
        depthwise7_set_##isa, depthwise9_set_##isa, grouped3_set_##isa, grouped5_set_##isa;
#define ENTER(isa)                                                                    \
    {                                                                                 \
        [DEPTHWISE_1] = &depthwise1_set_##isa, [DEPTHWISE_3] = &depthwise3_set_##isa, \
        [DEPTHWISE_5] = &depthwise5_set_##isa, [DEPTHWISE_7] = &depthwise7_set_##isa, \
        [DEPTHWISE_9] = &depthwise9_set_##isa, [GROUPED_3] = &grouped3_set_##isa,     \
        [GROUPED_5] = &grouped5_set_##isa,                                            \
    }

#ifdef HAVE_X86_KERNELS
DECLARE(avx2)
DECLARE(avx512)
#endif
DECLARE(generic)

static const struct rows_set *const sets[ISA_COUNT][SETS] = {
    [ISA_GENERIC] = ENTER(generic),
#ifdef HAVE_X86_KERNELS
    [ISA_AVX2] = ENTER(avx2),
    [ISA_AVX512] = ENTER(avx512),
#endif
};

/* A tile asks only for its outermost inputs at each side, half a filter, whether they are there. */
static bool suits(const struct conv_shape *shape)
{
    return shape->groups > 1 && shape->k == shape->c && shape->stride_w <= ROWS_STRIDES &&
           shape->dilation_w == 1 && shape->pad_left <= shape->s / 2 &&
           shape->pad_right <= shape->s / 2;
}

static int find_depthwise(const struct conv_shape *shape)
{
    if (shape->dilation_h != 1 || shape->s % 2 == 0 || shape->s > 9)
        return SETS;
    return DEPTHWISE_1 + (int)shape->s / 2;
}

static int find_grouped(const struct conv_shape *shape, int64_t vector)
{
    const int64_t channels = shape->c / shape->groups;

    if (channels > vector / 2 || vector % channels != 0)
        return SETS;
    return shape->s == 3 ? GROUPED_3 : shape->s == 5 ? GROUPED_5 : SETS;
}

const struct rows_set *rows_set(const struct conv_shape *shape, enum isa isa)
{
    int found = SETS;

    if (suits(shape))
        found = shape->groups == shape->c ? find_depthwise(shape)
                                          : find_grouped(shape, isa_vector(isa));
    return found < SETS && sets[isa][found]->widest > 0 ? sets[isa][found] : NULL;
}

int64_t rows_width(const struct rows_set *set, int64_t pixels)
{
    const int64_t tiles = (pixels + set->widest - 1) / set->widest;

    return (pixels + tiles - 1) / tiles;
}
