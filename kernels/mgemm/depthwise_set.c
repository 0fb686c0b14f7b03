/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depthwise tiles of one instruction set.  Compiled once for each.  */
#include <config.h>

#include <stdbool.h>
#include <stddef.h>

#include "kernels/mgemm/depthwise.h"
#include "kernels/mgemm/vector.h"

/* Rows of outputs that are added up at a time, for each stride: 9 weights, the
 * sums of three columns (two with stride 2) and an input are in registers.  */
enum {
#if defined __AVX512F__ || defined __aarch64__
    ROWS_1 = 4,
    ROWS_2 = 4,
#elif defined __FMA__
    ROWS_1 = 2,
    ROWS_2 = 3,
#else
    ROWS_1 = 1, /* a product needs a register of its own */
    ROWS_2 = 1,
#endif
    MOST_ROWS = 4,
    ANY_WIDTH = 8,
};

struct weights {
    vec at[3][3];
};

/* The outputs that are under way; column q is in place q % 3 or q % 2.  */
struct sums {
    vec of[MOST_ROWS][3];
};

/* What a band of rows is: all constants.  Rows of taps in the padding above and
 * below are left out.  */
struct kept_traits {
    int rows, stride;
    bool top, bottom, relu;
};

/* One column of inputs: each is loaded once and used for all outputs that it is a
 * tap of.  It is the first tap of the sums in place FIRST, the second of those in
 * SECOND, the third of those in THIRD; -1: of none.  */
INLINE void add_column(struct sums *sums, const struct weights *filter, const float *input,
                       int64_t row, struct kept_traits traits, int first, int second, int third)
{
    const int height = (traits.rows - 1) * traits.stride + 3;

#pragma GCC unroll 9
    for (int y = traits.top; y < height - traits.bottom; y++) {
        vec value = vec_load(input + y * row);

#pragma GCC unroll 4
        for (int i = 0; i < traits.rows; i++) {
            const int r = y - i * traits.stride;

            if (r < 0 || r > 2)
                continue;
            if (third >= 0)
                vec_add_product(&sums->of[i][third], filter->at[r][2], value);
            if (second >= 0)
                vec_add_product(&sums->of[i][second], filter->at[r][1], value);
            if (first >= 0)
                vec_add_product(&sums->of[i][first], filter->at[r][0], value);
        }
    }
}

INLINE void start_column(struct sums *sums, const float *bias, struct kept_traits traits, int place)
{
#pragma GCC unroll 4
    for (int i = 0; i < traits.rows; i++)
        sums->of[i][place] = vec_load(bias);
}

INLINE void finish_column(const struct sums *sums, float *output, int64_t line,
                          struct kept_traits traits, int place)
{
#pragma GCC unroll 4
    for (int i = 0; i < traits.rows; i++)
        vec_store(output + i * line,
                  traits.relu ? vec_relu(sums->of[i][place]) : sums->of[i][place]);
}

/* Where a band is.  */
struct band {
    const float *input, *bias;
    float *output;
    int64_t row, line; /* of the input, of the output */
};

/* Stride 1, one step: the column of inputs that begins an output and ends another.  */
INLINE void step_1(struct sums *sums, const struct weights *filter, struct band *at, int64_t column,
                   struct kept_traits traits, int place)
{
    start_column(sums, at->bias, traits, place);
    add_column(sums, filter, at->input + column * KERNEL_VECTOR, at->row, traits, place,
               (place + 2) % 3, (place + 1) % 3);
    finish_column(sums, at->output + column * KERNEL_VECTOR, at->line, traits, (place + 1) % 3);
}

/* The last two columns; PLACE is where the one after them would be.  */
INLINE void end_1(struct sums *sums, const struct weights *filter, struct band *at, int64_t column,
                  bool right, struct kept_traits traits, int place)
{
    const float *input = at->input + column * KERNEL_VECTOR;
    float *output = at->output + column * KERNEL_VECTOR;
    const int last = (place + 2) % 3, other = (place + 1) % 3;

    add_column(sums, filter, input, at->row, traits, -1, last, other);
    finish_column(sums, output, at->line, traits, other);
    if (!right)
        add_column(sums, filter, input + KERNEL_VECTOR, at->row, traits, -1, -1, last);
    finish_column(sums, output + KERNEL_VECTOR, at->line, traits, last);
}

INLINE void roll_1(const struct depthwise_call *call, const struct weights *filter, struct band at,
                   struct kept_traits traits)
{
    int64_t left = call->pixels - 2;
    struct sums sums;

