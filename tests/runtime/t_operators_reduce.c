/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reductions and operators along an axis: small ones by hand, long sums against one of long
 * doubles, all choices of axes against their definition.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define SIX "2x3 1 2 3 4 5 6"

static const struct operator_case reductions[] = {
    {"all", "ReduceSum", 11, NULL, {SIX}, {"1x1 21"}, NULL},
    {"rows", "ReduceSum", 11, "axes=-1 keepdims=0", {SIX}, {"2 6 15"}, NULL},
    {"columns", "ReduceSum", 13, NULL, {SIX, "i64 1 0"}, {"1x3 5 7 9"}, NULL},
    {"nothing", "ReduceSum", 13, "noop_with_empty_axes=1", {SIX, "i64 0"}, {SIX}, NULL},
    {"no axes are all", "ReduceSum", 13, NULL, {SIX, "i64 0"}, {"1x1 21"}, NULL},
    {"no such axis", "ReduceSum", 11, "axes=2", {SIX}, {"2x3"}, "axis 2"},
    {"no such axis later", "ReduceSum", 13, NULL, {SIX, "i64 1 -3"}, {"2x3"}, "axis -3"},
    {"axes as input before", "ReduceMax", 13, "axes=0", {SIX}, {"1x3 4 5 6"}, NULL},
    {"axes as input since", "ReduceMax", 18, NULL, {SIX, "i64 1 0"}, {"1x3 4 5 6"}, NULL},
    {"an attribute since", "ReduceMax", 18, "axes=0", {SIX}, {"1x3"}, "'axes'"},
    {"a mean", "ReduceMean", 11, "axes=1", {SIX}, {"2x1 2 5"}, NULL},
    {"a mean of whole ones", "ReduceMean", 11, NULL, {"i32 2 1 2"}, {"i32 1"}, "i32"},
    {"least", "ReduceMin", 11, "axes=1", {"2x2 4 -1 2 3"}, {"2x1 -1 2"}, NULL},
    {"bytes", "ReduceMin", 12, NULL, {"u8 2 200 100"}, {"u8 1 100"}, NULL},
    {"no number", "ReduceMax", 11, "axes=0", {"2x2 nan 1 2 nan"}, {"1x2 nan nan"}, NULL},
    {"a product", "ReduceProd", 11, "axes=0", {SIX}, {"1x3 4 10 18"}, NULL},
    {"wrapping around", "ReduceProd", 11, NULL, {"i32 2 65536 65537"}, {"i32 1 65536"}, NULL},
    {"sizes", "ReduceL1", 11, NULL, {"3 1 -2 3"}, {"1 6"}, NULL},
    {"sizes of whole ones", "ReduceL1", 11, NULL, {"i64 3 1 -2 3"}, {"i64 1 6"}, NULL},
    {"a length", "ReduceL2", 11, NULL, {"2 3 -4"}, {"1 5"}, NULL},
    {"squares", "ReduceSumSquare", 11, NULL, {"2 3 -4"}, {"1 25"}, NULL},
    {"a logarithm", "ReduceLogSum", 11, NULL, {"2 0.25 0.25"}, {"1 -0.6931471805599453"}, NULL},
    {"exponentials", "ReduceLogSumExp", 11, NULL, {"2 1 1"}, {"1 1.693147180559945"}, NULL},
    {"large ones", "ReduceLogSumExp", 11, NULL, {"2 1e4 1e4"}, {"1 10000.69314718056"}, NULL},
    {"columns of large ones",
     "ReduceLogSumExp",
     11,
     "axes=0",
     {"2x2 1e4 -1e4 1e4 -1e4"},
     {"1x2 10000.69314718056 -9999.306852819440"},
     NULL},
    {"infinite ones",
     "ReduceLogSumExp",
     11,
     "axes=1",
     {"2x2 -inf -inf inf 1"},
     {"2x1 -inf inf"},
     NULL},
    {"the sum of none", "ReduceSum", 13, NULL, {"0x2", "i64 1 0"}, {"1x2 0 0"}, NULL},
    {"the product of none", "ReduceProd", 11, NULL, {"0"}, {"1 1"}, NULL},
    {"the largest of none", "ReduceMax", 18, NULL, {"0"}, {"1 -inf"}, NULL},
    {"the mean of none", "ReduceMean", 11, NULL, {"0"}, {"1 nan"}, NULL},
    {"none at all", "ReduceSum", 11, "axes=1", {"0x2"}, {"0x1"}, NULL},
    {"of rank 0", "ReduceSumSquare", 11, NULL, {" 3"}, {" 9"}, NULL},
    {"an ambiguous one",
     "ReduceL1",
     18,
     "noop_with_empty_axes=1",
     {"1 -1"},
     {"1"},
     "noop_with_empty_axes"},
};

