/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions and pools: small ones by hand, larger ones against the sum of their definition.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"

#define NINE "1x1x3x3 1 2 3 4 5 6 7 8 9"

static const struct operator_case convolutions[] = {
    {"windows of 2 x 2",
     "Conv",
     11,
     NULL,
     {NINE, "1x1x2x2 1 1 1 1"},
     {"1x1x2x2 12 16 24 28"},
     NULL},
    {"taps are not mirrored",
     "Conv",
     1,
     NULL,
     {NINE, "1x1x2x2 1 2 0 0", "1 10"},
     {"1x1x2x2 15 18 24 27"},
     NULL},
    {"padding on two sides, strides",
     "Conv",
     11,
     "pads=1,0,0,1 strides=2,1",
     {NINE, "1x1x2x2 1 1 1 1"},
     {"1x1x2x3 3 5 3 24 28 15"},
     NULL},
    {"dilated",
     "Conv",
     11,
     "dilations=2,2",
     {NINE, "1x1x2x2 1 10 100 1000"},
     {"1x1x1x1 9731"},
     NULL},
    {"the odd one behind",
     "Conv",
     11,
     "auto_pad=SAME_UPPER",
     {NINE, "1x1x1x2 1 10"},
     {"1x1x3x3 21 32 3 54 65 6 87 98 9"},
     NULL},
    {"the odd one first",
     "Conv",
     11,
     "auto_pad=SAME_LOWER",
     {NINE, "1x1x1x2 1 10"},
     {"1x1x3x3 10 21 32 40 54 65 70 87 98"},
     NULL},
    {"two groups",
     "Conv",
     11,
     "group=2",
     {"1x2x1x2 1 2 3 4", "4x1x1x1 1 2 3 4", "4 0 0 0 1"},
     {"1x4x1x2 1 2 2 4 9 12 13 17"},
     NULL},
    {"five filters of two channels, two images",
     "Conv",
     11,
     NULL,
     {"2x2x2 1 2 3 4 5 6 7 8", "5x2x1 1 0 0 1 1 1 2 0 0 3"},
     {"2x5x2 1 2 3 4 4 6 2 4 9 12 5 6 7 8 12 14 10 12 21 24"},
     NULL},
    {"three dimensions",
     "Conv",
     11,
     "strides=1,1,2",
     {"1x1x2x1x3 1 2 3 4 5 6", "1x1x2x1x1 1 10"},
     {"1x1x1x1x2 41 63"},
     NULL},
    {"no images", "Conv", 11, NULL, {"0x1x3x3", "1x1x2x2 1 1 1 1"}, {"0x1x2x2"}, NULL},
    {"whole numbers", "Conv", 11, NULL, {"i32 1x1x2 1 2", "i32 1x1x1 1"}, {"i32 1x1x2"}, "i32"},
    {"four dimensions",
     "Conv",
     11,
     NULL,
     {"1x1x1x1x1x1 1", "1x1x1x1x1x1 1"},
     {"1x1x1x1x1x1"},
     "dimensions"},
    {"an attribute from elsewhere",
     "Conv",
     11,
     "activation=relu",
     {NINE, "1x1x2x2"},
     {"1x1x2x2"},
     "activation"},
    {"a stride of 0", "Conv", 11, "strides=0,1", {NINE, "1x1x2x2"}, {"1x1x2x2"}, "strides"},
    {"three strides", "Conv", 11, "strides=1,1,1", {NINE, "1x1x2x2"}, {"1x1x2x2"}, "strides"},
    {"three groups of four channels",
     "Conv",
     11,
     "group=3",
     {"1x4x1x1", "4x1x1x1"},
     {"1x4x1x1"},
     "groups"},
};

