/* Products of matrices of type REAL, and determinants: included once for each type by matrix.c,
 * which says what REAL and TYPED are.
 *
 * B is copied, WIDTH columns at a time, into a panel whose rows are short and lie side by side, and
 * ROWS rows of A meet a panel at once: their sums stay in registers.  Sums are broken off after
 * DEPTH elements, so that long ones lose less.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_MATRIX_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_MATRIX_REAL_H

#define LANES ((int)(16 / sizeof(REAL)))
#define WIDTH (2 * LANES)

typedef REAL TYPED(vector) __attribute__((vector_size(16)));

/* Columns [COLUMN, COLUMN + WIDTH) of rows [FROM, FROM + COUNT) of B; 0 beyond the last.  */
static void TYPED(pack)(const struct product *p, const REAL *b, int64_t from, int64_t count,
                        int64_t column, REAL *panel)
{
    int64_t width = min64(WIDTH, p->n - column);

    b += from * p->b_row + column * p->b_column;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < width; j++)
            panel[j] = b[i * p->b_row + j * p->b_column];
        for (int64_t j = width; j < WIDTH; j++)
            panel[j] = 0;
        panel += WIDTH;
    }
}

/* ROWS rows of A times a panel.  */
static void TYPED(tile)(const REAL *const *a, int64_t step, const REAL *panel, int64_t count,
                        REAL *sums)
{
    TYPED(vector) sum[ROWS][2] = {{{0}}};

    for (int64_t i = 0; i < count; i++) {
        TYPED(vector) low, high;

        memcpy(&low, panel + i * WIDTH, sizeof low);
        memcpy(&high, panel + i * WIDTH + LANES, sizeof high);
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) {
            sum[r][0] += a[r][i * step] * low;
            sum[r][1] += a[r][i * step] * high;
        }
    }
    memcpy(sums, sum, sizeof sum);
}

/* All rows of A times a panel of COUNT rows from FROM: columns [COLUMN, ...) of C.  */
static void TYPED(panel_times)(const struct product *p, const REAL *a, const REAL *panel,
                               int64_t from, int64_t count, int64_t column, REAL *c)
{
    int64_t width = min64(WIDTH, p->n - column);
    REAL sums[ROWS * WIDTH];

    a += from * p->a_column;
    for (int64_t i = 0; i < p->m; i += ROWS) {
        int64_t rows = min64(ROWS, p->m - i);
        const REAL *row[ROWS];

        for (int r = 0; r < ROWS; r++)
            row[r] = a + min64(i + r, p->m - 1) * p->a_row;
        TYPED(tile)(row, p->a_column, panel, count, sums);
        for (int64_t r = 0; r < rows; r++) {
            REAL *to = c + (i + r) * p->c_row + column;

            for (int64_t j = 0; j < width; j++)
                to[j] = (from == 0 ? 0 : to[j]) + sums[r * WIDTH + j];
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

void TYPED(matrix_multiply)(const struct product *p, const REAL *a, const REAL *b, REAL *c)
{
    REAL *panel;

    for (int64_t i = 0; p->k == 0 && i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            c[i * p->c_row + j] = 0;
    if (p->m == 0 || p->k == 0)
        return;
    /* Few rows or columns: nothing of a panel would be used again.  */
    if ((p->m < ROWS || p->n < ROWS) && p->a_column == 1 && p->b_row == 1) {
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < p->n; j++)
                c[i * p->c_row + j] = TYPED(dot)(a + i * p->a_row, b + j * p->b_column, p->k);
        return;
    }
    panel = memory_aligned(64, (size_t)DEPTH * WIDTH * sizeof *panel);
    for (int64_t column = 0; column < p->n; column += WIDTH)
        for (int64_t from = 0; from < p->k; from += DEPTH) {
            int64_t count = min64(DEPTH, p->k - from);

            TYPED(pack)(p, b, from, count, column, panel);
            TYPED(panel_times)(p, a, panel, from, count, column, c);
        }
    free(panel);
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

#undef LANES
#undef WIDTH
#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_MATRIX_REAL_H
#endif
