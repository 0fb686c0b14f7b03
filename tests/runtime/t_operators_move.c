/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that move elements, by hand; and parts that lie at their places already.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define SIX "2x3 1 2 3 4 5 6"
#define EIGHT "2x2x2 1 2 3 4 5 6 7 8"
#define BLOCKS "1x4x1x2 1 2 3 4 5 6 7 8"

static const struct operator_case shapes[] = {
    {"rows", "Reshape", 13, NULL, {SIX, "i64 2 3 2"}, {"3x2 1 2 3 4 5 6"}, NULL},
    {"an attribute", "Reshape", 1, "shape=6", {SIX}, {"6 1 2 3 4 5 6"}, NULL},
    {"another number", "Reshape", 13, NULL, {SIX, "i64 1 5"}, {"5"}, "number of elements"},
    {"all", "Flatten", 13, "axis=0", {EIGHT}, {"1x8 1 2 3 4 5 6 7 8"}, NULL},
    {"ones", "Squeeze", 13, NULL, {"1x2x1 1 2"}, {"2 1 2"}, NULL},
    {"bytes", "Unsqueeze", 11, "axes=0", {"u8 2 1 2"}, {"u8 1x2 1 2"}, NULL},
    {"16 bits", "Identity", 13, NULL, {"i16 2 1 -2"}, {"i16 2 1 -2"}, NULL},
    {"a mask of truths", "Dropout", 13, NULL, {"2 1 2"}, {"2 1 2", "bool 2 1 1"}, NULL},
    {"an old mask", "Dropout", 7, "ratio=0.5", {"f32 2 1 2"}, {"f32 2 1 2", "f32 2 1 1"}, NULL},
    {"training", "Dropout", 13, NULL, {"1 1", " 0.5", "bool  1"}, {"1"}, "random"},
    {"no ratio", "Dropout", 12, NULL, {"1 3", " 0", "bool  1"}, {"1 3"}, NULL},
    {"old training", "Dropout", 6, NULL, {"1 1"}, {"1"}, "random"},
    {"old test", "Dropout", 6, "is_test=1", {"1 3"}, {"1 3"}, NULL},
};

static const struct operator_case orders[] = {
    {"reversed", "Transpose", 13, NULL, {SIX}, {"3x2 1 4 2 5 3 6"}, NULL},
    {"heads", "Transpose", 1, "perm=1,0,2", {EIGHT}, {"2x2x2 1 2 5 6 3 4 7 8"}, NULL},
    {"wide elements", "Transpose", 13, NULL, {"i64 1x2 5 6"}, {"i64 2x1 5 6"}, NULL},
    {"twice the same", "Transpose", 13, "perm=0,0", {SIX}, {"2x2"}, "'perm'"},
    {"of rank 0", "Transpose", 13, NULL, {" 7"}, {" 7"}, NULL},
    {"stretched", "Expand", 8, NULL, {"3x1 1 2 3", "i64 2 3 2"}, {"3x2 1 1 2 2 3 3"}, NULL},
    {"repeated", "Tile", 6, NULL, {"1x2 1 2", "i64 2 2 2"}, {"2x4 1 2 1 2 1 2 1 2"}, NULL},
    {"repeated rows", "Tile", 13, NULL, {"2x1 1 2", "i64 2 2 1"}, {"4x1 1 2 1 2"}, NULL},
    {"no whole input", "Tile", 13, NULL, {"2 1 2", "i64 1 1"}, {"3"}, "whole"},
    {"channels of pixels",
     "DepthToSpace",
     13,
     "blocksize=2",
     {BLOCKS},
     {"1x1x2x4 1 3 2 4 5 7 6 8"},
     NULL},
    {"two channels, by depth",
     "DepthToSpace",
     11,
     "blocksize=2 mode=DCR",
     {"1x8x1x1 0 1 2 3 4 5 6 7"},
     {"1x2x2x2 0 2 4 6 1 3 5 7"},
     NULL},
    {"two channels, by column",
     "DepthToSpace",
     11,
     "blocksize=2 mode=CRD",
     {"1x8x1x1 0 1 2 3 4 5 6 7"},
     {"1x2x2x2 0 1 2 3 4 5 6 7"},
     NULL},
    {"and back",
     "SpaceToDepth",
     13,
     "blocksize=2",
     {"1x2x2x2 0 2 4 6 1 3 5 7"},
     {"1x8x1x1 0 1 2 3 4 5 6 7"},
     NULL},
    {"blocks that do not fit",
     "SpaceToDepth",
     1,
     "blocksize=2",
     {"1x1x3x2"},
     {"1x4x1x1"},
     "blocks"},
    {"a huge block",
     "SpaceToDepth",
     1,
     "blocksize=4611686018427387904",
     {"1x1x1x1"},
     {"1x1x1x1"},
     "blocks"},
};

