/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pad: constant, reflect and edge.
 *
 * ONNX's text: the numbers are the attribute `paddings` in version 1, `pads` from 2 on, and inputs
 * since 11; since 18 an input may name the axes.  Negative ones take elements away.  Later modes
 * ("wrap") are refused.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/cast.h"
#include "runtime/operators/strided.h"

enum mode { CONSTANT, REFLECT, EDGE };

static const char *const modes[] = {"constant", "reflect", "edge"};

static int mode_of(const struct call *call)
{
    const char *mode = computation_text(call->computation, "mode", "constant");

    for (int i = CONSTANT; i <= EDGE; i++)
        if (strcmp(mode, modes[i]) == 0)
            return i;
    return -1;
}

static bool accepts(const struct call *call)
{
    int64_t version = call->computation->version;
    const char *attributes = version >= 11  ? "mode"
                             : version >= 2 ? "mode pads value"
                                            : "mode paddings value";
    const struct tensor *value = call_input(call, 2);

    if (!accept_inputs(call, version >= 11 ? 2 : 1) || !attributes_among(call, attributes) ||
        !accept_types(call, 0, 1, TYPES_CAST) || !accept_output(call, 0, call->input[0]->dtype))
        return false;
    if (mode_of(call) < 0)
        return error_set(call->error, "mode '%s' is unknown",
                         computation_text(call->computation, "mode", ""));
    if (call_output(call, 0) != NULL && call->output[0]->rank != call->input[0]->rank)
        return error_set(call->error, "the output has another rank");
    if (version < 11)
        return true;
    if (value != NULL && (value->dtype != call->input[0]->dtype || tensor_elements(value) != 1))
        return error_set(call->error, "input 2 is not a number of the input's type");
    if (version < 18 && call_input(call, 3) != NULL)
        return error_set(call->error, "axes before version 18");
    return accept_types(call, 1, 1, TYPE(DTYPE_I64)) && accept_types(call, 3, 1, TYPES_INDEX);
}

/* --- where elements come from --- */

/* How many elements stand before each dimension of the input, and how many behind.  */
struct pads {
    int64_t before[NETWORK_MAX_RANK], behind[NETWORK_MAX_RANK];
};

static bool read_pads(const struct call *call, struct pads *pads)
{
    const char *name = call->computation->version >= 2 ? "pads" : "paddings";
    bool inputs = call->computation->version >= 11;
    size_t count = 0, axes = (size_t)call->input[0]->rank;
    const int64_t *given = computation_integers(call->computation, name, &count);
    int64_t *held = inputs ? tensor_integers(call->input[1], &count) : NULL;
    int64_t *axis =
        inputs && call_input(call, 3) != NULL ? tensor_integers(call->input[3], &axes) : NULL;
    bool good = count == 2 * axes;

    memset(pads, 0, sizeof *pads);
    given = inputs ? held : given;
    for (size_t i = 0; good && i < axes; i++) {
        int d = axis == NULL ? (int)i : call_axis(axis[i], call->input[0]->rank);

        good = d >= 0;
        if (good) {
            pads->before[d] = given[i];
            pads->behind[d] = given[axes + i];
        }
    }
    free(held);
    free(axis);
    return good || error_set(call->error, "pads that are not two an axis");
}

/* The index in a dimension of LENGTH that stands AT so many places before or behind it, -1 for
 * none.  */
static int64_t place(int64_t at, int64_t length, int mode)
{
    if (at >= 0 && at < length)
        return at;
    if (mode == CONSTANT || length == 0)
        return -1;
    if (mode == EDGE)
        return at < 0 ? 0 : length - 1;
    at = at < 0 ? -at : 2 * (length - 1) - at;
    return at >= 0 && at < length ? at : -1;
}

/* For each dimension of the output, from which index of the input each of its indices comes, or
 * -1.  The caller frees them.  */
static bool find_places(const struct call *call, const struct pads *pads, int64_t **from)
{
    const struct tensor *in = call->input[0], *out = call->output[0];
    int mode = mode_of(call);

    for (int d = 0; d < in->rank; d++) {
        int64_t length = in->dim[d], before = pads->before[d];

        if (before < -length || before > out->dim[d] ||
            out->dim[d] - before - length != pads->behind[d])
            return error_set(call->error, "pads of dimension %d that do not fit", d);
        from[d] = memory_alloc((size_t)out->dim[d], sizeof **from);
        for (int64_t i = 0; i < out->dim[d]; i++) {
            from[d][i] = place(i - before, length, mode);
            if (from[d][i] < 0 && mode != CONSTANT)
                return error_set(call->error,
                                 "pads of dimension %d that its %" PRId64 " elements do not fill",
                                 d, length);
        }
    }
    return true;
}

/* --- filling --- */

/* A row of COUNT elements; ROW is NULL where all are the value.  */
#define FILL(name, type)                                                            \
    static void name(int64_t count, void *to, const void *row, const int64_t *from, \
                     const void *value)                                             \
    {                                                                               \
        const type *in = row, filling = *(const type *)value;                       \
        type *out = to;                                                             \
                                                                                    \
        for (int64_t i = 0; i < count; i++)                                         \
            out[i] = in == NULL || from[i] < 0 ? filling : in[from[i]];             \
    }
FILL(fill_1, element_1)
FILL(fill_2, element_2)
FILL(fill_4, element_4)
FILL(fill_8, element_8)

static void fill(const struct tensor *out, const struct tensor *in, int64_t *const *from,
                 const void *value)
{
    size_t size = dtype_size(out->dtype);
    int last = out->rank - 1;
    int64_t columns = out->dim[last], rows = tensor_elements(out) / columns;
    int64_t index[NETWORK_MAX_RANK] = {0}, stride[NETWORK_MAX_RANK];

    strided_dense(in->rank, in->dim, stride);
    for (int64_t row = 0; row < rows; row++) {
        char *to = (char *)out->data + (size_t)(row * columns) * size;
        const char *source = in->data;

        for (int d = 0; d < last && source != NULL; d++)
            source = from[d][index[d]] < 0
                         ? NULL
                         : source + (size_t)(from[d][index[d]] * stride[d]) * size;
        (size == 1   ? fill_1
         : size == 2 ? fill_2
         : size == 4 ? fill_4
                     : fill_8)(columns, to, source, from[last], value);
        for (int d = last - 1; d >= 0 && ++index[d] == out->dim[d]; d--)
            index[d] = 0;
    }
}

static bool run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    double number = computation_real(call->computation, "value", 0);
    const struct tensor real = {.dtype = DTYPE_F64, .data = &number};
    uint64_t bytes = 0;
    const struct tensor element = {.dtype = in->dtype, .data = &bytes};
    bool given = call->computation->version >= 11 && call_input(call, 2) != NULL;
    int64_t *from[NETWORK_MAX_RANK] = {NULL};
    struct pads pads;
    bool good;

    if (out == NULL)
        return true;
    cast_elements(&element, given ? call->input[2] : &real);
    good = read_pads(call, &pads) && find_places(call, &pads, from);
    if (good && out->rank == 0)
        dense_copy(out, in);
    else if (good && tensor_elements(out) > 0)
        fill(out, in, from, &bytes);
    for (int d = 0; d < in->rank; d++)
        free(from[d]);
    return good;
}

const struct operator_rule operators_pad[] = {
    {"Pad", accepts, run, 0},
    {0},
};
