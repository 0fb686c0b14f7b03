/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows, transforms and products of bytes: small ones by hand.  */
#include <config.h>

#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define COUNT(cases) (sizeof(cases) / sizeof(cases)[0])

static const struct operator_case windows[] = {
    {"Hann", "HannWindow", 17, NULL, {"i64  4"}, {"4 0 0.5 1 0.5"}, NULL},
    {"the same on both sides", "HannWindow", 17, "periodic=0", {"i32  3"}, {"3 0 1 0"}, NULL},
    {"Hamming", "HammingWindow", 17, NULL, {"i64  2"}, {"2 0.086956521739130435 1"}, NULL},
    {"Blackman", "BlackmanWindow", 17, NULL, {"i64  2"}, {"2 0 1"}, NULL},
    {"one", "HannWindow", 17, "periodic=0", {"i64  1"}, {"1 1"}, NULL},
    {"none", "HannWindow", 17, NULL, {"i64  0"}, {"0"}, NULL},
    {"another length", "HannWindow", 17, NULL, {"i64  4"}, {"5"}, "a window of 4"},
    {"two lengths", "HannWindow", 17, NULL, {"i64 2 4 4"}, {"4"}, "input 0"},
};

#define REALS "1x4x1 1 2 3 4"
#define WAVES "1x4x2 10 0 -2 2 -2 0 -2 -2"

static const struct operator_case transforms[] = {
    {"real", "DFT", 17, NULL, {REALS}, {WAVES}, NULL},
    {"back", "DFT", 17, "inverse=1", {WAVES}, {"1x4x2 1 0 2 0 3 0 4 0"}, NULL},
    {"one side", "DFT", 17, "onesided=1", {REALS}, {"1x3x2 10 0 -2 2 -2 0"}, NULL},
    {"with zeros behind",
     "DFT",
     17,
     NULL,
     {"1x2x1 1 1", "i64  4"},
     {"1x4x2 2 0 1 -1 0 0 1 1"},
     NULL},
    {"cut", "DFT", 17, NULL, {REALS, "i64  2"}, {"1x2x2 3 0 -1 0"}, NULL},
    {"of columns", "DFT", 17, "axis=0", {"2x2x1 1 2 3 4"}, {"2x2x2 4 0 6 0 -2 0 -2 0"}, NULL},
    {"of the parts", "DFT", 17, "axis=2", {REALS}, {"1x4x2"}, "parts"},
    {"of another length", "DFT", 17, NULL, {REALS, "i64  3"}, {"1x4x2"}, "3 frequencies"},
    {"one side back", "DFT", 17, "inverse=1 onesided=1", {WAVES}, {"1x3x2"}, "one side"},
    {"since version 20", "DFT", 20, NULL, {REALS}, {"1x4x2"}, "version 20"},
    {"frames",
     "STFT",
     17,
     NULL,
     {"1x4x1 1 2 3 5", "i64  1", NULL, "i64  2"},
     {"1x3x2x2 3 0 -1 0 5 0 -1 0 8 0 -2 0"},
     NULL},
    {"weighed frames of both sides",
     "STFT",
     17,
     "onesided=0",
     {"1x4x1 1 2 3 5", "i64  2", "2 1 2"},
     {"1x2x2x2 5 0 -3 0 13 0 -7 0"},
     NULL},
    {"longer than the signal",
     "STFT",
     17,
     NULL,
     {"1x2x1", "i64  1", NULL, "i64  4"},
     {"1x1x3x2"},
     "frames of 4"},
    {"without a step",
     "STFT",
     17,
     NULL,
     {"1x2x1", "i64  0", NULL, "i64  2"},
     {"1x1x2x2"},
     "steps of 0"},
    {"without frames", "STFT", 17, NULL, {"1x2x1", "i64  1"}, {"1x1x2x2"}, "neither"},
    {"beyond the frequencies",
     "MelWeightMatrix",
     17,
     NULL,
     {"i64  2", "i64  8", "i64  8", "f32  0", "f32  9000"},
     {"5x2"},
     "beyond"},
};

static const struct operator_case products[] = {
    {"whole numbers",
     "ConvInteger",
     10,
     NULL,
     {"u8 1x1x1x3 1 2 3", "u8 1x1x1x2 1 2", "u8  1"},
     {"i32 1x1x1x2 2 5"},
     NULL},
    {"padded with the zero",
     "ConvInteger",
     10,
     "pads=0,1,0,0",
     {"u8 1x1x1x2 2 3", "i8 1x1x1x2 1 -1", "u8  1"},
     {"i32 1x1x1x2 -1 -1"},
     NULL},
    {"filters with zeros of their own",
     "ConvInteger",
     10,
     NULL,
     {"u8 1x1x1x1 2", "u8 2x1x1x1 5 5", NULL, "u8 2 1 3"},
     {"i32 1x2x1x1 8 4"},
     NULL},
    {"a zero of another type",
     "ConvInteger",
     10,
     NULL,
     {"u8 1x1x1x1", "u8 1x1x1x1", "i8  1"},
     {"i32 1x1x1x1"},
     "another type"},
    {"matrices",
     "MatMulInteger",
     10,
     NULL,
     {"u8 2x2 1 2 3 4", "i8 2x1 1 -1", "u8 2 0 1"},
     {"i32 2x1 -1 -1"},
     NULL},
    {"sums of another type", "MatMulInteger", 10, NULL, {"u8 1x1", "u8 1x1"}, {"u8 1x1"}, "types"},
    /* 1.5 becomes 2, 3 stays, 303 is too much, all behind a zero of 1.  */
    {"bytes from sums",
     "QLinearMatMul",
     10,
     NULL,
     {"u8 3x1 1 2 202", "f32  1", "u8  0", "u8 1x1 3", "f32  0.5", "u8  0", "f32  1", "u8  1"},
     {"u8 3x1 3 4 255"},
     NULL},
    {"bytes from filters",
     "QLinearConv",
     10,
     NULL,
     {"i8 1x1x1x1 4", "f32  0.5", "i8  0", "i8 2x1x1x1 2 -100", "f32 2 1 2", "i8 2 0 0", "f32  1",
      "i8  1"},
     {"i8 1x2x1x1 5 -128"},
     NULL},
    {"no scale",
     "QLinearMatMul",
     10,
     NULL,
     {"u8 1x1", NULL, "u8  0", "u8 1x1", "f32  1", "u8  0", "f32  1", "u8  0"},
     {"u8 1x1"},
     "a scale"},
};

int main(void)
{
    operator_cases(windows, COUNT(windows));
    operator_cases(transforms, COUNT(transforms));
    operator_cases(products, COUNT(products));
    return tap_done();
}
