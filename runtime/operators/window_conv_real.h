/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions on elements of type REAL: included once for each type by window_conv.c, which says
 * what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_WINDOW_CONV_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_WINDOW_CONV_REAL_H

/* sum[j][at + i] += k[j * step] * x[i * stride] */
static void TYPED(add_taps)(REAL (*restrict sum)[TILE], int64_t at, const REAL *restrict k,
                            int64_t step, const REAL *restrict x, int64_t stride, int64_t count)
{
    REAL k0 = k[0], k1 = k[step], k2 = k[2 * step], k3 = k[3 * step];

    if (stride != 1) {
        for (int64_t i = 0; i < count; i++) {
            sum[0][at + i] += k0 * x[i * stride];
            sum[1][at + i] += k1 * x[i * stride];
            sum[2][at + i] += k2 * x[i * stride];
            sum[3][at + i] += k3 * x[i * stride];
        }
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        sum[0][at + i] += k0 * x[i];
        sum[1][at + i] += k1 * x[i];
        sum[2][at + i] += k2 * x[i];
        sum[3][at + i] += k3 * x[i];
    }
}

static void TYPED(add_tap)(REAL *restrict sum, REAL k, const REAL *restrict x, int64_t stride,
                           int64_t count)
{
    if (stride == 1)
        for (int64_t i = 0; i < count; i++)
            sum[i] += k * x[i];
    else
        for (int64_t i = 0; i < count; i++)
            sum[i] += k * x[i * stride];
}

/* What the channels [CHANNEL, END) add to FILTERS sums.  */
static void TYPED(add_channels)(const struct conv *conv, REAL (*sum)[TILE], int filters,
                                const REAL *w, const REAL *x, const struct stretches *stretches,
                                int64_t channel, int64_t end)
{
    int64_t image = windows_image(&conv->windows), taps = windows_taps(&conv->windows);
    int64_t stride = conv->windows.axis[2].stride;

    for (; channel < end; channel++)
        for (int64_t i = 0; i < stretches->n; i++) {
            const struct stretch *stretch = &stretches->stretch[i];
            const REAL *k = w + channel * taps + stretch->tap;
            const REAL *first = x + channel * image + stretch->first;

            if (filters == FILTERS)
                TYPED(add_taps)
            (sum, stretch->at, k, conv->filter, first, stride, stretch->count);
            else TYPED(add_tap)(sum[0] + stretch->at, *k, first, stride, stretch->count);
        }
}

/* COUNT columns from Y on for FILTERS filters from W on; a block of channels has sums of its own,
 * so that long sums lose less.  */
static void TYPED(conv_tile)(const struct conv *conv, int filters, const REAL *w, const REAL *bias,
                             const REAL *x, REAL *y, const struct stretches *stretches,
                             int64_t count)
{
    int64_t places = windows_places(&conv->windows);
    REAL sum[FILTERS][TILE];

    for (int j = 0; j < filters; j++)
        for (int64_t i = 0; i < count; i++)
            y[j * places + i] = bias == NULL ? 0 : bias[j];
    for (int64_t c = 0; c < conv->channels; c += CHANNELS) {
        for (int j = 0; j < filters; j++)
            for (int64_t i = 0; i < count; i++)
                sum[j][i] = 0;
        TYPED(add_channels)
        (conv, sum, filters, w, x, stretches, c, min64(c + CHANNELS, conv->channels));
        for (int j = 0; j < filters; j++)
            for (int64_t i = 0; i < count; i++)
                y[j * places + i] += sum[j][i];
    }
}

static void TYPED(conv_filters)(const struct conv *conv, int filters, const REAL *w,
                                const REAL *bias, const REAL *x, REAL *y,
                                struct stretches *stretches)
{
    const int64_t *out = conv->windows.output;

    for (int64_t p = 0; p < out[0]; p++)
        for (int64_t r = 0; r < out[1]; r++)
            for (int64_t from = 0; from < out[2]; from += TILE) {
                int64_t count = min64(TILE, out[2] - from);

                find_stretches(&conv->windows, (const int64_t[]){p, r, from}, count, stretches);
                TYPED(conv_tile)
                (conv, filters, w, bias, x, y + (p * out[1] + r) * out[2] + from, stretches, count);
            }
}

