/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each operator's gradient against finite differences: a network of the operator alone, whose
 * inputs are weights and whose outputs are the scores of losses, in f64.  What a gradient reads is
 * what the training graph gives it.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/graph/train.h"
#include "runtime/operators/gradient.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"
#include "tests/support/trained.h"

#define BOUND 1e-6

/* Inputs are shapes: "2x3" is a weight around 0; "+2x3" one within [0.5, 2]; "=2x3" is no weight;
 * "i4:3" are indices below 3; "#0.5" is this number.  Outputs: "2x6" becomes one row of scores;
 * "=2x6" is the scores as it is; "-2x6" is read by nobody.  */
struct rule_case {
    const char *name;
    int64_t version;
    enum op_kind kind;
    const char *type;
    const char *attributes;
    const char *input[5], *output[3];
};

static int read_shape(const char *text, int64_t *dim)
{
    int rank = 0;

    while (*text != '\0' && *text != ':') {
        char *end;

        dim[rank++] = strtoll(text, &end, 10);
        text = *end == 'x' ? end + 1 : end;
    }
    return rank;
}

/* --- the network --- */

static double draw(struct rng *rng, bool positive)
{
    return positive ? 0.5 + 1.5 * rng_unit(rng) : rng_gaussian(rng, 1.0);
}

static size_t add_input(struct network *network, const char *text, size_t i, struct rng *rng)
{
    bool index = *text == 'i', positive = *text == '+', number = *text == '#';
    bool weight = !index && !number && *text != '=';
    int64_t dim[NETWORK_MAX_RANK];
    int rank = number ? 0 : read_shape(text + (positive || !weight), dim);
    char *name = memory_printf("input%zu", i);
    size_t v = network_add_value(network, name, weight ? VALUE_WEIGHT : VALUE_CONSTANT,
                                 index ? DTYPE_I64 : DTYPE_F64, rank, dim);
    struct elements *elements = elements_new((size_t)value_bytes(&network->value[v]));
    int64_t most = index ? strtoll(strchr(text, ':') + 1, NULL, 10) - 1 : 0;

    for (int64_t e = 0; e < value_elements(&network->value[v]); e++)
        if (index)
            ((int64_t *)elements->data)[e] = rng_range(rng, 0, most);
        else
            ((double *)elements->data)[e] = number ? strtod(text + 1, NULL) : draw(rng, positive);
    network_set_elements(network, v, elements);
    free(name);
    return v;
}

/* VALUE as one row.  */
static size_t add_row(struct network *network, size_t value)
{
    char *name = memory_printf("%s.row", network->value[value].name);
    size_t op = network_add_op(network, name, OP_ALIAS, "reshape", &value, 1);
    size_t row = network_add_output(network, op, name, DTYPE_F64, 2,
                                    (const int64_t[]){1, value_elements(&network->value[value])});

    network_set_computation(network, op, computation_new("Reshape", 13, 1, 1));
    free(name);
    return row;
}

static struct network *build(const struct rule_case *c, struct rng *rng)
{
    struct network *network = network_new(c->name);
    struct computation *computation;
    size_t input[5], inputs = 0, outputs = 0, op;

    for (; inputs < 5 && c->input[inputs] != NULL; inputs++)
        input[inputs] = add_input(network, c->input[inputs], inputs, rng);
    op = network_add_op(network, "op", c->kind, c->type, input, inputs);
    for (; outputs < 3 && c->output[outputs] != NULL; outputs++) {
        const char *text = c->output[outputs];
        int64_t dim[NETWORK_MAX_RANK];
        int rank = read_shape(text + (*text == '=' || *text == '-'), dim);
        char *name = memory_printf("output%zu", outputs);

        network_add_output(network, op, name, DTYPE_F64, rank, dim);
        free(name);
    }
    computation = computation_new(c->name, c->version, inputs, outputs);
    operator_attributes(computation, c->attributes);
    network_set_computation(network, op, computation);
    for (size_t i = 0; i < outputs; i++) {
        size_t value = network->op[op].output[i];

        if (*c->output[i] == '=')
            network_mark_output(network, value);
        else if (*c->output[i] != '-')
            network_mark_output(network, add_row(network, value));
    }
    return network;
}