static const struct operator_case transposed[] = {
    {"each element spreads",
     "ConvTranspose",
     11,
     NULL,
     {"1x1x2x2 1 2 3 4", "1x1x2x2 1 10 100 1000"},
     {"1x1x3x3 1 12 20 103 1234 2040 300 3400 4000"},
     NULL},
    {"strides, bias",
     "ConvTranspose",
     1,
     "strides=2",
     {"1x1x2 1 2", "1x1x3 1 10 100", "1 1000"},
     {"1x1x5 1001 1010 1102 1020 1200"},
     NULL},
    {"padding is cut off, extra elements behind",
     "ConvTranspose",
     11,
     "strides=2 pads=1,0 output_padding=1",
     {"1x1x2 1 2", "1x1x3 1 10 100"},
     {"1x1x5 10 102 20 200 0"},
     NULL},
    {"a shape, more cut off behind",
     "ConvTranspose",
     11,
     "output_shape=2 auto_pad=SAME_UPPER",
     {"1x1x2 1 2", "1x1x2 1 10"},
     {"1x1x2 1 12"},
     NULL},
    {"a shape, more cut off first",
     "ConvTranspose",
     11,
     "output_shape=2 auto_pad=SAME_LOWER",
     {"1x1x2 1 2", "1x1x2 1 10"},
     {"1x1x2 12 20"},
     NULL},
    {"a shape alone, more cut off first",
     "ConvTranspose",
     11,
     "output_shape=2",
     {"1x1x2 1 2", "1x1x2 1 10"},
     {"1x1x2 12 20"},
     NULL},
    {"a shape, version 1",
     "ConvTranspose",
     1,
     "output_shape=2 auto_pad=SAME_UPPER",
     {"1x1x2 1 2", "1x1x2 1 10"},
     {"1x1x2 12 20"},
     NULL},
    {"the shape of the input, version 1",
     "ConvTranspose",
     1,
     "auto_pad=SAME_LOWER",
     {"1x1x2 1 2", "1x1x2 1 10"},
     {"1x1x2 1 12"},
     NULL},
    {"two groups, two filters each",
     "ConvTranspose",
     11,
     "group=2",
     {"1x2x1 3 5", "2x2x1 1 2 3 4"},
     {"1x4x1 3 6 15 20"},
     NULL},
    {"dilated",
     "ConvTranspose",
     11,
     "dilations=2",
     {"1x1x2 1 2", "1x1x2 1 10"},
     {"1x1x4 1 2 10 20"},
     NULL},
};

