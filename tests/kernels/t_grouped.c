/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers of 2, 4 and 8 channels a group and others of up to 40, 3 and 5 taps wide, on every
 * instruction set of the machine against the reference: each small image with every way to pad it,
 * rows shorter than a tile and longer than two, filters of other heights, dilated rows, blocks that
 * groups don't fill, rows and blocks spread over threads; and which layers these tiles do.  */
#include <config.h>

#include "kernels/mgemm/rows.h"

#include <string.h>

#include "kernels/pool.h"
#include "lib/base/error.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

static struct conv_shape image_of_five(int64_t channels, int64_t height, int64_t width,
                                       int64_t stride, int pads)
{
    struct conv_shape shape = conv_case_image(24, 24 / channels, height, width, stride, pads);

    shape.r = shape.s = 5;
    shape.pad_top *= 2;
    shape.pad_left *= 2;
    return shape;
}

static void test_small(int64_t channels, int64_t stride)
{
    const int most = tap_tier(5, 9);
    int wrong = 0, cases = 0;

    for (int64_t height = 1; height <= most; height++)
        for (int64_t width = 1; width <= most; width++)
            for (int pads = 0; pads < 16; pads++) {
                const struct conv_shape shape =
                    conv_case_image(24, 24 / channels, height, width, stride, pads);

                const struct conv_shape five = image_of_five(channels, height, width, stride, pads);

                wrong += conv_case_count_wrong(&shape, pads % 3 == 0, 1, &cases);
                wrong += conv_case_count_wrong(&five, pads % 3 == 1, 1, &cases);
            }
    ok(wrong == 0 && cases > 200, "groups of %d, stride %d: %d small images are right",
       (int)channels, (int)stride, cases);
}

/* Every width of a tile, and several tiles.  */
static void test_rows(int64_t stride)
{
    int wrong = 0, cases = 0;

    for (int64_t width = 1; width <= stride * (2 * ROWS_WIDEST + 2); width++)
        for (int64_t channels = 2; channels <= 8; channels *= 2) {
            const struct conv_shape shape =
                conv_case_image(24, 24 / channels, 3, width, stride, (int)width % 16);

            const struct conv_shape five =
                image_of_five(channels, 4, width, stride, (int)width % 16);

            wrong += conv_case_count_wrong(&shape, width % 2 == 0, 1, &cases);
            wrong += conv_case_count_wrong(&five, width % 2 == 1, 1, &cases);
        }
    ok(wrong == 0 && cases > 80, "stride %d: %d rows of all lengths are right", (int)stride, cases);
}

/* Groups that lie across vectors: each that begins in one vector and ends in another, or covers
 * several; the last block is not full.  */
static void test_split(int64_t channels)
{
    const int64_t groups = 70 / channels + 2;
    int wrong = 0, cases = 0;

    for (int64_t stride = 1; stride <= 2; stride++)
        for (int64_t width = 1; width <= 33; width += tap_tier(8, 3)) {
            struct conv_shape shape =
                conv_case_image(groups * channels, groups, 3, width, stride, 15 - (int)width % 16);

            shape.r = 1 + width % 3;
            wrong += conv_case_count_wrong(&shape, width % 4 == 1, 1, &cases);
        }
    ok(wrong == 0 && cases >= 10, "groups of %d across vectors: %d are right", (int)channels,
       cases);
}

static void test_others(void)
{
    int wrong = 0, cases = 0;

    for (int64_t rows = 1; rows <= 5; rows++)
        for (int64_t dilation = 1; dilation <= 3; dilation++)
            for (int64_t channels = 2; channels <= 8; channels *= 2) {
                struct conv_shape shape = conv_case_image(24, 24 / channels, 9, 11, 1, 12);

                shape.n = 2;
                shape.r = rows;
                shape.stride_h = 1 + rows % 3;
                shape.dilation_h = dilation;
                shape.pad_top = rows * dilation / 2;
                shape.pad_bottom = rows * dilation / 3;
                wrong += conv_case_count_wrong(&shape, rows % 2 == 0, 1, &cases);
            }
    ok(wrong == 0 && cases >= 45, "other heights and dilated rows: %d are right", cases);
}

