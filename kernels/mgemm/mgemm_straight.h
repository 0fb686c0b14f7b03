/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Taps as straight code, without a loop's instructions around each of them: the
 * lanes of a block of channels for one tap of blocked input or for three taps side by side, all
 * taps of a channel for planar input.  With 16 registers that is 20 or 21 instructions for 12
 * multiply-adds instead of 26.  With 32, 4 vectors x 6 pixels take 38 for 24 where 2 x 12 in a loop
 * take 43, and 32 with a window of inputs: that decides where two threads share what a core can
 * issue.  One function does one kind of edge, or GCC 12 moves sums between registers where ways
 * meet.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_STRAIGHT_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_STRAIGHT_H

#include <stdbool.h>

#include "kernels/mgemm/mgemm_tall.h"

/* In straight code GCC 12's usual way to allocate registers moves sums about and runs out of
 * registers.  With 32 of them it does so where 4 vectors of weights come first; elsewhere the other
 * way does.  */
#define MGEMM_PRIORITY __attribute__((optimize("ira-algorithm=priority")))
#define MGEMM_STRAIGHT_4 MGEMM_PRIORITY
#if KERNEL_VECTOR == 8 && defined __FMA__
#define MGEMM_STRAIGHT_2 MGEMM_PRIORITY
#define MGEMM_STRAIGHT_3 MGEMM_PRIORITY
#define MGEMM_STRAIGHT_KEPT MGEMM_PRIORITY
#else
#define MGEMM_STRAIGHT_2
#define MGEMM_STRAIGHT_3
#define MGEMM_STRAIGHT_KEPT
#endif
/* With 32 registers and all taps it moves fewer where a function is one region to it.  */
#if KERNEL_VECTOR == 16
#define MGEMM_STRAIGHT_WHOLE __attribute__((optimize("ira-region=all")))
#else
#define MGEMM_STRAIGHT_WHOLE MGEMM_STRAIGHT_KEPT
#endif

/* Lanes of a block that are straight code together, of one tap and of three.  With 32 registers a
 * few have many multiply-adds already, and more would take minutes to compile.  */
#if KERNEL_VECTOR == 16
enum { MGEMM_LANES = 4, MGEMM_KEPT_LANES = 2 };
#else
enum { MGEMM_LANES = KERNEL_VECTOR, MGEMM_KEPT_LANES = KERNEL_VECTOR };
#endif

/* Whether sums, all inputs of three taps and weights need more than 32 registers, so that the
 * inputs have to pass through some of them.  */
#define MGEMM_KEEPS_WINDOW(stride, vectors, width) \
    (KERNEL_VECTOR == 16 && (vectors) * (width) + ((width)-1) * (stride) + 3 + (vectors) > 32)

/* What a function of a tile is made for: all are constants.  Straight code has one
 * of the edges before the masks, loops have masks, or with MGEMM_EDGES any edge.  */
struct mgemm_kind {
    enum mgemm_form form;
    struct mgemm_form_traits traits;
    enum mgemm_edge edge;
};

/* What is fetched while a filter row of a tile is multiplied.  */
struct mgemm_ahead {
    int64_t panel;      /* from the weights in use to the next panel's; 0: nothing of it */
    const float *input; /* of the next filter row, or of the next tile */
};

/* The tile's lines of the next panel, from WEIGHTS on, to the second level.  */
INLINE void mgemm_fetch_panel(const struct mgemm_call *call, const float *weights)
{
    enum { STEP = MGEMM_LINES(MGEMM_KEEP, KERNEL_VECTOR) };
    int64_t left = KERNEL_VECTOR == 16 ? call->tile_lines : STEP;

    do {
#pragma GCC unroll 4
        for (int i = 0; i < STEP; i++)
            __builtin_prefetch(weights + MGEMM_LINE * i, 0, 2);
        weights += STEP * MGEMM_LINE;
        left -= STEP;
    } while (left > 0);
}

/* Fetches FLOATS of inputs into the first level.  UNROLL: the compiler knows how many.  */
INLINE void mgemm_fetch_inputs(const float *input, int64_t floats, bool unroll)
{
    if (unroll)
#pragma GCC unroll 32
        for (int64_t i = 0; i < floats; i += MGEMM_LINE)
            __builtin_prefetch(input + i, 0, 3);
    else
#pragma GCC unroll 1
        for (int64_t i = 0; i < floats; i += MGEMM_LINE)
            __builtin_prefetch(input + i, 0, 3);
}