static const struct operator_case pools[] = {
    {"a maximum with a NaN is one",
     "MaxPool",
     12,
     "kernel_shape=2",
     {"1x1x6 1 nan 2 3 5 4"},
     {"1x1x5 nan nan 3 5 5", "i64 1x1x5 1 1 3 4 4"},
     NULL},
    {"at a stride too",
     "MaxPool",
     12,
     "kernel_shape=2 strides=2",
     {"1x1x6 1 nan nan 3 5 4"},
     {"1x1x3 nan nan 5"},
     NULL},
    {"and of all", "GlobalMaxPool", 1, NULL, {"1x2x3 1 nan 2 3 5 4"}, {"1x2x1 nan 5"}, NULL},
    {"maximum", "MaxPool", 1, "kernel_shape=2,2", {NINE}, {"1x1x2x2 5 6 8 9"}, NULL},
    {"maximum of negative numbers beside padding",
     "MaxPool",
     8,
     "kernel_shape=2 pads=1,1",
     {"1x1x2 -3 -2"},
     {"1x1x3 -3 -2 -2"},
     NULL},
    {"the last window hangs over",
     "MaxPool",
     10,
     "kernel_shape=2 strides=2 ceil_mode=1",
     {"1x1x3 1 2 3"},
     {"1x1x2 2 3"},
     NULL},
    {"dilated",
     "MaxPool",
     10,
     "kernel_shape=2 dilations=2",
     {"1x1x4 4 9 1 2"},
     {"1x1x2 4 9"},
     NULL},
    {"whole numbers",
     "MaxPool",
     12,
     "kernel_shape=2",
     {"i8 1x1x3 -5 -7 -6"},
     {"i8 1x1x2 -5 -6"},
     NULL},
    {"where they are, the first of equal ones",
     "MaxPool",
     8,
     "kernel_shape=1,2",
     {"1x2x2x3 1 1 0 2 3 4 9 8 7 7 8 9"},
     {"1x2x2x2 1 1 3 4 9 8 8 9", "i64 1x2x2x2 0 1 4 5 6 7 10 11"},
     NULL},
    {"where they are, by columns",
     "MaxPool",
     8,
     "kernel_shape=1,2 storage_order=1",
     {"1x2x2x3 1 1 0 2 3 4 9 8 7 7 8 9"},
     {"1x2x2x2 1 1 3 4 9 8 8 9", "i64 1x2x2x2 0 2 3 5 6 8 9 11"},
     NULL},
    {"mean", "AveragePool", 1, "kernel_shape=2,2", {NINE}, {"1x1x2x2 3 4 6 7"}, NULL},
    {"mean without padding",
     "AveragePool",
     7,
     "kernel_shape=2 pads=1,0",
     {"1x1x3 1 2 4"},
     {"1x1x3 1 1.5 3"},
     NULL},
    {"mean with padding",
     "AveragePool",
     7,
     "kernel_shape=2 pads=1,0 count_include_pad=1",
     {"1x1x3 1 2 4"},
     {"1x1x3 0.5 1.5 3"},
     NULL},
    {"mean with padding behind",
     "AveragePool",
     7,
     "kernel_shape=2 pads=0,1 count_include_pad=1",
     {"1x1x3 1 2 4"},
     {"1x1x3 1.5 3 2"},
     NULL},
    {"what hangs over never counts",
     "AveragePool",
     10,
     "kernel_shape=3 strides=3 pads=1,0 ceil_mode=1 count_include_pad=1",
     {"1x1x3 1 2 6"},
     {"1x1x2 1 6"},
     NULL},
    {"mean, dilated",
     "AveragePool",
     19,
     "kernel_shape=2 dilations=2 pads=1,1",
     {"1x1x3 1 2 6"},
     {"1x1x3 2 3.5 2"},
     NULL},
    {"mean of a volume",
     "AveragePool",
     7,
     "kernel_shape=2,2,2",
     {"1x1x2x2x2 1 2 3 4 5 6 7 12"},
     {"1x1x1x1x1 5"},
     NULL},
    {"second norm", "LpPool", 2, "kernel_shape=2", {"1x1x3 3 -4 0"}, {"1x1x2 5 4"}, NULL},
    {"first norm", "LpPool", 2, "kernel_shape=2 p=1", {"1x1x3 3 -4 0"}, {"1x1x2 7 4"}, NULL},
    {"third norm, a real number",
     "LpPool",
     1,
     "kernel_shape=2 p=3.0",
     {"1x1x2 -3 5"},
     {"1x1x1 5.336803297443889"},
     NULL},
    {"global mean",
     "GlobalAveragePool",
     1,
     NULL,
     {"1x2x2x2 1 2 3 6 0 0 0 8"},
     {"1x2x1x1 3 2"},
     NULL},
    {"global maximum", "GlobalMaxPool", 1, NULL, {"2x1x3 1 7 3 -6 -5 -9"}, {"2x1x1 7 -5"}, NULL},
    {"global norm", "GlobalLpPool", 2, NULL, {"1x1x2x2 1 1 1 -1"}, {"1x1x1x1 2"}, NULL},
    {"nowhere to write", "GlobalMaxPool", 1, NULL, {"2x1x3 1 7 3 -6 -5 -9"}, {NULL}, "missing"},
    {"back",
     "MaxUnpool",
     11,
     "kernel_shape=2 strides=2",
     {"1x1x2 7 8", "i64 1x1x2 1 2"},
     {"1x1x4 0 7 8 0"},
     NULL},
    {"back to a larger image",
     "MaxUnpool",
     11,
     "kernel_shape=1,2 strides=1,2",
     {"1x1x2x1 7 8", "i64 1x1x2x1 1 2", "i64 4 1 1 3 3"},
     {"1x1x3x3 0 7 0 8 0 0 0 0 0"},
     NULL},
    {"back to nowhere",
     "MaxUnpool",
     11,
     "kernel_shape=2 strides=2",
     {"1x1x2 7 8", "i64 1x1x2 1 4"},
     {"1x1x4"},
     "place 4"},
    {"a pool without a shape", "MaxPool", 8, NULL, {NINE}, {"1x1x3x3"}, "kernel_shape"},
    {"another type", "MaxPool", 12, "kernel_shape=1", {"i32 1x1x2 1 2"}, {"i32 1x1x2"}, "i32"},
};

/* --- larger ones --- */

struct layer {
    int64_t channels, filters, groups, height, width, taps, stride, dilation, pad;
};

static double input_at(const struct layer *l, const double *x, int64_t c, int64_t row,
                       int64_t column)
{
    bool inside = row >= 0 && row < l->height && column >= 0 && column < l->width;

    return inside ? x[(c * l->height + row) * l->width + column] : 0.0;
}

/* One element of the output by its definition.  */
static double plain(const struct layer *l, const double *x, const double *w, int64_t m, int64_t row,
                    int64_t column)
{
    int64_t channels = l->channels / l->groups, first = m / (l->filters / l->groups) * channels;
    double sum = 0.0;

    for (int64_t c = 0; c < channels; c++)
        for (int64_t r = 0; r < l->taps; r++)
            for (int64_t s = 0; s < l->taps; s++)
                sum += w[((m * channels + c) * l->taps + r) * l->taps + s] *
                       input_at(l, x, first + c, row * l->stride + r * l->dilation - l->pad,
                                column * l->stride + s * l->dilation - l->pad);
    return sum;
}

