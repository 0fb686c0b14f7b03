/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementwise operators on numbers worked out with another program or by hand, on memory that an
 * input and the output share, and one after the other.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

/* --- of one input --- */

static const struct {
    const char *name;
    int64_t version;
    const char *attributes, *x, *y;
} functions[] = {
    {"Abs", 13, NULL, "3 -1.5 0 2", "3 1.5 0 2"},
    {"Abs", 6, NULL, "i32 2 -7 7", "i32 2 7 7"},
    {"Neg", 6, NULL, "i8 3 -128 5 0", "i8 3 -128 -5 0"},
    {"Sign", 9, NULL, "4 -3 0 0.25 nan", "4 -1 0 1 nan"},
    {"Sign", 9, NULL, "i64 3 -3 0 9", "i64 3 -1 0 1"},
    {"Floor", 6, NULL, "3 -1.5 1.5 2", "3 -2 1 2"},
    {"Ceil", 6, NULL, "3 -1.5 1.5 2", "3 -1 2 2"},
    {"Round", 11, NULL, "6 0.5 1.5 2.5 -0.5 -1.5 2.75", "6 0 2 2 0 -2 3"},
    {"Sqrt", 6, NULL, "3 4 0.5 -1", "3 2 0.7071067811865476 nan"},
    {"Exp", 6, NULL, "3 0 0.5 -inf", "3 1 1.648721270700128 0"},
    {"Log", 6, NULL, "3 1 0.5 0", "3 0 -0.6931471805599453 -inf"},
    {"Reciprocal", 6, NULL, "2 4 -0.5", "2 0.25 -2"},
    {"Sin", 7, NULL, "1 0.5", "1 0.479425538604203"},
    {"Cos", 7, NULL, "1 0.5", "1 0.8775825618903728"},
    {"Tan", 7, NULL, "1 0.5", "1 0.5463024898437905"},
    {"Asin", 7, NULL, "1 0.5", "1 0.5235987755982989"},
    {"Acos", 7, NULL, "1 0.5", "1 1.047197551196598"},
    {"Atan", 7, NULL, "1 0.5", "1 0.4636476090008061"},
    {"Sinh", 9, NULL, "1 0.5", "1 0.5210953054937474"},
    {"Cosh", 9, NULL, "1 0.5", "1 1.127625965206381"},
    {"Tanh", 6, NULL, "1 0.5", "1 0.4621171572600097"},
    {"Asinh", 9, NULL, "1 0.5", "1 0.4812118250596035"},
    {"Acosh", 9, NULL, "1 1.5", "1 0.9624236501192069"},
    {"Atanh", 9, NULL, "1 0.5", "1 0.5493061443340548"},
    {"Erf", 9, NULL, "2 0.5 -0.25", "2 0.5204998778130465 -0.2763263901682369"},
    {"Relu", 14, NULL, "4 -4 -0.5 2 nan", "4 0 0 2 nan"},
    {"Relu", 14, NULL, "i8 2 -4 5", "i8 2 0 5"},
    {"LeakyRelu", 6, NULL, "2 -4 2", "2 -0.03999999910593033 2"},
    {"LeakyRelu", 16, "alpha=0.5", "2 -4 2", "2 -2 2"},
    {"Elu", 6, "alpha=0.5", "3 -4 -0.5 2", "3 -0.4908421805556329 -0.1967346701436833 2"},
    {"Selu", 6, "alpha=3.0 gamma=2.0", "2 -0.5 2", "2 -2.360816041724199 4"},
    {"Selu", 6, NULL, "2 -0.5 2", "2 -0.6917581899652426 2.101402044296265"},
    {"Celu", 12, "alpha=2.0", "2 -0.5 2", "2 -0.4423984338571902 2"},
    {"ThresholdedRelu", 10, "alpha=1.5", "4 1.5 1.75 -2 nan", "4 0 1.75 0 nan"},
    {"Sigmoid", 6, NULL, "3 -4 0 2", "3 0.01798620996209156 0.5 0.8807970779778823"},
    {"Sigmoid", 6, NULL, "2 -1e30 1e30", "2 0 1"},
    {"HardSigmoid", 6, "alpha=0.25 beta=0.5", "3 -4 1 2", "3 0 0.75 1"},
    {"HardSwish", 14, NULL, "3 -4 -0.5 2", "3 0 -0.2083333333333333 1.666666666666667"},
    {"Softplus", 1, NULL, "3 -4 0 2", "3 0.01814992791780974 0.6931471805599453 2.126928011042973"},
    {"Softplus", 1, NULL, "2 1e10 -1e10", "2 1e10 0"},
    {"Softsign", 1, NULL, "2 -4 2", "2 -0.8 0.6666666666666666"},
    {"Shrink", 9, "lambd=1.5 bias=0.5", "4 -2 -1.5 1.5 2", "4 -1.5 0 0 1.5"},
    {"Mish", 18, NULL, "2 -4 2", "2 -0.07259174079202535 1.943958959533995"},
    {"Gelu", 20, NULL, "2 -0.5 2", "2 -0.1542687693629934 1.954499736103642"},
    {"Gelu", 20, "approximate=tanh", "2 -0.5 2", "2 -0.1542859901748561 1.954597694087775"},
    {"Swish", 24, NULL, "2 -4 2", "2 -0.07194483984836623 1.761594155955765"},
    {"Swish", 24, "alpha=0.5", "2 -4 2", "2 -0.4768116880884702 1.46211715726001"},
    {"IsNaN", 9, NULL, "3 1 nan inf", "bool 3 0 1 0"},
    {"IsInf", 10, NULL, "4 1 nan inf -inf", "bool 4 0 0 1 1"},
    {"IsInf", 10, "detect_negative=0", "2 inf -inf", "bool 2 1 0"},
    {"IsInf", 10, "detect_positive=0", "2 inf -inf", "bool 2 0 1"},
    {"Not", 1, NULL, "bool 2 0 1", "bool 2 1 0"},
    {"Clip", 6, "min=-1.0 max=2.0", "4 -3 0 5 nan", "4 -1 0 2 nan"},
    {"Clip", 6, "max=2.0", "2 -3 5", "2 -3 2"},
    {"Cast", 13, "to=7", "6 2.75 -2.75 nan 1e30 1e19 -1e30",
     "i64 6 2 -2 0 9223372036854775807 9223372036854775807 -9223372036854775808"},
    {"Cast", 13, "to=9", "3 0.25 0 nan", "bool 3 1 0 1"},
    {"Cast", 13, "to=2", "i32 3 -1 256 7", "u8 3 255 0 7"},
    {"Cast", 13, "to=12", "i64 2 -1 5", "u32 2 4294967295 5"},
    {"Cast", 9, "to=1", "bool 2 1 0", "2 1 0"},
};

