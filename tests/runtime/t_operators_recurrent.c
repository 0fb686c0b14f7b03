/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recurrent layers: small ones by hand, larger ones against what their equations say element by
 * element.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "runtime/operators/operator.h"
#include "tests/support/onnx_text.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/onnx.h"

#define ONE "1x1x1 1"
#define NONE "1x1x1 0"
#define LINE "activations=Affine"

/* A function's attributes, and what it makes of -2, 0.5 and 3 or how it is refused.  */
static const struct {
    const char *attributes, *y, *refused;
} functions[] = {
    {"activations=Relu", "3x1x1x1 0 0.5 3", NULL},
    {"activations=LeakyRelu", "3x1x1x1 -0.02 0.5 3", NULL},
    {"activations=LeakyRelu activation_alpha=0.5", "3x1x1x1 -1 0.5 3", NULL},
    {"activations=ThresholdedRelu", "3x1x1x1 0 0 3", NULL},
    {"activations=ThresholdedRelu activation_alpha=0.25", "3x1x1x1 0 0.5 3", NULL},
    {"activations=HardSigmoid", "3x1x1x1 0.10000000000000001 0.59999999999999998 1", NULL},
    {"activations=HardSigmoid activation_alpha=1.0 activation_beta=-0.25", "3x1x1x1 0 0.25 1",
     NULL},
    {"activations=Elu", "3x1x1x1 -0.8646647167633873 0.5 3", NULL},
    {"activations=Elu activation_alpha=2.0", "3x1x1x1 -1.7293294335267746 0.5 3", NULL},
    {"activations=Softsign", "3x1x1x1 -0.66666666666666663 0.33333333333333331 0.75", NULL},
    {"activations=Softplus", "3x1x1x1 0.1269280110429726 0.97407698418010669 3.0485873515737421",
     NULL},
    {"activations=ScaledTanh activation_alpha=2.0 activation_beta=0.5",
     "3x1x1x1 -1.5231883119115297 0.48983732480741826 1.8102965072897328", NULL},
    {"activations=Affine activation_alpha=2.0 activation_beta=10.0", "3x1x1x1 6 11 16", NULL},
    {"activations=Sigmoid", "3x1x1x1 0.11920292202211755 0.62245933120185459 0.95257412682243336",
     NULL},
    {"activations=tanh", "3x1x1x1 -0.9640275800758169 0.46211715726000974 0.99505475368673046",
     NULL},
    {"activations=Gelu", "3x1x1x1", "Gelu"},
    {"activations=LeakyRelu activation_alpha=0.5,0.5", "3x1x1x1", "2 numbers for 1"},
    {"activations=ScaledTanh", "3x1x1x1", "activation_alpha"},
};

static void check_functions(void)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const struct operator_case c = {functions[i].attributes,
                                        "RNN",
                                        7,
                                        functions[i].attributes,
                                        {"3x1x1 -2 0.5 3", "1x1x1 1", "1x1x1 0"},
                                        {functions[i].y},
                                        functions[i].refused};

        operator_cases(&c, 1);
    }
}

