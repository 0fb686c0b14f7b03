/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of fully connected layers and products of matrices, as products of matrices.  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include "runtime/operators/attributes.h"
#include "runtime/operators/matrix.h"

enum { TRANSPOSED = 1 }; /* the second factor is, in what is computed */

/* --- .Linear: rows of x times the transposed weights, plus a bias --- */

/* Rows that are given, and the lengths of those and of the input's.  */
struct layer {
    int64_t rows, given, input;
};

/* INPUT is the input or its gradient, WEIGHTS likewise; either may be NULL.  */
static bool read_layer(const struct call *call, const struct tensor *input,
                       const struct tensor *weights, struct layer *layer)
{
    const struct tensor *given = gradient_given(call, 0);

    *layer = (struct layer){.rows = 0};
    if (given->rank < 1 || (weights != NULL && weights->rank != 2))
        return error_set(call->error, "weights that are not a matrix");
    layer->given = given->dim[given->rank - 1];
    layer->rows = layer->given == 0 ? 0 : tensor_elements(given) / layer->given;
    if (weights == NULL)
        return true;
    layer->input = weights->dim[1];
    return (weights->dim[0] == layer->given &&
            (input == NULL || tensor_elements(input) == layer->rows * layer->input)) ||
           error_set(call->error, "weights that do not fit input and output");
}

static bool accepts_linear(const struct call *call)
{
    const struct tensor *by_input = call_output(call, 0), *by_weight = call_output(call, 1);
    const struct tensor *by_bias = call_output(call, 2);
    unsigned read =
        (by_input != NULL ? GRADIENT_OF(1) : 0) | (by_weight != NULL ? GRADIENT_OF(0) : 0);
    struct layer layer;

    return gradient_accepts(call, 2, 1, read, GRADIENT_NONE) && attributes_among(call, "") &&
           (by_input == NULL || read_layer(call, by_input, gradient_input(call, 1), &layer)) &&
           (by_weight == NULL || read_layer(call, gradient_input(call, 0), by_weight, &layer)) &&
           read_layer(call, NULL, NULL, &layer) &&
           (by_bias == NULL || tensor_elements(by_bias) == layer.given ||
            error_set(call->error, "a bias that does not fit the output"));
}

#define ADD_ROWS(name, type)                                                     \
    static void name(int64_t rows, int64_t columns, const type *given, type *to) \
    {                                                                            \
        for (int64_t i = 0; i < columns; i++)                                    \
            to[i] = 0;                                                           \
        for (int64_t r = 0; r < rows; r++)                                       \
            for (int64_t i = 0; i < columns; i++)                                \
                to[i] += given[r * columns + i];                                 \
    }
ADD_ROWS(add_rows_f32, float)
ADD_ROWS(add_rows_f64, double)

static void add_all_rows(const struct call *call, int64_t rows, int64_t columns,
                         const struct tensor *to)
{
    const struct tensor *given = gradient_given(call, 0);

    CALL_REAL(given->dtype, add_rows, rows, columns, given->data, to->data);
}

static bool run_linear(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *by_input = call_output(call, 0);
    const struct tensor *by_weight = call_output(call, 1), *by_bias = call_output(call, 2);
    struct product product;
    struct layer layer;

    if (by_input != NULL) {
        const struct tensor *weights = gradient_input(call, 1);

        if (!read_layer(call, by_input, weights, &layer))
            return false;
        product = matrix_product(layer.rows, layer.input, layer.given, false, false);
        matrix_multiply(given->dtype, &product, given->data, weights->data, by_input->data);
    }
    if (by_weight != NULL) {
        const struct tensor *input = gradient_input(call, 0);

        if (!read_layer(call, input, by_weight, &layer))
            return false;
        product = matrix_product(layer.given, layer.input, layer.rows, true, false);
        matrix_multiply(given->dtype, &product, given->data, input->data, by_weight->data);
    }
    if (by_bias == NULL)
        return true;
    if (!read_layer(call, NULL, NULL, &layer))
        return false;
    add_all_rows(call, layer.rows, layer.given, by_bias);
    return true;
}

/* --- Gemm: y (m x n) = alpha a b + beta c, where a and b may be transposed --- */

struct gemm {
    int64_t m, n, k;
    bool a_transposed, b_transposed;
    double alpha, beta;
};

