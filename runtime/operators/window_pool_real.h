/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Average and Lp pools on elements of type REAL: included once for each type by window_pool.c,
 * which says what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_WINDOW_POOL_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_WINDOW_POOL_REAL_H

/* Adds a tap of COUNT windows to their sums.  */
static void TYPED(pool_tap)(REAL *restrict sum, const REAL *restrict x, int64_t stride,
                            int64_t count, const struct pool *pool)
{
    double p = pool->p;

    if (!pool->norm)
        for (int64_t i = 0; i < count; i++)
            sum[i] += x[i * stride];
    else if (p == 1.0)
        for (int64_t i = 0; i < count; i++)
            sum[i] += fabs(x[i * stride]);
    else if (p == 2.0)
        for (int64_t i = 0; i < count; i++)
            sum[i] += x[i * stride] * x[i * stride];
    else
        for (int64_t i = 0; i < count; i++)
            sum[i] += pow(fabs(x[i * stride]), (REAL)p);
}

static REAL TYPED(root)(REAL sum, double p)
{
    return p == 1.0 ? sum : p == 2.0 ? sqrt(sum) : pow(sum, (REAL)(1.0 / p));
}

/* The output's row at PLACE of one channel.  */
static void TYPED(pool_row)(const struct pool *pool, const int64_t *place, const REAL *x, REAL *y)
{
    const struct window_axis *axis = pool->windows.axis;
    int64_t columns = pool->windows.output[2];
    REAL taps = (REAL)(window_taps(&axis[0], place[0], pool->padded) *
                       window_taps(&axis[1], place[1], pool->padded));

    for (int64_t i = 0; i < columns; i++)
        y[i] = 0;
    for (int64_t t = 0; t < axis[0].taps; t++)
        for (int64_t s = 0; s < axis[1].taps; s++) {
            int64_t plane = window_at(&axis[0], place[0], t);
            int64_t row = window_at(&axis[1], place[1], s);
            const REAL *from = x + (plane * axis[1].length + row) * axis[2].length;

            if (!window_inside(&axis[0], plane) || !window_inside(&axis[1], row))
                continue;
            for (int64_t u = 0; u < axis[2].taps; u++) {
                int64_t first, past;

                window_range(&axis[2], columns, u, &first, &past);
                TYPED(pool_tap)
                (y + first, from + window_at(&axis[2], first, u), axis[2].stride, past - first,
                 pool);
            }
        }
    if (pool->norm)
        for (int64_t i = 0; i < columns; i++)
            y[i] = TYPED(root)(y[i], pool->p);
    else
        for (int64_t i = 0; i < columns; i++)
            y[i] /= taps * (REAL)pool->taps[i];
}

static void TYPED(pool)(const struct pool *pool, const REAL *x, REAL *y)
{
    const int64_t *out = pool->windows.output;

    for (int64_t c = 0; c < pool->planes; c++)
        for (int64_t p = 0; p < out[0]; p++)
            for (int64_t r = 0; r < out[1]; r++) {
                TYPED(pool_row)
                (pool, (const int64_t[]){p, r}, x + c * windows_image(&pool->windows), y);
                y += out[2];
            }
}

/* One window over all of COUNT elements.  */
static void TYPED(global)(enum window_pool what, int64_t planes, int64_t count, double p,
                          const REAL *x, REAL *y)
{
    for (int64_t c = 0; c < planes; c++) {
        REAL best = (REAL)-INFINITY, sum = 0;

        if (what == WINDOW_MAX) {
            for (int64_t i = 0; i < count; i++)
                best = x[i] > best || isnan(x[i]) ? x[i] : best;
        } else if (what == WINDOW_GLOBAL_MEAN || p == 2.0) {
            sum = TYPED(sum_of)(x, count, 0, what == WINDOW_GLOBAL_MEAN ? 1 : 2);
        } else {
            for (int64_t i = 0; i < count; i++)
                sum += pow(fabs(x[i]), (REAL)p);
        }
        y[c] = what == WINDOW_MAX           ? best
               : what == WINDOW_GLOBAL_MEAN ? sum / (REAL)count
                                            : TYPED(root)(sum, p);
        x += count;
    }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_WINDOW_POOL_REAL_H
#endif
