/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edges of tiles that keep their inputs, of one instruction set.  Compiled once for each,
 * and in a file of their own: GCC gives functions other registers when others join their file.  */
#include <config.h>

#include "kernels/mgemm/mgemm_kept.h"
#include "kernels/mgemm/mgemm_list.h"
#include "kernels/mgemm/mgemm_tile.h"

/* Three taps of one channel, every input that one of them hits broadcast once.  */
INLINE void kept_taps(struct mgemm_accumulators *acc, const float *input, const float *filter,
                      enum mgemm_edge edge, int stride, struct mgemm_size size)
{
    const int inputs = (size.column_end - 1) * stride + 3;
    const int first = mgemm_misses_first(edge), end = inputs - mgemm_misses_last(edge);
    vec x[2 * MGEMM_MAX_WIDTH + 1];

#pragma GCC unroll 30
    for (int j = first; j < end; j++)
        x[j] = vec_broadcast(input[j * KERNEL_VECTOR]);
#pragma GCC unroll 3
    for (int s = 0; s < 3; s++)
#pragma GCC unroll 4
        for (int i = 0; i < size.vectors; i++) {
            vec weight = vec_load(filter + (s * size.vectors + i) * KERNEL_VECTOR);

#pragma GCC unroll 28
            for (int j = 0; j < size.column_end; j++)
                if (j * stride + s >= first && j * stride + s < end)
                    acc->sum[0][i][j] += weight * x[j * stride + s];
        }
}

/* The blocks of channels of one filter row.  */
INLINE void kept_channels(struct mgemm_accumulators *acc, const struct mgemm_call *call,
                          const float *input, const float *filter, struct mgemm_ahead ahead,
                          enum mgemm_edge edge, struct mgemm_form_traits traits,
                          struct mgemm_size size)
{
    for (int64_t left = call->channels; left > 0; left -= KERNEL_VECTOR) {
        const struct mgemm_kind kind = {MGEMM_KEEP, traits, edge};
        const float *from = input, *end = input + KERNEL_VECTOR;

        mgemm_fetch(call, input, filter, ahead, left <= KERNEL_VECTOR, traits, size);
        while (from != end) {
            if (MGEMM_KEEPS_WINDOW(traits.stride, size.vectors, size.width))
                mgemm_straight_window(acc, from, filter, kind, size);
            else
                kept_taps(acc, from, filter, edge, traits.stride, size);
            filter += 3 * size.vectors * KERNEL_VECTOR;
            from++;
            POINTER_FORGET(from);
        }
        input += call->input_block;
    }
}

INLINE void kept_tile(const struct mgemm_call *call, const float *input, float *output,
                      int64_t panel, enum mgemm_edge edge, struct mgemm_form_traits traits,
                      struct mgemm_size size)
{
    struct mgemm_accumulators acc;
    const float *filter = call->filter, *first = input;

    POINTER_FORGET(output);
    mgemm_start(&acc, call, output, size);
    for (int64_t r = 0; r < call->filter_rows; r++) {
        const struct mgemm_ahead ahead = {
            panel, r + 1 < call->filter_rows ? input + call->input_row : first + call->input_tile};

        kept_channels(&acc, call, input, filter, ahead, edge, traits, size);
        filter += call->filter_row;
        input += call->input_row;
    }
    POINTER_FORGET(output);
    mgemm_finish(&acc, call, output, size);
}

INLINE void kept_tiles(const struct mgemm_call *call, enum mgemm_edge edge, int stride, int vectors,
                       int width)
{
    const struct mgemm_form_traits traits = {KERNEL_VECTOR, stride, 3};
    const struct mgemm_size size = {0, 1, 0, width, vectors, width};
    int64_t panel = call->ahead, left = call->ahead_lines;

    for (int64_t line = 0; line < call->lines; line++)
        for (int64_t tile = 0; tile < call->tiles; tile++) {
            const float *input = call->input + line * call->input_line + tile * call->input_tile;
            float *output = call->output + line * call->output_line + tile * call->output_tile;

            if (left <= 0)
                panel = 0;
            kept_tile(call, input, output, panel, edge, traits, size);
            left -= call->tile_lines;
            panel += MGEMM_LINE * call->tile_lines;
        }
}

#define STRIDE_KEEP 1
#define STRIDE_KEEP_2 2

/* edge_KEEP_v2_w4_first, _last and _both.  */
#define EDGE_NAME(form, vectors, width, part) edge_##form##_v##vectors##_w##width##_##part
#define DEFINE_EDGE(form, vectors, width, part, edge)                                \
    static void EDGE_NAME(form, vectors, width, part)(const struct mgemm_call *call) \
    {                                                                                \
        kept_tiles(call, edge, STRIDE_##form, vectors, width);                       \
    }
#define DEFINE(form, rows, vectors, width)                      \
    DEFINE_EDGE(form, vectors, width, first, MGEMM_FIRST_PIXEL) \
    DEFINE_EDGE(form, vectors, width, last, MGEMM_LAST_PIXEL)   \
    DEFINE_EDGE(form, vectors, width, both, MGEMM_BOTH_PIXELS)
#define ENTER_EDGE(form, vectors, width, part, which) \
    .edge[STRIDE_##form - 1][which][vectors - 1][width - 1] = EDGE_NAME(form, vectors, width, part),
#define ENTER(form, rows, vectors, width)                      \
    ENTER_EDGE(form, vectors, width, first, MGEMM_FIRST_PIXEL) \
    ENTER_EDGE(form, vectors, width, last, MGEMM_LAST_PIXEL)   \
    ENTER_EDGE(form, vectors, width, both, MGEMM_BOTH_PIXELS)

MGEMM_KEPT_LIST(DEFINE)

extern const struct mgemm_kept_set KERNEL_NAME(mgemm_kept_set);
const struct mgemm_kept_set KERNEL_NAME(mgemm_kept_set) = {MGEMM_KEPT_LIST(ENTER)};