static void check(const struct rule_case *c, uint32_t seed)
{
    const struct train_options options = {.optimizer = OPTIMIZER_SGD};
    const struct sample sample = {.every = 1, .at_most = 200, .seed = seed, .step = 1e-5};
    struct rng *rng = rng_new(seed);
    struct error error = {{0}};
    struct differences differences = {0};
    struct trained trained = {0};
    struct network *network = network_train(build(c, rng), &options, &error);
    bool good = network != NULL && trained_plain(&trained, network, &error) &&
                trained_differences(&trained, &sample, &differences, &error);

    rng_free(rng);
    if (!ok(good && differences.worst < BOUND && differences.elements > 0,
            "%s %s, %s: within %.1g%s", c->name, c->attributes, c->input[0], differences.worst,
            error.text) &&
        good)
        tap_diag("%s", differences.where);
    trained_clear(&trained);
    network_free(network);
}

/* --- the operators --- */

#define CONV(attributes, x, ...)                                   \
    {                                                              \
        "Conv", 11, OP_CONV, "conv", attributes, {x, __VA_ARGS__}, \
        {
#define POOL(name, version, type, attributes, x, y)    \
    {                                                  \
        name, version, OP_POOL, type, attributes, {x}, \
        {                                              \
            y                                          \
        }                                              \
    }
#define MAP(name, version, type, attributes, x)              \
    {                                                        \
        name, version, OP_ACTIVATION, type, attributes, {x}, \
        {                                                    \
            "3x7"                                            \
        }                                                    \
    }

static const struct rule_case windows[] = {CONV("", "2x3x5x6", "4x3x3x3", "4") "2x4x3x4"}
}
, CONV("strides=2,2 pads=1,1,1,1", "1x3x7x7", "2x3x3x3") "1x2x4x4"
}
}
, CONV("strides=2,3 pads=0,1,2,0 dilations=2,1", "1x2x8x9", "3x2x3x2", "3") "1x3x3x3"
}
}
, CONV("group=2 pads=1,1,1,1", "2x4x4x4", "6x2x3x3", "6") "2x6x4x4"
}
}
, CONV("group=3", "1x3x4x4", "3x1x2x2") "1x3x3x3"
}
}
, CONV("", "2x5x3x4", "3x5x1x1", "3") "2x3x3x4"
}
}
, CONV("auto_pad=SAME_UPPER strides=2,2", "1x2x6x5", "2x2x3x2") "1x2x3x3"
}
}
, CONV("auto_pad=SAME_LOWER strides=2,2", "1x2x6x5", "2x2x3x2") "1x2x3x3"
}
}
, CONV("strides=2 pads=1,1", "2x2x20", "3x2x3", "3") "2x3x10"
}
}
, CONV("pads=1,1,1,1,1,1", "1x2x3x4x3", "2x2x3x3x3", "2") "1x2x3x4x3"
}
}
, {"ConvTranspose", 11, OP_CONV, "conv_transpose", "strides=2,2", {"2x3x3x4", "3x2x2x2", "2"},
   {"2x2x6x8"}},
    {"ConvTranspose",
     11,
     OP_CONV,
     "conv_transpose",
     "strides=2,1 pads=1,0,1,1 group=2",
     {"1x4x3x3", "4x1x3x3"},
     {"1x2x5x4"}},
    POOL("MaxPool", 12, "max_pool", "kernel_shape=3,3 strides=2,2 pads=1,1,1,1", "2x3x7x6",
         "2x3x4x3"),
    POOL("MaxPool", 12, "max_pool", "kernel_shape=3,2 strides=2,2 ceil_mode=1", "1x2x8x7",
         "1x2x4x4"),
    POOL("MaxPool", 12, "max_pool", "kernel_shape=2,2 dilations=2,3", "1x2x5x6", "1x2x3x3"),
    POOL("AveragePool", 12, "avg_pool", "kernel_shape=3,3 strides=2,2 pads=1,1,1,1", "2x3x7x6",
         "2x3x4x3"),
    POOL("AveragePool", 12, "avg_pool",
         "kernel_shape=3,3 strides=2,2 pads=1,1,1,1 count_include_pad=1", "2x3x7x6", "2x3x4x3"),
    POOL("AveragePool", 12, "avg_pool",
         "kernel_shape=3,3 strides=2,2 ceil_mode=1 count_include_pad=1", "1x2x8x7", "1x2x4x3"),
    POOL("GlobalAveragePool", 1, "global_avg_pool", "", "2x3x4x5", "2x3x1x1"),
}
;

