/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of matrices by the definition: small sizes, longer sums, each tile.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "runtime/operators/matrix.h"
#include "runtime/operators/matrix_tiles.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"

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
