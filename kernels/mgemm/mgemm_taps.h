/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The taps of the register tiles.  Every argument but the pointers is a constant
 * after inlining, loops over them are unrolled and the accumulators become
 * registers.
 *
 * Which source form is fast was measured with GCC 12: with at least as many
 * pixels as vectors the weights are loaded first and each pixel is broadcast
 * once; with more vectors than pixels the pixels come first and each weight
 * vector is loaded once.  The pointer forgets after each tap, or the compiler
 * would keep inputs in registers that it does not have.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_TAPS_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_TAPS_H

#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/mgemm/vector.h"

struct mgemm_form_traits {
    int block;  /* channels in a block of the input */
    int stride; /* 0: known when it runs */
    int taps;   /* 0: known when it runs */
};

/* What is added up of a tile: its rows [row, row_end) and columns [column,
 * column_end).  */
struct mgemm_size {
    int row, row_end, column, column_end;
    int vectors, width; /* of the whole tile */
};

struct mgemm_accumulators {
    vec sum[MGEMM_MAX_ROWS][MGEMM_MAX_VECTORS][MGEMM_MAX_WIDTH];
};

/* One tap, weights first.  */
INLINE void mgemm_tap_weights(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                              const float *filter, int64_t pixel, struct mgemm_size size)
{
    vec weight[MGEMM_MAX_VECTORS];

#pragma GCC unroll 4
    for (int i = 0; i < size.vectors; i++)
        weight[i] = vec_load(filter + i * KERNEL_VECTOR);
#pragma GCC unroll 2
    for (int y = size.row; y < size.row_end; y++) {
        const float *from = input + y * row2;

#pragma GCC unroll 28
        for (int j = size.column; j < size.column_end; j++) {
            vec x = vec_broadcast(from[j * pixel]);

#pragma GCC unroll 4
            for (int i = 0; i < size.vectors; i++)
                acc->sum[y][i][j] += weight[i] * x;
        }
    }
}

/* One tap, pixels first.  */
INLINE void mgemm_tap_pixels(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                             const float *filter, int64_t pixel, struct mgemm_size size)
{
    vec x[MGEMM_MAX_ROWS][MGEMM_MAX_VECTORS];

#pragma GCC unroll 2
    for (int y = size.row; y < size.row_end; y++)
#pragma GCC unroll 4
        for (int j = size.column; j < size.column_end; j++)
            x[y][j] = vec_broadcast(input[y * row2 + j * pixel]);
#pragma GCC unroll 4
    for (int i = 0; i < size.vectors; i++) {
        vec weight = vec_load(filter + i * KERNEL_VECTOR);

        VEC_PIN(weight);
#pragma GCC unroll 2
        for (int y = size.row; y < size.row_end; y++)
#pragma GCC unroll 4
            for (int j = size.column; j < size.column_end; j++)
                acc->sum[y][i][j] += weight * x[y][j];
    }
}

/* One tap that hits real input for the pixels HIT only.  The weights of tall
 * tiles, which have no registers for them, are read for each pixel.  */
INLINE void mgemm_tap_some(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                           const float *filter, int64_t pixel, uint32_t hit, struct mgemm_size size)
{
    vec weight[MGEMM_MAX_VECTORS];

#pragma GCC unroll 4
    for (int i = 0; i < size.vectors; i++)
        if (size.vectors < 4)
            weight[i] = vec_load(filter + i * KERNEL_VECTOR);
#pragma GCC unroll 28
    for (int j = size.column; j < size.column_end; j++) {
        if ((hit >> j & 1) == 0)
            continue;
#pragma GCC unroll 2
        for (int y = size.row; y < size.row_end; y++) {
            vec x = vec_broadcast(input[y * row2 + j * pixel]);

#pragma GCC unroll 4
            for (int i = 0; i < size.vectors; i++)
                acc->sum[y][i][j] +=
                    (size.vectors < 4 ? weight[i] : vec_load(filter + i * KERNEL_VECTOR)) * x;
        }
    }
}

/* One tap in the form that suits the tile.  */
INLINE void mgemm_tap(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                      const float *filter, int64_t pixel, struct mgemm_size size)
{
    const int pixels = (size.row_end - size.row) * (size.column_end - size.column);

    if (size.vectors > pixels)
        mgemm_tap_pixels(acc, input, row2, filter, pixel, size);
    else
        mgemm_tap_weights(acc, input, row2, filter, pixel, size);
}

