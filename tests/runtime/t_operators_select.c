/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that pick, put and make elements, by hand; the largest elements against sorting.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define FOUR "2x2 1 2 3 4"
#define SIX "2x3 1 2 3 4 5 6"
#define EIGHT "2x2x2 1 2 3 4 5 6 7 8"

static const struct operator_case picks[] = {
    {"rows", "Gather", 1, NULL, {SIX, "i64 2 1 1"}, {"2x3 4 5 6 4 5 6"}, NULL},
    {"columns from the end", "Gather", 13, "axis=1", {SIX, "i32 1x1 -1"}, {"2x1x1 3 6"}, NULL},
    {"one index", "Gather", 13, NULL, {"u8 3 7 8 9", "i64  2"}, {"u8  9"}, NULL},
    {"too large", "Gather", 13, NULL, {SIX, "i64 1 2"}, {"1x3"}, "index 2 of 2"},
    {"too small", "Gather", 13, NULL, {SIX, "i64 1 -3"}, {"1x3"}, "index -3"},
    {"negative ones before", "Gather", 1, NULL, {SIX, "i64 1 -1"}, {"1x3"}, "index -1"},
    {"no indices", "Gather", 13, NULL, {SIX, "i64 0"}, {"0x3"}, NULL},
    {"no rows", "Gather", 13, NULL, {"0x3", "i64 1 0"}, {"1x3"}, "index 0 of 0"},
    {"an axis that is none", "Gather", 13, "axis=2", {SIX, "i64 1 0"}, {"1x3"}, "axis 2"},
    {"along columns",
     "GatherElements",
     13,
     "axis=1",
     {FOUR, "i64 2x2 0 0 1 0"},
     {"2x2 1 1 4 3"},
     NULL},
    {"along rows, fewer columns",
     "GatherElements",
     11,
     NULL,
     {SIX, "i64 3x1 1 0 -1"},
     {"3x1 4 1 4"},
     NULL},
    {"too many columns", "GatherElements", 11, NULL, {FOUR, "i64 1x3"}, {"1x3"}, "part"},
    {"no element", "GatherElements", 11, NULL, {FOUR, "i64 1x1 2"}, {"1x1"}, "index 2 of 2"},
    {"elements", "GatherND", 12, NULL, {FOUR, "i64 2x2 0 0 1 -1"}, {"2 1 4"}, NULL},
    {"slices", "GatherND", 11, NULL, {FOUR, "i64 2x1 1 0"}, {"2x2 3 4 1 2"}, NULL},
    {"batches", "GatherND", 12, "batch_dims=1", {EIGHT, "i64 2x1 1 0"}, {"2x2 3 4 5 6"}, NULL},
    {"batches of elements",
     "GatherND",
     13,
     "batch_dims=1",
     {EIGHT, "i64 2x1x2 1 0 0 1"},
     {"2x1 3 6"},
     NULL},
    {"too long indices", "GatherND", 12, NULL, {"2 1 2", "i64 1x2"}, {"1"}, "dimensions"},
    {"short indices", "GatherND", 12, NULL, {FOUR, "i32 1x2 0 1"}, {"1"}, "type i32"},
    {"outside", "GatherND", 12, NULL, {FOUR, "i64 1x2 0 2"}, {"1"}, "index 2 of 2"},
    {"rows", "Compress", 11, "axis=0", {"3x2 1 2 3 4 5 6", "bool 3 0 1 1"}, {"2x2 3 4 5 6"}, NULL},
    {"without an axis", "Compress", 9, NULL, {SIX, "bool 5 0 1 0 0 1"}, {"2 2 5"}, NULL},
    {"another number", "Compress", 9, NULL, {SIX, "bool 2 0 1"}, {"2"}, "elements"},
    {"places", "NonZero", 13, NULL, {"2x2 1 0 1 1"}, {"i64 2x3 0 1 1 0 0 1"}, NULL},
    {"fewer places", "NonZero", 13, NULL, {"2x2 1 0 1 1"}, {"i64 2x2"}, "elements"},
};