static bool read_gemm(const struct call *call, struct gemm *gemm)
{
    const struct tensor *given = gradient_given(call, 0), *a = gradient_input(call, 0);
    const struct tensor *b = gradient_input(call, 1);
    const struct computation *computation = call->computation;
    int64_t k;

    a = a != NULL ? a : call_output(call, 0);
    b = b != NULL ? b : call_output(call, 1);
    gemm->a_transposed = computation_integer(computation, "transA", 0) != 0;
    gemm->b_transposed = computation_integer(computation, "transB", 0) != 0;
    gemm->alpha = computation_real(computation, "alpha", 1.0);
    gemm->beta = computation_real(computation, "beta", 1.0);
    if (given->rank != 2 || (a != NULL && a->rank != 2) || (b != NULL && b->rank != 2))
        return error_set(call->error, "factors that are not matrices");
    gemm->m = given->dim[0];
    gemm->n = given->dim[1];
    k = a == NULL ? 0 : a->dim[gemm->a_transposed ? 0 : 1];
    gemm->k = b == NULL ? k : b->dim[gemm->b_transposed ? 1 : 0];
    return ((a == NULL || tensor_elements(a) == gemm->m * gemm->k) &&
            (b == NULL || tensor_elements(b) == gemm->n * gemm->k)) ||
           error_set(call->error, "factors that do not fit the product");
}

static bool accepts_gemm(const struct call *call)
{
    const struct tensor *by_a = call_output(call, 0), *by_b = call_output(call, 1);
    const struct tensor *by_c = call_output(call, 2);
    unsigned read = (by_a != NULL ? GRADIENT_OF(1) : 0) | (by_b != NULL ? GRADIENT_OF(0) : 0);
    struct gemm gemm;

    return gradient_accepts(call, 2, 1, read, GRADIENT_NONE) &&
           attributes_among(call, "alpha beta broadcast transA transB") && read_gemm(call, &gemm) &&
           (by_c == NULL ||
            (by_c->rank >= 1 && tensor_elements(by_c) == gemm.n &&
             by_c->dim[by_c->rank - 1] == gemm.n) ||
            error_set(call->error, "what is added does not have one number per column"));
}

static void scale(const struct tensor *tensor, double factor)
{
    int64_t count = factor == 1.0 ? 0 : tensor_elements(tensor);

    for (int64_t i = 0; i < count; i++)
        if (tensor->dtype == DTYPE_F32)
            ((float *)tensor->data)[i] *= (float)factor;
        else
            ((double *)tensor->data)[i] *= factor;
}

/* By the first factor: what is given times the transpose of the second; the transpose of that if
 * the first is transposed.  */
static void gemm_first(const struct call *call, const struct gemm *gemm)
{
    const struct tensor *given = gradient_given(call, 0), *b = gradient_input(call, 1);
    const struct tensor *to = call_output(call, 0);
    struct product product =
        gemm->a_transposed ? matrix_product(gemm->k, gemm->m, gemm->n, gemm->b_transposed, true)
                           : matrix_product(gemm->m, gemm->k, gemm->n, false, !gemm->b_transposed);

    matrix_multiply(given->dtype, &product, gemm->a_transposed ? b->data : given->data,
                    gemm->a_transposed ? given->data : b->data, to->data);
    scale(to, gemm->alpha);
}

static void gemm_second(const struct call *call, const struct gemm *gemm)
{
    const struct tensor *given = gradient_given(call, 0), *a = gradient_input(call, 0);
    const struct tensor *to = call_output(call, 1);
    struct product product =
        gemm->b_transposed ? matrix_product(gemm->n, gemm->k, gemm->m, true, gemm->a_transposed)
                           : matrix_product(gemm->k, gemm->n, gemm->m, !gemm->a_transposed, false);

    matrix_multiply(given->dtype, &product, gemm->b_transposed ? given->data : a->data,
                    gemm->b_transposed ? a->data : given->data, to->data);
    scale(to, gemm->alpha);
}

static bool run_gemm(const struct call *call)
{
    const struct tensor *by_c = call_output(call, 2);
    struct gemm gemm;

    if (!read_gemm(call, &gemm))
        return false;
    if (call_output(call, 0) != NULL)
        gemm_first(call, &gemm);
    if (call_output(call, 1) != NULL)
        gemm_second(call, &gemm);
    if (by_c == NULL)
        return true;
    add_all_rows(call, gemm.m, gemm.n, by_c);
    scale(by_c, gemm.beta);
    return true;
}

