/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depthwise tiles for filters KERNEL_TAPS wide, of one instruction set.  Compiled once for
 * each, by a file for each width: GCC gives functions other registers when others join their file.
 */
#ifndef ARENABENCH_KERNELS_MGEMM_DEPTHWISE_ROWS_TILE_H
#define ARENABENCH_KERNELS_MGEMM_DEPTHWISE_ROWS_TILE_H

#include "kernels/mgemm/depthwise_rows.h"
#include "kernels/mgemm/vector.h"
#include "lib/base/checked.h"

enum { TAPS = KERNEL_TAPS };

/* Pixels of the widest tile: its sums, a row of weights, an input and, without a fused
 * multiply-add, a product are in registers.  */
#if defined __AVX512F__ || defined __aarch64__
#define WIDEST 14
#elif KERNEL_TAPS == 5
#define WIDEST 8
#else
#define WIDEST (14 - KERNEL_TAPS)
#endif

/* The sum stays in its register and is done before the next: GCC would keep many products
 * where they are instructions of their own.  */
INLINE void add_product(vec *sum, vec weight, vec value)
{
    vec_add_product(sum, weight, value);
    VEC_PIN(*sum);
}

/* One row of the filter over the inputs [LOW, HIGH) that a tile reads of a row; EDGE: LOW and
 * HIGH are not all of them.  */
INLINE void add_row(vec *sum, const float *input, const float *filter, int64_t low, int64_t high,
                    bool edge, int stride, int width)
{
    const int inputs = (width - 1) * stride + TAPS;
    vec weight[TAPS];

#pragma GCC unroll 9
    for (int s = 0; s < TAPS; s++) {
        weight[s] = vec_load(filter + s * KERNEL_VECTOR);
        VEC_PIN(weight[s]);
    }
#pragma GCC unroll 36
    for (int j = 0; j < inputs; j++) {
        vec value;

        if (edge && ((j < TAPS / 2 && j < low) || (j >= inputs - TAPS / 2 && j >= high)))
            continue;
        value = vec_load(input + j * KERNEL_VECTOR);
        VEC_PIN(value);
#pragma GCC unroll 14
        for (int i = 0; i < width; i++)
            if (j - i * stride >= 0 && j - i * stride < TAPS)
                add_product(&sum[i], weight[j - i * stride], value);
    }
}

INLINE void store(const vec *sum, float *output, bool relu, int width)
{
#pragma GCC unroll 14
    for (int i = 0; i < width; i++)
        vec_store(output + i * KERNEL_VECTOR, relu ? vec_relu(sum[i]) : sum[i]);
}

/* WIDTH pixels; INPUT is where the first of them has its first tap.  Rows [TOP, BOTTOM) of the
 * filter hit real input.  */
INLINE void tile(const struct depthwise_rows_call *call, const float *input, float *output,
                 int64_t top, int64_t bottom, int64_t low, int64_t high, bool edge, int stride,
                 int width)
{
    const float *filter = call->filter + top * TAPS * KERNEL_VECTOR;
    const int64_t row = call->width * KERNEL_VECTOR;
    vec sum[WIDEST];

    input += top * row;
#pragma GCC unroll 14
    for (int i = 0; i < width; i++)
        sum[i] = vec_load(call->bias);
    for (int64_t left = bottom - top; left > 0; left--) {
        add_row(sum, input, filter, low, high, edge, stride, width);
        input += row;
        filter += TAPS * KERNEL_VECTOR;
    }
    if (call->relu)
        store(sum, output, true, width);
    else
        store(sum, output, false, width);
}

/* The last tile of a row begins where it ends with the row, and does some pixels again.  */
INLINE void lines(const struct depthwise_rows_call *call, int stride, int width)
{
    const int inputs = (width - 1) * stride + TAPS;

    for (int64_t line = call->first; line < call->end; line++) {
        const int64_t y = line * call->stride_h - call->pad_top;
        const int64_t top = max64(0, -y), bottom = min64(call->rows, call->height - y);

        for (int64_t next = 0; next < call->pixels; next += width) {
            const int64_t pixel = min64(next, call->pixels - width);
            const int64_t x = pixel * stride - call->pad_left;
            const int64_t low = max64(0, -x), high = min64(inputs, call->width - x);
            const float *input = call->input + (y * call->width + x) * KERNEL_VECTOR;
            float *output = call->output + (line * call->pixels + pixel) * KERNEL_VECTOR;

            if (low == 0 && high == inputs)
                tile(call, input, output, top, bottom, low, high, false, stride, width);
            else
                tile(call, input, output, top, bottom, low, high, true, stride, width);
        }
    }
}

/* depthwise5_1_w7: 5 taps, at stride 1, 7 pixels.  */
#define NAME_(taps, stride, width) depthwise##taps##_##stride##_w##width
#define NAME__(taps, stride, width) NAME_(taps, stride, width)
#define NAME(stride, width) NAME__(KERNEL_TAPS, stride, width)
#define DEFINE(stride, width)                                                                 \
    static __attribute__((noinline)) void NAME(stride,                                        \
                                               width)(const struct depthwise_rows_call *call) \
    {                                                                                         \
        lines(call, stride, width);                                                           \
    }
#define ENTER(stride, width) [width - 1] = NAME(stride, width),
#define TO_5(T, stride) T(stride, 1) T(stride, 2) T(stride, 3) T(stride, 4) T(stride, 5)
#define TO_7(T, stride) TO_5(T, stride) T(stride, 6) T(stride, 7)
#define TO_8(T, stride) TO_7(T, stride) T(stride, 8)
#define TO_14(T, stride) \
    TO_8(T, stride)      \
    T(stride, 9) T(stride, 10) T(stride, 11) T(stride, 12) T(stride, 13) T(stride, 14)
#if WIDEST == 14
#define LIST TO_14
#elif WIDEST == 8
#define LIST TO_8
#elif WIDEST == 7
#define LIST TO_7
#else
#define LIST TO_5
#endif

LIST(DEFINE, 1)
LIST(DEFINE, 2)

#define SET_(taps) depthwise##taps##_set
#define SET(taps) SET_(taps)

extern const struct depthwise_rows_set KERNEL_NAME(SET(KERNEL_TAPS));
const struct depthwise_rows_set KERNEL_NAME(SET(KERNEL_TAPS)) = {
    .tile = {{LIST(ENTER, 1)}, {LIST(ENTER, 2)}},
    .widest = WIDEST,
};

#endif
