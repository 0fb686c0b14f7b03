/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on blocks of channels against the plain ones, on the same numbers in another order.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "runtime/blocked.h"
#include "tests/support/tap.h"

#define SIDES 4

struct example {
    const char *name;
    int64_t channels, height, width, taps, stride;
    int64_t pad[SIDES]; /* top, left, bottom, right */
    bool padding_counts;
};

/* Element (n, c, pixel) of an image in blocks; of blocks of 1 that is the plain order.  */
static int64_t place(const struct tensor *image, int64_t block, int64_t n, int64_t c, int64_t pixel)
{
    int64_t pixels = image->dim[2] * image->dim[3];

    return ((n * image->dim[1] / block + c / block) * pixels + pixel) * block + c % block;
}

/* The other order: into blocks, or out of them.  */
static struct tensor ordered(const struct tensor *image, int64_t from, int64_t to)
{
    struct tensor other = *image;
    int64_t pixels = image->dim[2] * image->dim[3];

    other.data = memory_alloc((size_t)tensor_elements(image), sizeof(float));
    for (int64_t n = 0; n < image->dim[0]; n++)
        for (int64_t c = 0; c < image->dim[1]; c++)
            for (int64_t p = 0; p < pixels; p++)
                ((float *)other.data)[place(image, to, n, c, p)] =
                    ((const float *)image->data)[place(image, from, n, c, p)];
    return other;
}

static struct tensor drawn(struct rng *rng, int rank, const int64_t *dim)
{
    struct tensor tensor = {.dtype = DTYPE_F32, .rank = rank};

    for (int d = 0; d < rank; d++)
        tensor.dim[d] = dim[d];
    tensor.data = memory_alloc((size_t)tensor_elements(&tensor), sizeof(float));
    for (int64_t i = 0; i < tensor_elements(&tensor); i++)
        ((float *)tensor.data)[i] = (float)(rng_unit(rng) + 0.25);
    return tensor;
}

/* The largest difference; a NaN is like a NaN only.  */
static double apart(const struct tensor *a, const struct tensor *b)
{
    double most = 0.0;

    for (int64_t i = 0; i < tensor_elements(a); i++) {
        double x = tensor_real(a, i), y = tensor_real(b, i);

        if (isnan(x) != isnan(y))
            return INFINITY;
        if (!isnan(x))
            most = fmax(most, fabs(x - y));
    }
    return most;
}

/* 3 x 5 pixels of the middle.  */
static bool is_crop(const struct example *e)
{
    return strcmp(e->name, "Slice") == 0;
}

static bool is_norm(const struct example *e)
{
    return e->taps == 0;
}

static struct computation *computation_of(const struct example *e)
{
    struct computation *computation =
        computation_new(e->name, is_crop(e) ? 1 : 11, is_norm(e) ? 5 : 1, 1);

    if (is_crop(e)) {
        int64_t top = (e->height - 3) / 2, left = (e->width - 5) / 2;

        computation_set_integers(computation, "axes", (int64_t[]){2, 3}, 2);
        computation_set_integers(computation, "starts", (int64_t[]){top, left}, 2);
        computation_set_integers(computation, "ends", (int64_t[]){top + 3, left + 5}, 2);
        return computation;
    }

    if (is_norm(e) || e->taps == e->height)
        return computation;
    computation_set_integers(computation, "kernel_shape", (int64_t[]){e->taps, e->taps}, 2);
    computation_set_integers(computation, "strides", (int64_t[]){e->stride, e->stride}, 2);
    computation_set_integers(computation, "pads", e->pad, SIDES);
    if (e->padding_counts)
        computation_set_integer(computation, "count_include_pad", 1);
    return computation;
}

static void find_shape(const struct example *e, int64_t *dim)
{
    int64_t stride = is_norm(e) ? 1 : e->stride, reach = is_norm(e) ? 1 : e->taps;

    dim[0] = 2;
    dim[1] = e->channels;
    dim[2] = is_crop(e) ? 3 : (e->height + e->pad[0] + e->pad[2] - reach) / stride + 1;
    dim[3] = is_crop(e) ? 5 : (e->width + e->pad[1] + e->pad[3] - reach) / stride + 1;
}

static void compare(struct rng *rng, const struct example *e, int64_t block)
{
    struct tensor x = drawn(rng, 4, (int64_t[]){2, e->channels, e->height, e->width}), xb;
    struct tensor y, yb, back, number[4];
    struct computation *computation = computation_of(e);
    const struct tensor *input[5] = {&x}, *output[] = {&y};
    struct error error = {{0}};
    struct call call = {.computation = computation,
                        .inputs = is_norm(e) ? 5 : 1,
                        .outputs = 1,
                        .input = input,
                        .output = output,
                        .error = &error};
    int64_t dim[4];

    find_shape(e, dim);
    y = drawn(rng, 4, dim);
    yb = drawn(rng, 4, dim);
    for (int i = 0; i < 4; i++) {
        number[i] = drawn(rng, 1, &e->channels);
        input[1 + i] = &number[i];
    }
    ((float *)x.data)[tensor_elements(&x) / 3] = NAN;
    ok(operator_accepts(&call) && operator_run(&call), "%s runs: %s", e->name, error.text);
    xb = ordered(&x, 1, block);
    input[0] = &xb;
    output[0] = &yb;
    ok(blocked_run(&call, block, NULL), "on blocks of %d", (int)block);
    back = ordered(&yb, block, 1);
    ok(apart(&y, &back) < 2e-6, "to the same: %g", apart(&y, &back));
    for (int i = 0; i < 4; i++)
        free(number[i].data);
    for (int i = 0; i < 5; i++)
        free((struct tensor[]){x, xb, y, yb, back}[i].data);
    computation_free(computation);
}

