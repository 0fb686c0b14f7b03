/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of products of matrices, for each length of vectors.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_MATRIX_TILES_H
#define ARENABENCH_RUNTIME_OPERATORS_MATRIX_TILES_H

#include <stdbool.h>
#include <stdint.h>

/* The most that a tile has.  */
enum { MATRIX_TILE_ROWS = 12, MATRIX_TILE_BYTES = 128 /* of a row of its columns */ };

/* Of ROWS x COLUMNS elements of C: what is packed of A has ROWS, of B COLUMNS elements side by side
 * for each of COUNT steps.  C, whose rows are C_ROW elements apart, is written, or added to if
 * MORE.  */
struct matrix_tile_f32 {
    int rows, columns;
    void (*run)(const float *a, const float *b, int64_t count, float *c, int64_t c_row, bool more);
};

struct matrix_tile_f64 {
    int rows, columns;
    void (*run)(const double *a, const double *b, int64_t count, double *c, int64_t c_row,
                bool more);
};

/* How many of them the processor can run; the last has the longest vectors.  */
int matrix_tiles(void);

const struct matrix_tile_f32 *matrix_tile_f32(int which);
const struct matrix_tile_f64 *matrix_tile_f64(int which);

#endif
