/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products with a stored matrix: on a kernel, however the matrix lies, and left to the operator
 * where more than a product is asked for.  */
#include <config.h>

#include <math.h>

#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"

enum { ROWS = 6, LENGTH = 5, COLUMNS = 7 };

struct product_case {
    const char *name;
    int64_t version;
    const char *attributes;   /* NULL: none */
    bool input_flips;         /* the input's columns are what is multiplied */
    bool weights_flip;        /* each of the weights' rows is what one output is made of */
    double scale, bias_scale; /* 0: there is no bias */
    int64_t on_kernel;
};

static const struct product_case products[] = {
    {".Linear", 1, NULL, false, true, 1, 1, 1},
    {"MatMul", 13, NULL, false, false, 1, 0, 1},
    {"Gemm", 13, NULL, false, false, 1, 1, 1},
    {"Gemm", 13, "transB=1", false, true, 1, 1, 1},
    {"Gemm", 13, "transA=1", true, false, 1, 1, 0},
    {"Gemm", 13, "alpha=2.0", false, false, 2, 1, 0},
    {"Gemm", 13, "beta=0.5", false, false, 1, 0.5, 0},
};

/* Element I of the stored matrix, and of the bias: small numbers without a pattern that a mistaken
 * order would keep.  */
static float stored(int64_t i)
{
    return (float)(i * 7 % 11 - 5) / 4;
}

static size_t add_stored(struct network *network, const char *name, int rank, const int64_t *dim)
{
    size_t v = network_add_value(network, name, VALUE_WEIGHT, DTYPE_F32, rank, dim);
    struct elements *elements = elements_new((size_t)value_bytes(&network->value[v]));

    for (int64_t i = 0; i < value_elements(&network->value[v]); i++)
        ((float *)elements->data)[i] = stored(i);
    network_set_elements(network, v, elements);
    return v;
}

/* Value 0 is the input.  */
static struct network *build(const struct product_case *c)
{
    static const int64_t in[] = {ROWS, LENGTH, ROWS}, weights[] = {LENGTH, COLUMNS, LENGTH};
    static const int64_t out[] = {ROWS, COLUMNS};
    size_t inputs = c->bias_scale != 0 ? 3 : 2, input[3], op;
    struct network *network = network_new(c->name);
    struct computation *computation = computation_new(c->name, c->version, inputs, 1);

    operator_attributes(computation, c->attributes);
    input[0] = network_add_value(network, "x", VALUE_INPUT, DTYPE_F32, 2, in + c->input_flips);
    input[1] = add_stored(network, "weights", 2, weights + c->weights_flip);
    if (inputs > 2)
        input[2] = add_stored(network, "bias", 1, out + 1);
    op = network_add_op(network, "product", OP_LINEAR, "linear", input, inputs);
    network_mark_output(network, network_add_output(network, op, "y", DTYPE_F32, 2, out));
    network_set_computation(network, op, computation);
    return network;
}

static double expected(const struct product_case *c, const float *x, int64_t i, int64_t j)
{
    double sum = 0.0;

    for (int64_t l = 0; l < LENGTH; l++)
        sum += (double)x[c->input_flips ? l * ROWS + i : i * LENGTH + l] *
               (double)stored(c->weights_flip ? j * LENGTH + l : l * COLUMNS + j);
    return c->scale * sum + c->bias_scale * (double)stored(j);
}

static void check(const struct product_case *c)
{
    struct run_options options = {.kernel = conv_kernel_find("mgemm"), .threads = 1};
    struct network *network = build(c);
    struct schedule *schedule = schedule_file_order(network);
    struct run_memory *memory = run_memory_plain(network);
    struct run_inputs *inputs = run_inputs_new(network, NULL);
    const float *x = memory->value[0], *y = memory->value[network->op[0].output[0]];
    const char *attributes = c->attributes == NULL ? "" : c->attributes;
    struct error error = {""};
    struct run *run;
    double worst = 0.0;

    isa_default(&options.isa, NULL);
    run = run_new(network, schedule, memory, &options, &error);
    run_inputs_write(inputs, memory);
    ok(run_check(network, &error) && run != NULL && run_once(run, &error), "%s %s runs %s", c->name,
       attributes, error.text);
    is_int((int64_t)run_facts(run).convolutions, c->on_kernel, "on the kernel or not");
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            worst = worst_of_two(worst, fabs((double)y[i * COLUMNS + j] - expected(c, x, i, j)));
    ok(worst < 1e-5, "%s %s: %g from the product by hand", c->name, attributes, worst);
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(memory);
    schedule_free(schedule);
    network_free(network);
}

int main(void)
{
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        check(&products[i]);
    return tap_done();
}
