/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of matrices of type REAL, and determinants: included once for each type by matrix.c,
 * which says what REAL and TYPED are.
 *
 * Both are copied into panels first: of A as many rows, of B as many columns as a tile has, side by
 * side for each step of a sum.  Sums are broken off after DEPTH elements, so that long ones lose
 * less.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_MATRIX_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_MATRIX_REAL_H

/* The panel of WIDTH rows of a matrix for COUNT steps, or of columns: LINES of them are there,
 * ACROSS elements apart, with ALONG elements between two steps; 0 beyond the last.  */
static void TYPED(pack)(const REAL *restrict from, int64_t across, int64_t along, int64_t lines,
                        int64_t count, int width, REAL *restrict panel)
{
    if (across == 1 && lines == width) {
        for (int64_t i = 0; i < count; i++)
            memcpy(panel + i * width, from + i * along, (size_t)width * sizeof *panel);
        return;
    }
    for (int64_t j = 0; j < lines; j++)
        for (int64_t i = 0; i < count; i++)
            panel[i * width + j] = from[j * across + i * along];
    for (int64_t j = lines; j < width; j++)
        for (int64_t i = 0; i < count; i++)
            panel[i * width + j] = 0;
}

/* ROWS rows of C, or as many as a tile has: what was packed of A and of B, of P->n columns.  */
static void TYPED(panels)(const struct TYPED(matrix_tile) * tile, const struct product *p,
                          const REAL *a, const REAL *b, REAL *c, int64_t rows, bool more)
{
    REAL sums[MATRIX_TILE_ROWS * (MATRIX_TILE_BYTES / sizeof(REAL))];

    for (int64_t column = 0; column < p->n; column += tile->columns) {
        int64_t columns = min64(tile->columns, p->n - column);
        const REAL *panel = b + column * p->k;

        if (rows == tile->rows && columns == tile->columns) {
            tile->run(a, panel, p->k, c + column, p->c_row, more);
            continue;
        }
        /* It hangs over the edge.  */
        tile->run(a, panel, p->k, sums, tile->columns, false);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < columns; j++) {
                REAL *to = &c[i * p->c_row + column + j], sum = sums[i * tile->columns + j];

                *to = more ? *to + sum : sum;
            }
    }
}

/* The sum of a[i] * b[i].  */
static REAL TYPED(dot)(const REAL *a, const REAL *b, int64_t count)
{
    REAL lane[8] = {0}, rest = 0;
    int64_t i = 0;

    if (count > 2 * DEPTH) {
        int64_t half = count / 16 * 8;

        return TYPED(dot)(a, b, half) + TYPED(dot)(a + half, b + half, count - half);
    }
    for (; i + 8 <= count; i += 8)
        for (int j = 0; j < 8; j++)
            lane[j] += a[i + j] * b[i + j];
    for (; i < count; i++)
        rest += a[i] * b[i];
    return rest + ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
           ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

/* A product of no more than COLUMNS columns and DEPTH steps, with ROOM for what is packed of it; C
 * is added to if MORE.  */
static void TYPED(multiply_block)(const struct product *p, const REAL *a, const REAL *b, REAL *c,
                                  bool more, REAL *room)
{
    const struct TYPED(matrix_tile) *tile = TYPED(matrix_tile)(matrix_tiles() - 1);
    REAL *packed = room + MATRIX_TILE_ROWS * DEPTH;

    for (int64_t j = 0; j < p->n; j += tile->columns)
        TYPED(pack)
    (b + j * p->b_column, p->b_column, p->b_row, min64(tile->columns, p->n - j), p->k,
     tile->columns, packed + j * p->k);
    for (int64_t i = 0; i < p->m; i += tile->rows) {
        int64_t rows = min64(tile->rows, p->m - i);

        TYPED(pack)(a + i * p->a_row, p->a_row, p->a_column, rows, p->k, tile->rows, room);
        TYPED(panels)(tile, p, room, packed, c + i * p->c_row, rows, more);
    }
}

static void TYPED(multiply_packed)(const struct product *p, const REAL *a, const REAL *b, REAL *c)
{
    size_t elements = DEPTH * (MATRIX_TILE_ROWS + COLUMNS);
    REAL *room = memory_aligned(64, elements * sizeof *room);
    struct product block = *p;

    for (int64_t column = 0; column < p->n; column += COLUMNS)
        for (int64_t from = 0; from < p->k; from += DEPTH) {
            block.n = min64(COLUMNS, p->n - column);
            block.k = min64(DEPTH, p->k - from);
            TYPED(multiply_block)
            (&block, a + from * p->a_column, b + from * p->b_row + column * p->b_column, c + column,
             from > 0, room);
        }
    free(room);
}

void TYPED(matrix_multiply)(const struct product *p, const REAL *a, const REAL *b, REAL *c)
{
    for (int64_t i = 0; p->k == 0 && i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            c[i * p->c_row + j] = 0;
    if (p->m == 0 || p->k == 0)
        return;
    /* Few rows or columns: nothing of a panel would be used again.  */
    if ((p->m < FEW || p->n < FEW) && p->a_column == 1 && p->b_row == 1) {
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < p->n; j++)
                c[i * p->c_row + j] = TYPED(dot)(a + i * p->a_row, b + j * p->b_column, p->k);
        return;
    }
    TYPED(multiply_packed)(p, a, b, c);
}

/* c = alpha c + beta bias, whose elements are B_ROW and B_COLUMN apart; 0: the same for all.  */
static void TYPED(add_bias)(int64_t m, int64_t n, double alpha, double beta, const REAL *bias,
                            int64_t b_row, int64_t b_column, REAL *c)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            REAL product = (REAL)alpha * c[i * n + j];

            c[i * n + j] =
                bias == NULL ? product : product + (REAL)beta * bias[i * b_row + j * b_column];
        }
}

/* The determinant of the N x N elements of A, which it overwrites, by elimination; the largest
 * element of a column leads.  */
static REAL TYPED(determinant)(REAL *a, int64_t n)
{
    REAL product = 1;

    for (int64_t i = 0; i < n; i++) {
        int64_t lead = i;

        for (int64_t r = i + 1; r < n; r++)
            if (fabs(a[r * n + i]) > fabs(a[lead * n + i]))
                lead = r;
        for (int64_t j = i; lead != i && j < n; j++) {
            REAL above = a[i * n + j];

            a[i * n + j] = a[lead * n + j];
            a[lead * n + j] = above;
        }
        product *= lead == i ? a[i * n + i] : -a[i * n + i];
        if (a[i * n + i] == 0)
            return 0;
        for (int64_t r = i + 1; r < n; r++) {
            REAL factor = a[r * n + i] / a[i * n + i];

            for (int64_t j = i + 1; j < n; j++)
                a[r * n + j] -= factor * a[i * n + j];
        }
    }
    return product;
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_MATRIX_REAL_H
#endif