static const struct rule_case maps[] = {
    MAP("Relu", 6, "relu", "", "3x7"),
    MAP("LeakyRelu", 6, "leaky_relu", "alpha=0.1", "3x7"),
    MAP("Clip", 6, "relu6", "min=0.0 max=0.7", "3x7"),
    MAP("Sigmoid", 6, "sigmoid", "", "3x7"),
    MAP("Tanh", 6, "tanh", "", "3x7"),
    MAP("HardSigmoid", 6, "hard_sigmoid", "alpha=0.4", "3x7"),
    MAP("HardSwish", 14, "hard_swish", "", "3x7"),
    MAP("Swish", 24, "swish", "", "3x7"),
    MAP("Swish", 24, "swish", "alpha=1.5", "3x7"),
    MAP("Gelu", 20, "gelu", "", "3x7"),
    MAP("Gelu", 20, "gelu", "approximate=tanh", "3x7"),
    MAP("Elu", 6, "elu", "alpha=0.7", "3x7"),
    MAP("Softplus", 1, "softplus", "", "3x7"),
    MAP("Exp", 13, "exp", "", "3x7"),
    MAP("Log", 13, "log", "", "+3x7"),
    MAP("Sqrt", 13, "sqrt", "", "+3x7"),
    MAP("Abs", 13, "abs", "", "3x7"),
    {"Clip", 13, OP_ACTIVATION, "clip", "", {"3x7", "#-0.5", "#0.6"}, {"3x7"}},
    {"Neg", 13, OP_ELEMENTWISE, "neg", "", {"3x7"}, {"3x7"}},
    {".Scale", 1, OP_ELEMENTWISE, "scale", "factor=0.3 offset=2.0", {"3x7"}, {"3x7"}},
    {"Softmax", 13, OP_SOFTMAX, "softmax", "axis=-1", {"3x7"}, {"3x7"}},
    {"Softmax", 13, OP_SOFTMAX, "softmax", "axis=1", {"2x4x3"}, {"2x4x3"}},
    {"Softmax", 11, OP_SOFTMAX, "softmax", "", {"2x4x3"}, {"2x4x3"}},
};

static const struct rule_case matrices[] = {
    {".Linear", 1, OP_LINEAR, "linear", "", {"4x6", "5x6", "5"}, {"4x5"}},
    {".Linear", 1, OP_LINEAR, "linear", "", {"2x3x6", "5x6"}, {"2x3x5"}},
    {".Linear", 1, OP_LINEAR, "linear", "", {"2x3x2x2", "5x12", "5"}, {"2x5"}},
    {"Gemm", 13, OP_LINEAR, "gemm", "", {"4x6", "6x5", "5"}, {"4x5"}},
    {"Gemm", 13, OP_LINEAR, "gemm", "transB=1 alpha=0.5 beta=0.3", {"4x6", "5x6", "1x5"}, {"4x5"}},
    {"Gemm", 13, OP_LINEAR, "gemm", "transA=1", {"6x4", "6x5"}, {"4x5"}},
    {"Gemm", 13, OP_LINEAR, "gemm", "transA=1 transB=1 alpha=2.0", {"6x4", "5x6"}, {"4x5"}},
    {"MatMul", 13, OP_OTHER, "matmul", "", {"4x6", "6x5"}, {"4x5"}},
    {"MatMul", 13, OP_OTHER, "matmul", "", {"2x3x4x6", "2x3x6x5"}, {"2x3x4x5"}},
    {"MatMul", 13, OP_OTHER, "matmul", "", {"2x3x6", "6x5"}, {"2x3x5"}},
    {".MatMulTransposed", 1, OP_OTHER, "matmul", "", {"2x4x6", "2x5x6"}, {"2x4x5"}},
};

