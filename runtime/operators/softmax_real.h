/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Softmax and its kin on elements of type REAL: included once for each type by softmax.c, which
 * says what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_SOFTMAX_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_SOFTMAX_REAL_H

/* WIDTH neighbouring columns of COUNT elements, STEP apart.  An element is written after it was
 * read for the last time, so Y may be X.  */
static void TYPED(columns)(enum softmax what, const REAL *x, REAL *y, int64_t count, int64_t step,
                           int64_t width)
{
    REAL most[COLUMNS];
    double sum[COLUMNS] = {0};

    for (int64_t c = 0; c < width; c++)
        most[c] = x[c];
    for (int64_t i = 1; i < count; i++)
        for (int64_t c = 0; c < width; c++)
            most[c] = x[i * step + c] > most[c] ? x[i * step + c] : most[c];
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < width; c++) {
            REAL power = exponential(x[i * step + c] - most[c]);

            sum[c] += (double)power;
            if (what == SOFTMAX)
                y[i * step + c] = power;
        }
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < width; c++)
            if (what == SOFTMAX)
                y[i * step + c] /= (REAL)sum[c];
            else
                y[i * step + c] = x[i * step + c] - most[c] - (REAL)log(sum[c]);
}

/* COUNT neighbouring elements, the same.  Sums are in several parts, since they are vectorised
 * then.  */
static void TYPED(row)(enum softmax what, const REAL *x, REAL *y, int64_t count)
{
    REAL most = x[0], part_most[PARTS];
    double sum = 0, part[PARTS] = {0};
    int64_t i;

    for (int p = 0; p < PARTS; p++)
        part_most[p] = most;
    for (i = 0; i + PARTS <= count; i += PARTS)
        for (int p = 0; p < PARTS; p++)
            part_most[p] = x[i + p] > part_most[p] ? x[i + p] : part_most[p];
    for (; i < count; i++)
        most = x[i] > most ? x[i] : most;
    for (int p = 0; p < PARTS; p++)
        most = part_most[p] > most ? part_most[p] : most;
    if (what == LOG_SOFTMAX) {
        for (i = 0; i < count; i++)
            sum += (double)exponential(x[i] - most);
        for (i = 0; i < count; i++)
            y[i] = x[i] - most - (REAL)log(sum);
        return;
    }
    for (i = 0; i < count; i++)
        y[i] = exponential(x[i] - most);
    for (i = 0; i + PARTS <= count; i += PARTS)
        for (int p = 0; p < PARTS; p++)
            part[p] += (double)y[i + p];
    for (; i < count; i++)
        sum += (double)y[i];
    for (int p = 0; p < PARTS; p++)
        sum += part[p];
    for (i = 0; i < count; i++)
        y[i] /= (REAL)sum;
}

/* 1 where the first of the largest elements of each column is, 0 elsewhere.  */
static void TYPED(hard_columns)(const REAL *x, REAL *y, int64_t count, int64_t step, int64_t width)
{
    for (int64_t c = 0; c < width; c++) {
        int64_t most = 0;

        for (int64_t i = 1; i < count; i++)
            if (x[i * step + c] > x[most * step + c])
                most = i;
        for (int64_t i = 0; i < count; i++)
            y[i * step + c] = i == most ? 1 : 0;
    }
}

static void TYPED(softmax)(enum softmax what, struct along along, const REAL *x, REAL *y)
{
    for (int64_t o = 0; along.count > 0 && o < along.outer; o++)
        for (int64_t first = 0; first < along.inner; first += COLUMNS) {
            int64_t at = o * along.count * along.inner + first;
            int64_t width = min64(COLUMNS, along.inner - first);

            if (what == HARDMAX)
                TYPED(hard_columns)(x + at, y + at, along.count, along.inner, width);
            else if (along.inner == 1)
                TYPED(row)(what, x + at, y + at, along.count);
            else
                TYPED(columns)(what, x + at, y + at, along.count, along.inner, width);
        }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_SOFTMAX_REAL_H
#endif
