/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisations and softmaxes: small ones by hand, and what may lie in place.  */
#include <config.h>

#include <math.h>
#include <string.h>

#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define COUNT(cases) (sizeof(cases) / sizeof(cases)[0])

/* Two channels of two pixels; with means 2 and 10 and variances 4 and 9.  */
#define BATCH "1x2x2 0 4 7 13", "2 1 2", "2 0 100", "2 2 10", "2 4 9"

/* Moments 2 and 4 of the first channel, 10 and 9 of the second.  */
#define TRAINED "2x2x1 0 7 4 13", "2 1 2", "2 0 100", "2 0 0", "2 2 1"

static const struct operator_case batches[] = {
    {"inference", "BatchNormalization", 9, "epsilon=0.0", {BATCH}, {"1x2x2 -1 1 98 102"}, NULL},
    {"with an epsilon",
     "BatchNormalization",
     15,
     "epsilon=7.0",
     {"1x1x2 0 4", "1 3", "1 1", "1 2", "1 9"},
     {"1x1x2 -0.5 2.5"},
     NULL},
    {"of a row",
     "BatchNormalization",
     7,
     "epsilon=0.0",
     {"1x2 3 5", "2 1 1", "2 0 0", "2 1 1", "2 1 4"},
     {"1x2 2 2"},
     NULL},
    {"in version 6",
     "BatchNormalization",
     6,
     "epsilon=0.0 is_test=1",
     {BATCH},
     {"1x2x2 -1 1 98 102"},
     NULL},
    {"training in it, without its outputs",
     "BatchNormalization",
     6,
     NULL,
     {BATCH},
     {"1x2x2"},
     "without its outputs"},
    {"inference in it, with them",
     "BatchNormalization",
     6,
     "is_test=1",
     {BATCH},
     {"1x2x2", OPERATOR_CASE_UNREAD},
     "under is_test"},
    {"single elements", "BatchNormalization", 7, "spatial=0", {BATCH}, {"1x2x2"}, "single"},
    {"training with them",
     "BatchNormalization",
     7,
     "spatial=0",
     {BATCH},
     {"1x2x2", OPERATOR_CASE_UNREAD},
     "single"},
    {"outputs of training", "BatchNormalization", 14, NULL, {BATCH}, {"1x2x2", "2"}, "training"},
    {"outputs of training without readers",
     "BatchNormalization",
     14,
     "epsilon=0.0",
     {BATCH},
     {"1x2x2 -1 1 98 102", OPERATOR_CASE_UNREAD},
     NULL},
    {"an output of training of another length",
     "BatchNormalization",
     9,
     NULL,
     {BATCH},
     {"1x2x2", "2", "2", "2", "1"},
     "output 4"},
    {"a parameter too short",
     "BatchNormalization",
     9,
     NULL,
     {"1x2x2", "2", "2", "2", "1"},
     {"1x2x2"},
     "input 4 has 1 elements, expected 2"},
    {"no channels", "BatchNormalization", 9, NULL, {"2", "2", "2", "2", "2"}, {"2"}, "channels"},
    {"training",
     "BatchNormalization",
     14,
     "epsilon=0.0 momentum=0.25 training_mode=1",
     {TRAINED},
     {"2x2x1 -1 98 1 102", "2 1.5 7.5", "2 3.5 7"},
     NULL},
    {"training as outputs say",
     "BatchNormalization",
     9,
     "epsilon=0.0 momentum=0.25",
     {TRAINED},
     {"2x2x1 -1 98 1 102", "2 1.5 7.5", "2 3.5 7", "2 2 10", "2 4 9"},
     NULL},
    {"training whose moments nobody reads",
     "BatchNormalization",
     13,
     "epsilon=0.0",
     {TRAINED},
     {"2x2x1 -1 98 1 102", OPERATOR_CASE_UNREAD, OPERATOR_CASE_UNREAD, OPERATOR_CASE_UNREAD,
      OPERATOR_CASE_UNREAD},
     NULL},
    {"training in version 7",
     "BatchNormalization",
     7,
     "epsilon=0.0",
     {TRAINED},
     {"2x2x1 -1 98 1 102", NULL, NULL, OPERATOR_CASE_UNREAD},
     NULL},
    {"training in version 6",
     "BatchNormalization",
     6,
     "epsilon=0.0",
     {TRAINED},
     {"2x2x1 -1 98 1 102", OPERATOR_CASE_UNREAD, "2 2.2 1.8", "2 2 10", OPERATOR_CASE_UNREAD},
     NULL},
};

