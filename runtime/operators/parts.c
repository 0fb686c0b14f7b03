/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of tensors along dimensions: Concat, Split, Slice.
 *
 * ONNX's texts of these: a Concat of version 1 goes along dimension 1 unless it says another.  A
 * Split has its sizes as an attribute before version 13, as an input since, or equal ones, of which
 * the last may be smaller since version 18.  A Slice has its numbers as attributes before version
 * 10 and as inputs since, with steps that may be negative.  A part that lies at its place already
 * is not copied.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

/* The tensor PART is that of WHOLE which begins at index FIRST along AXIS.  */
static void copy_part(const struct tensor *whole, const struct tensor *part, int axis,
                      int64_t first, bool into_whole)
{
    size_t size = dtype_size(whole->dtype);
    struct strided loops = {.operands = 2, .rank = whole->rank};
    int side = into_whole ? 0 : 1;
    char *place;

    memcpy(loops.extent, part->dim, sizeof part->dim);
    strided_dense(whole->rank, whole->dim, loops.stride[side]);
    strided_dense(part->rank, part->dim, loops.stride[1 - side]);
    place = (char *)whole->data + (size_t)(first * loops.stride[side][axis]) * size;
    strided_copy(&loops, size, into_whole ? place : part->data, into_whole ? part->data : place);
}

/* Whether they differ in AXIS at most.  */
static bool alike(const struct tensor *a, const struct tensor *b, int axis)
{
    if (a->rank != b->rank)
        return false;
    for (int d = 0; d < a->rank; d++)
        if (d != axis && a->dim[d] != b->dim[d])
            return false;
    return true;
}

/* --- Concat --- */

static int concat_axis(const struct call *call)
{
    return call_axis(computation_integer(call->computation, "axis", 1), call->input[0]->rank);
}

static bool concat_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    int64_t length = 0;
    int axis;

    if (call->inputs == 0 || !accept_inputs(call, call->inputs) ||
        !attributes_among(call, "axis") || !accept_types(call, 0, call->inputs, TYPES_ANY) ||
        !accept_axis(call, 1, call->input[0]->rank) ||
        !accept_output(call, 0, call->input[0]->dtype))
        return false;
    axis = concat_axis(call);
    for (size_t i = 0; i < call->inputs; i++) {
        if (!alike(call->input[i], call->input[0], axis))
            return error_set(call->error, "input %zu does not fit to input 0", i);
        length += call->input[i]->dim[axis];
    }
    return out == NULL || (alike(out, call->input[0], axis) && out->dim[axis] == length) ||
           error_set(call->error, "the output has another shape");
}

static bool concat_run(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    int axis = concat_axis(call);
    int64_t first = 0;

    for (size_t i = 0; out != NULL && i < call->inputs; i++) {
        copy_part(out, call->input[i], axis, first, true);
        first += call->input[i]->dim[axis];
    }
    return true;
}

/* --- Split --- */

static int split_axis(const struct call *call)
{
    return call_axis(computation_integer(call->computation, "axis", 0), call->input[0]->rank);
}

static bool split_accepts(const struct call *call)
{
    int64_t version = call->computation->version;

    if (!accept_inputs(call, 1) ||
        !attributes_among(call, version < 13   ? "axis split"
                                : version < 18 ? "axis"
                                               : "axis num_outputs") ||
        !accept_axis(call, 0, call->input[0]->rank) ||
        !accept_types(call, 1, 1, version < 2 ? TYPES_ANY : TYPE(DTYPE_I64)))
        return false;
    if (version < 2 && call_input(call, 1) != NULL)
        return error_set(call->error, "sizes as an input of version 1");
    for (size_t i = 0; i < call->outputs; i++)
        if (call->output[i] != NULL && (!accept_output(call, i, call->input[0]->dtype) ||
                                        !alike(call->output[i], call->input[0], split_axis(call))))
            return error_set(call->error, "output %zu does not fit to the input", i);
    return true;
}

/* The length of output I, which need not be there to say so.  */
static int64_t split_length(const struct call *call, size_t i)
{
    int axis = split_axis(call);
    int64_t length = call->input[0]->dim[axis], parts = (int64_t)call->outputs;
    const struct tensor *given = call_input(call, 1);
    size_t count;
    const int64_t *size = computation_integers(call->computation, "split", &count);

    if (given != NULL)
        return (int64_t)i < tensor_elements(given) ? tensor_integer(given, (int64_t)i) : -1;
    if (size != NULL)
        return i < count ? size[i] : -1;
    parts = (length + parts - 1) / parts;
    return min64(parts, max64(0, length - parts * (int64_t)i));
}

static bool split_run(const struct call *call)
{
    const struct tensor *in = call->input[0];
    int axis = split_axis(call);
    int64_t first = 0;

    for (size_t i = 0; i < call->outputs; i++) {
        int64_t length = split_length(call, i);

        if (length < 0 || length > in->dim[axis] - first ||
            (call->output[i] != NULL && call->output[i]->dim[axis] != length))
            return error_set(call->error, "output %zu has no length of %" PRId64, i, length);
        if (call->output[i] != NULL)
            copy_part(in, call->output[i], axis, first, false);
        first += length;
    }
    return true;
}

/* --- Slice --- */

/* The four lists of numbers; NULL for none.  */
struct ranges {
    size_t count;
    int64_t *start, *end, *axis, *step;
};

