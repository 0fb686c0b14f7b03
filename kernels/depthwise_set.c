/* The depthwise tiles of one instruction set.  Compiled once for each.  */
#include <config.h>

#include <stddef.h>

#include "kernels/depthwise.h"
#include "kernels/vector.h"

/* Outputs that are added up at a time: 9 weights, ROWS x WIDTH sums and an
 * input are in registers.  */
enum {
    ROWS = 2,
#if defined __AVX512F__ || defined __aarch64__
    WIDTH = 8,
#elif defined __FMA__
    WIDTH = 3,
#else
    WIDTH = 2, /* a product needs a register of its own */
#endif
    ANY_WIDTH = 4,
};

struct weights {
    vec at[3][3];
};

/* ROWS' x WIDTH outputs.  Each input is loaded once and used for all outputs
 * that it is a tap of.  */
INLINE void kept_tile(const struct weights *filter, const float *bias, const float *input,
                      int64_t input_row, float *output, int64_t output_line, int rows, int stride,
                      int relu)
{
    vec sum[ROWS][WIDTH];

#pragma GCC unroll 2
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 8
        for (int j = 0; j < WIDTH; j++)
            sum[i][j] = vec_load(bias);
#pragma GCC unroll 5
    for (int y = 0; y < (rows - 1) * stride + 3; y++)
#pragma GCC unroll 17
        for (int x = 0; x < (WIDTH - 1) * stride + 3; x++) {
            vec value = vec_load(input + y * input_row + x * KERNEL_VECTOR);

#pragma GCC unroll 2
            for (int i = 0; i < rows; i++)
#pragma GCC unroll 8
                for (int j = 0; j < WIDTH; j++) {
                    int r = y - i * stride, s = x - j * stride;

                    if (r >= 0 && r < 3 && s >= 0 && s < 3)
                        sum[i][j] += filter->at[r][s] * value;
                }
        }
#pragma GCC unroll 2
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 8
        for (int j = 0; j < WIDTH; j++)
            vec_store(output + i * output_line + j * KERNEL_VECTOR,
                      relu ? vec_relu(sum[i][j]) : sum[i][j]);
}

/* One or two lines.  The last tile may compute again what the one before it
 * has.  */
INLINE void kept_lines(const struct depthwise_call *call, const struct weights *filter,
                       const float *input, float *output, int rows, int stride)
{
    for (int64_t q = 0; q < call->pixels; q += WIDTH) {
        int64_t at = q + WIDTH <= call->pixels ? q : call->pixels - WIDTH;
        const float *bias = call->bias;

        POINTER_FORGET(bias); /* a vector for it would be one too many */
        kept_tile(filter, bias, input + at * stride * KERNEL_VECTOR, call->input_row,
                  output + at * KERNEL_VECTOR, call->output_line, rows, stride, call->relu);
    }
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
    for (; line + ROWS <= call->lines; line += ROWS) {
        kept_lines(call, &filter, input, output, ROWS, stride);
        input += ROWS * call->input_line;
        output += ROWS * call->output_line;
    }
    if (line < call->lines)
        kept_lines(call, &filter, input, output, 1, stride);
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

#pragma GCC unroll 4
    for (int j = 0; j < width; j++)
        sum[j] = vec_load(call->bias);
    for (int64_t r = 0; r < call->rows; r++)
        for (int64_t s = 0; s < call->taps; s++) {
            vec weight = vec_load(call->filter + r * call->filter_row + s * KERNEL_VECTOR);
            const float *from = input + r * call->input_row + s * call->input_tap;

#pragma GCC unroll 4
            for (int j = 0; j < width; j++)
                sum[j] += weight * tap_input(call, from + j * call->input_pixel, lane, gather);
        }
#pragma GCC unroll 4
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
        for (; q < call->pixels; q++)
            any_tile(call, input + q * call->input_pixel, output + q * call->output_pixel, lane,
                     gather, 1);
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
