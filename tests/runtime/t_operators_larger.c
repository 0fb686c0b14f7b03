/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on more than fits a line of text: the largest elements against sorting, long sums
 * against one of long doubles, all choices of axes and many columns against their definition; and
 * parts that lie at their places already.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* --- the largest elements --- */

#define ROW 200

static int by_value(const void *a, const void *b)
{
    const float *x = *(const float *const *)a, *y = *(const float *const *)b;

    return ORDER(*y, *x) ?: ORDER(x, y);
}

/* Every number of largest ones, with many that are equal.  */
static void test_largest(void)
{
    float element[ROW], value[ROW];
    const float *sorted[ROW];
    int64_t index[ROW], k;
    struct tensor row = {DTYPE_F32, 1, {ROW}, element}, number = {DTYPE_I64, 1, {1}, &k};
    struct tensor values = {DTYPE_F32, 1, {0}, value}, indices = {DTYPE_I64, 1, {0}, index};
    const struct tensor *in[] = {&row, &number}, *out[] = {&values, &indices};
    struct computation *computation = computation_new("TopK", 11, 2, 2);
    struct rng *rng = rng_new(7);
    bool good = true;

    for (int i = 0; i < ROW; i++) {
        element[i] = (float)rng_range(rng, 0, 20);
        sorted[i] = &element[i];
    }
    qsort(sorted, ROW, sizeof *sorted, by_value);
    for (k = 0; k <= ROW && good; k++) {
        values.dim[0] = indices.dim[0] = k;
        good = operator_runs(computation, in, 2, out, 2);
        for (int i = 0; good && i < k; i++)
            good = index[i] == sorted[i] - element && value[i] == *sorted[i];
    }
    ok(good, "all numbers of largest elements");
    rng_free(rng);
    computation_free(computation);
}

/* --- sums --- */

#define LONG 1000003

/* A sum of that many floats in a row, and of as many rows of two.  */
static void test_long(void)
{
    float *element = memory_alloc(2 * LONG, sizeof *element);
    struct tensor row = {DTYPE_F32, 1, {LONG}, element}, rows = {DTYPE_F32, 2, {LONG, 2}, element};
    float sum[2];
    struct tensor out = {DTYPE_F32, 1, {1}, sum};
    const struct tensor *in = &row, *to = &out;
    struct computation *computation = computation_new("ReduceSum", 11, 1, 1);
    long double want = 0, columns[2] = {0, 0};
    struct rng *rng = rng_new(1);
    bool good;

    for (int i = 0; i < 2 * LONG; i++) {
        element[i] = (float)rng_range(rng, 0, 1000) / 1000.0f;
        want += i < LONG ? element[i] : 0;
        columns[i % 2] += element[i];
    }
    computation_set_integer(computation, "axes", 0);
    good = operator_runs(computation, &in, 1, &to, 1);
    ok(good && fabsl(sum[0] / want - 1) < 1e-6L, "a long row");
    in = &rows;
    out.dim[0] = 2;
    good = operator_runs(computation, &in, 1, &to, 1);
    ok(good && fabsl(sum[0] / columns[0] - 1) < 1e-5L && fabsl(sum[1] / columns[1] - 1) < 1e-5L,
       "many rows");
    rng_free(rng);
    computation_free(computation);
    free(element);
}

#define SIDE 3

/* All sets of axes of four dimensions, whole numbers that f32 adds without an error.  */
static void test_axes(void)
{
    enum { ALL = SIDE * SIDE * SIDE * SIDE };
    float element[ALL], got[ALL], want[ALL];
    struct tensor input = {DTYPE_F32, 4, {SIDE, SIDE, SIDE, SIDE}, element}, output = input;
    const struct tensor *in = &input, *out = &output;

    output.data = got;
    for (int i = 0; i < ALL; i++)
        element[i] = (float)(i * 37 % 101);
    for (int axes = 1; axes < 16; axes++) {
        struct computation *computation = computation_new("ReduceSum", 11, 1, 1);
        int64_t axis[4];
        size_t count = 0;

        memset(want, 0, sizeof want);
        for (int d = 0; d < 4; d++) {
            output.dim[d] = (axes >> d & 1) != 0 ? 1 : SIDE;
            if ((axes >> d & 1) != 0)
                axis[count++] = d;
        }
        for (int i = 0; i < ALL; i++) {
            int at = 0, rest = i, place = 1;

            for (int d = 3; d >= 0; d--, rest /= SIDE)
                if ((axes >> d & 1) == 0) {
                    at += rest % SIDE * place;
                    place *= SIDE;
                }
            want[at] += element[i];
        }
        computation_set_integers(computation, "axes", axis, count);
        ok(operator_runs(computation, &in, 1, &out, 1) &&
               memcmp(got, want, (size_t)tensor_elements(&output) * sizeof *got) == 0,
           "axes %d", axes);
        computation_free(computation);
    }
}

