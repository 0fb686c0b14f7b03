/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of matrices: small ones by hand, all small sizes and longer sums by the definition.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "runtime/operators/matrix.h"
#include "runtime/operators/matrix_tiles.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"

static const struct operator_case products[] = {
    {"two matrices",
     "MatMul",
     13,
     NULL,
     {"2x3 1 2 3 4 5 6", "3x2 1 0 0 1 10 100"},
     {"2x2 31 302 64 605"},
     NULL},
    {"two vectors", "MatMul", 1, NULL, {"3 1 2 3", "3 1 10 100"}, {" 321"}, NULL},
    {"a vector and a matrix",
     "MatMul",
     9,
     NULL,
     {"2 1 10", "2x3 1 2 3 4 5 6"},
     {"3 41 52 63"},
     NULL},
    {"a matrix and a vector", "MatMul", 9, NULL, {"2x2 1 2 3 4", "2 1 10"}, {"2 21 43"}, NULL},
    {"stacks",
     "MatMul",
     13,
     NULL,
     {"2x1x2 1 2 3 4", "2x2x1 1 10 100 1000"},
     {"2x1x1 21 4300"},
     NULL},
    {"stacks that stretch",
     "MatMul",
     13,
     NULL,
     {"2x1x1x1 2 3", "3x1x1 1 10 100"},
     {"2x3x1x1 2 20 200 3 30 300"},
     NULL},
    {"a stack and a matrix",
     "MatMul",
     13,
     NULL,
     {"2x1x2 1 2 3 4", "2x2 1 0 0 10"},
     {"2x1x2 1 20 3 40"},
     NULL},
    {"a stack of vectors' matrices and a vector",
     "MatMul",
     13,
     NULL,
     {"2x2x2 1 2 3 4 5 6 7 8", "2 1 10"},
     {"2x2 21 43 65 87"},
     NULL},
    {"nothing to sum", "MatMul", 13, NULL, {"2x0", "0x2"}, {"2x2 0 0 0 0"}, NULL},
    {"whole numbers", "MatMul", 9, NULL, {"i32 1x2 -3 4", "i32 2x1 5 6"}, {"i32 1x1 9"}, NULL},
    {"long whole numbers",
     "MatMul",
     9,
     NULL,
     {"i64 1x2 -3 4", "i64 2x1 5 -6"},
     {"i64 1x1 -39"},
     NULL},
    {"bytes", "MatMul", 9, NULL, {"u8 1x1 1", "u8 1x1 1"}, {"u8 1x1"}, "u8"},
    {"sizes that differ", "MatMul", 9, NULL, {"1x2 1 2", "3x1 1 2 3"}, {"1x1"}, "fit"},
    {"plain", "Gemm", 13, NULL, {"1x2 1 2", "2x2 1 2 3 4"}, {"1x2 7 10"}, NULL},
    {"both transposed, scaled, a row",
     "Gemm",
     9,
     "transA=1 transB=1 alpha=2.0 beta=0.5",
     {"2x1 1 2", "2x2 1 2 3 4", "2 10 20"},
     {"1x2 15 32"},
     NULL},
    {"both transposed, several rows and columns",
     "Gemm",
     13,
     "transA=1 transB=1",
     {"3x2 1 2 3 4 5 6", "4x3 1 0 2 0 1 3 1 1 1 -1 0 0"},
     {"2x4 11 18 9 -1 14 22 12 -2"},
     NULL},
    {"a column",
     "Gemm",
     7,
     NULL,
     {"2x1 1 2", "1x2 1 10", "2x1 100 200"},
     {"2x2 101 110 202 220"},
     NULL},
    {"a number", "Gemm", 7, NULL, {"2x1 1 2", "1x2 1 10", " 100"}, {"2x2 101 110 102 120"}, NULL},
    {"stretched under broadcast",
     "Gemm",
     6,
     "broadcast=1",
     {"1x1 2", "1x2 1 10", "1 100"},
     {"1x2 102 120"},
     NULL},
    {"stretched without", "Gemm", 6, NULL, {"1x1 2", "1x2 1 10", "1 100"}, {"1x2"}, "broadcast"},
    {"three dimensions to add",
     "Gemm",
     13,
     NULL,
     {"1x1 1", "1x2 1 2", "1x1x2 1 2"},
     {"1x2"},
     "3 dim"},
    {"determinants", "Det", 11, NULL, {"2x2x2 1 2 3 4 0 1 1 0"}, {"2 -2 -1"}, NULL},
    {"a determinant of three rows", "Det", 11, NULL, {"3x3 2 0 1 4 3 0 1 5 6"}, {" 53"}, NULL},
    {"a determinant of a singular matrix", "Det", 11, NULL, {"2x2 1 2 2 4"}, {" 0"}, NULL},
    {"a product",
     "Einsum",
     12,
     "equation=ij,jk->ik",
     {"1x2 1 2", "2x2 1 2 3 4"},
     {"1x2 7 10"},
     NULL},
    {"without an arrow, in alphabetical order",
     "Einsum",
     12,
     "equation=ba",
     {"2x2 1 2 3 4"},
     {"2x2 1 3 2 4"},
     NULL},
    {"a sum over the first letter there is",
     "Einsum",
     12,
     "equation=Ab->b",
     {"2x2 1 2 3 4"},
     {"2 4 6"},
     NULL},
    {"a trace", "Einsum", 12, "equation=ii", {"2x2 1 2 3 4"}, {" 5"}, NULL},
    {"a diagonal for each",
     "Einsum",
     12,
     "equation=...ii->...i",
     {"2x2x2 1 2 3 4 5 6 7 8"},
     {"2x2 1 4 5 8"},
     NULL},
    {"products of a stack and one",
     "Einsum",
     12,
     "equation=...ij,...j->...i",
     {"2x1x2 1 2 3 4", "2 1 10"},
     {"2x1 21 43"},
     NULL},
    {"three inputs",
     "Einsum",
     12,
     "equation=a,b,ab->b",
     {"2 1 2", "2 1 10", "2x2 1 2 3 4"},
     {"2 7 100"},
     NULL},
    {"a letter of its own in the output",
     "Einsum",
     12,
     "equation=a->ab",
     {"2 1 2"},
     {"2x2"},
     "letter"},
    {"no term for the second input",
     "Einsum",
     12,
     "equation=a->a",
     {"2 1 2", "2 1 2"},
     {"2"},
     "more inputs"},
};

