/* The template of all dense tiles.  Every argument but the call is a constant
 * after inlining, loops over them are unrolled and the accumulators become
 * registers.
 *
 * Which source form is fast was measured with GCC 12: with at least as many
 * pixels as vectors the weights are loaded first and each pixel is broadcast
 * once; with more vectors than pixels the pixels come first and each weight
 * vector is loaded once.  The pointer forgets after each tap, or the compiler
 * would keep inputs in registers that it does not have.  */
#ifndef ARENABENCH_KERNELS_MGEMM_TILE_H
#define ARENABENCH_KERNELS_MGEMM_TILE_H

#include "kernels/mgemm.h"
#include "kernels/vector.h"

struct mgemm_form_traits {
    int block;  /* channels in a block of the input */
    int stride; /* 0: known when it runs */
    int taps;   /* 0: known when it runs */
};

struct mgemm_accumulators {
    vec sum[MGEMM_MAX_ROWS][MGEMM_MAX_VECTORS][MGEMM_MAX_WIDTH];
};

/* One tap, weights first.  */
INLINE void mgemm_tap_weights(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                              const float *filter, int64_t pixel, int rows, int vectors, int width)
{
    vec weight[MGEMM_MAX_VECTORS];

#pragma GCC unroll 4
    for (int i = 0; i < vectors; i++)
        weight[i] = vec_load(filter + i * KERNEL_VECTOR);
#pragma GCC unroll 2
    for (int y = 0; y < rows; y++) {
        const float *from = input + y * row2;

#pragma GCC unroll 28
        for (int j = 0; j < width; j++) {
            vec x = vec_broadcast(from[j * pixel]);

#pragma GCC unroll 4
            for (int i = 0; i < vectors; i++)
                acc->sum[y][i][j] += weight[i] * x;
        }
    }
}

/* One tap, pixels first.  */
INLINE void mgemm_tap_pixels(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                             const float *filter, int64_t pixel, int rows, int vectors, int width)
{
    vec x[MGEMM_MAX_ROWS][MGEMM_MAX_VECTORS];

#pragma GCC unroll 2
    for (int y = 0; y < rows; y++)
#pragma GCC unroll 4
        for (int j = 0; j < width; j++)
            x[y][j] = vec_broadcast(input[y * row2 + j * pixel]);
#pragma GCC unroll 4
    for (int i = 0; i < vectors; i++) {
        vec weight = vec_load(filter + i * KERNEL_VECTOR);

        VEC_PIN(weight);
#pragma GCC unroll 2
        for (int y = 0; y < rows; y++)
#pragma GCC unroll 4
            for (int j = 0; j < width; j++)
                acc->sum[y][i][j] += weight * x[y][j];
    }
}

/* The taps of one filter row and one channel, one after the other.  Returns
 * the filter after them.  */
INLINE const float *mgemm_taps_reload(struct mgemm_accumulators *acc, const float *input,
                                      int64_t row2, int64_t tap, const float *filter, int64_t taps,
                                      int64_t pixel, int rows, int vectors, int width)
{
    for (int64_t s = 0; s < taps; s++) {
        if (vectors > rows * width)
            mgemm_tap_pixels(acc, input, row2, filter, pixel, rows, vectors, width);
        else
            mgemm_tap_weights(acc, input, row2, filter, pixel, rows, vectors, width);
        filter += vectors * KERNEL_VECTOR;
        input += tap;
        POINTER_FORGET(input);
    }
    return filter;
}

/* Three taps with every input broadcast once: the paper's reuse across the
 * filter's width.  */
INLINE void mgemm_taps_keep(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                            const float *filter, int64_t pixel, int rows, int vectors, int width)
{
#pragma GCC unroll 2
    for (int y = 0; y < rows; y++) {
        vec x[MGEMM_MAX_WIDTH + 2];

#pragma GCC unroll 30
        for (int j = 0; j < width + 2; j++)
            x[j] = vec_broadcast(input[y * row2 + j * pixel]);
#pragma GCC unroll 3
        for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
            for (int i = 0; i < vectors; i++) {
                vec weight = vec_load(filter + (s * vectors + i) * KERNEL_VECTOR);

#pragma GCC unroll 28
                for (int j = 0; j < width; j++)
                    acc->sum[y][i][j] += weight * x[j + s];
            }
    }
}