static void fill(struct rng *rng, struct tensor *narrow, struct tensor *wide)
{
    int64_t count = tensor_elements(narrow);

    *wide = *narrow;
    wide->dtype = DTYPE_F64;
    wide->data = memory_alloc((size_t)count, sizeof(double));
    narrow->data = memory_alloc((size_t)count, sizeof(float));
    for (int64_t i = 0; i < count; i++) {
        float number = (float)(rng_unit(rng) - 0.5);

        ((float *)narrow->data)[i] = number;
        ((double *)wide->data)[i] = (double)number;
    }
}

static double run_layer(const struct layer *l, const char *name, const struct tensor *x,
                        const struct tensor *w, const struct tensor *y, const double *want)
{
    struct computation *computation = computation_new(name, 11, 2, 1);
    struct error error = {{0}};
    const struct tensor *input[] = {x, w}, *output[] = {y};
    struct call call = {computation, 2, 1, input, output, &error};
    double worst = 0.0;

    computation_set_integers(computation, "strides", (int64_t[]){l->stride, l->stride}, 2);
    computation_set_integers(computation, "dilations", (int64_t[]){l->dilation, l->dilation}, 2);
    computation_set_integers(computation, "pads", (int64_t[]){l->pad, l->pad, l->pad, l->pad}, 4);
    computation_set_integer(computation, "group", l->groups);
    if (!operator_accepts(&call) || !operator_run(&call))
        worst = INFINITY;
    for (int64_t i = 0; i < tensor_elements(y); i++)
        worst = worst_of_two(worst, fabs(tensor_real(y, i) - want[i]));
    computation_free(computation);
    return worst;
}

static void compare_layer(struct rng *rng, const struct layer *l)
{
    int64_t reach = l->dilation * (l->taps - 1) + 1;
    int64_t height = (l->height + 2 * l->pad - reach) / l->stride + 1;
    int64_t width = (l->width + 2 * l->pad - reach) / l->stride + 1;
    struct tensor x = {DTYPE_F32, 4, {1, l->channels, l->height, l->width}, NULL};
    struct tensor w = {DTYPE_F32, 4, {l->filters, l->channels / l->groups, l->taps, l->taps}, NULL};
    struct tensor y = {DTYPE_F32, 4, {1, l->filters, height, width}, NULL}, x2, w2, y2;
    double *want, bound = 0.25 * (double)(l->channels / l->groups * l->taps * l->taps);

    fill(rng, &x, &x2);
    fill(rng, &w, &w2);
    fill(rng, &y, &y2);
    want = memory_alloc((size_t)tensor_elements(&y), sizeof *want);
    for (int64_t i = 0; i < tensor_elements(&y); i++)
        want[i] = plain(l, x2.data, w2.data, i / (height * width), i / width % height, i % width);
    ok(run_layer(l, "Conv", &x, &w, &y, want) < bound * 1e-6, "%d x %d x %d, f32", (int)l->channels,
       (int)l->height, (int)l->width);
    ok(run_layer(l, "Conv", &x2, &w2, &y2, want) < bound * 1e-14, "%d x %d x %d, f64",
       (int)l->channels, (int)l->height, (int)l->width);
    free(want);
    for (size_t i = 0; i < 3; i++) {
        free((struct tensor[]){x, w, y}[i].data);
        free((struct tensor[]){x2, w2, y2}[i].data);
    }
}

/* One element of the output of a transposed one: each place whose window has it gives its share. */
static double plain_transposed(const struct layer *l, const double *x, const double *w, int64_t m,
                               int64_t row, int64_t column)
{
    int64_t channels = l->channels / l->groups, filters = l->filters / l->groups;
    int64_t first = m / filters * channels;
    double sum = 0.0;

    for (int64_t c = first; c < first + channels; c++)
        for (int64_t r = 0; r < l->taps; r++)
            for (int64_t s = 0; s < l->taps; s++) {
                int64_t down = row + l->pad - r * l->dilation;
                int64_t right = column + l->pad - s * l->dilation;

                if (down % l->stride == 0 && right % l->stride == 0)
                    sum += w[((c * filters + m % filters) * l->taps + r) * l->taps + s] *
                           input_at(l, x, c, down / l->stride, right / l->stride);
            }
    return sum;
}