/* Element (i, j) of a matrix of ROWS x COLUMNS whose neighbours lie one way or the other.  */
static double product_at(const struct product *p, const double *a, const double *b, int64_t i,
                         int64_t j)
{
    double sum = 0.0;

    for (int64_t l = 0; l < p->k; l++)
        sum += a[i * p->a_row + l * p->a_column] * b[l * p->b_row + j * p->b_column];
    return sum;
}

static void fill(struct rng *rng, float *narrow, double *wide, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        wide[i] = (double)(narrow[i] = (float)(rng_unit(rng) - 0.5));
}

static double worst_of(struct rng *rng, int64_t m, int64_t n, int64_t k, bool a_flips, bool b_flips)
{
    struct product p = {
        m, n, k, a_flips ? 1 : k, a_flips ? m : 1, b_flips ? 1 : n, b_flips ? k : 1, n + 1};
    size_t sizes = (size_t)(m * k + k * n), out = (size_t)(m * (n + 1));
    float *a = memory_alloc(sizes + 1, sizeof *a), *c = memory_zalloc(out + 1, sizeof *c);
    double *a2 = memory_alloc(sizes + 1, sizeof *a2), *c2 = memory_zalloc(out + 1, sizeof *c2);
    double worst = 0.0;

    fill(rng, a, a2, m * k + k * n);
    matrix_multiply_f32(&p, a, a + m * k, c);
    matrix_multiply_f64(&p, a2, a2 + m * k, c2);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            double want = product_at(&p, a2, a2 + m * k, i, j);

            worst = worst_of_two(worst, fabs((double)c[i * (n + 1) + j] - want) / 1e-6);
            worst = worst_of_two(worst, fabs(c2[i * (n + 1) + j] - want) / 1e-14);
        }
        /* What lies between two rows stays.  */
        if (c[i * (n + 1) + n] != 0.0F || c2[i * (n + 1) + n] != 0.0)
            worst = INFINITY;
    }
    free(a);
    free(a2);
    free(c);
    free(c2);
    return worst;
}

/* Each tile that the processor can run, not only the one that products take.  */
static void check_tiles(struct rng *rng)
{
    enum { STEPS = 37, GAP = 3 };

    for (int t = 0; t < matrix_tiles(); t++) {
        const struct matrix_tile_f64 *tile = matrix_tile_f64(t);
        const struct matrix_tile_f32 *narrow = matrix_tile_f32(t);
        struct product p = {tile->rows, narrow->columns, STEPS, 1,
                            tile->rows, narrow->columns, 1,     narrow->columns + GAP};
        float a[STEPS * 12], b[STEPS * 32], c[12 * 35] = {0};
        double a2[STEPS * 12], b2[STEPS * 32], c2[12 * 35] = {0}, worst = 0.0;

        fill(rng, a, a2, STEPS * 12);
        fill(rng, b, b2, STEPS * 32);
        narrow->run(a, b, STEPS, c, p.c_row, false);
        narrow->run(a, b, STEPS, c, p.c_row, true);
        for (int64_t i = 0; i < p.m; i++)
            for (int64_t j = 0; j < p.n; j++)
                worst = worst_of_two(
                    worst, fabs((double)c[i * p.c_row + j] - 2.0 * product_at(&p, a2, b2, i, j)));
        ok(worst < 1e-5, "tile %d in single precision: %g", t, worst);
        p.n = p.b_row = tile->columns;
        worst = 0.0;
        tile->run(a2, b2, STEPS, c2, p.c_row, false);
        tile->run(a2, b2, STEPS, c2, p.c_row, true);
        for (int64_t i = 0; i < p.m; i++)
            for (int64_t j = 0; j < p.n; j++)
                worst = worst_of_two(
                    worst, fabs(c2[i * p.c_row + j] - 2.0 * product_at(&p, a2, b2, i, j)));
        ok(worst < 1e-13, "tile %d in double: %g", t, worst);
    }
}

int main(void)
{
    static const int64_t size[][3] = {{1, 1, 1},     {1, 9, 30},    {9, 1, 30},   {5, 11, 700},
                                      {4, 8, 256},   {3, 17, 257},  {13, 33, 20}, {1, 40, 1500},
                                      {8, 16, 512},  {64, 64, 300}, {2, 3, 0},    {29, 300, 40},
                                      {12, 32, 600}, {25, 515, 260}};
    struct rng *rng = rng_new(26);

    operator_cases(products, sizeof products / sizeof products[0]);
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
        for (int flips = 0; flips < 4; flips++) {
            int64_t m = size[i][0], n = size[i][1], k = size[i][2];

            ok(worst_of(rng, m, n, k, (flips & 1) != 0, (flips & 2) != 0) < 5.0,
               "%d x %d, sums of %d, transposed %d", (int)m, (int)n, (int)k, flips);
        }
    check_tiles(rng);
    rng_free(rng);
    return tap_done();
}
