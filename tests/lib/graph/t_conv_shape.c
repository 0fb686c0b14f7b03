/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes of convolutions: what they make, by hand, and what is refused.  */
#include <config.h>

#include "lib/graph/conv_shape.h"

#include <stddef.h>
#include <string.h>

#include "tests/support/tap.h"

/* A filter of one tap on one pixel of one channel.  */
static const struct conv_shape least = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1};

static const struct {
    size_t field;
    int64_t value;
    const char *message;
} refused[] = {
    {offsetof(struct conv_shape, n), 0, "batch: 0, expected at least 1"},
    {offsetof(struct conv_shape, c), 0, "input channels: 0"},
    {offsetof(struct conv_shape, h), 0, "input height: 0"},
    {offsetof(struct conv_shape, w), 0, "input width: 0"},
    {offsetof(struct conv_shape, k), 0, "output channels: 0"},
    {offsetof(struct conv_shape, r), 0, "filter height: 0"},
    {offsetof(struct conv_shape, s), 0, "filter width: 0"},
    {offsetof(struct conv_shape, stride_h), 0, "vertical stride: 0"},
    {offsetof(struct conv_shape, stride_w), 0, "horizontal stride: 0"},
    {offsetof(struct conv_shape, pad_top), -1, "top padding: -1, expected at least 0"},
    {offsetof(struct conv_shape, pad_bottom), -1, "bottom padding: -1"},
    {offsetof(struct conv_shape, pad_left), -1, "left padding: -1"},
    {offsetof(struct conv_shape, pad_right), -1, "right padding: -1"},
    {offsetof(struct conv_shape, dilation_h), 0, "vertical dilation: 0"},
    {offsetof(struct conv_shape, dilation_w), 0, "horizontal dilation: 0"},
    {offsetof(struct conv_shape, groups), 0, "groups: 0"},
    {offsetof(struct conv_shape, groups), 2, "2 groups have to divide 1 input and 1 output"},
    {offsetof(struct conv_shape, r), 2, "height 1 with padding is below the filter's 2"},
    {offsetof(struct conv_shape, s), 3, "width 1 with padding is below the filter's 3"},
    {offsetof(struct conv_shape, pad_bottom), INT64_MAX, "the padded height overflows"},
    {offsetof(struct conv_shape, pad_left), INT64_MAX, "the padded width overflows"},
};

/* 2^64 elements of the input alone, of the output, of the filter; 2^64 operations alone.  */
static const struct conv_shape large[] = {
    {.n = 1 << 16, .c = 1 << 16, .h = 1 << 16, .w = 1 << 16, .k = 1, .r = 1, .s = 1},
    {.n = 1 << 16, .c = 1, .h = 1 << 16, .w = 1 << 16, .k = 1 << 16, .r = 1, .s = 1},
    {.n = 1, .c = 1 << 22, .h = 1 << 10, .w = 1 << 10, .k = 1 << 22, .r = 1 << 10, .s = 1 << 10},
    {.n = 1 << 16, .c = 1 << 16, .h = 1 << 8, .w = 1 << 8, .k = 1 << 16, .r = 1, .s = 1},
};

static void test_refused(void)
{
    struct error error = {""};

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct conv_shape shape = least;

        memcpy((char *)&shape + refused[i].field, &refused[i].value, sizeof refused[i].value);
        ok(!conv_shape_check(&shape, &error) && strstr(error.text, refused[i].message) != NULL,
           "refused: %s", error.text);
    }
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        struct conv_shape shape = large[i];

        shape.stride_h = shape.stride_w = i == 0 ? 1 << 16 : 1;
        shape.dilation_h = shape.dilation_w = shape.groups = 1;
        ok(!conv_shape_check(&shape, &error) && strstr(error.text, "count overflows") != NULL,
           "too large, %zu: %s", i, error.text);
    }
}

static void test_sizes(void)
{
    const struct conv_shape shape = {2, 6, 9, 14, 4, 3, 5, 2, 3, 1, 2, 0, 1, 2, 2, 2};
    struct error error = {""};

    ok(conv_shape_check(&least, &error), "the least there is %s", error.text);
    is_int(conv_shape_macs(&least), 1, "which has one product");
    ok(conv_shape_check(&shape, &error), "all fields at once %s", error.text);
    is_int(conv_shape_out_h(&shape), 4, "(9 + 1 + 2 - 2 * 2 - 1) / 2 + 1 rows");
    is_int(conv_shape_out_w(&shape), 3, "(14 + 0 + 1 - 2 * 4 - 1) / 3 + 1 columns");
    is_int(conv_shape_macs(&shape), 2 * 4 * 4 * 3 * (6 / 2) * 3 * 5, "its products");
}

int main(void)
{
    test_refused();
    test_sizes();
    return tap_done();
}
