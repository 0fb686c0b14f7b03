/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementwise operators: examples, on memory that an input and the output share, and one after the
 * other.  */
#include <config.h>

#include <math.h>
#include <string.h>

#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

/* --- in place --- */

#define PLACES 300 /* more than a chunk of a cast */

/* OPERATOR of COUNT inputs gives the same when its output lies on input PLACE.  */
static void in_place(const char *name, size_t count, size_t place)
{
    struct computation *computation = computation_new(name, 13, count, 1);
    float input[3][PLACES], apart[PLACES];
    struct tensor tensor[3], output;
    const struct tensor *in[3], *out = &output;
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
    good = operator_runs(computation, in, count, &out, 1);
    output.data = input[place];
    good = good && operator_runs(computation, in, count, &out, 1);
    ok(good && memcmp(input[place], apart, sizeof apart) == 0, "%s on input %zu", name, place);
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
    struct call call = {.computation = computation,
                        .inputs = inputs,
                        .outputs = last + 1,
                        .input = in,
                        .output = out,
                        .error = error};
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

int main(void)
{
    operator_cases("tests/runtime/operators/elementwise.txt");
    test_in_place();
    test_then();
    return tap_done();
}
