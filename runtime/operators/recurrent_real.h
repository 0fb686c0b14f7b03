/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recurrent layers on elements of type REAL: included once for each type by recurrent.c, which says
 * what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_RECURRENT_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_RECURRENT_REAL_H

/* Of one direction; biases and peepholes may be NULL.  */
struct TYPED(weights) {
    const REAL *w, *r, *w_bias, *r_bias, *peephole;
    const struct activation *f;
};

/* A step of all sequences: a row for each.  */
struct TYPED(room) {
    REAL *x, *h, *c;
    REAL *from_x, *from_h; /* what the gates have from them, biases included */
    REAL *reset;           /* of GRU: h times the reset gate */
};

static REAL TYPED(activate)(const struct recurrent *r, const struct activation *f, REAL x)
{
    REAL alpha = (REAL)f->alpha, beta = (REAL)f->beta, clip = (REAL)r->clip;

    x = x < -clip ? -clip : x > clip ? clip : x;
    switch (f->kind) {
    case AFFINE:
        return alpha * x + beta;
    case ELU:
        return x < 0 ? alpha * expm1(x) : x;
    case HARD_SIGMOID:
        x = alpha * x + beta;
        return x < 0 ? 0 : x > 1 ? 1 : x;
    case LEAKY_RELU:
        return x < 0 ? alpha * x : x;
    case RELU:
        return x < 0 ? 0 : x;
    case SCALED_TANH:
        return alpha * tanh(beta * x);
    case SIGMOID:
        return 1 / (1 + exp(-x));
    case SOFTPLUS:
        return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
    case SOFTSIGN:
        return x / (1 + fabs(x));
    case TANH:
        return tanh(x);
    case THRESHOLDED_RELU:
        return x < alpha ? 0 : x;
    }
    return x;
}

/* TO = the rows of FROM, of COUNT elements, times the transpose of ROWS rows of WEIGHT, plus BIAS.
 * Rows of TO have room for all gates.  */
static void TYPED(project)(const struct recurrent *r, const REAL *from, int64_t count,
                           const REAL *weight, int64_t rows, const REAL *bias, REAL *to)
{
    struct product product = matrix_product(r->batch, rows, count, false, true);

    product.c_row = gate_rows(r);
    TYPED(matrix_multiply)(&product, from, weight, to);
    for (int64_t b = 0; bias != NULL && b < r->batch; b++)
        for (int64_t i = 0; i < rows; i++)
            to[b * product.c_row + i] += bias[i];
}

/* The gates of a sequence's cell follow each other in X and H, what they have from the input and
 * from the state; STATE becomes the next one.  */
static void TYPED(rnn_cell)(const struct recurrent *r, const struct activation *f, const REAL *x,
                            const REAL *h, REAL *state)
{
    for (int64_t u = 0; u < r->units; u++)
        state[u] = TYPED(activate)(r, f, x[u] + h[u]);
}

/* Gates update, reset, hidden.  Without linear_before_reset H has for the hidden one what comes
 * from the state that was reset.  */
static void TYPED(gru_cell)(const struct recurrent *r, const struct activation *f, const REAL *x,
                            const REAL *h, REAL *state)
{
    int64_t units = r->units;

    for (int64_t u = 0; u < units; u++) {
        REAL update = TYPED(activate)(r, &f[0], x[u] + h[u]);
        REAL reset = 1, hidden;

        if (r->linear_before_reset)
            reset = TYPED(activate)(r, &f[0], x[units + u] + h[units + u]);
        hidden = TYPED(activate)(r, &f[1], x[2 * units + u] + reset * h[2 * units + u]);
        state[u] = (1 - update) * hidden + update * state[u];
    }
}

/* Gates input, output, forget, cell; peepholes of the first three.  */
static void TYPED(lstm_cell)(const struct recurrent *r, const struct TYPED(weights) * weights,
                             const REAL *x, const REAL *h, REAL *state, REAL *cell)
{
    const struct activation *f = weights->f;
    const REAL *peephole = weights->peephole;
    int64_t units = r->units;

    for (int64_t u = 0; u < units; u++) {
        REAL in = x[u] + h[u], out = x[units + u] + h[units + u];
        REAL forget = x[2 * units + u] + h[2 * units + u];
        REAL new = TYPED(activate)(r, &f[1], x[3 * units + u] + h[3 * units + u]);

        if (peephole != NULL) {
            in += peephole[u] * cell[u];
            forget += peephole[2 * units + u] * cell[u];
        }
        in = TYPED(activate)(r, &f[0], in);
        forget = r->input_forget ? 1 - in : TYPED(activate)(r, &f[0], forget);
        cell[u] = forget * cell[u] + in * new;
        if (peephole != NULL)
            out += peephole[units + u] * cell[u];
        state[u] = TYPED(activate)(r, &f[0], out) * TYPED(activate)(r, &f[2], cell[u]);
    }
}