/* --- on several threads --- */

enum { BLOCK = 16, BLOCKS = 5, IMAGES = 3, HEIGHT = 20, WIDTH = 23 };

/* An operator on images of BLOCKS blocks, and what its further inputs are like.  */
struct shared {
    const char *name, *then;
    size_t inputs;
    int rank;       /* of the inputs but the first */
    int64_t dim[4]; /* theirs */
};

static struct computation *shared_computation(const struct shared *s)
{
    struct example e = {s->name, BLOCK * BLOCKS, HEIGHT, WIDTH, strcmp(s->name, "Slice") == 0, 1,
                        {0},     false};
    struct computation *computation;

    if (strstr(s->name, "Pool") != NULL)
        e.taps = strncmp(s->name, "Global", strlen("Global")) == 0 ? HEIGHT : 3;
    computation = computation_of(&e);
    if (s->then != NULL)
        computation->then = computation_new(s->then, 11, 1, 1);
    return computation;
}

static struct tensor shared_output(const struct shared *s, struct rng *rng)
{
    int64_t dim[4] = {IMAGES, BLOCK * BLOCKS, HEIGHT, WIDTH};

    if (strcmp(s->name, "Slice") == 0) {
        dim[2] = 3;
        dim[3] = 5;
    } else if (strncmp(s->name, "Global", strlen("Global")) == 0) {
        dim[2] = dim[3] = 1;
    } else if (strstr(s->name, "Pool") != NULL) {
        dim[2] -= 2;
        dim[3] -= 2;
    }
    return drawn(rng, 4, dim);
}

/* What threads make together is what one makes, byte for byte.  */
static void share(struct rng *rng, const struct shared *s, struct pool *pool)
{
    struct tensor x[5], alone = shared_output(s, rng), together = shared_output(s, rng);
    struct computation *computation = shared_computation(s);
    const struct tensor *input[5], *output[] = {&alone};
    struct error error = {{0}};
    struct call call = {.computation = computation,
                        .inputs = s->inputs,
                        .outputs = 1,
                        .input = input,
                        .output = output,
                        .error = &error};

    for (size_t i = 0; i < s->inputs; i++) {
        x[i] = i == 0 ? drawn(rng, 4, (int64_t[]){IMAGES, BLOCK * BLOCKS, HEIGHT, WIDTH})
                      : drawn(rng, s->rank, s->dim);
        input[i] = &x[i];
    }
    for (int64_t i = 0; i < tensor_elements(&x[0]); i += 3)
        ((float *)x[0].data)[i] *= -1.0F;
    ok(blocked_run(&call, BLOCK, NULL), "%s alone: %s", s->name, error.text);
    output[0] = &together;
    ok(blocked_run(&call, BLOCK, pool), "%s together: %s", s->name, error.text);
    ok(memcmp(alone.data, together.data, (size_t)tensor_elements(&alone) * sizeof(float)) == 0,
       "the same on %d threads", pool_threads(pool));
    for (size_t i = 0; i < s->inputs; i++)
        free(x[i].data);
    free(alone.data);
    free(together.data);
    computation_free(computation);
}

static void share_all(struct rng *rng)
{
    static const struct shared shared[] = {
        {"Relu", NULL, 1, 0, {0}},
        {"Add", "Relu", 2, 4, {IMAGES, BLOCK * BLOCKS, HEIGHT, WIDTH}},
        {"Mul", NULL, 2, 4, {IMAGES, BLOCK * BLOCKS, 1, 1}},
        {"Mul", NULL, 2, 4, {1, BLOCK * BLOCKS, 1, 1}},
        {"Mul", NULL, 2, 1, {1}},
        {"BatchNormalization", "Relu", 5, 1, {BLOCK * BLOCKS}},
        {"MaxPool", NULL, 1, 0, {0}},
        {"AveragePool", NULL, 1, 0, {0}},
        {"GlobalAveragePool", NULL, 1, 0, {0}},
        {"Slice", NULL, 1, 0, {0}},
    };
    struct error error = {{0}};

    for (int threads = 1; threads <= 3 && threads <= pool_processors(); threads++) {
        struct pool *pool = pool_new(threads, &error);

        for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
            share(rng, &shared[i], pool);
        pool_free(pool);
    }
}

int main(void)
{
    /* A block of 7 and what is left of one of 28 are for the channels beside whole registers.  */
    static const int64_t block[] = {1, 4, 7, 8, 14, 16, 28};
    static const struct example examples[] = {
        {"MaxPool", 0, 9, 11, 3, 2, {1, 1, 1, 1}, false},
        {"MaxPool", 0, 6, 6, 2, 2, {0, 0, 0, 0}, false},
        {"MaxPool", 0, 5, 8, 3, 1, {0, 1, 2, 0}, false},
        {"AveragePool", 0, 7, 5, 3, 1, {1, 1, 1, 1}, false},
        {"AveragePool", 0, 7, 5, 3, 2, {1, 0, 1, 1}, true},
        {"GlobalAveragePool", 0, 7, 7, 7, 1, {0, 0, 0, 0}, false},
        {"Slice", 0, 8, 9, 1, 1, {0, 0, 0, 0}, false},
        {"BatchNormalization", 0, 5, 6, 0, 1, {0, 0, 0, 0}, false},
    };
    struct rng *rng = rng_new(26);

    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        for (size_t b = 0; b < sizeof block / sizeof block[0]; b++) {
            struct example example = examples[i];

            example.channels = 2 * block[b];
            compare(rng, &example, block[b]);
        }
    share_all(rng);
    rng_free(rng);
    return tap_done();
}