static const struct operator_case parts[] = {
    {"columns", "Concat", 4, "axis=1", {"2x1 1 2", "2x2 3 4 5 6"}, {"2x3 1 3 4 2 5 6"}, NULL},
    {"rows from the end",
     "Concat",
     13,
     "axis=-2",
     {"1x2 1 2", "0x2", "1x2 3 4"},
     {"2x2 1 2 3 4"},
     NULL},
    {"sizes that differ", "Concat", 4, "axis=0", {"1x2", "1x3"}, {"2x2"}, "fit"},
    {"equal ones", "Split", 2, "axis=1", {"2x2 1 2 3 4"}, {"2x1 1 3", "2x1 2 4"}, NULL},
    {"given ones", "Split", 13, NULL, {"3 1 2 3", "i64 2 1 2"}, {"1 1", "2 2 3"}, NULL},
    {"one left out", "Split", 11, "split=1,2", {"3 1 2 3"}, {NULL, "2 2 3"}, NULL},
    {"a smaller last one", "Split", 18, "num_outputs=2", {"3 1 2 3"}, {"2 1 2", "1 3"}, NULL},
    {"other sizes", "Split", 13, NULL, {"3 1 2 3", "i64 2 2 1"}, {"1", "2"}, "length"},
    {"too many", "Split", 13, NULL, {"3 1 2 3", "i64 2 1 9"}, {"1", "9"}, "length"},
    {"attributes", "Slice", 1, "axes=1 starts=1 ends=1000", {SIX}, {"2x2 2 3 5 6"}, NULL},
    {"inputs", "Slice", 10, NULL, {SIX, "i64 2 0 -2", "i64 2 1 -1"}, {"1x1 2"}, NULL},
    {"steps",
     "Slice",
     13,
     NULL,
     {"5 1 2 3 4 5", "i64 1 1", "i64 1 5", "i64 1 0", "i64 1 2"},
     {"2 2 4"},
     NULL},
    {"backwards",
     "Slice",
     13,
     NULL,
     {"5 1 2 3 4 5", "i32 1 -1", "i32 1 -9", "i32 1 -1", "i32 1 -2"},
     {"3 5 3 1"},
     NULL},
    {"backwards in two",
     "Slice",
     11,
     NULL,
     {SIX, "i64 2 -1 9", "i64 2 -9 0", "i64 2 0 1", "i64 2 -1 -1"},
     {"2x2 6 5 3 2"},
     NULL},
    {"a long step",
     "Slice",
     11,
     NULL,
     {"3 1 2 3", "i64 1 1", "i64 1 3", "i64 1 0", "i64 1 9000000000000000000"},
     {"1 2"},
     NULL},
    {"nothing", "Slice", 10, NULL, {"3 1 2 3", "i64 1 2", "i64 1 1"}, {"0"}, NULL},
    {"no step", "Slice", 10, NULL, {"1 1", "i64 1 0", "i64 1 1", NULL, "i64 1 0"}, {"1"}, "step"},
    {"an axis twice",
     "Slice",
     10,
     NULL,
     {"2 1 2", "i64 2 1 1", "i64 2 2 2", "i64 2 0 -1"},
     {"1"},
     "twice"},
    {"another shape", "Slice", 10, NULL, {"3 1 2 3", "i64 1 1", "i64 1 3"}, {"1"}, "elements"},
};