static const struct operator_case groups[] = {
    {"an instance",
     "InstanceNormalization",
     6,
     "epsilon=0.0",
     {"1x2x2 0 4 7 13", "2 1 2", "2 0 100"},
     {"1x2x2 -1 1 98 102"},
     NULL},
    {"each image",
     "InstanceNormalization",
     6,
     "epsilon=0.0",
     {"2x1x2 0 4 7 13", "1 3", "1 1"},
     {"2x1x2 -2 4 -2 4"},
     NULL},
    /* The deviation of 0 0 4 4 is 2, that of 1 1 7 7 is 3.  */
    {"groups",
     "GroupNormalization",
     21,
     "epsilon=0.0 num_groups=2",
     {"1x4x2 0 4 0 4 1 7 1 7", "4 1 2 3 4", "4 0 0 0 5"},
     {"1x4x2 -1 1 -2 2 -3 3 1 9"},
     NULL},
    {"with one scale each",
     "GroupNormalization",
     18,
     "epsilon=0.0 num_groups=2",
     {"1x4x2 0 4 0 4 1 7 1 7", "2 1 3", "2 0 5"},
     {"1x4x2 -1 1 -1 1 2 8 2 8"},
     NULL},
    {"groups that do not divide",
     "GroupNormalization",
     21,
     "num_groups=3",
     {"1x4x2", "4", "4"},
     {"1x4x2"},
     "3 groups of 4"},
    {"no groups", "GroupNormalization", 21, NULL, {"1x4x2", "4", "4"}, {"1x4x2"}, "0 groups"},
};

static const struct operator_case layers[] = {
    {"rows",
     "LayerNormalization",
     17,
     "epsilon=0.0",
     {"2x2 0 4 6 14", "2 1 2", "2 10 20"},
     {"2x2 9 22 9 22", "f32 2x1 2 10", "f32 2x1 0.5 0.25"},
     NULL},
    {"a row of two vectors",
     "LayerNormalization",
     17,
     "epsilon=0.0",
     {"16 0 0 0 0 0 0 0 0 4 4 4 4 4 4 4 4", "16 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"},
     {"16 -1 -1 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 1 1"},
     NULL},
    {"without a shift",
     "LayerNormalization",
     17,
     "axis=0 epsilon=0.0",
     {"2x2 1 1 7 7", "2x2 1 2 3 4"},
     {"2x2 -1 -2 3 4"},
     NULL},
    {"a scale of another length", "LayerNormalization", 17, NULL, {"2x2", "3"}, {"2x2"}, "input 1"},
    {"other moments", "LayerNormalization", 17, "stash_type=10", {"2x2", "2"}, {"2x2"}, "moments"},
    {"a third moment",
     "LayerNormalization",
     17,
     NULL,
     {"2x2", "2"},
     {"2x2", NULL, NULL, "2x1"},
     "output 3"},
    {"squares", "RMSNormalization", 23, "epsilon=0.0", {"1x2 1 -7", "2 5 10"}, {"1x2 1 -14"}, NULL},
};

/* 2 and 3 over themselves and 1e-9.  */
#define OF2 "0.9999999995"
#define OF3 "0.99999999966666667"

static const struct operator_case others[] = {
    /* Sums of squares 5, 14, 25 under a window of three channels.  */
    {"neighbours",
     "LRN",
     13,
     "size=3 alpha=3.0 beta=1.0 bias=1.0",
     {"1x3x1 1 2 4"},
     {"1x3x1 0.16666666666666666 0.090909090909090909 0.19047619047619047"},
     NULL},
    /* One of two looks forward only.  */
    {"an even window",
     "LRN",
     1,
     "size=2 alpha=2.0 beta=1.0 bias=0.0",
     {"1x2x2 1 2 3 1"},
     {"1x2x2 0.1 0.4 0.33333333333333333 1"},
     NULL},
    {"a wide window",
     "LRN",
     13,
     "size=99 alpha=99.0 beta=2.0 bias=0.0",
     {"1x2x1 1 2"},
     {"1x2x1 0.04 0.08"},
     NULL},
    {"the power three quarters, by roots",
     "LRN",
     13,
     "size=1 alpha=1.0 bias=7.0",
     {"1x1x3 3 0 -3"},
     {"1x1x3 0.375 0 -0.375"},
     NULL},
    {"no window", "LRN", 13, NULL, {"1x2x1"}, {"1x2x1"}, "size"},
    {"a length", "LpNormalization", 1, NULL, {"2x2 3 4 0 0"}, {"2x2 0.6 0.8 0 0"}, NULL},
    {"of sizes",
     "LpNormalization",
     1,
     "axis=0 p=1",
     {"2x2 3 4 1 -6"},
     {"2x2 0.75 0.4 0.25 -0.6"},
     NULL},
    {"of another order", "LpNormalization", 1, "p=3", {"2x2"}, {"2x2"}, "order 3"},
    {"means and deviations",
     "MeanVarianceNormalization",
     13,
     NULL,
     {"2x2x1x1 0 7 4 13"},
     {"2x2x1x1 -" OF2 " -" OF3 " " OF2 " " OF3},
     NULL},
    {"over other axes",
     "MeanVarianceNormalization",
     9,
     "axes=-1",
     {"2x2 0 4 7 13"},
     {"2x2 -" OF2 " " OF2 " -" OF3 " " OF3},
     NULL},
    {"over no axis of it", "MeanVarianceNormalization", 9, NULL, {"2x2"}, {"2x2"}, "axis 2"},
};