/* Fetches for one block of channels a few lines of the next panel and, with AVX-512, the inputs of
 * the next block, or where this one is the LAST of its filter row those AHEAD.  Else the first lane
 * of each block waits for its inputs as long as their cache takes, which for a large image is the
 * third level.  */
INLINE void mgemm_fetch(const struct mgemm_call *call, const float *input, const float *filter,
                        struct mgemm_ahead ahead, bool last, struct mgemm_form_traits traits,
                        struct mgemm_size size)
{
    const int64_t pixels = ((size.column_end - 1) * traits.stride + 1) * traits.block;
    const float *next = last ? ahead.input : input + call->input_block;

    if (traits.block == 1)
        return;
    if (KERNEL_VECTOR == 16 && traits.taps > 0)
        mgemm_fetch_inputs(next, pixels + (traits.taps - 1) * traits.block, true);
    else if (KERNEL_VECTOR == 16 && traits.stride > 0)
        mgemm_fetch_inputs(next, pixels + (call->taps - 1) * call->input_tap, false);
    if (ahead.panel != 0)
        mgemm_fetch_panel(call, filter + ahead.panel);
}

/* The weights first, in a form for straight code: sums stay where they are; where
 * three vectors or more fill 16 registers, the weights do.  */
INLINE void mgemm_straight_weights(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                                   const float *filter, int64_t pixel, struct mgemm_size size)
{
    const bool full = KERNEL_VECTOR == 8 && size.vectors > 2 && size.vectors * size.width > 9;
    vec weight[MGEMM_MAX_VECTORS];

#pragma GCC unroll 4
    for (int i = 0; i < size.vectors; i++) {
        weight[i] = vec_load(filter + i * KERNEL_VECTOR);
        if (size.vectors > 2)
            VEC_PIN(weight[i]);
    }
#pragma GCC unroll 2
    for (int y = size.row; y < size.row_end; y++)
#pragma GCC unroll 28
        for (int j = size.column; j < size.column_end; j++) {
            vec x = vec_broadcast(input[y * row2 + j * pixel]);

#pragma GCC unroll 4
            for (int i = 0; i < size.vectors; i++)
                if (full)
                    acc->sum[y][i][j] += weight[i] * x;
                else
                    vec_add_product(&acc->sum[y][i][j], weight[i], x);
        }
}

/* One tap of one channel.  */
INLINE void mgemm_straight_tap(struct mgemm_accumulators *acc, const float *input, int64_t row2,
                               const float *filter, int64_t pixel, struct mgemm_size size)
{
    const int pixels = (size.row_end - size.row) * (size.column_end - size.column);

    if (size.vectors > pixels)
        mgemm_tap_pixels(acc, input, row2, filter, pixel, size);
    else
        mgemm_straight_weights(acc, input, row2, filter, pixel, size);
}

/* One tap of all lanes of a block.  */
INLINE void mgemm_straight_lanes(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                                 const float *input, const float *filter, int64_t pixel,
                                 struct mgemm_size size)
{
    const int64_t next = call->filter_channel;

    for (const float *end = input + KERNEL_VECTOR; input != end; input += MGEMM_LANES) {
#pragma GCC unroll 8
        for (int i = 0; i < MGEMM_LANES; i++) {
            mgemm_straight_tap(acc, input + i, call->input_row2, filter, pixel, size);
            filter += next;
            POINTER_FORGET(filter);
        }
        POINTER_FORGET(input);
    }
}

/* The blocks of channels of one filter row.  */
INLINE void mgemm_straight_blocks(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                                  const float *input, const float *filter, struct mgemm_ahead ahead,
                                  struct mgemm_kind kind, struct mgemm_size size)
{
    const int64_t pixel = (int64_t)kind.traits.stride * kind.traits.block, tap = call->input_tap;
    const int step = size.vectors * KERNEL_VECTOR;
    const int64_t between = call->taps - (kind.edge != MGEMM_WHOLE);
    struct mgemm_size but_first = size, but_last = size;

