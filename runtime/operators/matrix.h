/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of matrices, for the operators that are made of them.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_MATRIX_H
#define ARENABENCH_RUNTIME_OPERATORS_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

/* C (M x N) = A (M x K) B (K x N).  Element (i, j) of a matrix is i * row + j * column elements
 * behind its first; the elements of a row of C lie side by side.  */
struct product {
    int64_t m, n, k;
    int64_t a_row, a_column;
    int64_t b_row, b_column;
    int64_t c_row;
};

/* That of matrices whose elements lie without gaps: of A M rows of K, or K rows of M where it is
 * TRANSPOSED, and of B likewise K rows of N or N rows of K.  */
struct product matrix_product(int64_t m, int64_t n, int64_t k, bool a_transposed,
                              bool b_transposed);

/* DTYPE: a real type, or whole numbers of 32 or 64 bits, which wrap around.  */
void matrix_multiply(enum dtype dtype, const struct product *product, const void *a, const void *b,
                     void *c);
void matrix_multiply_f32(const struct product *product, const float *a, const float *b, float *c);
void matrix_multiply_f64(const struct product *product, const double *a, const double *b,
                         double *c);

bool matrix_accepts_einsum(const struct call *call);
bool matrix_run_einsum(const struct call *call);

#endif
