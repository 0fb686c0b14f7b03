/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators of the built-in networks that ONNX's set has none for, or only as several.  Their names
 * begin with a dot.
 *
 *   .Linear            x, weights K x C, perhaps a bias: each C elements of x become K
 *   .MatMulTransposed  matrices x times the transposes of matrices y, the dimensions before alike
 *   .Scale             x times `factor` plus `offset`
 *   .CausalMask        x, and minus infinity where the last index is above the one before it
 *   .AddPositions      batch x tokens x channels, plus as many rows of a table
 *   .Cell              a step of a recurrent cell: x, its states, weights, bias
 *
 * Weights of a cell have a row [x, h] for each unit of each gate: of `lstm_cell` input, forget,
 * candidate and output, of `gru_cell` reset, update and candidate, whose h is multiplied by reset
 * first (Cho et al., EMNLP 2014).  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/matrix.h"

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/own_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/own_real.h"

/* COUNT inputs, all of one real type.  */
static bool has(const struct call *call, size_t count)
{
    return accept_inputs(call, count) && accept_types(call, 0, call->inputs, TYPES_REAL);
}

static bool accepts_one(const struct call *call)
{
    return has(call, 1);
}

static bool accepts_two(const struct call *call)
{
    return has(call, 2);
}

static bool run_linear(const struct call *call)
{
    const struct tensor *x = call->input[0], *weight = call->input[1], *y = call->output[0];
    const struct tensor *bias = call_input(call, 2);
    int64_t columns = weight->dim[0], count = weight->dim[1];
    int64_t rows = columns == 0 ? 0 : tensor_elements(y) / columns;

    CALL_REAL(call->input[0]->dtype, times_transposed, x->data, weight->data,
              bias == NULL ? NULL : bias->data, y->data, rows, columns, count);
    return true;
}

/* The elements of one matrix.  */
static int64_t matrix_elements(const struct tensor *tensor)
{
    return tensor->dim[tensor->rank - 2] * tensor->dim[tensor->rank - 1];
}

static bool run_matmul_transposed(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call->input[1], *z = call->output[0];
    int64_t rows = x->dim[x->rank - 2], count = x->dim[x->rank - 1], columns = y->dim[y->rank - 2];
    int64_t matrices = matrix_elements(z) == 0 ? 0 : tensor_elements(z) / matrix_elements(z);
    const struct product product = matrix_product(rows, columns, count, false, true);
    int64_t size = (int64_t)dtype_size(x->dtype);

    for (int64_t m = 0; m < matrices; m++)
        matrix_multiply(x->dtype, &product, (const char *)x->data + m * rows * count * size,
                        (const char *)y->data + m * columns * count * size,
                        (char *)z->data + m * rows * columns * size);
    return true;
}

static bool run_scale(const struct call *call)
{
    double factor = computation_real(call->computation, "factor", 1.0);
    double offset = computation_real(call->computation, "offset", 0.0);
    int64_t count = tensor_elements(call->output[0]);

    CALL_REAL(call->input[0]->dtype, scale, call->input[0]->data, call->output[0]->data, count,
              factor, offset);
    return true;
}

static bool run_causal_mask(const struct call *call)
{
    const struct tensor *x = call->input[0];
    int64_t rows = x->dim[x->rank - 2], columns = x->dim[x->rank - 1];
    int64_t matrices = matrix_elements(x) == 0 ? 0 : tensor_elements(x) / matrix_elements(x);

    CALL_REAL(call->input[0]->dtype, causal_mask, x->data, call->output[0]->data, matrices, rows,
              columns);
    return true;
}

static bool run_add_positions(const struct call *call)
{
    const struct tensor *x = call->input[0];
    int64_t each = x->dim[1] * x->dim[2];

    CALL_REAL(call->input[0]->dtype, add_positions, x->data, call->input[1]->data,
              call->output[0]->data, x->dim[0], each);
    return true;
}

static bool is_lstm(const struct call *call)
{
    return computation_text_is(call->computation, "type", "lstm_cell", false);
}

static bool accepts_cell(const struct call *call)
{
    if (!is_lstm(call) && !computation_text_is(call->computation, "type", "gru_cell", false))
        return error_set(call->error, "a cell of type '%s'",
                         computation_text(call->computation, "type", ""));
    return has(call, is_lstm(call) ? 5 : 4);
}

static bool run_cell(const struct call *call)
{
    if (is_lstm(call))
        CALL_REAL(call->input[0]->dtype, lstm_cell, call);
    else
        CALL_REAL(call->input[0]->dtype, gru_cell, call);
    return true;
}

const struct operator_rule operators_own[] = {
    {".Linear", accepts_two, run_linear, 0},
    {".MatMulTransposed", accepts_two, run_matmul_transposed, 0},
    {".Scale", accepts_one, run_scale, 0},
    {".CausalMask", accepts_one, run_causal_mask, 0},
    {".AddPositions", accepts_two, run_add_positions, 0},
    {".Cell", accepts_cell, run_cell, 0},
    {0},
};