static const struct operator_case scattered[] = {
    {"along rows",
     "Scatter",
     9,
     NULL,
     {"3x2", "i64 2x2 1 0 0 2", "2x2 1 2 3 4"},
     {"3x2 3 2 1 0 0 4"},
     NULL},
    {"along columns",
     "ScatterElements",
     13,
     "axis=1",
     {"1x4 1 2 3 4", "i64 1x2 1 -1", "1x2 8 9"},
     {"1x4 1 8 3 9"},
     NULL},
    {"added up",
     "ScatterElements",
     16,
     "reduction=add",
     {"2 1 2", "i64 3 1 1 0", "3 10 20 30"},
     {"2 31 32"},
     NULL},
    {"multiplied",
     "ScatterElements",
     16,
     "reduction=mul",
     {"i32 2 3 2", "i64 1 0", "i32 1 5"},
     {"i32 2 15 2"},
     NULL},
    {"the larger",
     "ScatterElements",
     18,
     "reduction=max",
     {"1 3", "i64 1 0", "1 5"},
     {"1 5"},
     NULL},
    {"the larger before",
     "ScatterElements",
     16,
     "reduction=max",
     {"1 3", "i64 1 0", "1 5"},
     {"1"},
     "'max'"},
    {"outside", "ScatterElements", 16, NULL, {"1 3", "i64 1 1", "1 5"}, {"1"}, "index 1 of 1"},
    {"other updates", "ScatterElements", 16, NULL, {"2 3 4", "i64 1 1", "2 5 6"}, {"2"}, "part"},
    {"elements",
     "ScatterND",
     13,
     NULL,
     {"4 1 2 3 4", "i64 2x1 3 -4", "2 8 9"},
     {"4 9 2 3 8"},
     NULL},
    {"rows", "ScatterND", 11, NULL, {FOUR, "i64 1x1 1", "1x2 8 9"}, {"2x2 1 2 8 9"}, NULL},
    {"added up",
     "ScatterND",
     16,
     "reduction=add",
     {"i64 1 5", "i64 2x1 0 0", "i64 2 1 2"},
     {"i64 1 8"},
     NULL},
    {"outside", "ScatterND", 13, NULL, {FOUR, "i64 1x2 2 0", "1 1"}, {"2x2"}, "index 2 of 2"},
    {"other updates", "ScatterND", 13, NULL, {FOUR, "i64 1x1 1", "1x3"}, {"2x2"}, "shape"},
};

static const struct operator_case tops[] = {
    {"largest",
     "TopK",
     11,
     NULL,
     {"2x3 1 3 2 6 6 7", "i64 1 2"},
     {"2x2 3 2 7 6", "i64 2x2 1 2 2 0"},
     NULL},
    {"smallest along rows",
     "TopK",
     11,
     "axis=0 largest=0",
     {"3x2 3 1 2 2 1 3", "i64 1 1"},
     {"1x2 1 1", "i64 1x2 2 0"},
     NULL},
    {"an attribute", "TopK", 1, "k=1", {"u8 3 1 200 3"}, {"u8 1 200", "i64 1 1"}, NULL},
    {"no number", "TopK", 10, NULL, {"3 1 nan 3", "i64 1 2"}, {"2 nan 3", "i64 2 1 2"}, NULL},
    {"none", "TopK", 11, NULL, {"3 1 2 3", "i64 1 0"}, {"0", "i64 0"}, NULL},
    {"another number", "TopK", 11, NULL, {"3 1 2 3", "i64 1 2"}, {"1", "i64 1"}, "not 1"},
    {"more than there are", "TopK", 11, NULL, {"1 1", "i64 1 2"}, {"2", "i64 2"}, "shape"},
};

