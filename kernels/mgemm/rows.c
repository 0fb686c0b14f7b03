/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/rows.h"

#include <stddef.h>

#include "lib/base/checked.h"

/* The widths of filters that there are tiles for.  */
enum {
    DEPTHWISE_1,
    DEPTHWISE_3,
    DEPTHWISE_5,
    DEPTHWISE_7,
    DEPTHWISE_9,
    GROUPED_3,
    GROUPED_5,
    SPLIT_3,
    SETS
};

#define DECLARE(isa)                                                                               \
    extern const struct rows_set depthwise1_set_##isa, depthwise3_set_##isa, depthwise5_set_##isa, \
        depthwise7_set_##isa, depthwise9_set_##isa, grouped3_set_##isa, grouped5_set_##isa,        \
        split3_set_##isa;
#define ENTER(isa)                                                                    \
    {                                                                                 \
        [DEPTHWISE_1] = &depthwise1_set_##isa, [DEPTHWISE_3] = &depthwise3_set_##isa, \
        [DEPTHWISE_5] = &depthwise5_set_##isa, [DEPTHWISE_7] = &depthwise7_set_##isa, \
        [DEPTHWISE_9] = &depthwise9_set_##isa, [GROUPED_3] = &grouped3_set_##isa,     \
        [GROUPED_5] = &grouped5_set_##isa, [SPLIT_3] = &split3_set_##isa,             \
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

    if (rows_split(shape, vector))
        return shape->s == 3 && channels * shape->stride_w <= ROWS_MOST_CHANNELS ? SPLIT_3 : SETS;
    if (channels >= vector)
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

bool rows_split(const struct conv_shape *shape, int64_t vector)
{
    const int64_t channels = shape->c / shape->groups;

    return shape->groups > 1 && channels > 1 && channels % vector != 0 && vector % channels != 0;
}

/* The groups that a vector of output channels has a part of.  */
struct span {
    int64_t channels;    /* of a group */
    int64_t low, high;   /* the first group and the last one */
    int64_t ahead, late; /* channels of the first before the vector, of the last behind it */
    int64_t steps;
};

static struct span find_span(const struct conv_shape *shape, int64_t vector, int64_t block)
{
    const int64_t n = shape->c / shape->groups, first = block * vector;
    const int64_t end = min64(first + vector, shape->k);
    struct span span = {.channels = n, .low = first / n, .high = (end - 1) / n, .steps = n};

    span.ahead = first - span.low * n;
    span.late = (span.high + 1) * n - end;
    if (span.high - span.low > 1) /* of two groups each may have a vector of its own */
        span.steps = max64(n, span.ahead + span.late);
    return span;
}

/* The input channel that lanes of GROUP read in step AT; where they wait, one of its own.  */
static int64_t step_input(const struct span *span, int64_t group, int64_t at, bool *waits)
{
    const int64_t begin = group == span->high ? span->steps - span->channels : 0;
    const int64_t channel = at - begin;

    *waits = channel < 0 || channel >= span->channels;
    return group * span->channels + max64(0, min64(channel, span->channels - 1));
}

static void make_step(const struct conv_shape *shape, int64_t vector, int64_t block,
                      const struct span *span, int64_t at, struct rows_step *step)
{
    const int64_t plane = shape->h * shape->w * vector;
    const bool two = span->high - span->low <= 1;
    int64_t first = block, second = block;
    bool waits;

    if (two || at < span->ahead)
        first = step_input(span, span->low, at, &waits) / vector;
    if (two || at >= span->steps - span->late)
        second = step_input(span, span->high, at, &waits) / vector;
    step->first = (first - block) * plane;
    step->second = (second - block) * plane;
    for (int64_t l = 0; l < vector; l++) {
        const int64_t output = block * vector + l;
        int64_t input = output;

        waits = true; /* as lanes that fill up do */
        if (output < shape->k)
            input = step_input(span, output / span->channels, at, &waits);
        step->channel[l] = waits ? -1 : (int32_t)(input % span->channels);
        step->lane[l] = (int32_t)(input % vector);
        if (input / vector != first)
            step->lane[l] |= (int32_t)vector | INT32_MIN;
    }
}

int64_t rows_steps(const struct conv_shape *shape, int64_t vector, int64_t block,
                   struct rows_step *step)
{
    const struct span span = find_span(shape, vector, block);

    for (int64_t i = 0; step != NULL && i < span.steps; i++)
        make_step(shape, vector, block, &span, i, &step[i]);
    return span.steps;
}

int64_t rows_width(const struct rows_set *set, int64_t pixels)
{
    const int64_t tiles = (pixels + set->widest - 1) / set->widest;

    return (pixels + tiles - 1) / tiles;
}
