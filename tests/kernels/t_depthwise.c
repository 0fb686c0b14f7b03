/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depthwise layers on every instruction set of the machine against the
 * reference: each small image with a filter of 3 x 3, whose rows and columns go
 * by in bands, with every way to pad it; rows shorter than a tile of filters 5, 7
 * and 9 wide and longer than two of them, padded in many ways; the same of filters 1 and 3 wide
 * that are not square; other filters, multipliers and dilation; rows and blocks of channels spread
 * over threads.  */
#include <config.h>

#include "kernels/kernel.h"
#include "kernels/mgemm/rows.h"
#include "kernels/pool.h"
#include "lib/base/params.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

static void test_small(int64_t stride)
{
    const int most = tap_tier(7, 11);
    int wrong = 0, cases = 0;

    for (int64_t height = 1; height <= most; height++)
        for (int64_t width = 1; width <= most; width++)
            for (int pads = 0; pads < 16; pads++) {
                const struct conv_shape shape =
                    conv_case_image(17, 17, height, width, stride, pads);

                wrong += conv_case_count_wrong(&shape, pads % 3 == 0, 1, &cases);
            }
    ok(wrong == 0 && cases > 400, "3 x 3, stride %d: %d small images are right", (int)stride,
       cases);
}

/* A filter of TAPS x TAPS; HIGH: how the image is padded above and below, WIDE: at its sides, in
 * halves of the filter; beyond that in the last one.  */
static struct conv_shape wide_image(int64_t taps, int64_t height, int64_t width, int64_t stride,
                                    int high, int wide)
{
    static const int64_t padding[][2] = {{2, 2}, {0, 0}, {1, 2}, {2, 1}, {2, 0},
                                         {0, 2}, {1, 1}, {0, 1}, {1, 0}, {4, 3}};
    const int64_t half = taps / 2;
    struct conv_shape shape = conv_case_image(17, 17, height, width, stride, 0);

    shape.r = shape.s = taps;
    shape.pad_top = half * padding[high][0] / 2;
    shape.pad_bottom = half * padding[high][1] / 2;
    shape.pad_left = half * padding[wide][0] / 2;
    shape.pad_right = half * padding[wide][1] / 2;
    return shape;
}

static void test_wide(int64_t taps, int64_t stride)
{
    const int64_t most = ROWS_WIDEST * 2 * stride + 4;
    int wrong = 0, cases = 0;

    for (int64_t height = 1; height <= taps + 2; height += tap_tier(3, 2))
        for (int64_t width = 1; width <= most; width += width < 8 ? 1 : tap_tier(5, 3))
            for (int high = 0; high < 10; high += 3)
                for (int wide = 0; wide < 10; wide++) {
                    const struct conv_shape shape =
                        wide_image(taps, height, width, stride, high, wide);

                    wrong += conv_case_count_wrong(&shape, (high + wide) % 2 == 0, 1, &cases);
                }
    ok(wrong == 0 && cases > 500, "%d x %d, stride %d: %d images are right", (int)taps, (int)taps,
       (int)stride, cases);
}

/* Filters that are 1 or 3 wide, and lower or higher than that.  */
static void test_narrow(int64_t taps, int64_t stride)
{
    const int64_t most = ROWS_WIDEST * 2 * stride + 4;
    int wrong = 0, cases = 0;

    for (int64_t rows = 1; rows <= 11; rows += tap_tier(5, 2))
        for (int64_t width = 1; width <= most; width += width < 8 ? 1 : tap_tier(5, 3))
            for (int wide = 0; wide < (taps == 1 ? 1 : 6); wide++) {
                struct conv_shape shape = wide_image(taps, 6, width, stride, 0, wide);

                shape.r = rows;
                shape.pad_top = rows / 2;
                shape.pad_bottom = (rows - 1) / 2;
                wrong += conv_case_count_wrong(&shape, wide % 2 == 0, 1, &cases);
            }
    ok(wrong == 0 && cases >= tap_tier(36, 100), "%d wide, stride %d: %d filters are right",
       (int)taps, (int)stride, cases);
}

/* Filters that are wide and not as high, with another stride there.  */
static void test_heights(void)
{
    int wrong = 0, cases = 0;

    for (int64_t taps = 1; taps <= 9; taps += 2)
        for (int64_t rows = 1; rows <= 10; rows += 3)
            for (int64_t stride = 1; stride <= 3; stride++) {
                struct conv_shape shape = wide_image(taps, 11, 12, 1, 0, 0);

                shape.r = rows;
                shape.stride_h = stride;
                wrong += conv_case_count_wrong(&shape, rows % 2 == 0, 1, &cases);
            }
    ok(wrong == 0 && cases >= 60, "filters of other heights: %d are right", cases);
}

