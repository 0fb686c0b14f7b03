/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference, that all kernels are compared with: values and bounds worked out by hand.  A bound
 * that is too wide lets wrong kernels pass, and no other test would show it.  */
#include <config.h>

#include "kernels/reference.h"

#include <float.h>
#include <math.h>

#include "tests/support/tap.h"

/* 4 channels in 2 groups, rows of 3 pixels; 2 outputs a group; filters 1 x 2 with a hole.  */
static const struct conv_shape shape = {.n = 2,
                                        .c = 4,
                                        .h = 1,
                                        .w = 3,
                                        .k = 4,
                                        .r = 1,
                                        .s = 2,
                                        .stride_h = 1,
                                        .stride_w = 1,
                                        .pad_left = 1,
                                        .pad_right = 1,
                                        .dilation_h = 1,
                                        .dilation_w = 2,
                                        .groups = 2};

/* Input and weights are their places + 1, the weights' signs in turn; biases are 100, -200...  */
static struct reference_point at(bool with_bias, bool relu, int64_t n, int64_t k, int64_t q)
{
    float input[2 * 4 * 3], filter[4 * 2 * 2];
    static const float bias[] = {100, -200, 300, -400};

    for (int i = 0; i < 2 * 4 * 3; i++)
        input[i] = (float)(i + 1);
    for (int i = 0; i < 4 * 2 * 2; i++)
        filter[i] = (float)(i % 2 == 0 ? i + 1 : -(i + 1));
    return reference_output(&shape, input, filter, with_bias ? bias : NULL, relu, n, k, 0, q);
}

/* TERMS with the bias, whose sizes add up to TOTAL.  */
static double bound(double terms, double total)
{
    const double u = ldexp(1.0, -24);

    return terms * u / (1.0 - terms * u) * total + terms * (double)FLT_MIN;
}

static void is_point(struct reference_point point, double value, double terms, double total,
                     const char *what)
{
    if (!ok(point.value == value &&
                fabs(point.bound - bound(terms, total)) <= 1e-12 * bound(terms, total),
            "%s", what))
        tap_diag("value %.17g bound %.17g, expected %.17g and %.17g", point.value, point.bound,
                 value, bound(terms, total));
}

int main(void)
{
    /* Output 1 of 3: taps at pixels 0 and 2; image 0, channels 0 and 1: 1, 3, 4, 6.  */
    is_point(at(false, false, 0, 0, 1), 1 * 1 - 2 * 3 + 3 * 4 - 4 * 6, 5, 1 + 6 + 12 + 24,
             "all taps, no bias");
    /* Output 2: its second tap is in the padding; image 1, channels 2 and 3: 20, 23.  */
    is_point(at(true, false, 1, 3, 2), -400 + 13 * 20 + 15 * 23, 3, 400 + 260 + 345,
             "a tap in the padding, the last image, group and output");
    /* Output 0: its first tap is; image 0, channels 0 and 1: 2, 5.  */
    is_point(at(true, false, 0, 1, 0), -200 - 6 * 2 - 8 * 5, 3, 200 + 12 + 40, "on the other side");
    is_point(at(true, true, 0, 1, 0), 0, 3, 200 + 12 + 40, "ReLU keeps the bound");
    is_point(at(true, true, 1, 2, 2), 300 + 9 * 20 + 11 * 23, 3, 300 + 180 + 253,
             "and what is positive");
    return tap_done();
}
