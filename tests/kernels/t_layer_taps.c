/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many taps of a layer read its input: counted one by one, and of layers that nobody can count
 * in that way.  */
#include <config.h>

#include <math.h>
#include <sys/resource.h>

#include "kernels/layer.h"
#include "lib/base/rng.h"
#include "tests/support/tap.h"

static double one_by_one(int64_t length, int64_t pad, int64_t stride, int64_t dilation,
                         int64_t taps, int64_t outputs)
{
    int64_t hits = 0;

    for (int64_t i = 0; i < outputs; i++)
        for (int64_t t = 0; t < taps; t++) {
            int64_t at = i * stride + t * dilation - pad;

            hits += at >= 0 && at < length;
        }
    return (double)hits / ((double)outputs * (double)taps);
}

static bool agrees(struct rng *rng)
{
    struct conv_shape shape = {
        .n = 1,
        .c = 1,
        .k = 1,
        .groups = 1,
        .h = rng_range(rng, 1, 40),
        .w = rng_range(rng, 1, 40),
        .r = rng_range(rng, 1, 9),
        .s = rng_range(rng, 1, 9),
        .stride_h = rng_range(rng, 1, 5),
        .stride_w = rng_range(rng, 1, 5),
        .dilation_h = rng_range(rng, 1, 4),
        .dilation_w = rng_range(rng, 1, 4),
        .pad_top = rng_range(rng, 0, 12),
        .pad_bottom = rng_range(rng, 0, 12),
        .pad_left = rng_range(rng, 0, 12),
        .pad_right = rng_range(rng, 0, 12),
    };
    double want;

    if (conv_shape_out_h(&shape) < 1 || conv_shape_out_w(&shape) < 1)
        return true;
    want = one_by_one(shape.h, shape.pad_top, shape.stride_h, shape.dilation_h, shape.r,
                      conv_shape_out_h(&shape)) *
           one_by_one(shape.w, shape.pad_left, shape.stride_w, shape.dilation_w, shape.s,
                      conv_shape_out_w(&shape));
    return fabs(layer_tap_share(&shape) - want) < 1e-12;
}

int main(void)
{
    const struct rlimit seconds = {20, RLIM_INFINITY};
    struct conv_shape shape = {.n = 1,
                               .c = 1,
                               .k = 1,
                               .groups = 1,
                               .h = INT64_C(1) << 40,
                               .w = 3,
                               .r = INT64_C(1) << 39,
                               .s = 1,
                               .stride_h = 1,
                               .stride_w = 1,
                               .dilation_h = 1,
                               .dilation_w = 1};
    struct rng *rng = rng_new(31);
    int good = 0, rounds = tap_tier(500, 5000);

    for (int round = 0; round < rounds; round++)
        good += agrees(rng);
    is_int(good, rounds, "the share of taps is that of a count one by one");
    setrlimit(RLIMIT_CPU, &seconds);
    ok(layer_tap_share(&shape) == 1.0, "without padding every one of 2^78 taps");
    shape.pad_top = shape.pad_bottom = shape.r;
    /* An output for each row that the filter's first tap can stand at, from -2^39 to 2^40; of the
     * taps the input meets each row once.  */
    ok(fabs(layer_tap_share(&shape) - 1099511627776.0 / 1649267441665.0) < 1e-9,
       "with it those that meet the input");
    rng_free(rng);
    return tap_done();
}