static const struct operator_case pads[] = {
    {"zeros", "Pad", 2, "pads=0,1,1,0", {"1x2 1 2"}, {"2x3 0 1 2 0 0 0"}, NULL},
    {"a value", "Pad", 1, "paddings=1,0 value=9.5", {"1 1"}, {"2 9.5 1"}, NULL},
    {"of bytes", "Pad", 13, NULL, {"u8 1 1", "i64 2 0 2", "u8  7"}, {"u8 3 1 7 7"}, NULL},
    {"taken away", "Pad", 11, NULL, {"3 1 2 3", "i64 2 -1 1"}, {"3 2 3 0"}, NULL},
    {"reflected",
     "Pad",
     11,
     "mode=reflect",
     {"1x3 1 2 3", "i64 4 0 2 0 1"},
     {"1x6 3 2 1 2 3 2"},
     NULL},
    {"reflected too far", "Pad", 11, "mode=reflect", {"2 1 2", "i64 2 2 0"}, {"4"}, "fill"},
    {"its edge", "Pad", 11, "mode=edge", {"2 1 2", "i64 2 2 1"}, {"5 1 1 1 2 2"}, NULL},
    {"no edge", "Pad", 11, "mode=edge", {"0", "i64 2 2 1"}, {"3"}, "fill"},
    {"named axes", "Pad", 18, NULL, {"1x1 5", "i64 2 1 0", NULL, "i64 1 -1"}, {"1x2 0 5"}, NULL},
    {"other modes", "Pad", 19, "mode=wrap", {"2 1 2", "i64 2 2 0"}, {"4"}, "'wrap'"},
    {"another shape", "Pad", 11, NULL, {"2 1 2", "i64 2 2 0"}, {"3"}, "fit"},
    {"too few", "Pad", 11, NULL, {"2 1 2", "i64 1 2"}, {"4"}, "two an axis"},
};

static const struct operator_case rows[] = {
    {"columns",
     "ReverseSequence",
     10,
     NULL,
     {"3x2 1 2 3 4 5 6", "i64 2 2 3"},
     {"3x2 3 6 1 4 5 2"},
     NULL},
    {"rows",
     "ReverseSequence",
     10,
     "time_axis=1 batch_axis=0",
     {SIX, "i64 2 1 3"},
     {"2x3 1 2 3 6 5 4"},
     NULL},
    {"too long", "ReverseSequence", 10, NULL, {"1x1 1", "i64 1 2"}, {"1x1"}, "length"},
    {"upper", "Trilu", 14, NULL, {SIX}, {"2x3 1 2 3 0 5 6"}, NULL},
    {"lower", "Trilu", 14, "upper=0", {SIX}, {"2x3 1 0 0 4 5 0"}, NULL},
    {"above", "Trilu", 14, NULL, {SIX, "i64  1"}, {"2x3 0 2 3 0 0 6"}, NULL},
    {"below", "Trilu", 14, "upper=0", {SIX, "i64  -1"}, {"2x3 0 0 0 4 0 0"}, NULL},
    {"far below", "Trilu", 14, NULL, {SIX, "i64  -9000000000000000000"}, {SIX}, NULL},
    {"two matrices", "Trilu", 14, NULL, {EIGHT}, {"2x2x2 1 2 0 4 5 6 0 8"}, NULL},
};

/* --- at their places --- */

/* The second of two rows is in the output already.  */
static void test_concat_in_place(void)
{
    struct computation *computation = computation_new("Concat", 13, 2, 1);
    float memory[4] = {0, 0, 3, 4}, first[2] = {1, 2};
    struct tensor a = {DTYPE_F32, 2, {1, 2}, first}, b = {DTYPE_F32, 2, {1, 2}, memory + 2};
    struct tensor all = {DTYPE_F32, 2, {2, 2}, memory};
    const struct tensor *in[] = {&a, &b}, *out[] = {&all};
    struct error error = {{0}};
    struct call call = {computation, 2, 1, in, out, &error};

    computation_set_integer(computation, "axis", 0);
    ok(operator_accepts(&call) && operator_run(&call), "a concatenation runs");
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
    struct error error = {{0}};
    struct call call = {split, 1, 2, in, halves, &error};

    ok(operator_accepts(&call) && operator_run(&call) && memory[3] == 4, "halves that are views");
    call = (struct call){reshape, 2, 1, in, whole, &error};
    ok(operator_accepts(&call) && operator_run(&call) && memory[3] == 4, "a shape that is a view");
    computation_free(split);
    computation_free(reshape);
}

#define COUNT(cases) (sizeof(cases) / sizeof(cases)[0])

int main(void)
{
    operator_cases(shapes, COUNT(shapes));
    operator_cases(orders, COUNT(orders));
    operator_cases(parts, COUNT(parts));
    operator_cases(pads, COUNT(pads));
    operator_cases(rows, COUNT(rows));
    test_concat_in_place();
    test_views();
    return tap_done();
}