/* The taps of one filter row and one channel, one after the other.  */
INLINE void mgemm_taps_reload(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                              int64_t tap, const float *filter, int64_t taps, int64_t pixel,
                              struct mgemm_size size)
{
    for (int64_t s = 0; s < taps; s++) {
        mgemm_tap(acc, input, row2, filter, pixel, size);
        filter += size.vectors * KERNEL_VECTOR;
        input += tap;
        POINTER_FORGET(input);
    }
}

/* The same where taps miss real input for some of the pixels.  */
INLINE void mgemm_taps_some(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                            int64_t tap, const float *filter, int64_t taps, int64_t pixel,
                            const uint32_t *columns, struct mgemm_size size)
{
    for (int64_t s = 0; s < taps; s++) {
        if (columns[s] == (UINT32_C(1) << size.column_end) - 1)
            mgemm_tap(acc, input, row2, filter, pixel, size);
        else
            mgemm_tap_some(acc, input, row2, filter, pixel, columns[s], size);
        filter += size.vectors * KERNEL_VECTOR;
        input += tap;
        POINTER_FORGET(input);
    }
}

/* The same where only the first tap misses real input, for the first pixel.  */
INLINE void mgemm_taps_first(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                             int64_t tap, const float *filter, int64_t taps, int64_t pixel,
                             struct mgemm_size size)
{
    struct mgemm_size but_first = size;

    but_first.column++;
    mgemm_tap(acc, input, row2, filter, pixel, but_first);
    filter += size.vectors * KERNEL_VECTOR;
    input += tap;
    POINTER_FORGET(input);
    mgemm_taps_reload(acc, input, row2, tap, filter, taps - 1, pixel, size);
}

/* The same where only the last tap misses it, for the last pixel.  */
INLINE void mgemm_taps_last(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                            int64_t tap, const float *filter, int64_t taps, int64_t pixel,
                            struct mgemm_size size)
{
    struct mgemm_size but_last = size;

    but_last.column_end--;
    mgemm_taps_reload(acc, input, row2, tap, filter, taps - 1, pixel, size);
    input += (taps - 1) * tap;
    filter += (taps - 1) * size.vectors * KERNEL_VECTOR;
    POINTER_FORGET(input);
    mgemm_tap(acc, input, row2, filter, pixel, but_last);
}

/* Three taps side by side with every input broadcast once: the paper's reuse across
 * the filter's width.  */
INLINE void mgemm_taps_keep(struct mgemm_accumulators *acc, const float *input, const float *filter,
                            struct mgemm_form_traits traits, struct mgemm_size size)
{
    vec x[2 * MGEMM_MAX_WIDTH + 1];

#pragma GCC unroll 30
    for (int j = 0; j < (size.column_end - 1) * traits.stride + 3; j++)
        x[j] = vec_broadcast(input[j * traits.block]);
#pragma GCC unroll 3
    for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
        for (int i = 0; i < size.vectors; i++) {
            vec weight = vec_load(filter + (s * size.vectors + i) * KERNEL_VECTOR);

#pragma GCC unroll 28
            for (int j = size.column; j < size.column_end; j++)
                acc->sum[0][i][j] += weight * x[j * traits.stride + s];
        }
}

/* Three taps with all their weights in registers; the inputs stream by.  */
INLINE void mgemm_taps_filter(struct mgemm_accumulators *acc, const float *input,
                              const float *filter, int64_t pixel, struct mgemm_size size)
{
    vec weight[3][MGEMM_MAX_VECTORS];

#pragma GCC unroll 3
    for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
        for (int i = 0; i < size.vectors; i++) {
            weight[s][i] = vec_load(filter + (s * size.vectors + i) * KERNEL_VECTOR);
            VEC_PIN(weight[s][i]);
        }
#pragma GCC unroll 30
    for (int j = 0; j < size.column_end + 2; j++) {
        vec x = vec_broadcast(input[j * pixel]);

#pragma GCC unroll 3
        for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
            for (int i = 0; i < size.vectors; i++)
                if (j >= s && j - s < size.column_end)
                    acc->sum[0][i][j - s] += weight[s][i] * x;
    }
}

#endif