/* What the plan of such a layer says of its tiles' pixels.  */
static int64_t planned_width(const struct conv_shape *shape, enum isa isa)
{
    const struct conv_request request = {.shape = *shape, .isa = isa, .threads = 1};
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct error error = {""};
    struct params params;
    struct conv_plan plan;
    int64_t width = 0;

    if (!params_parse(&params, kernel->name, "", &kernel->params, 1, &error))
        return 0;
    if (conv_plan_make(&plan, kernel, &request, &params, &error)) {
        width = plan.choice.wo;
        conv_plan_clear(&plan);
    }
    params_clear(&params);
    return width;
}

/* Rows of 5 x 5 are cut evenly, into tiles of up to 8 pixels with 16 registers, 14 with 32.  */
static void test_five_tiles(void)
{
    const struct conv_shape seven = wide_image(5, 7, 7, 1, 0, 0);
    const struct conv_shape ten = wide_image(5, 20, 20, 2, 0, 0);
    const struct conv_shape fifteen = wide_image(5, 15, 15, 1, 0, 0);

    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if (isa_available(isa)) {
            is_int(planned_width(&seven, isa), 7, "%s, 5 x 5: 7 pixels are a tile", isa_name(isa));
            is_int(planned_width(&ten, isa), isa_registers(isa) == 32 ? 10 : 5,
                   "%s: 10 are one or two", isa_name(isa));
            is_int(planned_width(&fifteen, isa), 8, "%s: 15 are two, of 8 and 7", isa_name(isa));
        }
}

/* Which layers these tiles do; what is beside the edge of that, other code does.  */
static void test_suits(void)
{
    const struct conv_shape five = wide_image(5, 9, 9, 2, 0, 0);
    struct conv_shape shape[15];

    for (size_t i = 0; i < 15; i++)
        shape[i] = five;
    shape[1].stride_h = 1;
    shape[2].pad_left = shape[2].pad_right = 0;
    shape[3].pad_top = shape[3].pad_bottom = 4;
    shape[4].r = 4;
    shape[5].s = 7;
    shape[6].s = 1;
    shape[6].pad_left = shape[6].pad_right = 0;
    shape[7].s = 3;
    shape[7].pad_left = shape[7].pad_right = 1;
    shape[8].s = 6;
    shape[9].dilation_h = 2;
    shape[10].dilation_w = 2;
    shape[11].k *= 2;
    shape[12].pad_left = 3;
    shape[13].s = 11;
    shape[14].s = 3; /* padded by more than half of it */
    for (size_t i = 0; i < 15; i++)
        ok((rows_set(&shape[i], ISA_GENERIC) != NULL) == (i < 8), "by rows: layer %zu %s", i,
           i < 8 ? "is done so" : "is not");
    shape[0].stride_h = shape[0].stride_w = ROWS_STRIDES + 1;
    ok(rows_set(&shape[0], ISA_GENERIC) == NULL, "nor is one of stride %d", ROWS_STRIDES + 1);
}

static void test_others(void)
{
    int wrong = 0, cases = 0;

    for (int64_t taps = 1; taps <= 11; taps += 2)
        for (int64_t stride = 1; stride <= 3; stride++)
            for (int64_t other = 0; other <= 3; other++) { /* a multiplier, or dilated */
                struct conv_shape shape = conv_case_image(17, 17, 13, 12, stride, 0);

                shape.n = 2;
                shape.r = shape.s = taps;
                if (other > 0)
                    shape.k *= other;
                else
                    shape.dilation_h = shape.dilation_w = 2;
                shape.pad_top = shape.pad_bottom = shape.pad_left = shape.pad_right = taps / 2;
                wrong += conv_case_count_wrong(&shape, stride == 2, 1, &cases);
            }
    ok(wrong == 0 && cases >= 48, "other filters, multipliers and dilated: %d are right", cases);
}

static void test_threads(int64_t taps)
{
    const int threads = pool_processors() < 2 ? 1 : 2;
    int wrong = 0, cases = 0;

    for (int64_t channels = 1; channels < 300; channels = 3 * channels + 1)
        for (int64_t height = 2; height < 40; height += 5) {
            struct conv_shape shape = conv_case_image(17, 17, height, 9, 1, 15);

            if (taps > 3)
                shape = wide_image(taps, height, 9, 1, 0, 0);
            shape.n = height % 3 + 1;
            shape.c = shape.k = shape.groups = channels + 1;
            wrong += conv_case_count_wrong(&shape, false, threads, &cases);
        }
    ok(wrong == 0 && cases > 20, "%d x %d, %d threads: %d are right", (int)taps, (int)taps, threads,
       cases);
}

int main(void)
{
    test_small(1);
    test_small(2);
    for (int64_t taps = 5; taps <= 9; taps += 2) {
        test_wide(taps, 1);
        test_wide(taps, 2);
    }
    for (int64_t stride = 1; stride <= 2; stride++) {
        test_narrow(1, stride);
        test_narrow(3, stride);
    }
    test_heights();
    test_five_tiles();
    test_suits();
    test_others();
    test_threads(3);
    test_threads(5);
    return tap_done();
}
