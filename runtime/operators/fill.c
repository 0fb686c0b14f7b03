/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that make elements of little: Constant, ConstantOfShape, EyeLike, OneHot, Range, Shape,
 * Size.
 *
 * ONNX's texts of these; the output's type and shape are those that inference found.  A Constant
 * that is a text or sparse is refused.  An index of OneHot that is out of range has no element
 * that is on; negative ones count from the end since version 11.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/cast.h"

/* A number of an attribute in 8 bytes, as an element of OUT's type.  */
static void write_element(const struct tensor *out, int64_t i, enum dtype dtype, const void *number)
{
    const struct tensor from = {.dtype = dtype, .data = (void *)(uintptr_t)number};
    const struct tensor to = {.dtype = out->dtype,
                              .data = (char *)out->data + (size_t)i * dtype_size(out->dtype)};

    cast_elements(&to, &from);
}

/* Element 0 becomes all of COUNT, by copies of twice as many at a time.  */
static void repeat_first(char *data, size_t count, size_t size)
{
    for (size_t done = 1; done < count; done *= 2)
        memcpy(data + done * size, data, (done < count - done ? done : count - done) * size);
}

static bool makes(const struct call *call, unsigned types)
{
    const struct tensor *out = call_output(call, 0);

    return out == NULL || (types & TYPE(out->dtype)) != 0 ||
           error_set(call->error, "no output of type %s", dtype_name(out->dtype));
}

/* --- constants --- */

/* The attribute with numbers, or NULL.  */
static const struct attribute *numbers(const struct call *call)
{
    static const char *const names[] = {"value", "value_float", "value_floats", "value_int",
                                        "value_ints"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct attribute *attribute = computation_find(call->computation, names[i]);

        if (attribute != NULL && attribute->text == NULL)
            return attribute;
    }
    return NULL;
}

static void write_number(const struct tensor *out, int64_t i, const struct attribute *from)
{
    if (from->real != NULL)
        write_element(out, i, DTYPE_F64, &from->real[i]);
    else
        write_element(out, i, DTYPE_I64, &from->integer[i]);
}

static bool constant_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    const struct attribute *attribute = numbers(call);

    if (!attributes_among(call, "value value_float value_floats value_int value_ints") ||
        !makes(call, TYPES_CAST))
        return false;
    if (attribute == NULL)
        return error_set(call->error, "there are no numbers");
    return out == NULL ||
           tensor_elements(out) == (int64_t)(attribute->integers + attribute->reals) ||
           error_set(call->error, "an output of another shape");
}

static bool constant_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);

    for (int64_t i = 0; out != NULL && i < tensor_elements(out); i++)
        write_number(out, i, numbers(call));
    return true;
}

static bool of_shape_accepts(const struct call *call)
{
    const struct attribute *attribute = numbers(call);

    if (!accept_inputs(call, 1) || !attributes_among(call, "value") || !makes(call, TYPES_CAST))
        return false;
    return computation_find(call->computation, "value") == NULL ||
           (attribute != NULL && attribute->integers + attribute->reals == 1) ||
           error_set(call->error, "'value' is not a single number");
}

static bool of_shape_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    const struct attribute *attribute = numbers(call);
    const double zero = 0;

    if (out == NULL || tensor_elements(out) == 0)
        return true;
    if (attribute == NULL)
        write_element(out, 0, DTYPE_F64, &zero);
    else
        write_number(out, 0, attribute);
    repeat_first(out->data, (size_t)tensor_elements(out), dtype_size(out->dtype));
    return true;
}

/* --- EyeLike --- */

static bool eye_accepts(const struct call *call)
{
    return accept_inputs(call, 1) && attributes_among(call, "dtype k") && makes(call, TYPES_CAST) &&
           accept_shape(call, 0, 0) &&
           (call->input[0]->rank == 2 || error_set(call->error, "input 0 is not a matrix"));
}

static bool eye_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    int64_t diagonal = computation_integer(call->computation, "k", 0);
    const double one = 1;

    if (out == NULL)
        return true;
    memset(out->data, 0, (size_t)tensor_elements(out) * dtype_size(out->dtype));
    if (diagonal <= -out->dim[0] || diagonal >= out->dim[1])
        return true;
    for (int64_t row = 0; row < out->dim[0]; row++)
        if (row + diagonal >= 0 && row + diagonal < out->dim[1])
            write_element(out, row * out->dim[1] + row + diagonal, DTYPE_F64, &one);
    return true;
}

/* --- OneHot --- */

static int hot_axis(const struct call *call)
{
    return call_axis(computation_integer(call->computation, "axis", -1), call->input[0]->rank + 1);
}

static bool hot_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *indices;
    int axis;

    if (!accept_inputs(call, 3) || !attributes_among(call, "axis") ||
        !accept_types(call, 0, 1, TYPES_NUMBER) || !accept_types(call, 1, 1, TYPES_NUMBER) ||
        !accept_output(call, 0, call->input[2]->dtype) ||
        !accept_axis(call, -1, call->input[0]->rank + 1))
        return false;
    indices = call->input[0];
    axis = hot_axis(call);
    if (tensor_elements(call->input[1]) != 1 || tensor_elements(call->input[2]) != 2)
        return error_set(call->error, "a depth or values that are not numbers");
    for (int d = 0; out != NULL && d <= indices->rank; d++)
        if (out->rank != indices->rank + 1 ||
            (d != axis && out->dim[d] != indices->dim[d < axis ? d : d - 1]))
            return error_set(call->error, "an output of another shape");
    return true;
}