/* Gates without a bend, so that states are whole numbers.  */
static const struct operator_case layers[] = {
    {"RNN",
     "RNN",
     7,
     LINE " hidden_size=1",
     {"3x1x1 1 2 3", "1x1x1 2", "1x1x1 10", "1x2 1 100"},
     {"3x1x1x1 103 1135 11457", "1x1x1 11457"},
     NULL},
    {"the default, as it is written down",
     "RNN",
     7,
     "activations=Tanh,Tanh",
     {"1x1x1 0.5", ONE, NONE},
     {"1x1x1x1 0.46211715726000979"},
     NULL},
    {"backwards",
     "RNN",
     7,
     LINE " direction=reverse",
     {"3x1x1 1 2 3", "1x1x1 2", "1x1x1 10", "1x2 1 100"},
     {"3x1x1x1 11853 1175 107", "1x1x1 11853"},
     NULL},
    {"both ways",
     "RNN",
     7,
     LINE ",Affine direction=bidirectional",
     {"3x1x1 1 2 3", "2x1x1 1 2", "2x1x1 10 100"},
     {"3x2x1x1 1 60402 12 604 123 6", "2x1x1 123 60402"},
     NULL},
    {"a function for each way, and a number for each",
     "GRU",
     7,
     "activations=Affine,LeakyRelu,Affine,LeakyRelu activation_alpha=1.0,0.5,1.0,0.25 "
     "direction=bidirectional",
     {ONE, "2x3x1 0 0 -4 0 0 -4", "2x3x1"},
     {"1x2x1x1 -2 -1"},
     NULL},
    {"sequences of different lengths",
     "RNN",
     7,
     LINE ",Affine direction=bidirectional",
     {"3x2x1 1 4 2 5 3 6", "2x1x1 1 1", "2x1x1 10 10", NULL, "i32 2 3 1", "2x2x1 1 2 3 4"},
     {"3x2x2x1 11 24 3321 44 112 0 332 0 1123 0 33 0", "2x2x1 1123 24 3321 44"},
     NULL},
    {"an empty sequence",
     "RNN",
     7,
     LINE,
     {ONE, ONE, ONE, NULL, "i32 1 0", "1x1x1 7"},
     {"1x1x1x1 0", "1x1x1 7"},
     NULL},
    {"only the last state",
     "RNN",
     7,
     LINE,
     {"2x1x1 1 2", ONE, "1x1x1 10"},
     {NULL, "1x1x1 12"},
     NULL},
    {"the batch first",
     "RNN",
     14,
     LINE ",Affine direction=bidirectional layout=1",
     {"2x2x1 1 2 3 4", "2x1x1 1 1", "2x1x1 10 10", NULL, NULL, "2x2x1 1 2 3 4"},
     {"2x2x2x1 11 221 112 22 33 443 334 44", "2x2x1 112 221 334 443"},
     NULL},
    {"two units of two inputs",
     "RNN",
     7,
     LINE,
     {"2x1x2 1 2 0 0", "1x2x2 1 10 100 1000", "1x2x2 0 1 2 3"},
     {"2x1x1x2 21 2100 2100 6342"},
     NULL},
    {"clipped", "RNN", 7, LINE " clip=5.0", {"3x1x1 9 -19 3", ONE, ONE}, {"3x1x1x1 5 -5 -2"}, NULL},
    {"GRU",
     "GRU",
     7,
     LINE ",Affine",
     {ONE, "1x3x1 2 3 4", "1x3x1 0 0 10", "1x6 0 0 1000 0 0 7", NULL, "1x1x1 5"},
     {"1x1x1x1 -1151", "1x1x1 -1151"},
     NULL},
    {"GRU, linear before reset",
     "GRU",
     7,
     LINE ",Affine linear_before_reset=1",
     {ONE, "1x3x1 2 3 4", "1x3x1 0 0 10", "1x6 0 0 1000 0 0 7", NULL, "1x1x1 5"},
     {"1x1x1x1 -1165"},
     NULL},
    {"LSTM",
     "LSTM",
     7,
     LINE ",Affine,Affine",
     {"2x1x1 1 1", "1x4x1 1 2 3 4", "1x4x1 0 0 0 1", NULL, NULL, NULL, "1x1x1 5"},
     {"2x1x1x1 38 198", "1x1x1 198", "1x1x1 99"},
     NULL},
    {"LSTM, peepholes",
     "LSTM",
     7,
     LINE ",Affine,Affine",
     {ONE, "1x4x1 1 2 3 4", "1x4x1", NULL, NULL, NULL, "1x1x1 5", "1x3 0.5 1 2"},
     {"1x1x1x1 6399", NULL, "1x1x1 79"},
     NULL},
    {"LSTM, input and forget gate are one",
     "LSTM",
     7,
     LINE ",Affine,Affine input_forget=1",
     {ONE, "1x4x1 3 2 9 4", "1x4x1", NULL, NULL, NULL, "1x1x1 5"},
     {"1x1x1x1 4", NULL, "1x1x1 2"},
     NULL},
    {"LSTM, the cell that is kept is not clipped",
     "LSTM",
     7,
     LINE ",Affine,Affine clip=10.0",
     {"2x1x1 1 1", "1x4x1 1 2 3 4", "1x4x1", NULL, NULL, NULL, "1x1x1 5"},
     {"2x1x1x1 20 20", NULL, "1x1x1 61"},
     NULL},
    {"no steps",
     "GRU",
     7,
     NULL,
     {"0x2x1", "1x3x1", "1x3x1", NULL, NULL, "1x2x1 3 4"},
     {"0x1x2x1", "1x2x1 3 4"},
     NULL},
    {"a batch of nothing",
     "LSTM",
     7,
     NULL,
     {"0x1099511627776x0", "1x4x0", "1x4x1"},
     {"0x1x1099511627776x1"},
     NULL},
    {"a sequence that is too long",
     "RNN",
     7,
     NULL,
     {ONE, ONE, ONE, NULL, "i32 1 2"},
     {"1x1x1x1"},
     "2 steps of 1"},
    {"a bias of another shape", "RNN", 7, NULL, {ONE, ONE, ONE, "1x3"}, {"1x1x1x1"}, "B does"},
    {"a state of another shape",
     "RNN",
     14,
     "layout=1",
     {"2x1x1", ONE, ONE, NULL, NULL, "1x2x1"},
     {"2x1x1x1"},
     "initial_h"},
    {"another direction", "RNN", 7, "direction=sideways", {ONE, ONE, ONE}, {"1x1x1x1"}, "sideways"},
    {"an attribute of LSTM",
     "GRU",
     7,
     "input_forget=1",
     {ONE, "1x3x1", "1x3x1"},
     {"1x1x1x1"},
     "input_forget"},
    {"another hidden_size", "RNN", 7, "hidden_size=2", {ONE, ONE, ONE}, {"1x1x1x1"}, "hidden_size"},
    {"two functions for three",
     "LSTM",
     7,
     "activations=Tanh,Tanh",
     {ONE, "1x4x1", "1x4x1"},
     {"1x1x1x1"},
     "expected 3"},
    {"an older version", "RNN", 1, NULL, {ONE, ONE, ONE}, {"1x1x1x1"}, "version 1"},
    {"whole numbers",
     "RNN",
     7,
     NULL,
     {"i32 1x1x1 1", "i32 1x1x1 1", "i32 1x1x1 1"},
     {"i32 1x1x1x1"},
     "i32"},
};