static const struct operator_case different[] = {
    {"in order",
     "Unique",
     11,
     NULL,
     {"5 2 1 2 nan 1"},
     {"3 1 2 nan", "i64 3 1 0 3", "i64 5 1 0 1 2 0", "i64 3 2 2 1"},
     NULL},
    {"as they come",
     "Unique",
     11,
     "sorted=0",
     {"u8 4 9 1 9 3"},
     {"u8 3 9 1 3", "i64 3 0 1 3", "i64 4 0 1 0 2", "i64 3 2 1 1"},
     NULL},
    {"columns",
     "Unique",
     11,
     "axis=1",
     {"2x3 1 0 1 2 5 2"},
     {"2x2 0 1 5 2", "i64 2 1 0", "i64 3 1 0 1", "i64 2 1 2"},
     NULL},
    {"another number", "Unique", 11, NULL, {"2 1 2"}, {"1"}, "elements"},
};

static const struct operator_case fills[] = {
    {"a real", "Constant", 12, "value_float=1.5", {NULL}, {" 1.5"}, NULL},
    {"whole ones", "Constant", 13, "value_ints=1,2", {NULL}, {"i64 2 1 2"}, NULL},
    {"a text", "Constant", 13, "value_string=a", {NULL}, {"1"}, "value_string"},
    {"zeros", "ConstantOfShape", 9, NULL, {"i64 2 1 3"}, {"1x3 0 0 0"}, NULL},
    {"bytes", "ConstantOfShape", 9, "value=7", {"i64 1 5"}, {"u8 5 7 7 7 7 7"}, NULL},
    {"above", "EyeLike", 9, "k=1", {SIX}, {"2x3 0 1 0 0 0 1"}, NULL},
    {"below", "EyeLike", 9, "k=-1 dtype=6", {SIX}, {"i32 2x3 0 0 0 1 0 0"}, NULL},
    {"far off", "EyeLike", 9, "k=9000000000000000000", {SIX}, {"2x3 0 0 0 0 0 0"}, NULL},
    {"last", "OneHot", 11, NULL, {"i64 2 1 -1", " 3", "2 5 9"}, {"2x3 5 9 5 5 5 9"}, NULL},
    {"first, outside",
     "OneHot",
     9,
     "axis=0",
     {"i64 3 1 -1 7", "i64 1 2", "i32 2 0 1"},
     {"i32 2x3 0 0 0 1 0 0"},
     NULL},
    {"no index", "OneHot", 11, NULL, {"2 nan 1e30", "i64 1 1", "2 0 1"}, {"2x1 0 0"}, NULL},
    {"another depth", "OneHot", 11, NULL, {"i64 1 0", "i64 1 2", "2 0 1"}, {"1x3"}, "depth"},
    {"up", "Range", 11, NULL, {" 1", " 2", " 0.25"}, {"4 1 1.25 1.5 1.75"}, NULL},
    {"down", "Range", 11, NULL, {"i32  10", "i32  6", "i32  -3"}, {"i32 2 10 7"}, NULL},
    {"nowhere", "Range", 11, NULL, {"i64  1", "i64  0", "i64  2"}, {"i64 0"}, NULL},
    {"on the spot", "Range", 11, NULL, {" 1", " 2", " 0"}, {"1"}, "step"},
    {"another number", "Range", 11, NULL, {" 1", " 2", " 1"}, {"2"}, "not 2"},
    {"all of it", "Shape", 1, NULL, {SIX}, {"i64 2 2 3"}, NULL},
    {"a part", "Shape", 15, "start=-2 end=-1", {EIGHT}, {"i64 1 2"}, NULL},
    {"more than there is", "Shape", 15, "start=-9 end=9", {SIX}, {"i64 2 2 3"}, NULL},
    {"of rank 0", "Shape", 13, NULL, {" 1"}, {"i64 0"}, NULL},
    {"all", "Size", 13, NULL, {SIX}, {"i64  6"}, NULL},
};

/* log(1 + exp(-1)) = 0.3132616875182228 is what the right one of two scores that differ by 1 costs.
 */
#define LITTLE "0.3132616875182228"
#define MUCH "1.313261687518223"

