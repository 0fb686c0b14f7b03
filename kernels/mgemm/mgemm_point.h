/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The template of pointwise tiles: filter width 1, blocks of channels from their
 * first lane on.
 *
 * A pointwise layer has many tiles with little in each, so what stands around
 * the multiply-adds counts here: pointers are led along instead of being worked
 * out, and where there are 16 registers and fused multiply-adds the lanes of a
 * block are straight code, which saves the loop's instructions.  That matters
 * most where two threads of a core share what it can issue.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_POINT_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_POINT_H

#include "kernels/mgemm/mgemm_tile.h"

/* Where a tile is in the two operands, and in what it fetches ahead.  */
struct mgemm_point {
    const float *input, *filter;
    const float *near; /* the next tile's input */
    int64_t far;       /* from the weights to the next panel's; 0: none is fetched */
};

/* All lanes of a block.  */
INLINE void mgemm_point_straight(struct mgemm_accumulators *acc, const struct mgemm_point *at,
                                 struct mgemm_size size)
{
    const int64_t step = size.vectors * KERNEL_VECTOR;

    if (MGEMM_IS_TALL(size.vectors, size.width)) {
        mgemm_tall_point(acc, at->input, at->filter);
        return;
    }
#pragma GCC unroll 8
    for (int i = 0; i < KERNEL_VECTOR; i++)
        mgemm_straight_tap(acc, at->input + i, 0, at->filter + i * step, KERNEL_VECTOR, size);
}

/* LANES of a block, at least one.  */
INLINE void mgemm_point_lanes(struct mgemm_accumulators *acc, struct mgemm_point *at, int64_t lanes,
                              struct mgemm_size size)
{
    const float *input = at->input, *filter = at->filter, *end = input + lanes;

    do {
        mgemm_tap(acc, input, 0, filter, KERNEL_VECTOR, size);
        filter += size.vectors * KERNEL_VECTOR;
        input++;
        POINTER_FORGET(input);
    } while (input != end);
    at->input = input;
    at->filter = filter;
}

INLINE void mgemm_point_fetch(const struct mgemm_point *at, struct mgemm_size size)
{
#pragma GCC unroll 28
    for (int i = 0; i < size.column_end * KERNEL_VECTOR; i += MGEMM_LINE)
        __builtin_prefetch(at->near + i, 0, 3);
    if (at->far == 0)
        return;
#pragma GCC unroll 8
    for (int i = 0; i < MGEMM_LINES(MGEMM_POINT, KERNEL_VECTOR); i++)
        __builtin_prefetch(at->filter + at->far + MGEMM_LINE * i, 0, 2);
}

/* All channels of one filter row.  */
INLINE void mgemm_point_channels(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                                 struct mgemm_point *at, struct mgemm_size size)
{
    const int64_t step = call->input_block - KERNEL_VECTOR;
    int64_t left = call->channels - KERNEL_VECTOR;

    for (; left >= 0; left -= KERNEL_VECTOR) {
        mgemm_point_fetch(at, size);
        mgemm_point_lanes(acc, at, KERNEL_VECTOR, size);
        at->input += step;
        at->near += step + KERNEL_VECTOR;
        POINTER_FORGET(at->near);
    }
    left += KERNEL_VECTOR;
    if (left > 0)
        mgemm_point_lanes(acc, at, left, size);
}

/* The same in straight code; they are whole blocks.  */
INLINE void mgemm_point_blocks(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                               struct mgemm_point *at, struct mgemm_size size)
{
    const int64_t step = call->input_block;

    for (int64_t left = call->channels; left > 0; left -= KERNEL_VECTOR) {
        mgemm_point_fetch(at, size);
        mgemm_point_straight(acc, at, size);
        at->input += step;
        at->near += step;
        at->filter += KERNEL_VECTOR * size.vectors * KERNEL_VECTOR;
        POINTER_FORGET(at->input);
        POINTER_FORGET(at->near);
        POINTER_FORGET(at->filter);
    }
}

INLINE void mgemm_point_tile(const struct mgemm_call *call, struct mgemm_point first, float *output,
                             bool straight, struct mgemm_size size)
{
    struct mgemm_accumulators acc;

    POINTER_FORGET(output);
    mgemm_start(&acc, call, output, size);
    for (int64_t r = call->filter_rows; r > 0; r--) {
        struct mgemm_point at = first;

        if (straight)
            mgemm_point_blocks(&acc, call, &at, size);
        else
            mgemm_point_channels(&acc, call, &at, size);
        first.input += call->input_row;
        first.filter += call->filter_row;
        first.near += call->input_row;
    }
    POINTER_FORGET(output);
    mgemm_finish(&acc, call, output, size);
}

INLINE void mgemm_point_tiles(const struct mgemm_call *call, bool straight, int vectors, int width)
{
    const struct mgemm_size size = {0, 1, 0, width, vectors, width};
    int64_t far = call->ahead, left = call->ahead_lines;
    const float *input = call->input;

    for (int64_t line = 0; line < call->lines; line++) {
        float *output = call->output + line * call->output_line;

        for (int64_t tile = call->tiles; tile > 0; tile--) {
            const float *next =
                tile > 1 ? input + call->input_tile : call->input + (line + 1) * call->input_line;

            if (left <= 0)
                far = 0;
            mgemm_point_tile(call, (struct mgemm_point){input, call->filter, next, far}, output,
                             straight, size);
            input = next;
            output += call->output_tile;
            left -= MGEMM_LINES(MGEMM_POINT, KERNEL_VECTOR);
            far += MGEMM_LINE * MGEMM_LINES(MGEMM_POINT, KERNEL_VECTOR);
        }
    }
}

#endif
