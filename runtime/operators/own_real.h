/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our own operators on numbers of type REAL; TYPED(name) makes their names.  Included once a type,
 * by own.c, which says what these are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_OWN_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_OWN_REAL_H

/* The sum of products of two rows, in as many partial sums as a vector may have elements, which
 * also keeps long sums accurate.  */
static REAL TYPED(dot)(const REAL *restrict a, const REAL *restrict b, int64_t count)
{
    enum { PARTS = 16 };
    REAL part[PARTS] = {0}, sum = 0;
    int64_t i = 0;

    for (; i + PARTS <= count; i += PARTS)
        for (int p = 0; p < PARTS; p++)
            part[p] += a[i + p] * b[i + p];
    for (; i < count; i++)
        part[0] += a[i] * b[i];
    for (int p = 0; p < PARTS; p++)
        sum += part[p];
    return sum;
}

/* ROWS x COLUMNS = (ROWS x COUNT) times the transpose of (COLUMNS x COUNT), plus BIAS or nothing.
 */
static void TYPED(times_transposed)(const REAL *x, const REAL *weight, const REAL *bias, REAL *y,
                                    int64_t rows, int64_t columns, int64_t count)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            y[r * columns + c] = TYPED(dot)(x + r * count, weight + c * count, count) +
                                 (bias == NULL ? (REAL)0 : bias[c]);
}

static void TYPED(scale)(const REAL *x, REAL *y, int64_t count, double factor, double offset)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] * (REAL)factor + (REAL)offset;
}

/* MATRICES of ROWS x COLUMNS.  */
static void TYPED(causal_mask)(const REAL *x, REAL *y, int64_t matrices, int64_t rows,
                               int64_t columns)
{
    for (int64_t i = 0; i < matrices * rows; i++)
        for (int64_t c = 0; c < columns; c++)
            y[i * columns + c] = c > i % rows ? (REAL)-INFINITY : x[i * columns + c];
}

static void TYPED(add_positions)(const REAL *x, const REAL *table, REAL *y, int64_t batch,
                                 int64_t each)
{
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < each; i++)
            y[b * each + i] = x[b * each + i] + table[i];
}

static REAL TYPED(sigmoid)(REAL x)
{
    return (REAL)1 / ((REAL)1 + (REAL)exp((double)-x));
}

/* One element of the batch: GATE holds what each gate is before its activation, UNITS a gate.  */
static void TYPED(lstm)(const REAL *gate, const REAL *c, REAL *h_next, REAL *c_next, int64_t units)
{
    for (int64_t u = 0; u < units; u++) {
        REAL in = TYPED(sigmoid)(gate[u]), forget = TYPED(sigmoid)(gate[units + u]);
        REAL new = (REAL)tanh((double)gate[2 * units + u]),
             out = TYPED(sigmoid)(gate[3 * units + u]);
        REAL next = forget * c[u] + in * new;

        c_next[u] = next;
        h_next[u] = out * (REAL)tanh((double)next);
    }
}

/* WEIGHT: rows of [x, h] for the gates reset, update and candidate; JOINED is room for one such
 * row, GATE for two units.  */
static void TYPED(gru)(const REAL *x, int64_t in, const REAL *h, int64_t units, const REAL *weight,
                       const REAL *bias, REAL *joined, REAL *gate, REAL *h_next)
{
    int64_t row = in + units;

    for (int64_t i = 0; i < in; i++)
        joined[i] = x[i];
    for (int64_t u = 0; u < units; u++)
        joined[in + u] = h[u];
    TYPED(times_transposed)(joined, weight, bias, gate, 1, 2 * units, row);
    for (int64_t u = 0; u < 2 * units; u++)
        gate[u] = TYPED(sigmoid)(gate[u]);
    for (int64_t u = 0; u < units; u++)
        joined[in + u] = gate[u] * h[u];
    for (int64_t u = 0; u < units; u++) {
        REAL sum = TYPED(dot)(joined, weight + (2 * units + u) * row, row) + bias[2 * units + u];

        h_next[u] = gate[units + u] * h[u] + ((REAL)1 - gate[units + u]) * (REAL)tanh((double)sum);
    }
}

static void TYPED(lstm_cell)(const struct call *call)
{
    const struct tensor *x = call->input[0], *h = call->input[1];
    int64_t in = x->dim[1], units = h->dim[1], row = in + units;
    const REAL *from_x = x->data, *from_h = h->data, *from_c = call->input[2]->data;
    REAL *joined = memory_alloc((size_t)row, sizeof *joined);
    REAL *gate = memory_alloc((size_t)(4 * units), sizeof *gate);
    REAL *h_next = call->output[0]->data, *c_next = call->output[1]->data;

    for (int64_t b = 0; b < x->dim[0]; b++) {
        for (int64_t i = 0; i < in; i++)
            joined[i] = from_x[b * in + i];
        for (int64_t u = 0; u < units; u++)
            joined[in + u] = from_h[b * units + u];
        TYPED(times_transposed)
        (joined, call->input[3]->data, call->input[4]->data, gate, 1, 4 * units, row);
        TYPED(lstm)(gate, from_c + b * units, h_next + b * units, c_next + b * units, units);
    }
    free(gate);
    free(joined);
}

static void TYPED(gru_cell)(const struct call *call)
{
    const struct tensor *x = call->input[0], *h = call->input[1];
    int64_t in = x->dim[1], units = h->dim[1];
    const REAL *from_x = x->data, *from_h = h->data;
    REAL *joined = memory_alloc((size_t)(in + units), sizeof *joined);
    REAL *gate = memory_alloc((size_t)(2 * units), sizeof *gate);
    REAL *h_next = call->output[0]->data;

    for (int64_t b = 0; b < x->dim[0]; b++)
        TYPED(gru)
    (from_x + b * in, in, from_h + b * units, units, call->input[2]->data, call->input[3]->data,
     joined, gate, h_next + b * units);
    free(gate);
    free(joined);
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_OWN_REAL_H
#endif