    but_first.column++;
    but_last.column_end--;
    for (int64_t left = call->channels; left > 0; left -= KERNEL_VECTOR) {
        const float *from = input, *weights = filter;

        mgemm_fetch(call, input, filter, ahead, left <= KERNEL_VECTOR, kind.traits, size);
        if (kind.edge == MGEMM_FIRST_PIXEL) {
            mgemm_straight_lanes(acc, call, from, weights, pixel, but_first);
            from += tap;
            weights += step;
        }
        for (int64_t s = between; s > 0; s--) {
            mgemm_straight_lanes(acc, call, from, weights, pixel, size);
            from += tap;
            weights += step;
            POINTER_FORGET(from);
            POINTER_FORGET(weights);
        }
        if (kind.edge == MGEMM_LAST_PIXEL)
            mgemm_straight_lanes(acc, call, from, weights, pixel, but_last);
        input += call->input_block;
        filter += KERNEL_VECTOR * call->filter_channel;
        POINTER_FORGET(input);
        POINTER_FORGET(filter);
    }
}

/* Three taps of one channel, side by side: an input that several of them need is
 * broadcast once, for the first of them.  With stride 2 those are the first and the last, one after
 * the other, or there would be two rows of inputs at a time.  */
INLINE void mgemm_straight_window(struct mgemm_accumulators *acc, const float *input,
                                  const float *filter, struct mgemm_kind kind,
                                  struct mgemm_size size)
{
    const int stride = kind.traits.stride, last = size.column_end - 1;
    const bool misses_first = mgemm_misses_first(kind.edge);
    const bool misses_last = mgemm_misses_last(kind.edge);
    vec x[2 * MGEMM_MAX_WIDTH + 1];

#pragma GCC unroll 3
    for (int t = 0; t < 3; t++) {
        const int s = stride == 2 ? (3 - t) % 3 : t;
        const int from = s == 0 && misses_first, to = size.column_end - (s == 2 && misses_last);

#pragma GCC unroll 28
        for (int j = from; j < to; j++)
            if (s < stride || j == last)
                x[j * stride + s] = vec_broadcast(input[(j * stride + s) * KERNEL_VECTOR]);
#pragma GCC unroll 4
        for (int i = 0; i < size.vectors; i++) {
            vec weight = vec_load(filter + (s * size.vectors + i) * KERNEL_VECTOR);

#pragma GCC unroll 28
            for (int j = from; j < to; j++)
                vec_add_product(&acc->sum[0][i][j], weight, x[j * stride + s]);
        }
    }
}

/* The blocks of channels of one filter row of three taps side by side.  */
INLINE void mgemm_straight_kept(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                                const float *input, const float *filter, struct mgemm_ahead ahead,
                                struct mgemm_kind kind, struct mgemm_size size)
{
    const int step = 3 * size.vectors * KERNEL_VECTOR;

    for (int64_t left = call->channels; left > 0; left -= KERNEL_VECTOR) {
        mgemm_fetch(call, input, filter, ahead, left <= KERNEL_VECTOR, kind.traits, size);
        if (MGEMM_IS_TALL(size.vectors, size.width)) {
            mgemm_tall_keep(acc, input, filter, kind.traits.stride, kind.edge);
        } else {
            const float *from = input, *weights = filter;

            for (const float *end = input + KERNEL_VECTOR; from != end; from += MGEMM_KEPT_LANES) {
#pragma GCC unroll 8
                for (int i = 0; i < MGEMM_KEPT_LANES; i++)
                    mgemm_straight_window(acc, from + i, weights + i * step, kind, size);
                weights += MGEMM_KEPT_LANES * step;
                POINTER_FORGET(from);
                POINTER_FORGET(weights);
            }
        }
        input += call->input_block;
        filter += KERNEL_VECTOR * step;
        POINTER_FORGET(input);
        POINTER_FORGET(filter);
    }
}

/* The channels of one filter row, one after the other in memory.  */
INLINE void mgemm_straight_planes(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                                  const float *input, const float *filter, struct mgemm_kind kind,
                                  struct mgemm_size size)
{
    for (int64_t left = call->channels; left > 0; left--) {
        if (MGEMM_IS_TALL(size.vectors, size.width)) {
            mgemm_tall_plane(acc, input, filter, kind.traits.taps, kind.traits.stride);
        } else {
#pragma GCC unroll 8
            for (int s = 0; s < kind.traits.taps; s++) {
                mgemm_straight_tap(acc, input + s, call->input_row2,
                                   filter + s * size.vectors * KERNEL_VECTOR, kind.traits.stride,
                                   size);
                POINTER_FORGET(input);
                POINTER_FORGET(filter);
            }
        }
        input += call->input_block;
        filter += call->filter_channel;
        POINTER_FORGET(input);
        POINTER_FORGET(filter);
    }
}

#endif
