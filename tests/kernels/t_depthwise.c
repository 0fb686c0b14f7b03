/* Depthwise layers on every instruction set of the machine against the
 * reference: each small image with a filter of 3 x 3, whose rows and columns go
 * by in bands, with every way to pad it; other filters and multipliers; rows and
 * blocks of channels spread over threads.  */
#include <config.h>

#include <stdlib.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

static bool right(const struct conv_case *test, enum isa isa, int threads)
{
    struct error error = {""};
    char *name;

    if (conv_case_run(test, conv_kernel_find("mgemm"), "", isa, threads, &error) == CONV_RIGHT)
        return true;
    name = conv_case_name(&test->shape);
    tap_diag("%s, %d threads, %s: %s", isa_name(isa), threads, name, error.text);
    free(name);
    return false;
}

/* On all instruction sets; the number of those that were wrong.  */
static int count_wrong(const struct conv_shape *shape, bool relu, int threads, int *cases)
{
    struct error error = {""};
    struct conv_case *test;
    int wrong = 0;

    if (!conv_shape_check(shape, &error))
        return 0;
    test = conv_case_new(shape, relu, 1);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if (isa_available(isa)) {
            wrong += !right(test, isa, threads);
            (*cases)++;
        }
    conv_case_free(test);
    return wrong;
}

/* PADS: a bit for each side.  */
static struct conv_shape small_image(int64_t height, int64_t width, int64_t stride, int pads)
{
    return (struct conv_shape){.n = 1,
                               .c = 17,
                               .h = height,
                               .w = width,
                               .k = 17,
                               .r = 3,
                               .s = 3,
                               .stride_h = stride,
                               .stride_w = stride,
                               .pad_top = pads & 1,
                               .pad_bottom = pads >> 1 & 1,
                               .pad_left = pads >> 2 & 1,
                               .pad_right = pads >> 3,
                               .dilation_h = 1,
                               .dilation_w = 1,
                               .groups = 17};
}

static void test_small(int64_t stride)
{
    const int most = tap_tier(7, 11);
    int wrong = 0, cases = 0;

    for (int64_t height = 1; height <= most; height++)
        for (int64_t width = 1; width <= most; width++)
            for (int pads = 0; pads < 16; pads++) {
                const struct conv_shape shape = small_image(height, width, stride, pads);

                wrong += count_wrong(&shape, pads % 3 == 0, 1, &cases);
            }
    ok(wrong == 0 && cases > 400, "3 x 3, stride %d: %d small images are right", (int)stride,
       cases);
}

static void test_others(void)
{
    int wrong = 0, cases = 0;

    for (int64_t taps = 1; taps <= 7; taps += 2)
        for (int64_t stride = 1; stride <= 3; stride++)
            for (int64_t multiplier = 1; multiplier <= 3; multiplier++) {
                struct conv_shape shape = small_image(13, 12, stride, 0);

                shape.n = 2;
                shape.r = shape.s = taps;
                shape.k *= multiplier;
                shape.pad_top = shape.pad_bottom = shape.pad_left = shape.pad_right = taps / 2;
                wrong += count_wrong(&shape, stride == 2, 1, &cases);
            }
    ok(wrong == 0 && cases >= 36, "other filters and multipliers: %d are right", cases);
}

static void test_threads(void)
{
    const int threads = pool_processors() < 2 ? 1 : 2;
    int wrong = 0, cases = 0;

    for (int64_t channels = 1; channels < 300; channels = 3 * channels + 1)
        for (int64_t height = 2; height < 40; height += 5) {
            struct conv_shape shape = small_image(height, 9, 1, 15);

            shape.n = height % 3 + 1;
            shape.c = shape.k = shape.groups = channels + 1;
            wrong += count_wrong(&shape, false, threads, &cases);
        }
    ok(wrong == 0 && cases > 20, "%d threads: %d are right", threads, cases);
}

int main(void)
{
    test_small(1);
    test_small(2);
    test_others();
    test_threads();
    return tap_done();
}