static void test_functions(void)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const struct operator_case c = {
            .what = functions[i].name,
            .name = functions[i].name,
            .version = functions[i].version,
            .attributes = functions[i].attributes,
            .input = {functions[i].x},
            .output = {functions[i].y},
        };

        operator_cases(&c, 1);
    }
}

/* --- of several inputs --- */

#define SIX "2x3 1 2 3 4 5 6"

static const struct {
    const char *what, *name;
    int64_t version;
    const char *attributes, *x, *y, *z, *out, *refused;
} rows[] = {
    {"same shapes", "Add", 7, NULL, SIX, SIX, NULL, "2x3 2 4 6 8 10 12", NULL},
    {"a row", "Sub", 7, NULL, SIX, "3 1 1 2", NULL, "2x3 0 1 1 3 4 4", NULL},
    {"a column", "Mul", 7, NULL, SIX, "2x1 2 10", NULL, "2x3 2 4 6 40 50 60", NULL},
    {"one number first", "Div", 7, NULL, " 12", SIX, NULL, "2x3 12 6 4 3 2.4 2", NULL},
    {"both stretch", "Add", 7, NULL, "2x1 1 2", "1x3 10 20 30", NULL, "2x3 11 21 31 12 22 32",
     NULL},
    {"no elements", "Add", 7, NULL, "0x3", "3 1 2 3", NULL, "0x3", NULL},
    {"wrapping around", "Add", 14, NULL, "i8 1 100", "i8 1 100", NULL, "i8 1 -56", NULL},
    {"u16 that overflows int", "Mul", 14, NULL, "u16 1 65535", "u16 1 65535", NULL, "u16 1 1",
     NULL},
    {"towards zero", "Div", 7, NULL, "i32 2 -7 7", "i32 2 2 -2", NULL, "i32 2 -3 -3", NULL},
    {"by zero", "Div", 7, NULL, "i32 1 1", "i32 1 0", NULL, "i32 1", "by zero"},
    {"reals by zero", "Div", 7, NULL, "2 1 0", "2 0 0", NULL, "2 inf nan", NULL},
    {"two types", "Add", 7, NULL, "i32 1 1", "i64 1 1", NULL, "i32 1", "beside"},
    {"shapes that do not fit", "Add", 7, NULL, "2 1 1", "3 1 1 1", NULL, "3", "broadcast"},
    {"old, in the middle", "Add", 6, "broadcast=1 axis=1", "1x2x2 1 2 3 4", "2 10 20", NULL,
     "1x2x2 11 12 23 24", NULL},
    {"old, last ones", "Mul", 1, "broadcast=1", SIX, "3 1 2 3", NULL, "2x3 1 4 9 4 10 18", NULL},
    {"old, not allowed", "Add", 6, NULL, SIX, "3 1 2 3", NULL, "2x3", "shape"},
    {"old attribute", "Add", 7, "broadcast=1", SIX, SIX, NULL, "2x3", "'broadcast'"},
    {"reals", "Pow", 7, NULL, "3 2 3 4", "3 3 2 0.5", NULL, "3 8 9 2", NULL},
    {"squares", "Pow", 13, NULL, "3 -3 1.5 nan", " 2", NULL, "3 9 2.25 nan", NULL},
    {"a whole exponent", "Pow", 13, NULL, "2 1.5 -2", "i64 1 3", NULL, "2 3.375 -8", NULL},
    {"a whole base", "Pow", 13, NULL, "i32 2 4 9", " 0.5", NULL, "i32 2 2 3", NULL},
    {"whole numbers", "Pow", 13, NULL, "i64 2 3 -2", "i32 2 30 3", NULL, "i64 2 205891132094649 -8",
     NULL},
    {"a negative exponent", "Pow", 13, NULL, "i32 1 3", "i32 1 -1", NULL, "i32 1", "negative"},
    {"the divisor's sign", "Mod", 13, NULL, "i32 4 -7 7 -7 6", "i32 4 3 -3 -3 3", NULL,
     "i32 4 2 -2 -1 0", NULL},
    {"the dividend's sign", "Mod", 13, "fmod=1", "i32 2 -7 7", "i32 2 3 -3", NULL, "i32 2 -1 1",
     NULL},
    {"reals' rest", "Mod", 13, "fmod=1", "2 -7.5 7.5", "2 2 -2", NULL, "2 -1.5 1.5", NULL},
    {"reals' rest by the divisor", "Mod", 13, NULL, "1 1", "1 1", NULL, "1", "type"},
    {"least by minus one", "Mod", 13, NULL, "i64 1 -9223372036854775808", "i64 1 -1", NULL,
     "i64 1 0", NULL},
    {"up", "BitShift", 11, "direction=LEFT", "u8 3 1 255 3", "u8 3 7 1 8", NULL, "u8 3 128 254 0",
     NULL},
    {"down", "BitShift", 11, "direction=RIGHT", "u32 2 16 1", "u32 2 2 32", NULL, "u32 2 4 0",
     NULL},
    {"of three", "Max", 8, NULL, "3 1 5 nan", "3 2 1 1", " 3", "3 3 5 nan", NULL},
    {"of one", "Min", 8, NULL, "2 1 2", NULL, NULL, "2 1 2", NULL},
    {"of bytes", "Min", 12, NULL, "u8 2 200 3", "u8 1 100", NULL, "u8 2 100 3", NULL},
    {"of three", "Sum", 8, NULL, "2x1 1 2", "1x2 10 20", " 100", "2x2 111 121 112 122", NULL},
    {"of three", "Mean", 8, NULL, "2 1 2", "2 4 5", "2 7 11", "2 4 6", NULL},
    {"before broadcasting", "Sum", 6, NULL, "2 1 2", "1 1", NULL, "2", "shape"},
    {"one for all", "PRelu", 7, NULL, "2 -4 4", "1 0.5", NULL, "2 -2 4", NULL},
    {"a channel, old", "PRelu", 6, NULL, "1x2x2 -1 1 -1 1", "2 2 3", NULL, "1x2x2 -2 1 -3 1", NULL},
    {"reals", "Equal", 11, NULL, "3 1 2 nan", "3 1 1 nan", NULL, "bool 3 1 0 0", NULL},
    {"truths", "Equal", 7, NULL, "bool 2 1 0", "bool 2 1 1", NULL, "bool 2 1 0", NULL},
    {"stretched", "Less", 9, NULL, SIX, " 3", NULL, "bool 2x3 1 1 0 0 0 0", NULL},
    {"or equal", "LessOrEqual", 12, NULL, "3 1 2 nan", "3 1 1 1", NULL, "bool 3 1 0 0", NULL},
    {"large ones", "Greater", 9, NULL, "u64 1 1e19", "u64 1 1", NULL, "bool 1 1", NULL},
    {"or equal", "GreaterOrEqual", 12, NULL, "i64 2 1 -1", "i64 2 1 0", NULL, "bool 2 1 0", NULL},
    {"truths", "Less", 9, NULL, "bool 1 1", "bool 1 1", NULL, "bool 1", "bool"},
    {"all four", "And", 7, NULL, "bool 4 0 0 1 1", "bool 4 0 1 0 1", NULL, "bool 4 0 0 0 1", NULL},
    {"all four", "Or", 7, NULL, "bool 4 0 0 1 1", "bool 4 0 1 0 1", NULL, "bool 4 0 1 1 1", NULL},
    {"all four", "Xor", 7, NULL, "bool 4 0 0 1 1", "bool 4 0 1 0 1", NULL, "bool 4 0 1 1 0", NULL},
    {"three shapes", "Where", 9, NULL, "bool 2x1 1 0", "3 1 2 3", " 9", "2x3 1 2 3 9 9 9", NULL},
    {"a condition that is no truth", "Where", 9, NULL, "2 1 0", "2 1 2", "2 3 4", "2", "f32"},
    {"limits", "Clip", 11, NULL, "3 -3 0 5", " -1", " 2", "3 -1 0 2", NULL},
    {"between whole numbers", "Clip", 11, NULL, "3 0.5 1.5 2.5", " 1", " 2", "3 1 1.5 2", NULL},
    {"the upper limit", "Clip", 12, NULL, "i8 3 -3 0 5", NULL, "i8 1 2", "i8 3 -3 0 2", NULL},
    {"limits that cross", "Clip", 11, NULL, "2 0 9", " 5", " 3", "2 3 3", NULL},
    {"a row of limits", "Clip", 11, NULL, "2 0 9", "2 1 1", NULL, "2", "single"},
    {"bytes", "QuantizeLinear", 10, NULL, "5 0 1 3 -5 1000", " 2", "u8  0", "u8 5 0 0 2 0 255",
     NULL},
    {"halves to even, an axis", "QuantizeLinear", 13, "axis=0", "2x2 3 5 3 5", "2 2 1", "i8 2 1 -1",
     "i8 2x2 3 3 2 4", NULL},
    {"no number", "QuantizeLinear", 10, NULL, "1 nan", " 1", "u8  3", "u8 1 3", NULL},
    {"an input beyond those of its text", "Relu", 14, NULL, "2 -1 1", "i64 1 7", NULL, "2 0 1",
     NULL},
    {"a zero", "DequantizeLinear", 10, NULL, "u8 3 0 128 255", " 0.5", "u8 1 128", "3 -64 0 63.5",
     NULL},
};

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct operator_case c = {
            .what = rows[i].what,
            .name = rows[i].name,
            .version = rows[i].version,
            .attributes = rows[i].attributes,
            .input = {rows[i].x, rows[i].y, rows[i].z},
            .output = {rows[i].out},
            .refused = rows[i].refused,
        };

        operator_cases(&c, 1);
    }
}