static const struct operator_case losses[] = {
    {"a mean",
     "NegativeLogLikelihoodLoss",
     13,
     NULL,
     {"2x2 -1 -2 -3 -4", "i64 2 0 1"},
     {" 2.5"},
     NULL},
    {"weighted",
     "NegativeLogLikelihoodLoss",
     13,
     NULL,
     {"2x2 -1 -2 -3 -4", "i64 2 0 1", "2 1 3"},
     {" 3.25"},
     NULL},
    {"one ignored",
     "NegativeLogLikelihoodLoss",
     12,
     "reduction=sum ignore_index=-5",
     {"2x2 -1 -2 -3 -4", "i32 2 -5 1"},
     {" 4"},
     NULL},
    {"each place",
     "NegativeLogLikelihoodLoss",
     13,
     "reduction=none",
     {"1x2x2 -1 -2 -3 -4", "i64 1x2 1 0"},
     {"1x2 3 2"},
     NULL},
    {"no class",
     "NegativeLogLikelihoodLoss",
     13,
     NULL,
     {"1x2 -1 -2", "i64 1 2"},
     {" 0"},
     "no class"},
    {"scores",
     "SoftmaxCrossEntropyLoss",
     13,
     "reduction=none",
     {"2x2 5 4 1001 1000", "i64 2 0 1"},
     {"2 " LITTLE " " MUCH, "2x2 -" LITTLE " -" MUCH " -" LITTLE " -" MUCH},
     NULL},
    {"their logarithms alone",
     "SoftmaxCrossEntropyLoss",
     13,
     NULL,
     {"1x2 5 4", "i64 1 0"},
     {NULL, "1x2 -" LITTLE " -" MUCH},
     NULL},
    {"each place of a mean",
     "NegativeLogLikelihoodLoss",
     13,
     NULL,
     {"2x2 -1 -2 -3 -4", "i64 2 0 1"},
     {"2"},
     "another shape"},
};

/* --- larger ones --- */

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
    struct error error = {{0}};
    struct call call = {computation, 2, 2, in, out, &error};
    struct rng *rng = rng_new(7);
    bool good = true;

    for (int i = 0; i < ROW; i++) {
        element[i] = (float)rng_range(rng, 0, 20);
        sorted[i] = &element[i];
    }
    qsort(sorted, ROW, sizeof *sorted, by_value);
    for (k = 0; k <= ROW && good; k++) {
        values.dim[0] = indices.dim[0] = k;
        good = operator_accepts(&call) && operator_run(&call);
        for (int i = 0; good && i < k; i++)
            good = index[i] == sorted[i] - element && value[i] == *sorted[i];
    }
    ok(good, "all numbers of largest elements");
    rng_free(rng);
    computation_free(computation);
}

/* Two unit boxes that share a third of what they cover, and one apart; corners in any order.  */
#define BOXES "1x3x4 0 0 1 1 1.5 1 0.5 0 5 5 6 6", "1x1x3 0.5 0.75 0.25"

static const struct operator_case boxes[] = {
    {"all apart",
     "NonMaxSuppression",
     11,
     NULL,
     {BOXES, "i64  3", "f32  0.25"},
     {"i64 2x3 0 0 1 0 0 2"},
     NULL},
    {"as much as they share",
     "NonMaxSuppression",
     11,
     NULL,
     {BOXES, "i64  3", "f32  0.5"},
     {"i64 3x3 0 0 1 0 0 0 0 0 2"},
     NULL},
    {"exactly as much",
     "NonMaxSuppression",
     11,
     NULL,
     {"1x2x4 0 0 1 1 0 0 1 2", "1x1x2 0.5 0.75", "i64  2", "f32  0.5"},
     {"i64 2x3 0 0 1 0 0 0"},
     NULL},
    {"the best",
     "NonMaxSuppression",
     10,
     NULL,
     {BOXES, "i64  1", "f32  0.5"},
     {"i64 1x3 0 0 1"},
     NULL},
    {"good ones",
     "NonMaxSuppression",
     11,
     NULL,
     {BOXES, "i64  3", "f32  0.5", "f32  0.5"},
     {"i64 1x3 0 0 1"},
     NULL},
    {"none where nobody says how many", "NonMaxSuppression", 11, NULL, {BOXES}, {"i64 0x3"}, NULL},
    {"centres and sizes",
     "NonMaxSuppression",
     11,
     "center_point_box=1",
     {"1x2x4 0.5 0.5 1 1 0.5 1 1 1", "1x1x2 1 2", "i64  2", "f32  0.25"},
     {"i64 1x3 0 0 1"},
     NULL},
    {"each class and image",
     "NonMaxSuppression",
     11,
     NULL,
     {"2x1x4 0 0 1 1 0 0 1 1", "2x2x1 1 1 1 1", "i64  1"},
     {"i64 4x3 0 0 0 0 1 0 1 0 0 1 1 0"},
     NULL},
    {"more than are declared",
     "NonMaxSuppression",
     11,
     NULL,
     {BOXES, "i64  3", "f32  0.25"},
     {"i64 1x3"},
     "2 boxes are left, where the file declares 1"},
    {"fewer than are declared",
     "NonMaxSuppression",
     11,
     NULL,
     {BOXES, "i64  3", "f32  0.25"},
     {"i64 9x3"},
     "2 boxes are left"},
    {"scores of others",
     "NonMaxSuppression",
     11,
     NULL,
     {"1x3x4", "1x1x2"},
     {"i64 0x3"},
     "do not fit"},
};