/* Three taps with all their weights in registers; the inputs stream by.  */
INLINE void mgemm_taps_filter(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                              const float *filter, int64_t pixel, int rows, int vectors, int width)
{
    vec weight[3][MGEMM_MAX_VECTORS];

#pragma GCC unroll 3
    for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
        for (int i = 0; i < vectors; i++) {
            weight[s][i] = vec_load(filter + (s * vectors + i) * KERNEL_VECTOR);
            VEC_PIN(weight[s][i]);
        }
#pragma GCC unroll 2
    for (int y = 0; y < rows; y++)
#pragma GCC unroll 30
        for (int j = 0; j < width + 2; j++) {
            vec x = vec_broadcast(input[y * row2 + j * pixel]);

#pragma GCC unroll 3
            for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
                for (int i = 0; i < vectors; i++)
                    if (j >= s && j - s < width)
                        acc->sum[y][i][j - s] += weight[s][i] * x;
        }
}

/* All channels and taps of one filter row.  Returns the filter after them.  */
INLINE const float *mgemm_filter_row(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                                     const float *input, const float *filter, enum mgemm_form form,
                                     struct mgemm_form_traits traits, int rows, int vectors,
                                     int width)
{
    const int64_t row2 = call->input_row2, skip = call->filter_skip, tap = call->input_tap;
    const int64_t pixel =
        traits.stride > 0 ? (int64_t)traits.stride * traits.block : call->input_pixel;
    const int64_t taps = traits.taps > 0 ? traits.taps : call->taps;
    int64_t left = call->channels, lanes = call->first_channels, skipped = call->first_lane;

    while (left > 0) {
        const float *from = input + skipped;

        for (int64_t lane = 0; lane < (traits.block == 1 ? 1 : lanes); lane++) {
            if (form == MGEMM_KEEP)
                mgemm_taps_keep(acc, from, row2, filter, pixel, rows, vectors, width);
            else if (form == MGEMM_FILTER)
                mgemm_taps_filter(acc, from, row2, filter, pixel, rows, vectors, width);
            if (form == MGEMM_KEEP || form == MGEMM_FILTER)
                filter += 3 * vectors * KERNEL_VECTOR;
            else
                filter = mgemm_taps_reload(acc, from, row2, tap, filter, taps, pixel, rows, vectors,
                                           width) +
                         skip;
            from++;
            POINTER_FORGET(from);
        }
        input += call->input_block;
        skipped = 0;
        left -= lanes;
        lanes = left < traits.block ? left : traits.block;
    }
    return filter;
}

INLINE void mgemm_start(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                        const float *output, int rows, int vectors, int width)
{
    const int64_t row2 = call->output_row2, block = call->output_block;

#pragma GCC unroll 2
    for (int y = 0; y < rows; y++)
#pragma GCC unroll 4
        for (int i = 0; i < vectors; i++)
#pragma GCC unroll 28
            for (int j = 0; j < width; j++)
                acc->sum[y][i][j] =
                    call->accumulate ? vec_load(output + y * row2 + i * block + j * KERNEL_VECTOR)
                                     : vec_load(call->bias + i * KERNEL_VECTOR);
}

INLINE void mgemm_finish(const struct mgemm_accumulators *acc, const struct mgemm_call *call,
                         float *output, int rows, int vectors, int width)
{
    const int64_t row2 = call->output_row2, block = call->output_block;

#pragma GCC unroll 2
    for (int y = 0; y < rows; y++)
#pragma GCC unroll 4
        for (int i = 0; i < vectors; i++)
#pragma GCC unroll 28
            for (int j = 0; j < width; j++)
                vec_store(output + y * row2 + i * block + j * KERNEL_VECTOR,
                          call->relu ? vec_relu(acc->sum[y][i][j]) : acc->sum[y][i][j]);
}

INLINE void mgemm_tiles(const struct mgemm_call *call, enum mgemm_form form,
                        struct mgemm_form_traits traits, int rows, int vectors, int width)
{
    const float *input = call->input;
    float *output = call->output;

    for (int64_t tile = 0; tile < call->tiles; tile++) {
        struct mgemm_accumulators acc;
        const float *from = input, *filter = call->filter;

        POINTER_FORGET(output);
        mgemm_start(&acc, call, output, rows, vectors, width);
        for (int64_t r = 0; r < call->filter_rows; r++) {
            filter = mgemm_filter_row(&acc, call, from, filter, form, traits, rows, vectors, width);
            from += call->input_row;
        }
        POINTER_FORGET(output);
        mgemm_finish(&acc, call, output, rows, vectors, width);
        input += call->input_tile;
        output += call->output_tile;
    }
}

#endif