    start_column(&sums, at.bias, traits, 0);
    start_column(&sums, at.bias, traits, 1);
    if (!call->left)
        add_column(&sums, filter, at.input, at.row, traits, 0, -1, -1);
    add_column(&sums, filter, at.input + KERNEL_VECTOR, at.row, traits, 1, 0, -1);
    at.input += 2 * KERNEL_VECTOR;
    for (; left >= 3; left -= 3) {
        step_1(&sums, filter, &at, 0, traits, 2);
        step_1(&sums, filter, &at, 1, traits, 0);
        step_1(&sums, filter, &at, 2, traits, 1);
        at.input += 3 * KERNEL_VECTOR;
        at.output += 3 * KERNEL_VECTOR;
        POINTER_FORGET(at.input);
    }
    if (left == 0) {
        end_1(&sums, filter, &at, 0, call->right, traits, 2);
        return;
    }
    step_1(&sums, filter, &at, 0, traits, 2);
    if (left == 1) {
        end_1(&sums, filter, &at, 1, call->right, traits, 0);
        return;
    }
    step_1(&sums, filter, &at, 1, traits, 0);
    end_1(&sums, filter, &at, 2, call->right, traits, 1);
}

/* Stride 2: a column of inputs that outputs share and one that they do not.  */
INLINE void step_2(struct sums *sums, const struct weights *filter, struct band *at, int64_t column,
                   struct kept_traits traits, int place)
{
    const float *input = at->input + 2 * column * KERNEL_VECTOR;

    start_column(sums, at->bias, traits, place);
    add_column(sums, filter, input, at->row, traits, place, -1, 1 - place);
    finish_column(sums, at->output + column * KERNEL_VECTOR, at->line, traits, 1 - place);
    add_column(sums, filter, input + KERNEL_VECTOR, at->row, traits, -1, place, -1);
}

INLINE void end_2(struct sums *sums, const struct weights *filter, struct band *at, int64_t column,
                  bool right, struct kept_traits traits, int place)
{
    if (!right)
        add_column(sums, filter, at->input + 2 * column * KERNEL_VECTOR, at->row, traits, -1, -1,
                   place);
    finish_column(sums, at->output + column * KERNEL_VECTOR, at->line, traits, place);
}

INLINE void roll_2(const struct depthwise_call *call, const struct weights *filter, struct band at,
                   struct kept_traits traits)
{
    int64_t left = call->pixels - 1;
    struct sums sums;

    start_column(&sums, at.bias, traits, 0);
    if (!call->left)
        add_column(&sums, filter, at.input, at.row, traits, 0, -1, -1);
    add_column(&sums, filter, at.input + KERNEL_VECTOR, at.row, traits, -1, 0, -1);
    at.input += 2 * KERNEL_VECTOR;
    for (; left >= 2; left -= 2) {
        step_2(&sums, filter, &at, 0, traits, 1);
        step_2(&sums, filter, &at, 1, traits, 0);
        at.input += 4 * KERNEL_VECTOR;
        at.output += 2 * KERNEL_VECTOR;
        POINTER_FORGET(at.input);
    }
    if (left == 0) {
        end_2(&sums, filter, &at, 0, call->right, traits, 0);
        return;
    }
    step_2(&sums, filter, &at, 0, traits, 1);
    end_2(&sums, filter, &at, 1, call->right, traits, 1);
}

INLINE void roll(const struct depthwise_call *call, const struct weights *filter, struct band at,
                 struct kept_traits traits)
{
    if (traits.stride == 1)
        roll_1(call, filter, at, traits);
    else
        roll_2(call, filter, at, traits);
}

/* ROWS lines from LINE on.  */
INLINE void kept_band(const struct depthwise_call *call, const struct weights *filter, int64_t line,
                      int rows, int stride, bool relu)
{
    const struct kept_traits inner = {rows, stride, false, false, relu};
    struct kept_traits upper = inner, lower = inner;
    struct band at = {call->input + line * call->input_line, call->bias,
                      call->output + line * call->output_line, call->input_row, call->output_line};

    POINTER_FORGET(at.bias); /* a vector for it would be one too many */
    upper.top = lower.bottom = true;
    if (call->top && line == 0)
        roll(call, filter, at, upper);
    else if (call->bottom && line + rows == call->lines)
        roll(call, filter, at, lower);
    else
        roll(call, filter, at, inner);
}

/* Bands of ROWS lines, then of two.  An odd line is done with the one before it
 * again: its few sums alone would wait for each other longer than that.  A band
 * has either the first line or the last one if these miss a row of taps.  */