static void test_threads(void)
{
    const int threads = pool_processors() < 2 ? 1 : 2;
    int wrong = 0, cases = 0;

    for (int64_t groups = 2; groups < 100; groups = 2 * groups + 1)
        for (int64_t height = 2; height < 30; height += 9)
            for (int64_t channels = 2; channels <= 8; channels *= 2) {
                struct conv_shape shape = conv_case_image(24, 24 / channels, height, 9, 1, 15);

                shape.n = height % 3 + 1;
                shape.groups = groups;
                shape.c = shape.k = groups * channels;
                wrong += conv_case_count_wrong(&shape, false, threads, &cases);
            }
    ok(wrong == 0 && cases > 40, "%d threads: %d are right", threads, cases);
}

/* What is beside the edge of what these tiles do, mGEMM's own do.  */
static void test_suits(enum isa isa)
{
    const struct conv_shape four = conv_case_image(24, 24 / 4, 9, 9, 2, 15);
    const bool any = isa_vector(isa) >= 8;
    struct conv_shape shape[13];

    for (size_t i = 0; i < 13; i++)
        shape[i] = four;
    shape[1].stride_h = shape[1].stride_w = 1;
    shape[2].pad_left = shape[2].pad_right = 0;
    shape[3].pad_top = 4;
    shape[4].r = 5;
    shape[5].dilation_h = 2;
    shape[6].s = 1;
    shape[6].pad_left = shape[6].pad_right = 0;
    shape[7].groups = 1;
    shape[8].k = 48;
    shape[9].pad_right = 2;
    shape[10].s = 7;
    shape[11].groups = 8; /* of 3 */
    shape[11].s = 5;
    shape[12].stride_w = 3;
    for (size_t i = 0; i < 13; i++)
        ok((rows_set(&shape[i], isa) != NULL) == (any && i < 6), "%s: layer %zu %s", isa_name(isa),
           i, any && i < 6 ? "is done so" : "is not");
    shape[0].groups = 8;
    ok((rows_set(&shape[0], isa) != NULL) == any, "groups of 3 are");
    shape[0].c = shape[0].k = 8 * (ROWS_MOST_CHANNELS / 2 + 1); /* at stride 2 */
    ok(rows_set(&shape[0], isa) == NULL, "larger ones are not");
    shape[0] = four;
    shape[0].groups = 24 / 8;
    ok((rows_set(&shape[0], isa) != NULL) == (isa_vector(isa) == 16),
       "groups of half a vector at most");
}

/* Who asks for a tile gets one of mGEMM's own.  */
static void test_plans(enum isa isa)
{
    static const char layer[] = "c=24,h=9,w=9,k=24,r=3,s=3,pad=1,groups=6";
    struct conv_plan plan;
    struct error error;

    if (conv_case_plan(&plan, layer, "", isa, 1, &error)) {
        ok((strcmp(plan.choice.wf, "filter") == 0) == (isa_vector(isa) >= 8),
           "%s: a plan of its own", isa_name(isa));
        is_int(plan.choice.wo, isa_vector(isa) >= 8 ? 9 : plan.choice.wo, "of 9 pixels");
        conv_plan_clear(&plan);
    }
    if (conv_case_plan(&plan, layer, "wo=2", isa, 1, &error)) {
        is_int(plan.choice.wo, 2, "and not if a tile is given");
        conv_plan_clear(&plan);
    }
}

int main(void)
{
    for (int64_t channels = 2; channels <= 8; channels *= 2) {
        test_small(channels, 1);
        test_small(channels, 2);
    }
    for (int64_t channels = 3; channels <= 40; channels += channels < 7 ? 1 : channels / 3)
        test_split(channels);
    test_rows(1);
    test_rows(2);
    test_others();
    test_threads();
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if (isa_available(isa)) {
            test_suits(isa);
            test_plans(isa);
        }
    return tap_done();
}