static const struct operator_case alongs[] = {
    {"columns", "ArgMax", 13, NULL, {"2x2 1 5 3 2"}, {"i64 1x2 1 0"}, NULL},
    {"rows", "ArgMin", 1, "axis=1 keepdims=0", {"2x2 1 5 3 2"}, {"i64 2 0 1"}, NULL},
    {"the first", "ArgMax", 13, NULL, {"3 7 1 7"}, {"i64 1 0"}, NULL},
    {"the last", "ArgMax", 13, "select_last_index=1", {"3 7 7 1"}, {"i64 1 1"}, NULL},
    {"no number", "ArgMin", 13, NULL, {"4 7 nan 1 nan"}, {"i64 1 1"}, NULL},
    {"the last that is none",
     "ArgMax",
     13,
     "select_last_index=1",
     {"4 7 nan 1 nan"},
     {"i64 1 3"},
     NULL},
    {"bytes", "ArgMax", 13, NULL, {"u8 2 1 200"}, {"i64 1 1"}, NULL},
    {"of none", "ArgMax", 13, NULL, {"0"}, {"i64 1"}, "no element"},
    {"along rows", "CumSum", 14, NULL, {SIX, "i64  1"}, {"2x3 1 3 6 4 9 15"}, NULL},
    {"along columns", "CumSum", 11, NULL, {SIX, "i32  -2"}, {"2x3 1 2 3 5 7 9"}, NULL},
    {"without itself", "CumSum", 14, "exclusive=1", {"3 1 2 3", "i64  0"}, {"3 0 1 3"}, NULL},
    {"backwards", "CumSum", 14, "reverse=1", {"3 1 2 3", "i64  0"}, {"3 6 5 3"}, NULL},
    {"both",
     "CumSum",
     14,
     "exclusive=1 reverse=1",
     {"i32 3 1 2 3", "i64  0"},
     {"i32 3 5 3 0"},
     NULL},
    {"no such axis", "CumSum", 14, NULL, {"1 1", "i64  1"}, {"1"}, "axis 1"},
};

/* --- larger ones --- */

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
    struct error error = {{0}};
    struct call call = {computation, 1, 1, &in, &to, &error};
    long double want = 0, columns[2] = {0, 0};
    struct rng *rng = rng_new(1);
    bool good;

    for (int i = 0; i < 2 * LONG; i++) {
        element[i] = (float)rng_range(rng, 0, 1000) / 1000.0f;
        want += i < LONG ? element[i] : 0;
        columns[i % 2] += element[i];
    }
    computation_set_integer(computation, "axes", 0);
    good = operator_accepts(&call) && operator_run(&call);
    ok(good && fabsl(sum[0] / want - 1) < 1e-6L, "a long row");
    in = &rows;
    out.dim[0] = 2;
    good = operator_accepts(&call) && operator_run(&call);
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
    struct error error = {{0}};

    output.data = got;
    for (int i = 0; i < ALL; i++)
        element[i] = (float)(i * 37 % 101);
    for (int axes = 1; axes < 16; axes++) {
        struct computation *computation = computation_new("ReduceSum", 11, 1, 1);
        struct call call = {computation, 1, 1, &in, &out, &error};
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
        ok(operator_accepts(&call) && operator_run(&call) &&
               memcmp(got, want, (size_t)tensor_elements(&output) * sizeof *got) == 0,
           "axes %d", axes);
        computation_free(computation);
    }
}

#define COUNT(cases) (sizeof(cases) / sizeof(cases)[0])

int main(void)
{
    operator_cases(reductions, COUNT(reductions));
    operator_cases(alongs, COUNT(alongs));
    test_long();
    test_axes();
    return tap_done();
}