/* --- in place --- */

#define PLACES 300 /* more than a chunk of a cast */

/* OPERATOR of COUNT inputs gives the same when its output lies on input PLACE.  */
static void in_place(const char *name, size_t count, size_t place)
{
    struct computation *computation = computation_new(name, 13, count, 1);
    float input[3][PLACES], apart[PLACES];
    struct tensor tensor[3], output;
    const struct tensor *in[3], *out = &output;
    struct error error = {{0}};
    struct call call = {computation, count, 1, in, &out, &error};
    bool good;

    for (size_t k = 0; k < count; k++) {
        for (int i = 0; i < PLACES; i++)
            input[k][i] = (float)((i * 7 + (int)k * 13) % 17) - 8;
        tensor[k] =
            (struct tensor){.dtype = DTYPE_F32, .rank = 1, .dim = {PLACES}, .data = input[k]};
        in[k] = &tensor[k];
    }
    output = tensor[0];
    output.data = apart;
    good = operator_accepts(&call) && operator_run(&call);
    output.data = input[place];
    good = good && operator_run(&call);
    ok(good && memcmp(input[place], apart, sizeof apart) == 0, "%s on input %zu %s", name, place,
       error.text);
    computation_free(computation);
}

static void test_in_place(void)
{
    static const char *const one[] = {"Relu", "Clip", "Cast", "Selu"};
    static const char *const two[] = {"Add", "Sub", "Div", "Pow", "PRelu"};
    static const char *const many[] = {"Sum", "Mean", "Max", "Min"};

    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        in_place(one[i], 1, 0);
    for (size_t i = 0; i < sizeof two / sizeof two[0]; i++)
        for (size_t place = 0; place < 2; place++)
            in_place(two[i], 2, place);
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
        for (size_t place = 0; place < 3; place++)
            in_place(many[i], 3, place);
}