/* The pool: 1 and 2 alone, 1 2 and 3 1.  */
#define POOL "ngram_counts=0,2 ngram_indexes=0,1,2,3 pool_int64s=1,2,1,2,3,1 "

static const struct operator_case grams[] = {
    {"single ones",
     "TfIdfVectorizer",
     9,
     POOL "mode=TF min_gram_length=1 max_gram_length=1 max_skip_count=5",
     {"i64 4 1 2 1 3"},
     {"f32 4 2 1 0 0"},
     NULL},
    {"and pairs",
     "TfIdfVectorizer",
     9,
     POOL "mode=TF min_gram_length=1 max_gram_length=2 max_skip_count=0",
     {"i32 2x3 1 2 3 3 1 2"},
     {"f32 2x4 1 1 1 0 1 1 1 1"},
     NULL},
    {"pairs that are apart",
     "TfIdfVectorizer",
     9,
     POOL "mode=TF min_gram_length=2 max_gram_length=2 max_skip_count=1",
     {"i64 4 1 3 2 1"},
     {"f32 4 0 0 1 1"},
     NULL},
    {"of none",
     "TfIdfVectorizer",
     9,
     POOL "mode=TF min_gram_length=1 max_gram_length=2 max_skip_count=0",
     {"i64 0"},
     {"f32 4 0 0 0 0"},
     NULL},
    {"weighed",
     "TfIdfVectorizer",
     9,
     POOL "mode=IDF min_gram_length=1 max_gram_length=1 max_skip_count=0",
     {"i64 1"},
     {"f32 4"},
     "weighs"},
    {"longer than the pool's",
     "TfIdfVectorizer",
     9,
     POOL "mode=TF min_gram_length=1 max_gram_length=3 max_skip_count=0",
     {"i64 1"},
     {"f32 4"},
     "1 to 3"},
    {"a place that is none",
     "TfIdfVectorizer",
     9,
     POOL "mode=TF min_gram_length=1 max_gram_length=1 max_skip_count=0",
     {"i64 1"},
     {"f32 3"},
     "place 3 of 3"},
    {"half a pair",
     "TfIdfVectorizer",
     9,
     "ngram_counts=0,1 ngram_indexes=0,1 pool_int64s=1,2,1,2 mode=TF min_gram_length=1 "
     "max_gram_length=1 max_skip_count=0",
     {"i64 1"},
     {"f32 4"},
     "ngram_counts"},
};

#define COUNT(cases) (sizeof(cases) / sizeof(cases)[0])

int main(void)
{
    operator_cases(grams, COUNT(grams));
    operator_cases(boxes, COUNT(boxes));
    operator_cases(picks, COUNT(picks));
    operator_cases(scattered, COUNT(scattered));
    operator_cases(tops, COUNT(tops));
    operator_cases(different, COUNT(different));
    operator_cases(fills, COUNT(fills));
    operator_cases(losses, COUNT(losses));
    test_largest();
    return tap_done();
}
