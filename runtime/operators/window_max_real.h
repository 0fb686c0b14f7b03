/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maximum pools on elements of type REAL, whose least is LEAST: included once for each type by
 * window_max.c, which says what REAL, LEAST, IS_NAN and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_WINDOW_MAX_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_WINDOW_MAX_REAL_H

static void TYPED(max_tap)(REAL *restrict y, const REAL *restrict x, int64_t stride, int64_t count)
{
    if (stride == 1)
        for (int64_t i = 0; i < count; i++)
            y[i] = x[i] > y[i] || IS_NAN(x[i]) ? x[i] : y[i];
    else
        for (int64_t i = 0; i < count; i++)
            y[i] = x[i * stride] > y[i] || IS_NAN(x[i * stride]) ? x[i * stride] : y[i];
}

/* The same with where it was: FROM is the place of x[0], STEP how far the next window's is.  */
static void TYPED(max_where)(REAL *restrict y, int64_t *restrict where, const REAL *restrict x,
                             int64_t stride, int64_t count, int64_t from, int64_t step)
{
    for (int64_t i = 0; i < count; i++)
        if (where[i] < 0 || x[i * stride] > y[i] || IS_NAN(x[i * stride])) {
            y[i] = x[i * stride];
            where[i] = from + i * step;
        }
}

/* The output's row at PLACE of one channel, whose first element has number CHANNEL.  */
static void TYPED(max_row)(const struct windows *windows, const struct order *order,
                           int64_t channel, const int64_t *place, const REAL *x, REAL *y,
                           int64_t *where)
{
    const struct window_axis *axis = windows->axis;
    int64_t columns = windows->output[2], first, past;

    for (int64_t i = 0; i < columns; i++)
        y[i] = LEAST;
    for (int64_t i = 0; where != NULL && i < columns; i++)
        where[i] = -1;
    for (int64_t t = 0; t < axis[0].taps; t++)
        for (int64_t s = 0; s < axis[1].taps; s++) {
            int64_t plane = window_at(&axis[0], place[0], t);
            int64_t row = window_at(&axis[1], place[1], s);
            const REAL *from = x + (plane * axis[1].length + row) * axis[2].length;

            if (!window_inside(&axis[0], plane) || !window_inside(&axis[1], row))
                continue;
            for (int64_t u = 0; u < axis[2].taps; u++) {
                int64_t at;

                window_range(&axis[2], columns, u, &first, &past);
                at = window_at(&axis[2], first, u);
                if (where == NULL)
                    TYPED(max_tap)(y + first, from + at, axis[2].stride, past - first);
                else
                    TYPED(max_where)
                (y + first, where + first, from + at, axis[2].stride, past - first,
                 channel + plane * order->step[0] + row * order->step[1] + at * order->step[2],
                 axis[2].stride * order->step[2]);
            }
        }
}

static void TYPED(max_pool)(const struct windows *windows, const struct order *order,
                            int64_t planes, const REAL *x, REAL *y, int64_t *where)
{
    const int64_t *out = windows->output;
    int64_t image = windows_image(windows);

    for (int64_t c = 0; c < planes; c++)
        for (int64_t p = 0; p < out[0]; p++)
            for (int64_t r = 0; r < out[1]; r++) {
                TYPED(max_row)
                (windows, order, c * image, (const int64_t[]){p, r}, x + c * image, y, where);
                y += out[2];
                where = where == NULL ? NULL : where + out[2];
            }
}

#undef REAL
#undef LEAST
#undef IS_NAN
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_WINDOW_MAX_REAL_H
#endif