/* --- one after the other --- */

/* NAME, then THEN, on one number, which is each of the INPUTS; the text's output LAST is all that
 * is made.  */
static bool run_then(const char *name, const char *then, const struct tensor *x, size_t inputs,
                     const struct tensor *y, size_t last, struct error *error)
{
    struct computation *computation = computation_new(name, 14, inputs, last + 1);
    const struct tensor *in[] = {x, x, x}, *out[] = {NULL, NULL};
    struct call call = {computation, inputs, last + 1, in, out, error};
    bool good;

    out[last] = y;
    computation_append(computation, computation_new(then, 14, 1, 1));
    good = operator_accepts(&call) && operator_run(&call);
    computation_free(computation);
    return good;
}

static void test_then(void)
{
    int32_t whole = 3, absolute = 0;
    float real = -1, state = 0;
    const struct tensor x = {DTYPE_I32, 1, {1}, &whole}, y = {DTYPE_I32, 1, {1}, &absolute};
    const struct tensor layer = {DTYPE_F32, 3, {1, 1, 1}, &real};
    const struct tensor last = {DTYPE_F32, 3, {1, 1, 1}, &state};
    struct error error = {{0}};

    ok(run_then("Neg", "Abs", &x, 1, &y, 0, &error) && absolute == 3, "one after the other");
    ok(!run_then("Neg", "Exp", &x, 1, &y, 0, &error) && strncmp(error.text, "Exp: ", 5) == 0,
       "one that cannot go on: %s", error.text);
    error.text[0] = '\0';
    ok(run_then("RNN", "Neg", &layer, 3, &last, 1, &error) && fabsf(state + tanhf(1)) < 1e-6F,
       "the last state, where it is all that is made %s", error.text);
}