static const struct rule_case norms[] = {
    {"BatchNormalization",
     9,
     OP_BATCH_NORM,
     "batch_norm",
     "epsilon=0.001",
     {"3x2x3x4", "2", "2", "=2", "=2"},
     {"3x2x3x4"}},
    {"BatchNormalization",
     9,
     OP_BATCH_NORM,
     "batch_norm",
     "",
     {"5x3", "3", "3", "=3", "=3"},
     {"5x3"}},
    {"LayerNormalization", 17, OP_OTHER, "layer_norm", "", {"2x3x6", "6", "6"}, {"2x3x6"}},
    {"LRN", 13, OP_LRN, "lrn", "size=3 alpha=0.5 beta=0.75 bias=1.5", {"2x5x2x3"}, {"2x5x2x3"}},
    {"LRN", 13, OP_LRN, "lrn", "size=4 alpha=0.5 beta=0.6", {"1x6x2x2"}, {"1x6x2x2"}},
};

static const struct rule_case others[] = {
    {"Add", 14, OP_ELEMENTWISE, "add", "", {"2x3x4", "3x1"}, {"2x3x4"}},
    {"Add", 14, OP_ELEMENTWISE, "add", "", {"4", "2x3x1"}, {"2x3x4"}},
    {"Sum", 13, OP_ELEMENTWISE, "sum", "", {"2x3", "3", "2x1"}, {"2x3"}},
    {"Sub", 14, OP_ELEMENTWISE, "sub", "", {"2x3", "2x3"}, {"2x3"}},
    {"Sub", 14, OP_ELEMENTWISE, "sub", "", {"3", "2x3"}, {"2x3"}},
    {"Sub", 14, OP_ELEMENTWISE, "sub", "", {"2x3", "1"}, {"2x3"}},
    {"Mul", 14, OP_ELEMENTWISE, "mul", "", {"2x3x4", "2x3x4"}, {"2x3x4"}},
    {"Mul", 14, OP_ELEMENTWISE, "mul", "", {"2x3x2x2", "2x3x1x1"}, {"2x3x2x2"}},
    {"Mul", 14, OP_ELEMENTWISE, "mul", "", {"4x1", "3"}, {"4x3"}},
    {"Expand", 13, OP_OTHER, "expand", "", {"1x3x2"}, {"4x3x2"}},
    {".AddPositions", 1, OP_ELEMENTWISE, "add", "", {"2x3x4", "5x4"}, {"2x3x4"}},
    {"Upsample", 7, OP_OTHER, "upsample", "scales=1.0,1.0,2.0,3.0", {"1x2x2x3"}, {"1x2x4x9"}},
    {"Concat", 13, OP_CONCAT, "concat", "axis=1", {"2x1x3", "2x4x3", "2x2x3"}, {"2x7x3"}},
    {"Concat", 13, OP_CONCAT, "concat", "axis=-2", {"2x1x3", "=2x4x3", "2x2x3"}, {"2x7x3"}},
    {"Split", 2, OP_SPLIT, "split", "axis=1 split=1,2,3", {"2x6x2"}, {"2x1x2", "2x2x2", "2x3x2"}},
    {"Split", 2, OP_SPLIT, "split", "axis=1 split=1,2,3", {"2x6x2"}, {"-2x1x2", "2x2x2", "-2x3x2"}},
    {"Slice", 1, OP_OTHER, "slice", "axes=1,2 starts=1,-3 ends=3,5", {"2x4x5"}, {"2x2x3"}},
    {"Transpose", 13, OP_OTHER, "transpose", "perm=2,0,3,1", {"2x3x4x5"}, {"4x2x5x3"}},
    {"Transpose", 13, OP_OTHER, "transpose", "", {"2x3x4"}, {"4x3x2"}},
    {"Gather", 13, OP_OTHER, "gather", "", {"4x3", "i2x5:4"}, {"2x5x3"}},
    {"Gather", 13, OP_OTHER, "gather", "axis=1", {"2x4x3", "i3:4"}, {"2x3x3"}},
};

