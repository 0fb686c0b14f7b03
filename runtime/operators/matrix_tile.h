/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tile of a product of matrices: ROWS rows of A times two vectors of columns of B.  Included by
 * matrix_tiles.c, once for each type and length of vectors, which says what REAL, VECTOR (bytes),
 * ROWS, TARGET (the instruction set) and TILE(name) are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_MATRIX_TILE_H
#define ARENABENCH_RUNTIME_OPERATORS_MATRIX_TILE_H

typedef REAL TILE(vector) __attribute__((vector_size(VECTOR), aligned(sizeof(REAL)), may_alias));

/* A and B as they were packed: ROWS and two vectors' elements, side by side, for each of COUNT
 * steps.  C is written, or added to if MORE.  */
TARGET static void TILE(run)(const REAL *a, const REAL *b, int64_t count, REAL *c, int64_t c_row,
                             bool more)
{
    enum { LANES = VECTOR / sizeof(REAL) };
    TILE(vector) sum[ROWS][2] = {{{0}}};

    for (int64_t i = 0; i < count; i++) {
        TILE(vector) low = *(const TILE(vector) *)b, high = *(const TILE(vector) *)(b + LANES);

#pragma GCC unroll 16
        for (int r = 0; r < ROWS; r++) {
            sum[r][0] += a[r] * low;
            sum[r][1] += a[r] * high;
        }
        a += ROWS;
        b += 2 * LANES;
    }
#pragma GCC unroll 16
    for (int r = 0; r < ROWS; r++) {
        TILE(vector) *to = (TILE(vector) *)(c + r * c_row);

        if (more) {
            sum[r][0] += to[0];
            sum[r][1] += to[1];
        }
        to[0] = sum[r][0];
        to[1] = sum[r][1];
    }
}

#undef VECTOR
#undef ROWS
#undef TARGET
#undef TILE
#undef ARENABENCH_RUNTIME_OPERATORS_MATRIX_TILE_H
#endif