/* --- 16 bits --- */

static const struct {
    double real;
    uint16_t bits;
    double back;
} halves[] = {
    {1, 0x3C00, 1},
    {-2, 0xC000, -2},
    {65504, 0x7BFF, 65504},
    {65519, 0x7BFF, 65504},
    {65520, 0x7C00, INFINITY},
    {-INFINITY, 0xFC00, -INFINITY},
    {0x1p-24, 0x0001, 0x1p-24},
    {0x1p-25, 0x0000, 0},
    {0x1.8p-24, 0x0002, 0x1p-23},
    {0x1p-14, 0x0400, 0x1p-14},
    {1 + 0x1p-11, 0x3C00, 1},
    {1 + 0x1.8p-10, 0x3C02, 1 + 0x1p-9},
    {1e-300, 0x0000, 0},
};

/* OPERATOR on one or two tensors of one element.  */
static bool run_one(const char *name, size_t inputs, struct tensor *x, struct tensor *y,
                    struct tensor *out)
{
    struct computation *computation = computation_new(name, 13, inputs, 1);
    const struct tensor *in[] = {x, y}, *to = out;
    struct error error = {{0}};
    struct call call = {computation, inputs, 1, in, &to, &error};
    bool good = operator_accepts(&call) && operator_run(&call);

    computation_free(computation);
    return good;
}

static void test_halves(void)
{
    double real, back;
    uint16_t bits, one = 0x3C00, little = 0x1400, sum;
    struct tensor wide = {DTYPE_F64, 1, {1}, &real}, narrow = {DTYPE_F16, 1, {1}, &bits};
    struct tensor again = {DTYPE_F64, 1, {1}, &back}, x = narrow, y = narrow, z = narrow;

    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        real = halves[i].real;
        ok(run_one("Cast", 1, &wide, NULL, &narrow) && bits == halves[i].bits &&
               run_one("Cast", 1, &narrow, NULL, &again) && back == halves[i].back,
           "%a as a half and back", halves[i].real);
    }
    real = NAN;
    ok(run_one("Cast", 1, &wide, NULL, &narrow) && run_one("Cast", 1, &narrow, NULL, &again) &&
           isnan(back),
       "no number as a half and back");
    narrow.dtype = DTYPE_BF16;
    real = 0x1.03p0;
    ok(run_one("Cast", 1, &wide, NULL, &narrow) && bits == 0x3F81 &&
           run_one("Cast", 1, &narrow, NULL, &again) && back == 0x1.02p0,
       "16 bits of f32");
    x.data = &one;
    y.data = &little;
    z.data = &sum;
    ok(run_one("Add", 2, &x, &y, &z) && sum == 0x3C01, "a sum of halves");
    ok(run_one("Max", 2, &y, &x, &z) && sum == one, "the larger half");
}

int main(void)
{
    test_functions();
    test_rows();
    test_in_place();
    test_then();
    test_halves();
    return tap_done();
}