static void TYPED(conv)(const struct conv *conv, const REAL *x, const REAL *w, const REAL *bias,
                        REAL *y)
{
    int64_t image = windows_image(&conv->windows), places = windows_places(&conv->windows);
    struct window_tap *taps = windows_list(&conv->windows);
    struct stretches stretches = {
        taps, memory_alloc((size_t)windows_taps(&conv->windows), sizeof *stretches.stretch), 0};

    for (int64_t n = 0; n < conv->images; n++)
        for (int64_t g = 0; g < conv->groups; g++) {
            const REAL *group = x + (n * conv->groups + g) * conv->channels * image;
            int filters;

            for (int64_t m = 0; m < conv->filters; m += filters) {
                int64_t own = g * conv->filters + m;

                filters = conv->filters - m >= FILTERS ? FILTERS : 1;
                TYPED(conv_filters)
                (conv, filters, w + own * conv->filter, bias == NULL ? NULL : bias + own, group,
                 y + (n * conv->groups * conv->filters + own) * places, &stretches);
            }
        }
    free(stretches.stretch);
    free(taps);
}

/* What one tap makes of a row of places, each STRIDE elements of Y apart.  */
static void TYPED(spread)(REAL *restrict y, const REAL *restrict x, int64_t stride, int64_t first,
                          int64_t past)
{
    if (stride == 1)
        for (int64_t i = first; i < past; i++)
            y[i] += x[i];
    else
        for (int64_t i = first; i < past; i++)
            y[i * stride] += x[i];
}

/* What ROWS rows of places from row FROM on add to one channel Y of the output: each place adds a
 * whole window, of which SUMS has one tap after the other.  */
static void TYPED(spread_windows)(const struct conv *conv, const REAL *sums, int64_t from,
                                  int64_t rows, REAL *y)
{
    const struct window_axis *axis = conv->windows.axis;
    const int64_t *in = conv->windows.output;

    for (int64_t tap = 0; tap < windows_taps(&conv->windows); tap++) {
        int64_t t = tap / axis[2].taps / axis[1].taps, s = tap / axis[2].taps % axis[1].taps;
        int64_t u = tap % axis[2].taps, first, past;

        window_range(&axis[2], in[2], u, &first, &past);
        for (int64_t r = from; r < from + rows; r++) {
            int64_t plane = window_at(&axis[0], r / in[1], t);
            int64_t row = window_at(&axis[1], r % in[1], s);

            if (window_inside(&axis[0], plane) && window_inside(&axis[1], row))
                TYPED(spread)
            (y + (plane * axis[1].length + row) * axis[2].length + window_at(&axis[2], 0, u), sums,
             axis[2].stride, first, past);
            sums += in[2];
        }
    }
}

/* A group of one image: a product of matrices, filters' taps times places, strip by strip.  */
static void TYPED(transposed_group)(const struct conv *conv, const REAL *x, const REAL *w,
                                    const REAL *bias, REAL *y)
{
    const int64_t *in = conv->windows.output;
    int64_t image = windows_image(&conv->windows), taps = windows_taps(&conv->windows);
    int64_t rows = in[0] * in[1], strip = max64(STRIP / max64(in[2], 1), 1);
    int64_t filters = max64(STRIP_SUMS / taps, 1), size = filters * taps * strip * in[2];
    REAL *sums = memory_aligned(64, (size_t)max64(size, 1) * sizeof *sums);
    struct product p = {.k = conv->channels,
                        .a_row = 1,
                        .a_column = conv->filters * taps,
                        .b_row = windows_places(&conv->windows),
                        .b_column = 1};

    for (int64_t i = 0; i < conv->filters * image; i++)
        y[i] = bias == NULL ? 0 : bias[i / image];
    for (int64_t m = 0; m < conv->filters; m += filters)
        for (int64_t r = 0; r < rows; r += strip) {
            int64_t count = min64(strip, rows - r);

            p.m = min64(filters, conv->filters - m) * taps;
            p.n = p.c_row = count * in[2];
            TYPED(matrix_multiply)(&p, w + m * taps, x + r * in[2], sums);
            for (int64_t f = 0; f < p.m / taps; f++)
                TYPED(spread_windows)
            (conv, sums + f * taps * p.n, r, count, y + (m + f) * image);
        }
    free(sums);
}

static void TYPED(transposed)(const struct conv *conv, const REAL *x, const REAL *w,
                              const REAL *bias, REAL *y)
{
    int64_t image = windows_image(&conv->windows), places = windows_places(&conv->windows);

    for (int64_t i = 0; i < conv->images * conv->groups; i++) {
        int64_t g = i % conv->groups;

        TYPED(transposed_group)
        (conv, x + i * conv->channels * places, w + g * conv->channels * conv->filter,
         bias == NULL ? NULL : bias + g * conv->filters, y + i * conv->filters * image);
    }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_WINDOW_CONV_REAL_H
#endif
