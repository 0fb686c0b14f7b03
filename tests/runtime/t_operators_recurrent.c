/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recurrent layers against what their equations say, element by element.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "runtime/operators/operator.h"
#include "tests/support/onnx_network.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"
#include "workloads/readers/onnx/file/model.h"

#define STEPS 5
#define BATCH 3
#define IN 4
#define UNITS 6

/* Of one direction, in double; `gate` says which rows of W and R a gate has.  */
struct plain {
    const char *name;
    bool linear_before_reset;
    const double *w, *r, *b, *p;
    double h[UNITS], c[UNITS];
    int64_t rows;
};

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* What gate GATE of unit U is given: from X and both biases, and from H.  */
static double from_x(const struct plain *plain, int64_t gate, int64_t u, const double *x)
{
    int64_t row = gate * UNITS + u;
    double sum = plain->b[row];

    for (int64_t i = 0; i < IN; i++)
        sum += plain->w[row * IN + i] * x[i];
    return sum;
}

static double from_h(const struct plain *plain, int64_t gate, int64_t u, const double *h)
{
    int64_t row = gate * UNITS + u;
    double sum = plain->b[plain->rows + row];

    for (int64_t i = 0; i < UNITS; i++)
        sum += plain->r[row * UNITS + i] * h[i];
    return sum;
}

static double gate(const struct plain *plain, int64_t number, int64_t u, const double *x,
                   const double *h)
{
    return from_x(plain, number, u, x) + from_h(plain, number, u, h);
}

static void plain_gru(struct plain *plain, const double *x, const double *h)
{
    double reset[UNITS], scaled[UNITS];

    for (int64_t u = 0; u < UNITS; u++) {
        reset[u] = sigmoid(gate(plain, 1, u, x, h));
        scaled[u] = reset[u] * h[u];
    }
    for (int64_t u = 0; u < UNITS; u++) {
        double update = sigmoid(gate(plain, 0, u, x, h));
        double past = plain->linear_before_reset ? reset[u] * from_h(plain, 2, u, h)
                                                 : from_h(plain, 2, u, scaled);

        plain->h[u] = (1.0 - update) * tanh(from_x(plain, 2, u, x) + past) + update * h[u];
    }
}

static void plain_lstm(struct plain *plain, const double *x, const double *h)
{
    for (int64_t u = 0; u < UNITS; u++) {
        double in = sigmoid(gate(plain, 0, u, x, h) + plain->p[u] * plain->c[u]);
        double forget = sigmoid(gate(plain, 2, u, x, h) + plain->p[2 * UNITS + u] * plain->c[u]);

        plain->c[u] = forget * plain->c[u] + in * tanh(gate(plain, 3, u, x, h));
        plain->h[u] = sigmoid(gate(plain, 1, u, x, h) + plain->p[UNITS + u] * plain->c[u]) *
                      tanh(plain->c[u]);
    }
}

static void plain_step(struct plain *plain, const double *x)
{
    double h[UNITS];

    memcpy(h, plain->h, sizeof h);
    if (strcmp(plain->name, "GRU") == 0)
        plain_gru(plain, x, h);
    else if (strcmp(plain->name, "LSTM") == 0)
        plain_lstm(plain, x, h);
    else
        for (int64_t u = 0; u < UNITS; u++)
            plain->h[u] = tanh(gate(plain, 0, u, x, h));
}

/* Inputs by their numbers in the text, all of REAL[] numbers; the lengths are whole ones.  */
struct layer {
    struct tensor input[8], y;
    int64_t length[BATCH];
};

static void fill(struct rng *rng, struct tensor *tensor)
{
    int64_t count = tensor_elements(tensor);

    tensor->data = memory_zalloc((size_t)count, sizeof(double));
    for (int64_t i = 0; rng != NULL && i < count; i++)
        ((double *)tensor->data)[i] = rng_unit(rng) - 0.5;
}

