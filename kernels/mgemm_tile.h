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

/* What is added up of a tile: its rows [row, row_end) and columns [column,
 * column_end).  */
struct mgemm_size {
    int row, row_end, column, column_end;
    int vectors;
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

/* Three taps with every input broadcast once: the paper's reuse across the
 * filter's width.  */
INLINE void mgemm_taps_keep(struct mgemm_accumulators *acc, const float *input, const float *filter,
                            int64_t pixel, struct mgemm_size size)
{
    vec x[MGEMM_MAX_WIDTH + 2];

#pragma GCC unroll 30
    for (int j = 0; j < size.column_end + 2; j++)
        x[j] = vec_broadcast(input[j * pixel]);
#pragma GCC unroll 3
    for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
        for (int i = 0; i < size.vectors; i++) {
            vec weight = vec_load(filter + (s * size.vectors + i) * KERNEL_VECTOR);

#pragma GCC unroll 28
            for (int j = size.column; j < size.column_end; j++)
                acc->sum[0][i][j] += weight * x[j + s];
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

/* Fetches for one block of channels a few lines of the next panel, which is AHEAD
 * floats behind the weights in use; 0: nothing.  */
INLINE void mgemm_fetch(const float *filter, int64_t ahead, struct mgemm_form_traits traits)
{
    if (traits.block > 1 && ahead != 0)
#pragma GCC unroll 4
        for (int i = 0; i < MGEMM_LINES_AHEAD; i++)
            __builtin_prefetch(filter + ahead + MGEMM_LINE * i, 0, 2);
}

/* All channels of one filter row.  */
INLINE void mgemm_channels(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                           const float *input, const float *filter, int64_t ahead,
                           enum mgemm_edge edge, enum mgemm_form form,
                           struct mgemm_form_traits traits, struct mgemm_size size)
{
    const int64_t row2 = call->input_row2, tap = call->input_tap;
    const int64_t pixel =
        traits.stride > 0 ? (int64_t)traits.stride * traits.block : call->input_pixel;
    const int64_t taps = traits.taps > 0 ? traits.taps : call->taps;
    const int64_t next = traits.taps > 0 ? (int64_t)traits.taps * size.vectors * KERNEL_VECTOR
                                         : call->filter_channel;
    int64_t left = call->channels, lanes = call->first_channels;
    const float *from = input + call->first_lane;

    while (left > 0) {
        const float *end = traits.block == 1 ? from + 1 : from + lanes;

        mgemm_fetch(filter, ahead, traits);
        while (from != end) {
            if (edge == MGEMM_MASKS)
                mgemm_taps_some(acc, from, row2, tap, filter, taps, pixel, call->columns, size);
            else if (edge == MGEMM_FIRST_PIXEL)
                mgemm_taps_first(acc, from, row2, tap, filter, taps, pixel, size);
            else if (edge == MGEMM_LAST_PIXEL)
                mgemm_taps_last(acc, from, row2, tap, filter, taps, pixel, size);
            else if (form == MGEMM_KEEP)
                mgemm_taps_keep(acc, from, filter, pixel, size);
            else if (form == MGEMM_FILTER)
                mgemm_taps_filter(acc, from, filter, pixel, size);
            else
                mgemm_taps_reload(acc, from, row2, tap, filter, taps, pixel, size);
            filter += next;
            from++;
            POINTER_FORGET(from);
        }
        input += call->input_block;
        from = input;
        left -= lanes;
        lanes = left < traits.block ? left : traits.block;
    }
}

/* The tile's rows HIT of one filter row.  */
INLINE void mgemm_filter_row(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                             const float *input, const float *filter, int64_t ahead, uint32_t hit,
                             enum mgemm_form form, struct mgemm_form_traits traits,
                             struct mgemm_size size)
{
    const bool always_whole = form == MGEMM_KEEP || form == MGEMM_FILTER;
    struct mgemm_size upper = size, lower = size;

    upper.row_end = 1;
    lower.row = 1;
    if (size.row_end == 2 && hit == 1)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_MASKS, form, traits, upper);
    else if (size.row_end == 2 && hit == 2)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_MASKS, form, traits, lower);
    else if (always_whole || call->edge == MGEMM_WHOLE)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_WHOLE, form, traits, size);
    else if (form == MGEMM_BLOCKED_1 && call->edge == MGEMM_FIRST_PIXEL)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_FIRST_PIXEL, form, traits, size);
    else if (form == MGEMM_BLOCKED_1 && call->edge == MGEMM_LAST_PIXEL)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_LAST_PIXEL, form, traits, size);
    else
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_MASKS, form, traits, size);
}

INLINE void mgemm_start(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                        const float *output, struct mgemm_size size)
{
    const int64_t row2 = call->output_row2, block = call->output_block;

#pragma GCC unroll 2
    for (int y = size.row; y < size.row_end; y++)
#pragma GCC unroll 4
        for (int i = 0; i < size.vectors; i++)
#pragma GCC unroll 28
            for (int j = size.column; j < size.column_end; j++)
                acc->sum[y][i][j] =
                    call->accumulate ? vec_load(output + y * row2 + i * block + j * KERNEL_VECTOR)
                                     : vec_load(call->bias + i * KERNEL_VECTOR);
}

INLINE void mgemm_finish(const struct mgemm_accumulators *acc, const struct mgemm_call *call,
                         float *output, struct mgemm_size size)
{
    const int64_t row2 = call->output_row2, block = call->output_block;
    const int relu = call->relu;

#pragma GCC unroll 2
    for (int y = size.row; y < size.row_end; y++)
#pragma GCC unroll 4
        for (int i = 0; i < size.vectors; i++)
#pragma GCC unroll 28
            for (int j = size.column; j < size.column_end; j++)
                vec_store(output + y * row2 + i * block + j * KERNEL_VECTOR,
                          relu ? vec_relu(acc->sum[y][i][j]) : acc->sum[y][i][j]);
}

INLINE void mgemm_one_tile(const struct mgemm_call *call, const float *input, float *output,
                           int64_t ahead, enum mgemm_form form, struct mgemm_form_traits traits,
                           struct mgemm_size size)
{
    struct mgemm_accumulators acc;
    const float *filter = call->filter;

    POINTER_FORGET(output);
    mgemm_start(&acc, call, output, size);
    for (int64_t r = 0; r < call->filter_rows; r++) {
        const uint32_t hit = size.row_end == 2 ? call->rows[r] : 1;

        mgemm_filter_row(&acc, call, input, filter, ahead, hit, form, traits, size);
        filter += call->filter_row;
        input += call->input_row;
    }
    POINTER_FORGET(output);
    mgemm_finish(&acc, call, output, size);
}

INLINE void mgemm_tiles(const struct mgemm_call *call, enum mgemm_form form,
                        struct mgemm_form_traits traits, int rows, int vectors, int width)
{
    const struct mgemm_size size = {0, rows, 0, width, vectors};
    int64_t ahead = call->ahead, left = call->ahead_lines;

    for (int64_t line = 0; line < call->lines; line++)
        for (int64_t tile = 0; tile < call->tiles; tile++) {
            const float *input = call->input + line * call->input_line + tile * call->input_tile;
            float *output = call->output + line * call->output_line + tile * call->output_tile;

            if (left <= 0)
                ahead = 0;
            mgemm_one_tile(call, input, output, ahead, form, traits, size);
            left -= MGEMM_LINES_AHEAD;
            ahead += MGEMM_LINE * MGEMM_LINES_AHEAD;
        }
}

#endif
