/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The template of all dense tiles but the pointwise ones: the loops around the
 * taps.  A function of straight code is for one kind of edge, or the compiler
 * would not find registers; one of loops is for all of them.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_TILE_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_TILE_H

#include <stdbool.h>

#include "kernels/mgemm/mgemm_straight.h"

/* All channels of one filter row.  */
INLINE void mgemm_channels(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                           const float *input, const float *filter, struct mgemm_ahead ahead,
                           enum mgemm_edge edge, struct mgemm_kind kind, struct mgemm_size size)
{
    const struct mgemm_form_traits traits = kind.traits;
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

        mgemm_fetch(call, input, filter, ahead, left <= lanes, traits, size);
        while (from != end) {
            if (edge == MGEMM_MASKS)
                mgemm_taps_some(acc, from, row2, tap, filter, taps, pixel, call->columns, size);
            else if (edge == MGEMM_FIRST_PIXEL)
                mgemm_taps_first(acc, from, row2, tap, filter, taps, pixel, size);
            else if (edge == MGEMM_LAST_PIXEL)
                mgemm_taps_last(acc, from, row2, tap, filter, taps, pixel, size);
            else if (mgemm_keeps(kind.form) &&
                     MGEMM_KEEPS_WINDOW(traits.stride, size.vectors, size.width))
                mgemm_straight_window(acc, from, filter, kind, size);
            else if (mgemm_keeps(kind.form))
                mgemm_taps_keep(acc, from, filter, traits, size);
            else if (kind.form == MGEMM_FILTER)
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

/* The tile's rows HIT of one filter row, where the call says which taps miss.  */
INLINE void mgemm_any_row(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                          const float *input, const float *filter, struct mgemm_ahead ahead,
                          uint32_t hit, struct mgemm_kind kind, struct mgemm_size size)
{
    const bool always_whole = mgemm_keeps(kind.form) || kind.form == MGEMM_FILTER;
    struct mgemm_size upper = size, lower = size;

    upper.row_end = 1;
    lower.row = 1;
    if (size.row_end == 2 && hit == 1)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_MASKS, kind, upper);
    else if (size.row_end == 2 && hit == 2)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_MASKS, kind, lower);
    else if (always_whole || call->edge == MGEMM_WHOLE)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_WHOLE, kind, size);
    else if (kind.form == MGEMM_BLOCKED_1 && call->edge == MGEMM_FIRST_PIXEL)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_FIRST_PIXEL, kind, size);
    else if (kind.form == MGEMM_BLOCKED_1 && call->edge == MGEMM_LAST_PIXEL)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_LAST_PIXEL, kind, size);
    else
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_MASKS, kind, size);
}

INLINE void mgemm_filter_row(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                             const float *input, const float *filter, struct mgemm_ahead ahead,
                             uint32_t hit, struct mgemm_kind kind, struct mgemm_size size)
{
    if (kind.edge == MGEMM_EDGES)
        mgemm_any_row(acc, call, input, filter, ahead, hit, kind, size);
    else if (kind.edge == MGEMM_MASKS)
        mgemm_channels(acc, call, input, filter, ahead, MGEMM_MASKS, kind, size);
    else if (mgemm_keeps(kind.form))
        mgemm_straight_kept(acc, call, input, filter, ahead, kind, size);
    else if (kind.traits.block == 1)
        mgemm_straight_planes(acc, call, input, filter, kind, size);
    else
        mgemm_straight_blocks(acc, call, input, filter, ahead, kind, size);
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
                           int64_t panel, struct mgemm_kind kind, struct mgemm_size size)
{
    struct mgemm_accumulators acc;
    const float *filter = call->filter, *first = input;

    POINTER_FORGET(output);
    mgemm_start(&acc, call, output, size);
    for (int64_t r = 0; r < call->filter_rows; r++) {
        const uint32_t hit = size.row_end == 2 ? call->rows[r] : 1;
        const struct mgemm_ahead ahead = {
            panel, r + 1 < call->filter_rows ? input + call->input_row : first + call->input_tile};

        mgemm_filter_row(&acc, call, input, filter, ahead, hit, kind, size);
        filter += call->filter_row;
        input += call->input_row;
    }
    POINTER_FORGET(output);
    mgemm_finish(&acc, call, output, size);
}

INLINE void mgemm_tiles(const struct mgemm_call *call, struct mgemm_kind kind, int rows,
                        int vectors, int width)
{
    const struct mgemm_size size = {0, rows, 0, width, vectors, width};
    int64_t panel = call->ahead, left = call->ahead_lines;

    for (int64_t line = 0; line < call->lines; line++)
        for (int64_t tile = 0; tile < call->tiles; tile++) {
            const float *input = call->input + line * call->input_line + tile * call->input_tile;
            float *output = call->output + line * call->output_line + tile * call->output_tile;

            if (left <= 0)
                panel = 0;
            mgemm_one_tile(call, input, output, panel, kind, size);
            left -= call->tile_lines;
            panel += MGEMM_LINE * call->tile_lines;
        }
}

#endif