static struct layer layer_new(struct rng *rng, int64_t gates)
{
    int64_t rows = gates * UNITS;
    struct layer layer = {
        .input = {{DTYPE_F64, 3, {STEPS, BATCH, IN}, NULL},
                  {DTYPE_F64, 3, {2, rows, IN}, NULL},
                  {DTYPE_F64, 3, {2, rows, UNITS}, NULL},
                  {DTYPE_F64, 2, {2, 2 * rows}, NULL},
                  {DTYPE_I32, 1, {BATCH}, NULL},
                  {DTYPE_F64, 3, {2, BATCH, UNITS}, NULL},
                  {DTYPE_F64, 3, {2, BATCH, UNITS}, NULL},
                  {DTYPE_F64, 2, {2, 3 * UNITS}, NULL}},
        .y = {DTYPE_F64, 4, {STEPS, 2, BATCH, UNITS}, NULL},
        .length = {3, STEPS, 1},
    };

    for (size_t i = 0; i < 8; i++)
        fill(i == 4 ? NULL : rng, &layer.input[i]);
    for (int64_t b = 0; b < BATCH; b++)
        ((int32_t *)layer.input[4].data)[b] = (int32_t)layer.length[b];
    fill(NULL, &layer.y);
    return layer;
}

/* Element by element, how far Y is from what the equations say.  */
static double worst_of(const struct layer *layer, const char *name, bool linear_before_reset)
{
    const double *real[8], *y = layer->y.data;
    int64_t rows = layer->input[1].dim[1];
    double worst = 0.0;

    for (size_t i = 0; i < 8; i++)
        real[i] = layer->input[i].data;
    for (int64_t d = 0; d < 2; d++)
        for (int64_t b = 0; b < BATCH; b++) {
            struct plain plain = {name,
                                  linear_before_reset,
                                  real[1] + d * rows * IN,
                                  real[2] + d * rows * UNITS,
                                  real[3] + d * 2 * rows,
                                  real[7] + d * 3 * UNITS,
                                  {0},
                                  {0},
                                  rows};

            memcpy(plain.h, real[5] + (d * BATCH + b) * UNITS, sizeof plain.h);
            memcpy(plain.c, real[6] + (d * BATCH + b) * UNITS, sizeof plain.c);
            for (int64_t s = 0; s < STEPS; s++) {
                int64_t length = layer->length[b], t = d == 0 || s >= length ? s : length - 1 - s;

                if (s < length)
                    plain_step(&plain, real[0] + (t * BATCH + b) * IN);
                for (int64_t u = 0; u < UNITS; u++)
                    worst = worst_of_two(worst, fabs(y[((t * 2 + d) * BATCH + b) * UNITS + u] -
                                                     (s < length ? plain.h[u] : 0.0)));
            }
        }
    return worst;
}

static void compare(struct rng *rng, const char *name, int64_t gates, bool linear_before_reset)
{
    struct layer layer = layer_new(rng, gates);
    size_t inputs = gates == 4 ? 8 : 6;
    struct computation *computation = computation_new(name, 7, inputs, 1);
    const struct tensor *input[8], *output[] = {&layer.y};

    for (size_t i = 0; i < 8; i++)
        input[i] = &layer.input[i];
    computation_set_text(computation, "direction", "bidirectional");
    if (linear_before_reset)
        computation_set_integer(computation, "linear_before_reset", 1);
    ok(operator_runs(computation, input, inputs, output, 1), "%s: runs", name);
    ok(worst_of(&layer, name, linear_before_reset) < 1e-13, "%s%s, as its equations say", name,
       linear_before_reset ? ", linear before reset" : "");
    computation_free(computation);
    for (size_t i = 0; i < 8; i++)
        free(layer.input[i].data);
    free(layer.y.data);
}

/* --- from a file --- */

static void check_file(void)
{
    struct network *network;
    struct error error = {{0}};

    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return;
    }
    network = onnx_runnable_of("input x f32 3 1 2\n"
                               "input w f32 2 4 2\n"
                               "input r f32 2 4 4\n"
                               "RNN x w r -> y direction=\"bidirectional\" "
                               "activations=\"Relu\",\"LeakyRelu\"\n"
                               "output y f32 3 2 1 4\n",
                               &error);
    ok(network != NULL &&
           computation_text_is(network->op[0].computation, "activations", "Relu,LeakyRelu", false),
       "a file's activations are the operator's %s", error.text);
    network_free(network);
}

int main(void)
{
    struct rng *rng = rng_new(26);

    compare(rng, "RNN", 1, false);
    compare(rng, "GRU", 3, false);
    compare(rng, "GRU", 3, true);
    compare(rng, "LSTM", 4, false);
    rng_free(rng);
    check_file();
    return tap_done();
}