static void compare_transposed(struct rng *rng, const struct layer *l)
{
    int64_t height = (l->height - 1) * l->stride + l->dilation * (l->taps - 1) + 1 - 2 * l->pad;
    int64_t width = (l->width - 1) * l->stride + l->dilation * (l->taps - 1) + 1 - 2 * l->pad;
    struct tensor x = {DTYPE_F32, 4, {1, l->channels, l->height, l->width}, NULL};
    struct tensor w = {DTYPE_F32, 4, {l->channels, l->filters / l->groups, l->taps, l->taps}, NULL};
    struct tensor y = {DTYPE_F32, 4, {1, l->filters, height, width}, NULL}, x2, w2, y2;
    double *want, bound = 0.25 * (double)(l->channels / l->groups * l->taps * l->taps);

    fill(rng, &x, &x2);
    fill(rng, &w, &w2);
    fill(rng, &y, &y2);
    want = memory_alloc((size_t)tensor_elements(&y), sizeof *want);
    for (int64_t i = 0; i < tensor_elements(&y); i++)
        want[i] = plain_transposed(l, x2.data, w2.data, i / (height * width), i / width % height,
                                   i % width);
    ok(run_layer(l, "ConvTranspose", &x, &w, &y, want) < bound * 1e-6,
       "transposed, %d x %d x %d, f32", (int)l->channels, (int)l->height, (int)l->width);
    ok(run_layer(l, "ConvTranspose", &x2, &w2, &y2, want) < bound * 1e-14,
       "transposed, %d x %d x %d, f64", (int)l->channels, (int)l->height, (int)l->width);
    free(want);
    for (size_t i = 0; i < 3; i++) {
        free((struct tensor[]){x, w, y}[i].data);
        free((struct tensor[]){x2, w2, y2}[i].data);
    }
}

/* The mean of so many that they are summed in parts: of whole numbers, whose sums are exact in
 * whatever order.  */
static void test_long_mean(int64_t count)
{
    float *x = memory_alloc((size_t)count, sizeof *x), y = 0, sum = 0;
    struct tensor in = {DTYPE_F32, 3, {1, 1, count}, x}, out = {DTYPE_F32, 3, {1, 1, 1}, &y};
    const struct tensor *from = &in, *to = &out;
    struct computation *computation = computation_new("GlobalAveragePool", 1, 1, 1);
    struct error error = {{0}};
    struct call call = {computation, 1, 1, &from, &to, &error};

    for (int64_t i = 0; i < count; i++)
        sum += x[i] = (float)(i * 37 % 101);
    ok(operator_accepts(&call) && operator_run(&call) && y == sum / (float)count,
       "the mean of %lld numbers %s", (long long)count, error.text);
    computation_free(computation);
    free(x);
}

int main(void)
{
    static const struct layer layers[] = {
        {37, 6, 1, 4, 300, 3, 1, 1, 1}, {37, 6, 1, 5, 300, 3, 2, 1, 1},
        {20, 5, 1, 9, 9, 3, 1, 2, 2},   {40, 9, 1, 30, 30, 1, 1, 1, 0},
        {6, 12, 6, 7, 140, 3, 1, 1, 1}, {4, 8, 2, 6, 5, 5, 3, 1, 4},
    };
    /* Several strips of places, one that a row is longer than, more filters than come at a time. */
    static const struct layer transposed_layers[] = {
        {37, 6, 1, 40, 30, 2, 2, 1, 0}, {5, 4, 1, 3, 700, 3, 2, 1, 1},
        {20, 150, 1, 5, 7, 2, 2, 1, 0}, {6, 12, 6, 30, 41, 3, 1, 1, 1},
        {4, 8, 2, 6, 5, 5, 3, 1, 4},    {300, 3, 1, 4, 4, 3, 1, 2, 1},
    };
    struct rng *rng = rng_new(26);

    operator_cases(convolutions, sizeof convolutions / sizeof convolutions[0]);
    operator_cases(transposed, sizeof transposed / sizeof transposed[0]);
    operator_cases(pools, sizeof pools / sizeof pools[0]);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        compare_layer(rng, &layers[i]);
    for (size_t i = 0; i < sizeof transposed_layers / sizeof transposed_layers[0]; i++)
        compare_transposed(rng, &transposed_layers[i]);
    test_long_mean(21);
    test_long_mean(512);
    test_long_mean(2117);
    rng_free(rng);
    return tap_done();
}
