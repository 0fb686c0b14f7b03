/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clip.
 *
 * ONNX's text: the limits are attributes before version 11 and inputs since, either of which may
 * be left out; where they cross, the upper one holds.  What is no number stays so.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/numbers.h"

/* LOWER and UPPER: NULL for none.  */
typedef void clip_run(int64_t count, void *to, const void *from, const void *lower,
                      const void *upper);

#define CLIP(dtype, suffix, type)                                                           \
    static void clip_##suffix(int64_t count, void *to, const void *from, const void *lower, \
                              const void *upper)                                            \
    {                                                                                       \
        const type *in = from;                                                              \
        type *out = to;                                                                     \
                                                                                            \
        if (lower != NULL) {                                                                \
            const type limit = *(const type *)lower;                                        \
                                                                                            \
            for (int64_t i = 0; i < count; i++)                                             \
                out[i] = in[i] < limit ? limit : in[i];                                     \
            in = out;                                                                       \
        }                                                                                   \
        if (upper != NULL) {                                                                \
            const type limit = *(const type *)upper;                                        \
                                                                                            \
            for (int64_t i = 0; i < count; i++)                                             \
                out[i] = in[i] > limit ? limit : in[i];                                     \
        } else if (in != out) {                                                             \
            for (int64_t i = 0; i < count; i++)                                             \
                out[i] = in[i];                                                             \
        }                                                                                   \
    }
NUMBERS(CLIP)

#define ROW(dtype, suffix, type) [dtype] = clip_##suffix,
static clip_run *const runs[] = {NUMBERS(ROW)};

static bool accepts(const struct call *call)
{
    bool inputs = call->computation->version >= 11;

    if (!accept_inputs(call, 1) || !attributes_among(call, inputs ? "" : "min max") ||
        !accept_types(call, 0, inputs ? 3 : 1, inputs ? TYPES_NUMBER : TYPES_REAL) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_shape(call, 0, 0))
        return false;
    for (size_t i = 1; inputs && i < 3; i++)
        if (call_input(call, i) != NULL && tensor_elements(call->input[i]) != 1)
            return error_set(call->error, "input %zu is not a single number", i);
    return true;
}

/* An attribute as an element of the type.  */
struct limit {
    float f32;
    double f64;
};

static const void *attribute(const struct call *call, const char *name, struct limit *limit)
{
    if (computation_find(call->computation, name) == NULL)
        return NULL;
    limit->f64 = computation_real(call->computation, name, 0);
    limit->f32 = (float)limit->f64;
    return call->input[0]->dtype == DTYPE_F32 ? (const void *)&limit->f32 : &limit->f64;
}

static bool run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    const void *lower = NULL, *upper = NULL;
    struct limit least, most;

    if (call->computation->version < 11) {
        lower = attribute(call, "min", &least);
        upper = attribute(call, "max", &most);
    } else {
        lower = call_input(call, 1) == NULL ? NULL : call->input[1]->data;
        upper = call_input(call, 2) == NULL ? NULL : call->input[2]->data;
    }
    if (out != NULL)
        runs[in->dtype](tensor_elements(in), out->data, in->data, lower, upper);
    return true;
}

const struct operator_rule operators_clip[] = {
    {"Clip", accepts, run, 0},
    {0},
};
