/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window lengths and shape inference: values worked out by hand, many of them
 * the examples of the ONNX operator documentation, and what is refused.  */
#include <config.h>

#include "workloads/readers/shapes.h"

#include <stdlib.h>

#include "lib/graph/window.h"
#include "tests/support/tap.h"

#define SHAPE(...) \
    ((struct shape){.rank = sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t), .dim = {__VA_ARGS__}})
#define AXES(...) (const int64_t[]){__VA_ARGS__}, sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)

static struct error error;

static void is_shape(bool good, const struct shape *got, const char *want, const char *what)
{
    char *text = good ? shape_text(got) : NULL;

    is_text(text != NULL ? text : error.text, want, "%s", what);
    free(text);
}

/* The output's length, or -1 where it is refused.  */
static int64_t slide(struct window_axis axis, enum window_rounding rounding)
{
    int64_t output = -1;

    return window_output(&axis, rounding, &output, &error) ? output : -1;
}

static void windows(void)
{
    struct window_axis axis = {.length = 224, .taps = 7, .stride = 2, .dilation = 1};
    int64_t output = 0;

    is_int(slide((struct window_axis){224, 7, 2, 1, 3, 3}, WINDOW_FLOOR), 112, "ResNet's stem");
    is_int(slide((struct window_axis){112, 3, 2, 1, 0, 0}, WINDOW_FLOOR), 55, "whole windows");
    is_int(slide((struct window_axis){112, 3, 2, 1, 0, 0}, WINDOW_CEIL), 56, "one hangs over");
    is_int(slide((struct window_axis){113, 3, 2, 1, 0, 0}, WINDOW_CEIL), 56, "none has to");
    is_int(slide((struct window_axis){3, 2, 2, 1, 1, 1}, WINDOW_CEIL), 3, "in the padding");
    is_int(slide((struct window_axis){3, 2, 2, 1, 1, 1}, WINDOW_CEIL_INSIDE), 2,
           "not one that starts in the padding after it");
    is_int(slide((struct window_axis){10, 3, 1, 4, 0, 0}, WINDOW_FLOOR), 2, "dilation");
    is_int(slide((struct window_axis){4, 5, 1, 1, 0, 0}, WINDOW_CEIL), -1, "a filter too large");
    is_int(slide((struct window_axis){4, 1, 0, 1, 0, 0}, WINDOW_FLOOR), -1, "stride 0");
    is_int(slide((struct window_axis){1L << 31, 1, 1, 1, 0, 0}, WINDOW_FLOOR), -1, "too long");
    ok(window_pad_same(&axis, false, &error) && axis.before == 2 && axis.after == 3,
       "padding of 5, the odd one last");
    ok(window_pad_same(&axis, true, &error) && axis.before == 3 && axis.after == 2, "or first");
    axis = (struct window_axis){.length = 3, .taps = 3, .stride = 3, .dilation = 1, .before = 1};
    ok(window_transposed(&axis, 1, &output, &error) && output == 9,
       "transposed: 2 x 3 + 3 + 1 - 1");
    axis = (struct window_axis){.length = 1, .taps = 1, .stride = 1, .dilation = 1, .after = 1};
    ok(!window_transposed(&axis, 0, &output, &error), "padding that leaves nothing");
}

static void joining(void)
{
    struct shape a = SHAPE(2, 3, 4, 5), b = SHAPE(5), c = SHAPE(4, 5), d = SHAPE(1, 4, 5), r;
    struct shape scalar = {.rank = 0}, row = SHAPE(1, 5), column = SHAPE(4, 1), bad = SHAPE(3);
    struct shape parts[] = {SHAPE(1, 2, 7), SHAPE(1, 3, 7), SHAPE(1, 3, 8)};

    is_shape(shape_broadcast(&a, &b, &r, &error), &r, "2x3x4x5", "a vector");
    is_shape(shape_broadcast(&c, &a, &r, &error), &r, "2x3x4x5", "a matrix, first");
    is_shape(shape_broadcast(&a, &d, &r, &error), &r, "2x3x4x5", "a dimension of 1");
    is_shape(shape_broadcast(&scalar, &scalar, &r, &error), &r, "scalar", "scalars");
    is_shape(shape_broadcast(&row, &column, &r, &error), &r, "4x5", "both stretch");
    is_shape(shape_broadcast(&a, &bad, &r, &error), &r, "cannot broadcast 2x3x4x5 and 3",
             "3 is not 5");
    is_shape(shape_concat(parts, 2, 1, &r, &error), &r, "1x5x7", "channels");
    is_shape(shape_concat(parts, 3, 1, &r, &error), &r, "cannot join 1x2x7 and 1x3x8",
             "other lengths");
    a = SHAPE(2, 3);
    b = SHAPE(3, 4);
    is_shape(shape_matmul(&a, &b, &r, &error), &r, "2x4", "matrices");
    b = SHAPE(3);
    is_shape(shape_matmul(&a, &b, &r, &error), &r, "2", "matrix and vector");
    is_shape(shape_matmul(&b, &b, &r, &error), &r, "scalar", "inner product");
    a = SHAPE(8, 1, 2, 3);
    b = SHAPE(7, 3, 4);
    is_shape(shape_matmul(&a, &b, &r, &error), &r, "8x7x2x4", "stacks of matrices");
    is_shape(shape_matmul(&b, &a, &r, &error), &r, "cannot multiply 7x3x4 and 8x1x2x3",
             "4 is not 2");
}