/* The hidden gate from the state that was reset.  */
static void TYPED(reset)(const struct recurrent *r, const struct TYPED(weights) * weights,
                         const struct TYPED(room) * room)
{
    int64_t units = r->units, rows = gate_rows(r), hidden = 2 * units;

    for (int64_t b = 0; b < r->batch; b++)
        for (int64_t u = 0; u < units; u++)
            room->reset[b * units + u] =
                room->h[b * units + u] * TYPED(activate)(r, &weights->f[0],
                                                         room->from_x[b * rows + units + u] +
                                                             room->from_h[b * rows + units + u]);
    TYPED(project)
    (r, room->reset, units, weights->r + hidden * units, units,
     weights->r_bias == NULL ? NULL : weights->r_bias + hidden, room->from_h + hidden);
}

/* Step number STEP of direction D, of the sequences that are so long.  */
static void TYPED(step)(const struct recurrent *r, const struct TYPED(weights) * weights,
                        const struct TYPED(room) * room, const REAL *x, REAL *y, int64_t d,
                        int64_t step)
{
    int64_t units = r->units, rows = gate_rows(r);
    bool back = r->reverse || d == 1;

    for (int64_t b = 0; b < r->batch; b++) {
        int64_t time = back ? r->length[b] - 1 - step : step;

        for (int64_t i = 0; step < r->length[b] && i < r->in; i++)
            room->x[b * r->in + i] = x[x_row(r, time, b) * r->in + i];
    }
    TYPED(project)(r, room->x, r->in, weights->w, rows, weights->w_bias, room->from_x);
    TYPED(project)(r, room->h, units, weights->r, rows, weights->r_bias, room->from_h);
    if (r->cell == CELL_GRU && !r->linear_before_reset)
        TYPED(reset)(r, weights, room);
    for (int64_t b = 0; b < r->batch; b++) {
        const REAL *from_x = room->from_x + b * rows, *from_h = room->from_h + b * rows;
        int64_t time = back ? r->length[b] - 1 - step : step;
        REAL *h = room->h + b * units;

        if (step >= r->length[b])
            continue;
        if (r->cell == CELL_RNN)
            TYPED(rnn_cell)(r, weights->f, from_x, from_h, h);
        else if (r->cell == CELL_GRU)
            TYPED(gru_cell)(r, weights->f, from_x, from_h, h);
        else
            TYPED(lstm_cell)(r, weights, from_x, from_h, h, room->c + b * units);
        for (int64_t u = 0; y != NULL && u < units; u++)
            y[y_row(r, time, d, b) * units + u] = h[u];
    }
}

/* A direction's states from a tensor into room, 0 without one, or back into it.  */
static void TYPED(load)(const struct recurrent *r, const struct tensor *from, int64_t d, REAL *to)
{
    for (int64_t b = 0; b < r->batch; b++)
        for (int64_t u = 0; u < r->units; u++)
            to[b * r->units + u] =
                from == NULL ? 0 : ((const REAL *)from->data)[state_row(r, d, b) * r->units + u];
}

static void TYPED(store)(const struct recurrent *r, const REAL *from, int64_t d,
                         const struct tensor *to)
{
    for (int64_t b = 0; to != NULL && b < r->batch; b++)
        for (int64_t u = 0; u < r->units; u++)
            ((REAL *)to->data)[state_row(r, d, b) * r->units + u] = from[b * r->units + u];
}

/* The part of input I, EACH elements a direction, that is direction D's; NULL of NULL.  */
static const REAL *TYPED(part)(const struct call *call, size_t i, int64_t d, int64_t each)
{
    const struct tensor *tensor = call_input(call, i);

    return tensor == NULL ? NULL : (const REAL *)tensor->data + d * each;
}

static void TYPED(run)(const struct call *call, const struct recurrent *r)
{
    const struct tensor *y = call_output(call, 0);
    int64_t rows = gate_rows(r), units = r->units, states = r->batch * units;
    REAL *block = memory_zalloc((size_t)(r->batch * (r->in + 3 * units + 2 * rows)), sizeof *block);
    struct TYPED(room) room = {.x = block};

    room.h = room.x + r->batch * r->in;
    room.c = room.h + states;
    room.reset = room.c + states;
    room.from_x = room.reset + states;
    room.from_h = room.from_x + r->batch * rows;
    for (int64_t i = 0; y != NULL && i < tensor_elements(y); i++)
        ((REAL *)y->data)[i] = 0;
    for (int64_t d = 0; d < r->directions; d++) {
        const struct TYPED(weights) weights = {
            .w = TYPED(part)(call, 1, d, rows * r->in),
            .r = TYPED(part)(call, 2, d, rows * units),
            .w_bias = TYPED(part)(call, 3, d, 2 * rows),
            .r_bias = call_input(call, 3) == NULL ? NULL : TYPED(part)(call, 3, d, 2 * rows) + rows,
            .peephole = TYPED(part)(call, 7, d, 3 * units),
            .f = r->activation + d * r->functions,
        };

        TYPED(load)(r, call_input(call, 5), d, room.h);
        TYPED(load)(r, call_input(call, 6), d, room.c);
        for (int64_t step = 0; step < r->steps; step++)
            TYPED(step)
        (r, &weights, &room, call->input[0]->data, y == NULL ? NULL : y->data, d, step);
        TYPED(store)(r, room.h, d, call_output(call, 1));
        TYPED(store)(r, room.c, d, call_output(call, 2));
    }
    free(block);
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_RECURRENT_REAL_H
#endif