static bool slice_accepts(const struct call *call)
{
    const struct computation *computation = call->computation;
    bool inputs = computation->version >= 10;
    size_t starts, ends, axes;

    if (!accept_inputs(call, inputs ? 3 : 1) ||
        !attributes_among(call, inputs ? "" : "starts ends axes") ||
        !accept_output(call, 0, call->input[0]->dtype))
        return false;
    if (call_output(call, 0) != NULL && call->output[0]->rank != call->input[0]->rank)
        return error_set(call->error, "the output has another rank");
    if (inputs)
        return accept_types(call, 1, 4, TYPES_INDEX);
    computation_integers(computation, "starts", &starts);
    computation_integers(computation, "ends", &ends);
    computation_integers(computation, "axes", &axes);
    return (starts == ends && (axes == 0 || axes == starts)) ||
           error_set(call->error, "'starts', 'ends' and 'axes' of different lengths");
}

/* A copy of an attribute, or of an input's elements.  */
static int64_t *numbers(const struct call *call, const char *name, size_t input, size_t *count)
{
    const int64_t *integer;

    if (call->computation->version >= 10) {
        *count = 0;
        return call_input(call, input) == NULL ? NULL : tensor_integers(call->input[input], count);
    }
    integer = computation_integers(call->computation, name, count);
    if (integer == NULL)
        return NULL;
    return memory_copy(integer, *count, sizeof *integer);
}

static bool ranges_read(const struct call *call, struct ranges *ranges)
{
    size_t ends, axes, steps;

    ranges->start = numbers(call, "starts", 1, &ranges->count);
    ranges->end = numbers(call, "ends", 2, &ends);
    ranges->axis = numbers(call, "axes", 3, &axes);
    ranges->step = numbers(call, "steps", 4, &steps);
    return ends == ranges->count && (ranges->axis == NULL || axes == ranges->count) &&
           (ranges->step == NULL || steps == ranges->count);
}

static void ranges_free(struct ranges *ranges)
{
    free(ranges->start);
    free(ranges->end);
    free(ranges->axis);
    free(ranges->step);
}

/* Where range R of a dimension of LENGTH begins, what its step is, and how many elements it has.
 * A step that is longer than the dimension has the effect of one as long.  */
static int64_t range_count(const struct ranges *ranges, size_t r, int64_t length, int64_t *start,
                           int64_t *step)
{
    int64_t end = ranges->end[r];

    *start = ranges->start[r];
    *step = ranges->step == NULL ? 1 : ranges->step[r];
    *step = max64(-length - 1, min64(*step, length + 1));
    *start += *start < 0 ? length : 0;
    end += end < 0 ? length : 0;
    if (*step > 0) {
        *start = max64(0, min64(*start, length));
        end = max64(0, min64(end, length));
        return max64(0, (end - *start + *step - 1) / *step);
    }
    *start = max64(-1, min64(*start, length - 1));
    end = max64(-1, min64(end, length - 1));
    return max64(0, (*start - end - *step - 1) / -*step);
}

static bool slice_ranges(const struct call *call, const struct ranges *ranges,
                         struct strided *loops, int64_t *first)
{
    const struct tensor *in = call->input[0], *out = call->output[0];
    int64_t count[NETWORK_MAX_RANK];
    unsigned seen = 0;

    memcpy(count, in->dim, sizeof count);
    for (size_t r = 0; r < ranges->count; r++) {
        int axis = call_axis(ranges->axis == NULL ? (int64_t)r : ranges->axis[r], in->rank);
        int64_t start, step;

        if (axis < 0 || (seen >> axis & 1) != 0)
            return error_set(call->error, "an axis that is none, or there twice");
        if (ranges->step != NULL && ranges->step[r] == 0)
            return error_set(call->error, "a step of 0");
        seen |= 1u << axis;
        count[axis] = range_count(ranges, r, in->dim[axis], &start, &step);
        *first += start * loops->stride[1][axis];
        loops->stride[1][axis] *= step;
    }
    for (int d = 0; d < in->rank; d++)
        if (count[d] != out->dim[d])
            return error_set(call->error, "dimension %d has %" PRId64 " elements, not %" PRId64, d,
                             count[d], out->dim[d]);
    return true;
}

static bool slice_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    size_t size = dtype_size(in->dtype);
    struct strided loops = {.operands = 2, .rank = in->rank};
    struct ranges ranges;
    int64_t first = 0;
    bool good;

    if (out == NULL)
        return true;
    strided_dense(in->rank, in->dim, loops.stride[1]);
    strided_dense(out->rank, out->dim, loops.stride[0]);
    memcpy(loops.extent, out->dim, sizeof out->dim);
    good = ranges_read(call, &ranges)
               ? slice_ranges(call, &ranges, &loops, &first)
               : error_set(call->error, "starts, ends, axes or steps of different lengths");
    ranges_free(&ranges);
    if (good && tensor_elements(out) > 0)
        strided_copy(&loops, size, out->data, (const char *)in->data + first * (int64_t)size);
    return good;
}

const struct operator_rule operators_parts[] = {
    {"Concat", concat_accepts, concat_run, 0},
    {"Slice", slice_accepts, slice_run, 0},
    {"Split", split_accepts, split_run, 0},
    {0},
};