static void reshaping(void)
{
    struct shape a = SHAPE(2, 3, 4), empty = SHAPE(0, 3), huge = SHAPE(INT64_MAX, 3), r;

    is_shape(shape_reshape(&a, AXES(4, 2, 3), true, &r, &error), &r, "4x2x3", "reordered");
    is_shape(shape_reshape(&a, AXES(2, -1, 2), true, &r, &error), &r, "2x6x2", "-1");
    is_shape(shape_reshape(&a, AXES(0, 0, -1), true, &r, &error), &r, "2x3x4", "0 copies");
    is_shape(shape_reshape(&empty, AXES(3, 0), false, &r, &error), &r, "3x0", "0 means 0");
    is_shape(shape_reshape(&a, AXES(-1, 5), true, &r, &error), &r,
             "different numbers of elements: 2x3x4 and 1x5", "24 / 5");
    is_shape(shape_reshape(&a, AXES(-1, -1), true, &r, &error), &r, "two dimensions are -1",
             "twice -1");
    is_shape(shape_reshape(&a, AXES(-2, -12), true, &r, &error), &r, "dimension 0 is -2",
             "negative");
    is_shape(shape_reshape(&huge, AXES(-1), true, &r, &error), &r,
             "the number of elements overflows 64 bits", "overflow");
    is_shape(shape_flatten(&a, 0, &r, &error), &r, "1x24", "flatten at 0");
    is_shape(shape_flatten(&a, 3, &r, &error), &r, "24x1", "at the end");
    is_shape(shape_transpose(&a, AXES(2, 0, 1), &r, &error), &r, "4x2x3", "transpose");
    is_shape(shape_transpose(&a, AXES(2, 0, 2), &r, &error), &r,
             "the order of the dimensions is not a permutation", "2 twice");
    is_shape(shape_reduce(&a, AXES(-1, 0), false, &r, &error), &r, "3", "reduce");
    is_shape(shape_reduce(&a, NULL, 0, true, &r, &error), &r, "1x1x1", "all, kept");
    is_shape(shape_reduce(&a, AXES(1, -2), true, &r, &error), &r, "axis -2 twice",
             "one axis twice");
    r = SHAPE(1, 3, 1);
    is_shape(shape_squeeze(&r, NULL, 0, &r, &error), &r, "3", "squeeze all");
    is_shape(shape_squeeze(&a, AXES(0), &r, &error), &r, "dimension 0 is 2, expected 1",
             "not one of 2");
    is_shape(shape_unsqueeze(&a, AXES(0, 4), &r, &error), &r, "1x2x3x4x1", "unsqueeze");
    is_shape(shape_unsqueeze(&a, AXES(0, 1, 2, 3, 4, 5), &r, &error), &r,
             "6 more than 3 dimensions, expected at most 8", "too many");
    is_shape(shape_pad(&a, (const int64_t[]){0, 1, -1}, (const int64_t[]){1, 1, -1}, &r, &error),
             &r, "3x5x2", "pad and crop");
}

static void slicing(void)
{
    static const struct {
        int64_t length, start, end, step, want;
    } row[] = {
        {20, 0, 10, 1, 10},
        {20, 1, 1000, 1, 19},
        {20, -5, INT64_MAX, 1, 5},
        {20, 0, -1, 1, 19},
        {20, 1000, 1001, 1, 0},
        {10, 0, 10, 3, 4},
        {20, 20, 0, -4, 5},
        {20, 5, 5, -4, 0},
        {20, 5, 5, 4, 0},
        {5, -1, INT64_MIN + 9, -1, 5},
        {5, INT64_MIN, INT64_MAX, 1, 5},
        {0, 0, INT64_MAX, 1, 0},
        {5, INT64_MAX, INT64_MIN, -INT64_MAX, 1},
    };
    int64_t result;

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        result = -1;
        ok(shape_slice(row[i].length, row[i].start, row[i].end, row[i].step, &result, &error),
           "slice %zu", i);
        is_int(result, row[i].want, "its length");
    }
    ok(!shape_slice(5, 0, 5, 0, &result, &error), "step 0 is refused");
}

int main(void)
{
    windows();
    joining();
    reshaping();
    slicing();
    return tap_done();
}