/* --- stacks of matrices --- */

/* C (M x N) = A (M x K) times B (K x N), or times the transpose of B (N x K), so often.  */
struct stack {
    int64_t count, m, n, k;
};

/* B is the second factor or its gradient.  Where it is one matrix for a stack of the others, their
 * rows are those of one matrix.  */
static bool read_stack(const struct call *call, const struct tensor *b, struct stack *stack)
{
    const struct tensor *c = gradient_given(call, 0);
    bool transposed = call_rule(call)->detail == TRANSPOSED;

    if (c->rank < 2 || b->rank < 2)
        return error_set(call->error, "no matrices");
    stack->m = c->dim[c->rank - 2];
    stack->n = c->dim[c->rank - 1];
    stack->k = b->dim[b->rank - (transposed ? 1 : 2)];
    stack->count = stack->m * stack->n == 0 ? 0 : tensor_elements(c) / (stack->m * stack->n);
    if (b->rank == 2) {
        stack->m *= stack->count;
        stack->count = 1;
    }
    return tensor_elements(b) == stack->count * stack->k * stack->n ||
           error_set(call->error, "stacks of matrices that are repeated");
}

static bool accepts_matmul(const struct call *call)
{
    const struct tensor *by_a = call_output(call, 0), *by_b = call_output(call, 1);
    unsigned read = (by_a != NULL ? GRADIENT_OF(1) : 0) | (by_b != NULL ? GRADIENT_OF(0) : 0);
    struct stack first, second;

    if (!gradient_accepts(call, 2, 1, read, GRADIENT_NONE) || !attributes_among(call, ""))
        return false;
    if ((by_a != NULL && !read_stack(call, gradient_input(call, 1), &first)) ||
        (by_b != NULL && !read_stack(call, by_b, &second)))
        return false;
    return ((by_a == NULL || tensor_elements(by_a) == first.count * first.m * first.k) &&
            (by_b == NULL ||
             tensor_elements(gradient_input(call, 0)) == second.count * second.m * second.k)) ||
           error_set(call->error, "factors that do not fit the product");
}

static const void *matrix_of(const struct tensor *tensor, int64_t i, int64_t elements)
{
    return (const char *)tensor->data + (size_t)(i * elements) * dtype_size(tensor->dtype);
}

/* By the first factor: what is given times the other way round of the second.  */
static bool multiply_second(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *b = gradient_input(call, 1);
    const struct tensor *to = call_output(call, 0);
    bool transposed = call_rule(call)->detail == TRANSPOSED;
    struct product product;
    struct stack s;

    if (!read_stack(call, b, &s))
        return false;
    product = matrix_product(s.m, s.k, s.n, false, !transposed);
    for (int64_t i = 0; i < s.count; i++)
        matrix_multiply(given->dtype, &product, matrix_of(given, i, s.m * s.n),
                        matrix_of(b, i, s.k * s.n), (void *)matrix_of(to, i, s.m * s.k));
    return true;
}

/* By the second: the transpose of the first times what is given, or the transpose of that.  */
static bool multiply_first(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *a = gradient_input(call, 0);
    const struct tensor *to = call_output(call, 1);
    bool transposed = call_rule(call)->detail == TRANSPOSED;
    struct product product;
    struct stack s;

    if (!read_stack(call, to, &s))
        return false;
    product = transposed ? matrix_product(s.n, s.k, s.m, true, false)
                         : matrix_product(s.k, s.n, s.m, true, false);
    for (int64_t i = 0; i < s.count; i++) {
        const void *from = matrix_of(a, i, s.m * s.k), *by = matrix_of(given, i, s.m * s.n);

        matrix_multiply(given->dtype, &product, transposed ? by : from, transposed ? from : by,
                        (void *)matrix_of(to, i, s.k * s.n));
    }
    return true;
}

static bool run_matmul(const struct call *call)
{
    return (call_output(call, 0) == NULL || multiply_second(call)) &&
           (call_output(call, 1) == NULL || multiply_first(call));
}

const struct operator_rule operators_gradient_matrix[] = {
    {".LinearGrad", accepts_linear, run_linear, 0},
    {".GemmGrad", accepts_gemm, run_gemm, 0},
    {".MatMulGrad", accepts_matmul, run_matmul, 0},
    {".MatMulTransposedGrad", accepts_matmul, run_matmul, TRANSPOSED},
    {0},
};