INLINE void kept(const struct depthwise_call *call, int rows, int stride, bool relu)
{
    const int64_t most = call->lines - (call->top && call->bottom);
    struct weights filter;
    int64_t line = 0;

#pragma GCC unroll 3
    for (int r = 0; r < 3; r++)
#pragma GCC unroll 3
        for (int s = 0; s < 3; s++) {
            filter.at[r][s] = vec_load(call->filter + (r * 3 + s) * KERNEL_VECTOR);
            VEC_PIN(filter.at[r][s]);
        }
    if (rows > 2 && rows <= most)
        for (; line + rows <= call->lines; line += rows)
            kept_band(call, &filter, line, rows, stride, relu);
    if (rows > 1 && most >= 2) {
        for (; line + 2 <= call->lines; line += 2)
            kept_band(call, &filter, line, 2, stride, relu);
        if (line < call->lines)
            kept_band(call, &filter, line - 1, 2, stride, relu);
        return;
    }
    for (; line < call->lines; line++)
        kept_band(call, &filter, line, 1, stride, relu);
}

/* A function for each: together they are too much for the compiler's choice of
 * registers.  */
#define KEPT(name, rows, stride, relu)                                                        \
    static __attribute__((noinline)) void depthwise_##name(const struct depthwise_call *call) \
    {                                                                                         \
        kept(call, rows, stride, relu);                                                       \
    }
KEPT(kept_1, ROWS_1, 1, false)
KEPT(kept_1_relu, ROWS_1, 1, true)
KEPT(kept_2, ROWS_2, 2, false)
KEPT(kept_2_relu, ROWS_2, 2, true)

/* The inputs of one tap: the lanes of a block as they are, or picked from it
 * and the next.  */
INLINE vec tap_input(const struct depthwise_call *call, const float *input, mask lane, int gather)
{
    if (!gather)
        return vec_load(input);
    return __builtin_shuffle(vec_load(input), vec_load(input + call->next_block), lane);
}

INLINE void any_tile(const struct depthwise_call *call, const float *input, float *output,
                     mask lane, int gather, int width)
{
    vec sum[ANY_WIDTH];

#pragma GCC unroll 8
    for (int j = 0; j < width; j++)
        sum[j] = vec_load(call->bias);
    for (int64_t r = 0; r < call->rows; r++)
        for (int64_t s = 0; s < call->taps; s++) {
            vec weight = vec_load(call->filter + r * call->filter_row + s * KERNEL_VECTOR);
            const float *from = input + r * call->input_row + s * call->input_tap;

#pragma GCC unroll 8
            for (int j = 0; j < width; j++)
                sum[j] += weight * tap_input(call, from + j * call->input_pixel, lane, gather);
        }
#pragma GCC unroll 8
    for (int j = 0; j < width; j++)
        vec_store(output + j * call->output_pixel, call->relu ? vec_relu(sum[j]) : sum[j]);
}

INLINE void any(const struct depthwise_call *call, int gather)
{
    mask lane = {0};

    if (gather)
        for (int i = 0; i < KERNEL_VECTOR; i++)
            lane[i] = call->lane[i];
    for (int64_t line = 0; line < call->lines; line++) {
        const float *input = call->input + line * call->input_line;
        float *output = call->output + line * call->output_line;
        int64_t q = 0;

        for (; q + ANY_WIDTH <= call->pixels; q += ANY_WIDTH)
            any_tile(call, input + q * call->input_pixel, output + q * call->output_pixel, lane,
                     gather, ANY_WIDTH);
#pragma GCC unroll 3
        for (int width = ANY_WIDTH / 2; width > 0; width /= 2)
            if (q + width <= call->pixels) {
                any_tile(call, input + q * call->input_pixel, output + q * call->output_pixel, lane,
                         gather, width);
                q += width;
            }
    }
}

static void depthwise_any(const struct depthwise_call *call)
{
    any(call, 0);
}

static void depthwise_gather(const struct depthwise_call *call)
{
    any(call, 1);
}

extern const struct depthwise_set KERNEL_NAME(depthwise_set);
const struct depthwise_set KERNEL_NAME(depthwise_set) = {
    .any = depthwise_any,
    .gather = depthwise_gather,
    .kept = {{depthwise_kept_1, depthwise_kept_1_relu}, {depthwise_kept_2, depthwise_kept_2_relu}},
    .rows = {ROWS_1, ROWS_2},
    .width = ANY_WIDTH,
};
