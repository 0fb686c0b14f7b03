/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions and long means against the sum of their definition.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"

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
    const struct tensor *input[] = {x, w}, *output[] = {y};
    double worst = 0.0;

    computation_set_integers(computation, "strides", (int64_t[]){l->stride, l->stride}, 2);
    computation_set_integers(computation, "dilations", (int64_t[]){l->dilation, l->dilation}, 2);
    computation_set_integers(computation, "pads", (int64_t[]){l->pad, l->pad, l->pad, l->pad}, 4);
    computation_set_integer(computation, "group", l->groups);
    if (!operator_runs(computation, input, 2, output, 1))
        worst = INFINITY;
    for (int64_t i = 0; i < tensor_elements(y); i++)
        worst = worst_of_two(worst, fabs(tensor_real(y, i) - want[i]));
    computation_free(computation);
    return worst;
}

typedef double plain_element(const struct layer *l, const double *x, const double *w, int64_t m,
                             int64_t row, int64_t column);

/* The output Y of operator NAME on random X and W, against PLAIN element by element.  */
static void compare(struct rng *rng, const struct layer *l, const char *name,
                    plain_element *element, struct tensor x, struct tensor w, struct tensor y)
{
    const int64_t height = y.dim[2], width = y.dim[3];
    struct tensor x2, w2, y2;
    double *want, bound = 0.25 * (double)(l->channels / l->groups * l->taps * l->taps);

    fill(rng, &x, &x2);
    fill(rng, &w, &w2);
    fill(rng, &y, &y2);
    want = memory_alloc((size_t)tensor_elements(&y), sizeof *want);
    for (int64_t i = 0; i < tensor_elements(&y); i++)
        want[i] = element(l, x2.data, w2.data, i / (height * width), i / width % height, i % width);
    ok(run_layer(l, name, &x, &w, &y, want) < bound * 1e-6, "%s, %d x %d x %d, f32", name,
       (int)l->channels, (int)l->height, (int)l->width);
    ok(run_layer(l, name, &x2, &w2, &y2, want) < bound * 1e-14, "%s, %d x %d x %d, f64", name,
       (int)l->channels, (int)l->height, (int)l->width);
    free(want);
    for (size_t i = 0; i < 3; i++) {
        free((struct tensor[]){x, w, y}[i].data);
        free((struct tensor[]){x2, w2, y2}[i].data);
    }
}

static void compare_layer(struct rng *rng, const struct layer *l)
{
    int64_t reach = l->dilation * (l->taps - 1) + 1;
    int64_t height = (l->height + 2 * l->pad - reach) / l->stride + 1;
    int64_t width = (l->width + 2 * l->pad - reach) / l->stride + 1;
    struct tensor x = {DTYPE_F32, 4, {1, l->channels, l->height, l->width}, NULL};
    struct tensor w = {DTYPE_F32, 4, {l->filters, l->channels / l->groups, l->taps, l->taps}, NULL};
    struct tensor y = {DTYPE_F32, 4, {1, l->filters, height, width}, NULL};

    compare(rng, l, "Conv", plain, x, w, y);
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
    struct tensor y = {DTYPE_F32, 4, {1, l->filters, height, width}, NULL};

    compare(rng, l, "ConvTranspose", plain_transposed, x, w, y);
}

/* The mean of so many that they are summed in parts: of whole numbers, whose sums are exact in
 * whatever order.  */
static void test_long_mean(int64_t count)
{
    float *x = memory_alloc((size_t)count, sizeof *x), y = 0, sum = 0;
    struct tensor in = {DTYPE_F32, 3, {1, 1, count}, x}, out = {DTYPE_F32, 3, {1, 1, 1}, &y};
    const struct tensor *from = &in, *to = &out;
    struct computation *computation = computation_new("GlobalAveragePool", 1, 1, 1);

    for (int64_t i = 0; i < count; i++)
        sum += x[i] = (float)(i * 37 % 101);
    ok(operator_runs(computation, &from, 1, &to, 1) && y == sum / (float)count,
       "the mean of %lld numbers", (long long)count);
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