/* --- softmaxes --- */

/* More columns than are done side by side, against their definition, on memory of its own and in
 * place.  */
static void test_columns(void)
{
    enum { ROWS = 3, WIDE = 150 };
    static const char *const names[] = {"Softmax", "LogSoftmax"};
    double x[ROWS * WIDE], y[ROWS * WIDE];
    struct tensor in = {DTYPE_F64, 2, {ROWS, WIDE}, x}, out = in;
    const struct tensor *from = &in, *to = &out;

    out.data = y;
    for (size_t n = 0; n < COUNT(names); n++) {
        struct computation *computation = computation_new(names[n], 13, 1, 1);
        bool good, near = true;

        computation_set_integer(computation, "axis", 0);
        for (int i = 0; i < ROWS * WIDE; i++)
            x[i] = (double)(i * 37 % 101) / 10;
        good = operator_runs(computation, &from, 1, &to, 1);
        for (int i = 0; i < ROWS * WIDE; i++) {
            double sum = 0, want;

            for (int r = 0; r < ROWS; r++)
                sum += exp(x[r * WIDE + i % WIDE]);
            want = n == 0 ? exp(x[i]) / sum : x[i] - log(sum);
            near = near && fabs(y[i] - want) < 1e-12;
        }
        ok(good && near, "%s of many columns", names[n]);
        to = &in;
        good = operator_runs(computation, &from, 1, &to, 1);
        ok(good && memcmp(x, y, sizeof x) == 0, "%s in place", names[n]);
        to = &out;
        computation_free(computation);
    }
}

/* --- at their places --- */

/* The second of two rows is in the output already.  */
static void test_concat_in_place(void)
{
    struct computation *computation = computation_new("Concat", 13, 2, 1);
    float memory[4] = {0, 0, 3, 4}, first[2] = {1, 2};
    struct tensor a = {DTYPE_F32, 2, {1, 2}, first}, b = {DTYPE_F32, 2, {1, 2}, memory + 2};
    struct tensor all = {DTYPE_F32, 2, {2, 2}, memory};
    const struct tensor *in[] = {&a, &b}, *out[] = {&all};

    computation_set_integer(computation, "axis", 0);
    ok(operator_runs(computation, in, 2, out, 1), "a concatenation runs");
    ok(memory[0] == 1 && memory[1] == 2 && memory[2] == 3 && memory[3] == 4,
       "a part is at its place and stays");
    computation_free(computation);
}

static void test_views(void)
{
    struct computation *split = computation_new("Split", 13, 1, 2);
    struct computation *reshape = computation_new("Reshape", 13, 2, 1);
    float memory[4] = {1, 2, 3, 4};
    int64_t four = 4;
    struct tensor all = {DTYPE_F32, 2, {2, 2}, memory}, shape = {DTYPE_I64, 1, {1}, &four};
    struct tensor a = {DTYPE_F32, 2, {1, 2}, memory}, b = {DTYPE_F32, 2, {1, 2}, memory + 2};
    struct tensor row = {DTYPE_F32, 1, {4}, memory};
    const struct tensor *in[] = {&all, &shape}, *halves[] = {&a, &b}, *whole[] = {&row};

    ok(operator_runs(split, in, 1, halves, 2) && memory[3] == 4, "halves that are views");
    ok(operator_runs(reshape, in, 2, whole, 1) && memory[3] == 4, "a shape that is a view");
    computation_free(split);
    computation_free(reshape);
}

int main(void)
{
    test_largest();
    test_long();
    test_axes();
    test_columns();
    test_concat_in_place();
    test_views();
    return tap_done();
}
