/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tiles of rows.h for filters KERNEL_TAPS wide, of groups where KERNEL_GROUPED is 1, of those
 * that lie across vectors where it is 2, else depthwise, whose names begin with KERNEL_TILE, of one
 * instruction set.  Compiled once for each, by a file for each width: GCC gives functions other
 * registers when others join their file.  */
#ifndef ARENABENCH_KERNELS_MGEMM_ROWS_TILE_H
#define ARENABENCH_KERNELS_MGEMM_ROWS_TILE_H

#include <string.h>

#include "kernels/mgemm/rows.h"
#include "kernels/mgemm/vector.h"
#include "lib/base/checked.h"

enum { TAPS = KERNEL_TAPS, GROUPED = KERNEL_GROUPED, SPLIT = KERNEL_GROUPED == 2 };

/* Pixels of the widest tile: its sums, a row of weights, an input and, of groups, the permutation
 * are in registers, and without a fused multiply-add a product; with one more GCC spills.  Vectors
 * of 4 have no permutation that is known at run time alone.  */
#if KERNEL_GROUPED && KERNEL_VECTOR == 4
#define WIDEST 0
#elif defined __AVX512F__ || defined __aarch64__
#define WIDEST 14
#elif KERNEL_GROUPED == 2
#define WIDEST 9
#elif KERNEL_GROUPED
#define WIDEST (13 - KERNEL_TAPS)
#elif KERNEL_TAPS < 5
#define WIDEST 10
#elif KERNEL_TAPS == 5
#define WIDEST 8
#else
#define WIDEST (14 - KERNEL_TAPS)
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define SET KERNEL_NAME(JOIN(KERNEL_TILE, _set))

extern const struct rows_set SET;

#if WIDEST > 0

/* The sum stays in its register and is done before the next: GCC would keep many products
 * where they are instructions of their own.  */
INLINE void add_product(vec *sum, vec weight, vec value)
{
    vec_add_product(sum, weight, value);
    VEC_PIN(*sum);
}

/* Where the inputs of a channel are: of groups that lie across vectors, from the second place on as
 * well.  */
struct inputs {
    const float *at;
    int64_t second;
    mask lane;
};

INLINE vec load_input(const struct inputs *inputs, int64_t place)
{
    vec value = vec_load(inputs->at + place);

    if (SPLIT)
        return vec_pick(value, vec_load(inputs->at + inputs->second + place), inputs->lane);
    if (GROUPED)
        return __builtin_shuffle(value, inputs->lane);
    VEC_PIN(value);
    return value;
}

/* One channel of one row of the filter over the inputs [LOW, HIGH) that a tile reads of a row;
 * EDGE: LOW and HIGH are not all of them.  */
