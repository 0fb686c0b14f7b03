/* The depthwise tiles of one instruction set.  Compiled once for each.  */
#include <config.h>

#include <stdbool.h>
#include <stddef.h>

#include "kernels/depthwise.h"
#include "kernels/vector.h"

/* Outputs that are added up at a time: 9 weights, ROWS x WIDTH sums and an
 * input are in registers.  */
enum {
    ROWS = 2,
#if defined __AVX512F__ || defined __aarch64__
    WIDTH = 6,
#elif defined __FMA__
    WIDTH = 3,
#else
    WIDTH = 2, /* a product needs a register of its own */
#endif
    ANY_WIDTH = 8,
};

struct weights {
    vec at[3][3];
};

/* What a tile is: all constants.  Sides of it where the outermost taps are
 * padding are left out.  */
struct kept_traits {
    int rows, stride;
    bool top, bottom, left, right;
};

/* ROWS' x WIDTH outputs.  Each input is loaded once and used for all outputs
 * that it is a tap of.  */
INLINE void kept_tile(const struct depthwise_call *call, const struct weights *filter,
                      const float *input, float *output, struct kept_traits traits)
{
    const int height = (traits.rows - 1) * traits.stride + 3;
    const int width = (WIDTH - 1) * traits.stride + 3;
    const int64_t input_row = call->input_row, output_line = call->output_line;
    const float *bias = call->bias;
    const int relu = call->relu;
    vec sum[ROWS][WIDTH];

    POINTER_FORGET(bias); /* a vector for it would be one too many */
#pragma GCC unroll 2
    for (int i = 0; i < traits.rows; i++)
#pragma GCC unroll 8
        for (int j = 0; j < WIDTH; j++)
            sum[i][j] = vec_load(bias);
#pragma GCC unroll 5
    for (int y = traits.top; y < height - traits.bottom; y++)
#pragma GCC unroll 17
        for (int x = traits.left; x < width - traits.right; x++) {
            vec value = vec_load(input + y * input_row + x * KERNEL_VECTOR);

#pragma GCC unroll 2
            for (int i = 0; i < traits.rows; i++)
#pragma GCC unroll 8
                for (int j = 0; j < WIDTH; j++) {
                    int r = y - i * traits.stride, s = x - j * traits.stride;

                    if (r >= 0 && r < 3 && s >= 0 && s < 3)
                        sum[i][j] += filter->at[r][s] * value;
                }
        }
#pragma GCC unroll 2
    for (int i = 0; i < traits.rows; i++)
#pragma GCC unroll 8
        for (int j = 0; j < WIDTH; j++)
            vec_store(output + i * output_line + j * KERNEL_VECTOR,
                      relu ? vec_relu(sum[i][j]) : sum[i][j]);
}

/* One or two lines: a tile at the left, tiles in the middle, one at the right,
 * which may compute again what the one before it has.  */
INLINE void kept_columns(const struct depthwise_call *call, const struct weights *filter,
                         const float *input, float *output, struct kept_traits traits)
{
    const int64_t step = traits.stride * KERNEL_VECTOR, last = call->pixels - WIDTH;
    struct kept_traits left = traits, right = traits, both = traits;

    both.left = both.right = left.left = right.right = true;
    if (last == 0 && call->left && call->right) {
        kept_tile(call, filter, input, output, both);
        return;
    }
    if (call->left)
        kept_tile(call, filter, input, output, left);
    for (int64_t q = call->left ? WIDTH : 0; q < last + !call->right; q += WIDTH)
        kept_tile(call, filter, input + q * step, output + q * KERNEL_VECTOR, traits);
    if (call->right)
        kept_tile(call, filter, input + last * step, output + last * KERNEL_VECTOR, right);
    else if (call->pixels % WIDTH != 0)
        kept_tile(call, filter, input + last * step, output + last * KERNEL_VECTOR, traits);
}

INLINE void kept_lines(const struct depthwise_call *call, const struct weights *filter,
                       const float *input, float *output, bool top, bool bottom, int rows,
                       int stride)
{
    struct kept_traits inner = {rows, stride, false, false, false, false};
    struct kept_traits upper = inner, lower = inner;

    upper.top = lower.bottom = true;
    if (top)
        kept_columns(call, filter, input, output, upper);
    else if (bottom)
        kept_columns(call, filter, input, output, lower);
    else
        kept_columns(call, filter, input, output, inner);
}

INLINE void kept(const struct depthwise_call *call, int stride)
{
    struct weights filter;
    const float *input = call->input;
    float *output = call->output;
    int64_t line = 0;

#pragma GCC unroll 3
    for (int r = 0; r < 3; r++)
#pragma GCC unroll 3
        for (int s = 0; s < 3; s++) {
            filter.at[r][s] = vec_load(call->filter + (r * 3 + s) * KERNEL_VECTOR);
            VEC_PIN(filter.at[r][s]);
        }
    /* Two lines that both miss a row of taps go one by one.  */
    for (; line + ROWS <= call->lines && !(call->lines == ROWS && call->top && call->bottom);
         line += ROWS) {
        kept_lines(call, &filter, input, output, call->top && line == 0,
                   call->bottom && line + ROWS == call->lines, ROWS, stride);
        input += ROWS * call->input_line;
        output += ROWS * call->output_line;
    }
    for (; line < call->lines; line++) {
        kept_lines(call, &filter, input, output, call->top && line == 0,
                   call->bottom && line + 1 == call->lines, 1, stride);
        input += call->input_line;
        output += call->output_line;
    }
}

static void depthwise_kept_1(const struct depthwise_call *call)
{
    kept(call, 1);
}

static void depthwise_kept_2(const struct depthwise_call *call)
{
    kept(call, 2);
}

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
    depthwise_any, depthwise_gather, {depthwise_kept_1, depthwise_kept_2}, WIDTH};
