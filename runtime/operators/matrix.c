/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MatMul (ONNX's text since version 1, whole numbers since 9), Gemm (1 to 13) and Det (11).
 *
 * Before version 7 a Gemm's third input stretches only under attribute broadcast; it may be left
 * out since 11.  */
#include <config.h>

#include "runtime/operators/matrix.h"

#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/matrix_tiles.h"

#define FEW 4       /* rows or columns */
#define DEPTH 256   /* of a panel */
#define COLUMNS 256 /* that are packed at a time: whole tiles, in the second-level cache */

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/matrix_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/matrix_real.h"

/* Whole numbers wrap around: signed ones are multiplied as unsigned ones.  */
#define INTEGER_PRODUCT(type)                                                                     \
    static void multiply_##type(const struct product *p, const type *a, const type *b, type *c)   \
    {                                                                                             \
        for (int64_t i = 0; i < p->m; i++)                                                        \
            for (int64_t j = 0; j < p->n; j++) {                                                  \
                type sum = 0;                                                                     \
                                                                                                  \
                for (int64_t l = 0; l < p->k; l++)                                                \
                    sum += a[i * p->a_row + l * p->a_column] * b[l * p->b_row + j * p->b_column]; \
                c[i * p->c_row + j] = sum;                                                        \
            }                                                                                     \
    }
INTEGER_PRODUCT(uint32_t)
INTEGER_PRODUCT(uint64_t)

struct product matrix_product(int64_t m, int64_t n, int64_t k, bool a_transposed, bool b_transposed)
{
    return (struct product){
        .m = m,
        .n = n,
        .k = k,
        .a_row = a_transposed ? 1 : k,
        .a_column = a_transposed ? m : 1,
        .b_row = b_transposed ? 1 : n,
        .b_column = b_transposed ? k : 1,
        .c_row = n,
    };
}

void matrix_multiply(enum dtype dtype, const struct product *p, const void *a, const void *b,
                     void *c)
{
    switch (dtype) {
    case DTYPE_F32:
        matrix_multiply_f32(p, a, b, c);
        break;
    case DTYPE_F64:
        matrix_multiply_f64(p, a, b, c);
        break;
    case DTYPE_I32:
    case DTYPE_U32:
        multiply_uint32_t(p, a, b, c);
        break;
    default:
        multiply_uint64_t(p, a, b, c);
        break;
    }
}

/* --- MatMul --- */

/* Stacks of matrices; along an axis where one of them has a single matrix its step is 0.  */
struct stacks {
    struct product product;
    int axes;
    int64_t dim[NETWORK_MAX_RANK], a_step[NETWORK_MAX_RANK], b_step[NETWORK_MAX_RANK];
};

/* Dimension I from the end of what lies before the matrices; 1 beyond the first.  */
static int64_t stack_dim(const struct tensor *tensor, int i)
{
    int at = tensor->rank - 3 - i;

    return at < 0 ? 1 : tensor->dim[at];
}

/* The steps of one operand, whose matrices have SIZE elements.  */
static bool find_steps(const struct call *call, const struct tensor *operand, int64_t size,
                       struct stacks *stacks, int64_t *step)
{
    for (int i = 0; i < stacks->axes; i++) {
        int axis = stacks->axes - 1 - i;
        int64_t own = stack_dim(operand, i);

        if (own != 1 && own != stacks->dim[axis])
            return error_set(call->error, "stacks of matrices that do not fit each other");
        step[axis] = own == 1 ? 0 : size;
        size *= own;
    }
    return true;
}

/* One matrix for a whole stack: the rows of the stack are those of one matrix.  */
static void join_rows(const struct tensor *b, struct stacks *stacks)
{
    if (b->rank > 2 || stacks->product.m == 0)
        return;
    for (int i = 0; i < stacks->axes; i++)
        stacks->product.m *= stacks->dim[i];
    stacks->axes = 0;
}

static bool read_stacks(const struct call *call, struct stacks *stacks)
{
    const struct tensor *a = call_input(call, 0), *b = call_input(call, 1);
    struct product *p = &stacks->product;
    int64_t m, n, k;

    if (a == NULL || b == NULL || call_output(call, 0) == NULL || a->rank < 1 || b->rank < 1)
        return error_set(call->error, "expected two matrices");
    k = a->dim[a->rank - 1];
    m = a->rank < 2 ? 1 : a->dim[a->rank - 2];
    n = b->rank < 2 ? 1 : b->dim[b->rank - 1];
    if (k != b->dim[b->rank < 2 ? 0 : b->rank - 2])
        return error_set(call->error, "matrices that do not fit each other");
    *p = matrix_product(m, n, k, false, false);
    stacks->axes = a->rank > b->rank ? a->rank - 2 : b->rank - 2;
    if (stacks->axes < 0)
        stacks->axes = 0;
    for (int i = 0; i < stacks->axes; i++) {
        int64_t own = stack_dim(a, i);

        stacks->dim[stacks->axes - 1 - i] = own == 1 ? stack_dim(b, i) : own;
    }
    if (!find_steps(call, a, p->m * p->k, stacks, stacks->a_step) ||
        !find_steps(call, b, p->k * p->n, stacks, stacks->b_step))
        return false;
    join_rows(b, stacks);
    return true;
}

static bool accepts_matmul(const struct call *call)
{
    const struct tensor *a = call_input(call, 0), *b = call_input(call, 1);
    struct stacks stacks;

    if (!attributes_among(call, "") || !read_stacks(call, &stacks))
        return false;
    if (a->dtype == b->dtype && (a->dtype == DTYPE_I32 || a->dtype == DTYPE_U32 ||
                                 a->dtype == DTYPE_I64 || a->dtype == DTYPE_U64))
        return true;
    return accept_types(call, 0, 2, TYPES_REAL);
}

static bool run_matmul(const struct call *call)
{
    const struct tensor *a = call_input(call, 0), *b = call_input(call, 1);
    char *c = call_output(call, 0)->data;
    struct stacks stacks;
    int64_t size, matrices = 1;

    if (!read_stacks(call, &stacks))
        return false;
    size = (int64_t)dtype_size(a->dtype);
    for (int i = 0; i < stacks.axes; i++)
        matrices *= stacks.dim[i];
    for (int64_t s = 0; s < matrices; s++) {
        int64_t rest = s, a_at = 0, b_at = 0;

        for (int i = stacks.axes - 1; i >= 0; i--) {
            a_at += rest % stacks.dim[i] * stacks.a_step[i];
            b_at += rest % stacks.dim[i] * stacks.b_step[i];
            rest /= stacks.dim[i];
        }
        matrix_multiply(a->dtype, &stacks.product, (const char *)a->data + a_at * size,
                        (const char *)b->data + b_at * size, c);
        c += stacks.product.m * stacks.product.n * size;
    }
    return true;
}

/* --- Gemm --- */

struct gemm {
    struct product product;
    double alpha, beta;
    int64_t bias_row, bias_column; /* how far its elements are apart; 0: the same for all */
};

static bool read_bias(const struct call *call, struct gemm *gemm)
{
    const struct tensor *bias = call_input(call, 2);
    int64_t rows, columns;

    if (bias == NULL)
        return true;
    if (bias->rank > 2)
        return error_set(call->error, "a third input of %d dimensions", bias->rank);
    columns = bias->rank < 1 ? 1 : bias->dim[bias->rank - 1];
    rows = bias->rank < 2 ? 1 : bias->dim[0];
    if ((columns != 1 && columns != gemm->product.n) || (rows != 1 && rows != gemm->product.m))
        return error_set(call->error, "a third input that does not fit the product");
    if (call->computation->version < 7 &&
        computation_integer(call->computation, "broadcast", 0) == 0 &&
        (bias->rank != 2 || rows != gemm->product.m || columns != gemm->product.n))
        return error_set(call->error, "a third input to stretch without attribute 'broadcast'");
    gemm->bias_row = rows == 1 ? 0 : columns;
    gemm->bias_column = columns == 1 ? 0 : 1;
    return true;
}

static bool read_gemm(const struct call *call, struct gemm *gemm)
{
    const struct tensor *a = call_input(call, 0), *b = call_input(call, 1);
    bool a_flips = computation_integer(call->computation, "transA", 0) != 0;
    bool b_flips = computation_integer(call->computation, "transB", 0) != 0;

    if (a == NULL || b == NULL || call_output(call, 0) == NULL || a->rank != 2 || b->rank != 2)
        return error_set(call->error, "expected two matrices");
    *gemm = (struct gemm){.alpha = computation_real(call->computation, "alpha", 1.0),
                          .beta = computation_real(call->computation, "beta", 1.0)};
    if (b->dim[b_flips] != a->dim[!a_flips])
        return error_set(call->error, "matrices that do not fit each other");
    gemm->product =
        matrix_product(a->dim[a_flips], b->dim[!b_flips], a->dim[!a_flips], a_flips, b_flips);
    return read_bias(call, gemm) && accept_types(call, 0, 3, TYPES_REAL);
}

static bool accepts_gemm(const struct call *call)
{
    struct gemm gemm;

    return attributes_among(call, call->computation->version < 7
                                      ? "alpha beta broadcast transA transB"
                                      : "alpha beta transA transB") &&
           read_gemm(call, &gemm);
}

static bool run_gemm(const struct call *call)
{
    const struct tensor *a = call_input(call, 0), *b = call_input(call, 1);
    const struct tensor *bias = call_input(call, 2), *c = call_output(call, 0);
    const void *elements = bias == NULL ? NULL : bias->data;
    struct gemm gemm;

    if (!read_gemm(call, &gemm))
        return false;
    matrix_multiply(a->dtype, &gemm.product, a->data, b->data, c->data);
    CALL_REAL(a->dtype, add_bias, gemm.product.m, gemm.product.n, gemm.alpha, gemm.beta, elements,
              gemm.bias_row, gemm.bias_column, c->data);
    return true;
}

/* --- Det --- */

static bool accepts_det(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    int64_t matrices = 1;

    if (x == NULL || y == NULL || x->rank < 2 || x->dim[x->rank - 1] != x->dim[x->rank - 2])
        return error_set(call->error, "expected square matrices");
    for (int i = 0; i < x->rank - 2; i++)
        matrices *= x->dim[i];
    if (tensor_elements(y) != matrices)
        return error_set(call->error, "not one number for each matrix");
    return attributes_among(call, "") && accept_types(call, 0, 1, TYPES_REAL) &&
           accept_output(call, 0, x->dtype);
}

static bool run_det(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    int64_t n = x->dim[x->rank - 1];
    size_t bytes = (size_t)(n * n) * dtype_size(x->dtype);
    void *copy = memory_alloc(bytes + 1, 1);

    for (int64_t i = 0; i < tensor_elements(y); i++) {
        if (bytes > 0)
            memcpy(copy, (const char *)x->data + (size_t)i * bytes, bytes);
        if (x->dtype == DTYPE_F32)
            ((float *)y->data)[i] = determinant_f32(copy, n);
        else
            ((double *)y->data)[i] = determinant_f64(copy, n);
    }
    free(copy);
    return true;
}

const struct operator_rule operators_matrix[] = {
    {"Det", accepts_det, run_det, 0},
    {"Einsum", matrix_accepts_einsum, matrix_run_einsum, 0},
    {"Gemm", accepts_gemm, run_gemm, 0},
    {"MatMul", accepts_matmul, run_matmul, 0},
    {0},
};