#define LN3 "1.0986122886681098"
#define LN4 "1.3862943611198906"

static const struct operator_case softmaxes[] = {
    {"a row", "Softmax", 13, NULL, {"2 0 " LN3}, {"2 0.25 0.75"}, NULL},
    {"columns", "Softmax", 13, "axis=0", {"2x2 0 0 " LN3 " 0"}, {"2x2 0.25 0.5 0.75 0.5"}, NULL},
    {"all behind the axis, before",
     "Softmax",
     11,
     NULL,
     {"1x2x2 0 0 0 0"},
     {"1x2x2 0.25 0.25 0.25 0.25"},
     NULL},
    {"behind the last, before", "Softmax", 11, "axis=1", {"2 5 7"}, {"2 1 1"}, NULL},
    {"but not since", "Softmax", 13, "axis=1", {"2 5 7"}, {"2"}, "axis 1"},
    {"large ones", "Softmax", 13, NULL, {"2 1e4 1e4"}, {"2 0.5 0.5"}, NULL},
    {"large ones in columns",
     "Softmax",
     13,
     "axis=0",
     {"2x2 1e4 -1e4 1e4 -1e4"},
     {"2x2 0.5 0.5 0.5 0.5"},
     NULL},
    {"an infinite one", "Softmax", 13, NULL, {"2 -inf 3"}, {"2 0 1"}, NULL},
    {"no number", "Softmax", 13, NULL, {"2 nan 3"}, {"2 nan nan"}, NULL},
    {"of none", "Softmax", 13, NULL, {"0x2"}, {"0x2"}, NULL},
    {"of rows of none", "Softmax", 13, NULL, {"2x0"}, {"2x0"}, NULL},
    {"logarithms", "LogSoftmax", 13, NULL, {"2 0 " LN3}, {"2 -" LN4 " -0.28768207245178093"}, NULL},
    {"logarithms of far ones", "LogSoftmax", 13, NULL, {"2 0 -1000"}, {"2 0 -1000"}, NULL},
    {"the first of the largest",
     "Hardmax",
     13,
     NULL,
     {"2x3 1 3 3 5 4 5"},
     {"2x3 0 1 0 1 0 0"},
     NULL},
    {"the first along columns", "Hardmax", 13, "axis=0", {"2x2 1 3 1 4"}, {"2x2 1 0 0 1"}, NULL},
    {"whole numbers", "Softmax", 13, NULL, {"i32 2"}, {"i32 2"}, "i32"},
};

/* More columns than are done side by side, against their definition, on memory of its own and in
 * place.  */
static void test_columns(void)
{
    enum { ROWS = 3, WIDE = 150 };
    static const char *const names[] = {"Softmax", "LogSoftmax"};
    double x[ROWS * WIDE], y[ROWS * WIDE];
    struct tensor in = {DTYPE_F64, 2, {ROWS, WIDE}, x}, out = in;
    const struct tensor *from = &in, *to = &out;
    struct error error = {{0}};

    out.data = y;
    for (size_t n = 0; n < COUNT(names); n++) {
        struct computation *computation = computation_new(names[n], 13, 1, 1);
        struct call call = {computation, 1, 1, &from, &to, &error};
        bool good, near = true;

        computation_set_integer(computation, "axis", 0);
        for (int i = 0; i < ROWS * WIDE; i++)
            x[i] = (double)(i * 37 % 101) / 10;
        good = operator_accepts(&call) && operator_run(&call);
        for (int i = 0; i < ROWS * WIDE; i++) {
            double sum = 0, want;

            for (int r = 0; r < ROWS; r++)
                sum += exp(x[r * WIDE + i % WIDE]);
            want = n == 0 ? exp(x[i]) / sum : x[i] - log(sum);
            near = near && fabs(y[i] - want) < 1e-12;
        }
        ok(good && near, "%s of many columns", names[n]);
        to = &in;
        good = operator_run(&call);
        ok(good && memcmp(x, y, sizeof x) == 0, "%s in place", names[n]);
        to = &out;
        computation_free(computation);
    }
}

int main(void)
{
    operator_cases(batches, COUNT(batches));
    operator_cases(groups, COUNT(groups));
    operator_cases(layers, COUNT(layers));
    operator_cases(others, COUNT(others));
    operator_cases(softmaxes, COUNT(softmaxes));
    test_columns();
    return tap_done();
}