/* Which element of DEPTH index I switches on, or -1.  */
static int64_t hot_index(const struct call *call, int64_t i, int64_t depth)
{
    double real = tensor_real(call->input[0], i);
    int64_t index;

    if (!(real >= -(double)depth && real < (double)depth))
        return -1;
    index = tensor_integer(call->input[0], i);
    if (index < 0)
        return call->computation->version < 11 ? -1 : index + depth;
    return index;
}

static bool hot_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *values = call->input[2];
    struct along along;
    size_t size;

    if (out == NULL)
        return true;
    along = along_axis(out, hot_axis(call));
    size = dtype_size(out->dtype);
    if (tensor_real(call->input[1], 0) != (double)along.count)
        return error_set(call->error, "the depth is not %" PRId64, along.count);
    if (tensor_elements(out) == 0)
        return true;
    memcpy(out->data, values->data, size);
    repeat_first(out->data, (size_t)tensor_elements(out), size);
    for (int64_t o = 0; o < along.outer; o++)
        for (int64_t i = 0; i < along.inner; i++) {
            int64_t index = hot_index(call, o * along.inner + i, along.count);
            int64_t at = (o * along.count + index) * along.inner + i;

            if (index >= 0)
                memcpy((char *)out->data + (size_t)at * size, (const char *)values->data + size,
                       size);
        }
    return true;
}

/* --- Range --- */

#define TYPES_RANGE (TYPES_REAL | TYPE(DTYPE_I16) | TYPE(DTYPE_I32) | TYPE(DTYPE_I64))

static bool range_accepts(const struct call *call)
{
    if (!accept_inputs(call, 3) || !attributes_among(call, "") ||
        !accept_types(call, 0, 3, TYPES_RANGE) || !accept_output(call, 0, call->input[0]->dtype))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (tensor_elements(call->input[i]) != 1)
            return error_set(call->error, "input %zu is not a single number", i);
    return true;
}

/* How many whole numbers there are from START to LIMIT, STEP apart; STEP is not 0.  */
static bool is_count(int64_t start, int64_t limit, int64_t step, int64_t count)
{
    __int128 distance = (__int128)limit - start, steps = distance / step;

    if (distance % step != 0 && (distance < 0) == (step < 0))
        steps++;
    return (steps < 0 ? 0 : steps) == count;
}

static bool range_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0), *const *in = call->input;
    double first = tensor_real(in[0], 0), limit = tensor_real(in[1], 0);
    double step = tensor_real(in[2], 0);
    int64_t count = out == NULL ? 0 : tensor_elements(out);
    bool real, good;

    if (out == NULL)
        return true;
    real = out->dtype == DTYPE_F32 || out->dtype == DTYPE_F64;
    if (step == 0)
        return error_set(call->error, "a step of 0");
    good = real ? fmax(ceil((limit - first) / step), 0) == (double)count
                : is_count(tensor_integer(in[0], 0), tensor_integer(in[1], 0),
                           tensor_integer(in[2], 0), count);
    if (!good)
        return error_set(call->error, "the numbers are not %" PRId64, count);
    for (int64_t i = 0; i < count; i++)
        if (out->dtype == DTYPE_F32) {
            ((float *)out->data)[i] = (float)first + (float)i * (float)step;
        } else if (out->dtype == DTYPE_F64) {
            ((double *)out->data)[i] = first + (double)i * step;
        } else {
            int64_t whole = (int64_t)((uint64_t)tensor_integer(in[0], 0) +
                                      (uint64_t)i * (uint64_t)tensor_integer(in[2], 0));

            write_element(out, i, DTYPE_I64, &whole);
        }
    return true;
}

/* --- shapes --- */

/* The dimensions [*FIRST, *LAST) that are asked for.  */
static void asked_for(const struct call *call, int *first, int *last)
{
    int64_t rank = call->input[0]->rank;
    int64_t start = computation_integer(call->computation, "start", 0);
    int64_t end = computation_integer(call->computation, "end", rank);

    start += start < 0 ? rank : 0;
    end += end < 0 ? rank : 0;
    *first = (int)(start < 0 ? 0 : start > rank ? rank : start);
    *last = (int)(end < *first ? *first : end > rank ? rank : end);
}

static bool shape_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    bool parts = call->computation->version >= 15;
    int first, last;

    if (!accept_inputs(call, 1) || !attributes_among(call, parts ? "start end" : "") ||
        !accept_output(call, 0, DTYPE_I64))
        return false;
    asked_for(call, &first, &last);
    return out == NULL || tensor_elements(out) == last - first ||
           error_set(call->error, "an output of another shape");
}

static bool shape_run(const struct call *call)
{
    int first, last;

    if (call_output(call, 0) == NULL)
        return true;
    asked_for(call, &first, &last);
    for (int d = first; d < last; d++)
        ((int64_t *)call->output[0]->data)[d - first] = call->input[0]->dim[d];
    return true;
}

static bool size_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);

    return accept_inputs(call, 1) && attributes_among(call, "") &&
           accept_output(call, 0, DTYPE_I64) &&
           (out == NULL || tensor_elements(out) == 1 ||
            error_set(call->error, "an output of another shape"));
}

static bool size_run(const struct call *call)
{
    if (call_output(call, 0) != NULL)
        *(int64_t *)call->output[0]->data = tensor_elements(call->input[0]);
    return true;
}

const struct operator_rule operators_fill[] = {
    {"Constant", constant_accepts, constant_run, 0},
    {"ConstantOfShape", of_shape_accepts, of_shape_run, 0},
    {"EyeLike", eye_accepts, eye_run, 0},
    {"OneHot", hot_accepts, hot_run, 0},
    {"Range", range_accepts, range_run, 0},
    {"Shape", shape_accepts, shape_run, 0},
    {"Size", size_accepts, size_run, 0},
    {0},
};