/* --- larger ones --- */

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
    struct error error = {{0}};
    struct call call = {computation, inputs, 1, input, output, &error};

    for (size_t i = 0; i < 8; i++)
        input[i] = &layer.input[i];
    computation_set_text(computation, "direction", "bidirectional");
    if (linear_before_reset)
        computation_set_integer(computation, "linear_before_reset", 1);
    ok(operator_accepts(&call) && operator_run(&call), "%s: runs %s", name, error.text);
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
    const struct param *table = onnx_params;
    struct network *network = NULL;
    struct error error = {{0}};
    struct params params;
    struct wire wire;

    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return;
    }
    wire = onnx_from_text("input x f32 3 1 2\n"
                          "input w f32 2 4 2\n"
                          "input r f32 2 4 4\n"
                          "RNN x w r -> y direction=\"bidirectional\" "
                          "activations=\"Relu\",\"LeakyRelu\"\n"
                          "output y f32 3 2 1 4\n");
    if (params_parse(&params, "model.onnx", NULL, &table, 1, &error))
        network = onnx_runnable_network(wire.data, wire.size, "model.onnx", &params, &error);
    ok(network != NULL &&
           computation_text_is(network->op[0].computation, "activations", "Relu,LeakyRelu", false),
       "a file's activations are the operator's %s", error.text);
    network_free(network);
    params_clear(&params);
    wire_clear(&wire);
}

int main(void)
{
    struct rng *rng = rng_new(26);

    check_functions();
    operator_cases(layers, sizeof layers / sizeof layers[0]);
    compare(rng, "RNN", 1, false);
    compare(rng, "GRU", 3, false);
    compare(rng, "GRU", 3, true);
    compare(rng, "LSTM", 4, false);
    rng_free(rng);
    check_file();
    return tap_done();
}