INLINE void add_row(vec *sum, struct inputs from, const float *filter, int64_t low, int64_t high,
                    bool edge, int stride, int width)
{
    const int inputs = (width - 1) * stride + TAPS;
    vec weight[TAPS];

    if (GROUPED)
        POINTER_FORGET(
            from.at); /* else inputs stay in registers from channel to channel, and spill */
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
        value = load_input(&from, j * KERNEL_VECTOR);
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

INLINE struct inputs step_inputs(const struct rows_step *step, const float *input)
{
    struct inputs inputs = {input + step->first, step->second - step->first, {0}};

    memcpy(&inputs.lane, step->lane, sizeof inputs.lane);
    return inputs;
}

/* WIDTH pixels; INPUT is where the first of them has its first tap.  Rows [TOP, BOTTOM) of the
 * filter hit real input.  LANE has the permutation of each channel.  */
INLINE void tile(const struct rows_call *call, const float *input, float *output, const mask *lane,
                 int64_t top, int64_t bottom, int64_t low, int64_t high, bool edge, int stride,
                 int width)
{
    const int64_t row = call->dilation_h * call->width * KERNEL_VECTOR;
    const int64_t channels = GROUPED ? call->channels : 1;
    const float *filter = call->filter + top * channels * TAPS * KERNEL_VECTOR;
    vec sum[WIDEST];

    input += top * row;
#pragma GCC unroll 14
    for (int i = 0; i < width; i++)
        sum[i] = vec_load(call->bias);
    for (int64_t left = bottom - top; left > 0; left--) {
        for (int64_t c = 0; c < channels; c++) {
            struct inputs from = {input, 0, lane[SPLIT ? 0 : c]};

            if (SPLIT)
                from = step_inputs(&call->step[c], input);
            add_row(sum, from, filter, low, high, edge, stride, width);
            filter += TAPS * KERNEL_VECTOR;
        }
        input += row;
    }
    if (call->relu)
        store(sum, output, true, width);
    else
        store(sum, output, false, width);
}

/* Lane l has the c-th channel of its group.  */
INLINE void find_lanes(mask *lane, int64_t channels)
{
    for (int64_t c = 0; c < channels; c++)
        for (int l = 0; l < KERNEL_VECTOR; l++)
            lane[c][l] = (int32_t)(l / channels * channels + c);
}

/* The last tile of a row begins where it ends with the row, and does some pixels again.  */
INLINE void lines(const struct rows_call *call, int stride, int width)
{
    const int inputs = (width - 1) * stride + TAPS;
    mask lane[KERNEL_VECTOR / 2];

    find_lanes(lane, GROUPED && !SPLIT ? call->channels : 1);
    for (int64_t line = call->first; line < call->end; line++) {
        const int64_t y = line * call->stride_h - call->pad_top, d = call->dilation_h;
        const int64_t top = y < 0 ? (d - 1 - y) / d : 0;
        const int64_t bottom = min64(call->rows, (call->height - y + d - 1) / d);

        for (int64_t next = 0; next < call->pixels; next += width) {
            const int64_t pixel = min64(next, call->pixels - width);
            const int64_t x = pixel * stride - call->pad_left;
            const int64_t low = max64(0, -x), high = min64(inputs, call->width - x);
            const float *input = call->input + (y * call->width + x) * KERNEL_VECTOR;
            float *output = call->output + (line * call->pixels + pixel) * KERNEL_VECTOR;

            if (low == 0 && high == inputs)
                tile(call, input, output, lane, top, bottom, low, high, false, stride, width);
            else
                tile(call, input, output, lane, top, bottom, low, high, true, stride, width);
        }
    }
}

/* grouped3_1_w7: KERNEL_TILE, at stride 1, 7 pixels.  */
#define NAME(stride, width) JOIN(KERNEL_TILE, _##stride##_w##width)
#define DEFINE(stride, width)                                                               \
    static __attribute__((noinline)) void NAME(stride, width)(const struct rows_call *call) \
    {                                                                                       \
        lines(call, stride, width);                                                         \
    }
#define ENTER(stride, width) [width - 1] = NAME(stride, width),
#define TO_5(T, stride) T(stride, 1) T(stride, 2) T(stride, 3) T(stride, 4) T(stride, 5)
#define TO_7(T, stride) TO_5(T, stride) T(stride, 6) T(stride, 7)
#define TO_8(T, stride) TO_7(T, stride) T(stride, 8)
#define TO_9(T, stride) TO_8(T, stride) T(stride, 9)
#define TO_10(T, stride) TO_9(T, stride) T(stride, 10)
#define TO_14(T, stride) TO_10(T, stride) T(stride, 11) T(stride, 12) T(stride, 13) T(stride, 14)
#if WIDEST == 14
#define LIST TO_14
#elif WIDEST == 10
#define LIST TO_10
#elif WIDEST == 9
#define LIST TO_9
#elif WIDEST == 8
#define LIST TO_8
#elif WIDEST == 7
#define LIST TO_7
#else
#define LIST TO_5
#endif

LIST(DEFINE, 1)
LIST(DEFINE, 2)

const struct rows_set SET = {
    .tile = {{LIST(ENTER, 1)}, {LIST(ENTER, 2)}},
    .widest = WIDEST,
};

#else

const struct rows_set SET = {.widest = 0};

#endif
#endif
