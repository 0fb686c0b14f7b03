/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The products of pixel.h, of one instruction set.  Compiled once for each.  */
#include <config.h>

#include "kernels/mgemm/pixel.h"
#include "kernels/mgemm/vector.h"

/* Vectors of a block: their sums, an input and, without a fused multiply-add, a product are in
 * registers.  */
#if defined __AVX512F__ || defined __aarch64__
enum { WIDEST = 6 };
#else
enum { WIDEST = 3 };
#endif

/* The next PIXEL_SUMS or fewer channels, each into a sum of its own.  */
INLINE void add_channels(vec sum[PIXEL_SUMS][WIDEST], const float *input, const float *filter,
                         int channels, int vectors)
{
#pragma GCC unroll 4
    for (int i = 0; i < channels; i++) {
        const vec value = vec_broadcast(input[i]);

#pragma GCC unroll 6
        for (int v = 0; v < vectors; v++) {
            sum[i][v] += value * vec_load(filter + (i * vectors + v) * KERNEL_VECTOR);
            VEC_PIN(sum[i][v]);
        }
    }
}

INLINE void block(const struct pixel_call *call, int vectors)
{
    const float *input = call->input, *filter = call->filter;
    int64_t left = call->channels;
    vec sum[PIXEL_SUMS][WIDEST];

#pragma GCC unroll 6
    for (int v = 0; v < vectors; v++) {
        sum[0][v] = vec_load(call->bias + v * KERNEL_VECTOR);
#pragma GCC unroll 4
        for (int i = 1; i < PIXEL_SUMS; i++)
            sum[i][v] = (vec){0};
    }
    for (; left >= PIXEL_SUMS; left -= PIXEL_SUMS) {
        add_channels(sum, input, filter, PIXEL_SUMS, vectors);
        input += PIXEL_SUMS;
        filter += (int64_t)PIXEL_SUMS * vectors * KERNEL_VECTOR;
    }
    for (; left > 0; left--) {
        add_channels(sum, input++, filter, 1, vectors);
        filter += vectors * KERNEL_VECTOR;
    }
#pragma GCC unroll 6
    for (int v = 0; v < vectors; v++) {
        const vec all = (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]);

        vec_store(call->output + v * KERNEL_VECTOR, call->relu ? vec_relu(all) : all);
    }
}

#define DEFINE(vectors)                                                                   \
    static __attribute__((noinline)) void pixel_v##vectors(const struct pixel_call *call) \
    {                                                                                     \
        block(call, vectors);                                                             \
    }

DEFINE(1)
DEFINE(2)
DEFINE(3)
#if defined __AVX512F__ || defined __aarch64__
DEFINE(4)
DEFINE(5)
DEFINE(6)
#endif

extern const struct pixel_set KERNEL_NAME(pixel_set);
const struct pixel_set KERNEL_NAME(pixel_set) = {
    .block =
        {
            pixel_v1,
            pixel_v2,
            pixel_v3,
#if defined __AVX512F__ || defined __aarch64__
            pixel_v4,
            pixel_v5,
            pixel_v6,
#endif
        },
    .vectors = WIDEST,
};
