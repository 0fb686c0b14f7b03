/* SPDX-License-Identifier: GPL-3.0-or-later */
/* im2col-openblas: the input of every output pixel is copied into a matrix,
 * which OpenBLAS's sgemm multiplies with the filter.  The baseline that direct
 * convolution is measured against; the copying is timed with it.  */
#include <config.h>

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/peers/library.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

struct blas {
    __typeof__(&cblas_sgemm) sgemm;
    __typeof__(&openblas_set_num_threads) set_threads;
    __typeof__(&openblas_get_config) config;
    float *columns; /* (C/groups R S) x (P Q), or NULL where the input serves as it is */
};

static int64_t column_rows(const struct conv_shape *shape)
{
    return shape->c / shape->groups * shape->r * shape->s;
}

static bool needs_columns(const struct conv_shape *shape)
{
    return shape->r != 1 || shape->s != 1 || shape->stride_h != 1 || shape->stride_w != 1 ||
           shape->pad_top != 0 || shape->pad_bottom != 0 || shape->pad_left != 0 ||
           shape->pad_right != 0;
}

/* One row of output pixels of one tap.  */
static void copy_row(const struct conv_shape *shape, const float *line, int64_t x, int64_t width,
                     float *to)
{
    int64_t q = 0;

    for (; q < width && x < 0; q++, x += shape->stride_w)
        to[q] = 0.0F;
    if (shape->stride_w == 1 && x < shape->w) {
        int64_t count = min64(width - q, shape->w - x);

        memcpy(to + q, line + x, (size_t)count * sizeof *to);
        q += count;
        x += count;
    }
    for (; q < width && x < shape->w; q++, x += shape->stride_w)
        to[q] = line[x];
    for (; q < width; q++)
        to[q] = 0.0F;
}

static void im2col(const struct conv_shape *shape, const float *input, float *columns)
{
    const int64_t height = conv_shape_out_h(shape), width = conv_shape_out_w(shape);

    for (int64_t row = 0; row < column_rows(shape); row++) {
        const int64_t c = row / shape->s / shape->r, r = row / shape->s % shape->r;
        const int64_t s = row % shape->s;

        for (int64_t p = 0; p < height; p++, columns += width) {
            int64_t y = p * shape->stride_h - shape->pad_top + r * shape->dilation_h;

            if (y < 0 || y >= shape->h)
                memset(columns, 0, (size_t)width * sizeof *columns);
            else
                copy_row(shape, input + (c * shape->h + y) * shape->w,
                         s * shape->dilation_w - shape->pad_left, width, columns);
        }
    }
}

static void run_group(const struct blas *blas, const struct conv_shape *shape, const float *input,
                      const float *filter, const float *bias, float *output)
{
    const int64_t rows = column_rows(shape), k = shape->k / shape->groups;
    const int64_t pixels = conv_shape_out_h(shape) * conv_shape_out_w(shape);
    const float *columns = input;

    if (blas->columns != NULL) {
        im2col(shape, input, blas->columns);
        columns = blas->columns;
    }
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < pixels; j++)
            output[i * pixels + j] = bias[i];
    blas->sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)k, (blasint)pixels,
                (blasint)rows, 1.0F, filter, (blasint)rows, columns, (blasint)pixels, 1.0F, output,
                (blasint)pixels);
}

static void run(const struct conv_plan *plan, const float *input, const float *packed,
                float *output)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t k = shape->k / shape->groups, rows = column_rows(shape);
    const int64_t in = shape->c / shape->groups * shape->h * shape->w;
    const int64_t out = k * plan->output.h * plan->output.w;

    for (int64_t i = 0; i < shape->n * shape->groups; i++) {
        int64_t group = i % shape->groups;

        run_group(plan->state, shape, input + i * in, packed + group * k * rows,
                  packed + shape->k * rows + group * k, output + i * out);
    }
    if (plan->request.relu)
        for (int64_t i = 0; i < shape->n * shape->groups * out; i++)
            output[i] = output[i] < 0.0F ? 0.0F : output[i];
}

static void pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t weights = shape->k * column_rows(shape);

    memcpy(packed, filter, (size_t)weights * sizeof *packed);
    for (int64_t k = 0; k < shape->k; k++)
        packed[weights + k] = bias != NULL ? bias[k] : 0.0F;
}

static void clear(struct conv_plan *plan)
{
    struct blas *blas = plan->state;

    free(blas->columns);
    free(blas);
}

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    static const char *const core[ISA_COUNT] = {"Nehalem", "Haswell", "SkylakeX"};
    static const char *const names[] = {"cblas_sgemm", "openblas_set_num_threads",
                                        "openblas_get_config"};
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t pixels = conv_shape_out_h(shape) * conv_shape_out_w(shape);
    int64_t columns, weights = shape->k * column_rows(shape);
    struct blas *blas;
    void *symbol[3];

    (void)params;
    if (!checked_mul(pixels, column_rows(shape), &columns) || columns > INT64_MAX / 8 ||
        weights > INT64_MAX / 8 || pixels > INT32_MAX || column_rows(shape) > INT32_MAX ||
        shape->k > INT32_MAX)
        return error_set(error, "im2col-openblas: the matrices are too large");
    setenv("OPENBLAS_CORETYPE", core[plan->request.isa], 0);
    if (!library_open(OPENBLAS_LIBRARY, names, 3, symbol, error))
        return false;
    blas = memory_zalloc(1, sizeof *blas);
    memcpy(&blas->sgemm, &symbol[0], sizeof symbol[0]);
    memcpy(&blas->set_threads, &symbol[1], sizeof symbol[1]);
    memcpy(&blas->config, &symbol[2], sizeof symbol[2]);
    blas->set_threads(plan->request.threads);
    snprintf(plan->library, sizeof plan->library, "%s", blas->config());
    plan->input = layout_input(shape, 1);
    plan->output = layout_output(shape, 1);
    plan->packed_floats = weights + shape->k;
    if (needs_columns(shape)) {
        blas->columns = memory_alloc((size_t)columns, sizeof *blas->columns);
        plan->workspace_bytes = columns * (int64_t)sizeof *blas->columns;
    }
    plan->state = blas;
    return true;
}

const struct conv_kernel conv_kernel_im2col_openblas = {
    .name = "im2col-openblas",
    .title = "im2col and OpenBLAS's sgemm",
    .source = "OpenBLAS, https://www.openblas.net",
    .version = OPENBLAS_VERSION,
    .isas = ISA_ALL,
    .library = true,
    .tolerance = 1.0,
    .plan = make_plan,
    .clear = clear,
    .pack = pack,
    .run = run,
};
