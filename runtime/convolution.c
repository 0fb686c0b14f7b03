/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/convolution.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/changes.h"

/* Room behind what vectors read past the end of.  */
enum { ALIGNMENT = 64, SPARE = 64 };

static const float *stored_floats(const struct network *network, const struct network_op *op,
                                  size_t input)
{
    const struct computation *computation = op->computation;
    size_t slot = input < computation->inputs ? computation->input[input] : NETWORK_NONE;
    const struct value *value;

    if (slot == NETWORK_NONE)
        return NULL;
    value = &network->value[op->input[slot]];
    return value->elements == NULL ? NULL : value->elements->data;
}

/* Weights that another operator makes could not be packed before the run.  */
static bool is_stored(const struct network *network, const struct network_op *op)
{
    const struct computation *computation = op->computation;

    for (size_t i = 1; i < computation->inputs; i++)
        if (computation->input[i] != NETWORK_NONE && stored_floats(network, op, i) == NULL)
            return false;
    return true;
}

/* Packed weights would stay what they were.  */
static bool is_constant(const struct network *network, const struct network_op *op)
{
    for (size_t i = 1; i < op->inputs; i++)
        if (change_of(network, op->input[i]) != CHANGE_NONE)
            return false;
    return true;
}

/* --- fully connected layers --- */

/* How the weights of a matrix product lie: as rows of what one output is made of, or as
 * columns.  */
enum matrix_kind { NO_MATRIX, MATRIX_ROWS, MATRIX_COLUMNS };

static bool is_plain_gemm(const struct computation *computation)
{
    return computation_integer(computation, "transA", 0) == 0 &&
           computation_real(computation, "alpha", 1.0) == 1.0 &&
           computation_real(computation, "beta", 1.0) == 1.0;
}

static enum matrix_kind matrix_kind(const struct network *network, const struct network_op *op)
{
    const struct computation *computation = op->computation;
    const struct value *weights;

    if (computation == NULL || computation->inputs < 2 || computation->outputs != 1 ||
        computation->input[0] == NETWORK_NONE || computation->input[1] == NETWORK_NONE)
        return NO_MATRIX;
    weights = &network->value[op->input[computation->input[1]]];
    if (weights->rank != 2 || weights->elements == NULL || weights->dtype != DTYPE_F32)
        return NO_MATRIX;
    if (strcmp(computation->name, ".Linear") == 0)
        return MATRIX_ROWS;
    if (strcmp(computation->name, "MatMul") == 0)
        return MATRIX_COLUMNS;
    if (strcmp(computation->name, "Gemm") == 0 && is_plain_gemm(computation))
        return computation_integer(computation, "transB", 0) != 0 ? MATRIX_ROWS : MATRIX_COLUMNS;
    return NO_MATRIX;
}

bool convolution_is(const struct network *network, const struct network_op *op)
{
    return op->kind == OP_CONV || matrix_kind(network, op) != NO_MATRIX;
}

/* The layer as a convolution; false where a bias is no number a column.  */
static bool matrix_shape(const struct network *network, const struct network_op *op,
                         enum matrix_kind kind, struct conv_shape *shape, struct error *error)
{
    const struct computation *computation = op->computation;
    const struct value *weights = &network->value[op->input[computation->input[1]]];
    int64_t columns = weights->dim[kind == MATRIX_ROWS ? 0 : 1];
    int64_t length = weights->dim[kind == MATRIX_ROWS ? 1 : 0];
    int64_t all = value_elements(&network->value[op->output[computation->output[0]]]);

    if (columns == 0 || length == 0 || all == 0)
        return error_set(error, "a matrix without elements");
    if (computation->inputs > 2 && computation->input[2] != NETWORK_NONE &&
        value_elements(&network->value[op->input[computation->input[2]]]) != columns)
        return error_set(error, "what is added does not have one number per column");
    *shape = conv_shape_pointwise(1, length, 1, all / columns, columns);
    return true;
}

/* Columns of LENGTH as rows of LENGTH; the caller frees them.  */
static float *transposed(const float *weights, int64_t length, int64_t columns)
{
    float *rows = memory_alloc((size_t)(length * columns), sizeof *rows);

    for (int64_t i = 0; i < length; i++)
        for (int64_t j = 0; j < columns; j++)
            rows[j * length + i] = weights[i * columns + j];
    return rows;
}

/* --- both --- */

static bool suits(const struct network *network, const struct network_op *op, struct error *error)
{
    if (network->value[op->input[0]].dtype != DTYPE_F32)
        return error_set(error, "its elements are %s, expected f32",
                         dtype_name(network->value[op->input[0]].dtype));
    if (!is_stored(network, op))
        return error_set(error, "its weights are made in the run");
    return is_constant(network, op) || error_set(error, "the run updates its weights");
}

static bool shape_of(const struct network *network, const struct network_op *op,
                     struct conv_shape *shape, struct error *error)
{
    enum matrix_kind kind = matrix_kind(network, op);

    if (kind != NO_MATRIX)
        return matrix_shape(network, op, kind, shape, error);
    if (op->kind != OP_CONV || op->conv.n == 0 || op->computation == NULL ||
        strcmp(op->computation->name, "Conv") != 0)
        return error_set(error, "no plain two-dimensional convolution");
    *shape = op->conv;
    return true;
}

static void pack(struct convolution *convolution, const struct network *network,
                 const struct network_op *op)
{
    const struct conv_shape *shape = &convolution->plan.request.shape;
    const float *weights = stored_floats(network, op, 1);
    float *rows = NULL;

    if (matrix_kind(network, op) == MATRIX_COLUMNS)
        weights = rows = transposed(weights, shape->c, shape->k);
    convolution->packed =
        memory_aligned(ALIGNMENT, (size_t)convolution->plan.packed_floats * sizeof(float) + SPARE);
    convolution->plan.kernel->pack(&convolution->plan, weights, stored_floats(network, op, 2),
                                   convolution->packed);
    free(rows);
}

bool convolution_make(struct convolution *convolution, const struct conv_kernel *kernel,
                      const struct conv_request *request, const struct network *network,
                      const struct network_op *op, struct error *error)
{
    struct conv_request own = *request;
    struct params none;
    bool good;

    *convolution = (struct convolution){0};
    if (!shape_of(network, op, &own.shape, error) || !suits(network, op, error))
        return false;
    own.relu = op->computation->then != NULL && strcmp(op->computation->then->name, "Relu") == 0;
    if (!params_parse(&none, kernel->name, NULL, &kernel->params, kernel->params != NULL, error))
        return false;
    good = conv_plan_make(&convolution->plan, kernel, &own, &none, error);
    params_clear(&none);
    if (!good)
        return false;
    convolution->relu = own.relu;
    convolution->matrix = matrix_kind(network, op) != NO_MATRIX;
    pack(convolution, network, op);
    return true;
}

void convolution_clear(struct convolution *convolution)
{
    conv_plan_clear(&convolution->plan);
    free(convolution->packed);
    *convolution = (struct convolution){0};
}

void convolution_run(const struct convolution *convolution, const float *input, float *output)
{
    convolution->plan.kernel->run(&convolution->plan, input, convolution->packed, output);
}