/* Scores as they are: the classes are dimension 1, of tokens the last one; probabilities.  */
static const struct rule_case losses[] = {
    {"Identity", 13, OP_ALIAS, "identity", "", {"3x4"}, {"=3x4"}},
    {"Identity", 13, OP_ALIAS, "identity", "", {"2x3x4"}, {"=2x3x4"}},
    {"Identity", 13, OP_ALIAS, "identity", "", {"2x3x2x2"}, {"=2x3x2x2"}},
    {"Identity", 13, OP_ALIAS, "identity", "", {"5"}, {"=5"}},
    {"Softmax", 13, OP_SOFTMAX, "softmax", "axis=1", {"3x4"}, {"=3x4"}},
};

/* Nothing is there, not even the gradient that it goes on from, which of a split any part may
 * lack.  */
static void check_empty(const struct operator_rule *rules)
{
    const struct tensor *in[3] = {NULL}, *out[1] = {NULL};

    for (const struct operator_rule *rule = rules; rule->name != NULL; rule++) {
        struct computation *computation = computation_new(rule->name, 13, 3, 1);
        struct error error = {{0}};
        struct call call = {.computation = computation,
                            .inputs = 3,
                            .outputs = 1,
                            .input = in,
                            .output = out,
                            .error = &error};

        if (strcmp(rule->name, ".SplitGrad") != 0)
            ok(!operator_accepts(&call) && strlen(error.text) > strlen(rule->name) + 2,
               "without tensors: %s", error.text);
        computation_free(computation);
    }
}

/* Where what a gradient reads lies among its inputs, and that nothing beside them is read.  */
static void check_places(void)
{
    const struct tensor tensor[8] = {{.rank = 0}};
    const struct tensor *in[8], *out[2] = {NULL};
    struct call call = {.inputs = 6, .outputs = 2, .input = in, .output = out};
    bool good = true;

    for (size_t i = 0; i < 8; i++)
        in[i] = &tensor[i];
    for (size_t i = 0; i < 2; i++)
        good = good && gradient_given(&call, i) == in[i] && gradient_input(&call, i) == in[2 + i] &&
               gradient_output(&call, i) == in[4 + i];
    ok(good, "what is given, inputs and outputs, two each");
    ok(gradient_given(&call, 2) == NULL && gradient_input(&call, 2) == NULL &&
           gradient_output(&call, 2) == NULL,
       "there is no third one");
}

static void check_all(const struct rule_case *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&c[i], (uint32_t)(i + 1));
}
#define CHECK(cases) check_all(cases, sizeof cases / sizeof cases[0])

int main(void)
{
    static const struct operator_rule *const tables[] = {
        operators_gradient_loss,   operators_gradient_map,  operators_gradient_matrix,
        operators_gradient_move,   operators_gradient_norm, operators_gradient_reduce,
        operators_gradient_window, operators_optimise,
    };

    CHECK(windows);
    CHECK(maps);
    CHECK(matrices);
    CHECK(norms);
    CHECK(others);
    CHECK(losses);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        check_empty(tables[i]);
    check_places();
    return tap_done();
}
