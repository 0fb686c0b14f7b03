/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of operators that move elements: what is given goes back to where it came from.  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/index.h"
#include "runtime/operators/strided.h"

static void clear(const struct tensor *tensor)
{
    memset(tensor->data, 0, (size_t)tensor_elements(tensor) * dtype_size(tensor->dtype));
}

/* --- Concat and Split: a whole along an axis, and its parts one after the other --- */

/* WHOLE's shape along the attribute `axis`; OTHERWISE stands for it where there is none.  */
static bool read_whole(const struct call *call, const struct tensor *whole, int64_t otherwise,
                       struct along *along)
{
    int axis = call_axis(computation_integer(call->computation, "axis", otherwise), whole->rank);

    if (axis < 0)
        return error_set(call->error, "an axis that the whole has not");
    *along = along_axis(whole, axis);
    return true;
}

/* How long part I of COUNT is along the axis; -1 where it fits no whole.  */
static int64_t part_length(const struct call *call, const struct along *along, size_t i,
                           size_t count)
{
    int64_t row = along->outer * along->inner;
    const int64_t *elements;
    size_t known;

    elements = computation_integers(call->computation, "elements", &known);
    if (known != count || elements[i] < 0)
        return -1;
    if (row == 0)
        return 0;
    return elements[i] % row == 0 ? elements[i] / row : -1;
}

static bool parts_fit(const struct call *call, const struct along *along, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t length = part_length(call, along, i, count);

        if (length < 0 || length > along->count - sum)
            return error_set(call->error, "parts that do not make the whole");
        sum += length;
    }
    return along->outer * along->inner == 0 || sum == along->count ||
           error_set(call->error, "parts that do not make the whole");
}

/* Copies [BEGIN, BEGIN + LENGTH) along the axis of WHOLE to PART, or back; PART NULL: zeros go
 * there.  What lies at its place already is not copied.  */
static void copy_part(const struct along *along, const struct tensor *whole, int64_t begin,
                      int64_t length, char *part, bool out)
{
    size_t size = dtype_size(whole->dtype), bytes = (size_t)(length * along->inner) * size;

    for (int64_t o = 0; o < along->outer && bytes > 0; o++) {
        char *from =
            (char *)whole->data + (size_t)((o * along->count + begin) * along->inner) * size;

        if (part == NULL)
            memset(from, 0, bytes);
        else if (from != part)
            memmove(out ? part : from, out ? from : part, bytes);
        part = part == NULL ? NULL : part + bytes;
    }
}

/* Version 1 of Concat goes along dimension 1 if nothing is said.  */
static bool accepts_concat(const struct call *call)
{
    struct along along;

    if (!gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) ||
        !attributes_among(call, "axis elements") ||
        !read_whole(call, gradient_given(call, 0), 1, &along) ||
        !parts_fit(call, &along, gradient_inputs(call)))
        return false;
    for (size_t i = 0; i < gradient_inputs(call); i++)
        if (call_output(call, i) != NULL &&
            tensor_elements(call_output(call, i)) !=
                along.outer * along.inner * part_length(call, &along, i, gradient_inputs(call)))
            return error_set(call->error, "a part of another size");
    return true;
}

static bool run_concat(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0);
    struct along along;
    int64_t begin = 0;

    if (!read_whole(call, given, 1, &along))
        return false;
    for (size_t i = 0; i < gradient_inputs(call); i++) {
        int64_t length = part_length(call, &along, i, gradient_inputs(call));

        if (call_output(call, i) != NULL)
            copy_part(&along, given, begin, length, call_output(call, i)->data, true);
        begin += length;
    }
    return true;
}

/* Any output may be the one with a gradient.  */
static bool accepts_split(const struct call *call)
{
    const struct tensor *to = call_output(call, 0);
    struct along along;

    if (!attributes_among(call, "axis elements split"))
        return false;
    if (to == NULL)
        return true;
    if (to->dtype != DTYPE_F32 && to->dtype != DTYPE_F64)
        return error_set(call->error, "elements of type %s", dtype_name(to->dtype));
    if (!read_whole(call, to, 0, &along) || !parts_fit(call, &along, gradient_outputs(call)))
        return false;
    for (size_t i = 0; i < gradient_outputs(call); i++) {
        const struct tensor *given = gradient_given(call, i);

        if (given != NULL &&
            (given->dtype != to->dtype ||
             tensor_elements(given) !=
                 along.outer * along.inner * part_length(call, &along, i, gradient_outputs(call))))
            return error_set(call->error, "a part of another size or type");
    }
    return true;
}

static bool run_split(const struct call *call)
{
    const struct tensor *to = call_output(call, 0);
    struct along along;
    int64_t begin = 0;

    if (to == NULL)
        return true;
    if (!read_whole(call, to, 0, &along))
        return false;
    for (size_t i = 0; i < gradient_outputs(call); i++) {
        const struct tensor *given = gradient_given(call, i);
        int64_t length = part_length(call, &along, i, gradient_outputs(call));

        copy_part(&along, to, begin, length, given == NULL ? NULL : given->data, false);
        begin += length;
    }
    return true;
}

/* --- Slice, whose limits are attributes --- */

/* Where the part of WHOLE begins.  */
static bool read_slice(const struct call *call, const struct tensor *whole, int64_t *begin)
{
    const struct tensor *part = gradient_given(call, 0);
    size_t starts, axes;
    const int64_t *start = computation_integers(call->computation, "starts", &starts);
    const int64_t *axis = computation_integers(call->computation, "axes", &axes);

    if (call->computation->version >= 10 || starts == 0 || (axis != NULL && axes != starts))
        return error_set(call->error, "limits that the graph does not read");
    if (whole->rank != part->rank)
        return error_set(call->error, "a part of another rank");
    memset(begin, 0, NETWORK_MAX_RANK * sizeof *begin);
    for (size_t i = 0; i < starts; i++) {
        int d = call_axis(axis == NULL ? (int64_t)i : axis[i], whole->rank);

        if (d < 0)
            return error_set(call->error, "an axis that the whole has not");
        begin[d] =
            start[i] < 0 ? max64(start[i] + whole->dim[d], 0) : min64(start[i], whole->dim[d]);
    }
    for (int d = 0; d < whole->rank; d++)
        if (part->dim[d] > whole->dim[d] - begin[d])
            return error_set(call->error, "a part beyond the whole");
    return true;
}

static bool accepts_slice(const struct call *call)
{
    int64_t begin[NETWORK_MAX_RANK];

    return gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) &&
           attributes_among(call, "axes ends starts") &&
           (call_output(call, 0) == NULL || read_slice(call, call_output(call, 0), begin));
}

static bool run_slice(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *to = call_output(call, 0);
    size_t size;
    struct strided loops = {.operands = 2, .rank = given->rank};
    int64_t begin[NETWORK_MAX_RANK], first = 0;

    if (to == NULL)
        return true;
    if (!read_slice(call, to, begin))
        return false;
    size = dtype_size(to->dtype);
    clear(to);
    memcpy(loops.extent, given->dim, (size_t)given->rank * sizeof given->dim[0]);
    strided_dense(to->rank, to->dim, loops.stride[0]);
    strided_dense(given->rank, given->dim, loops.stride[1]);
    for (int d = 0; d < to->rank; d++)
        first += begin[d] * loops.stride[0][d];
    strided_copy(&loops, size, (char *)to->data + (size_t)first * size, given->data);
    return true;
}

/* --- Transpose --- */

/* Which of the input's dimensions dimension D of the output is; -1 where none.  */
static int origin_of(const struct call *call, int d, int rank)
{
    size_t count;
    const int64_t *order = computation_integers(call->computation, "perm", &count);

    if (order == NULL)
        return rank - 1 - d;
    return count == (size_t)rank ? call_axis(order[d], rank) : -1;
}

static bool accepts_transpose(const struct call *call)
{
    const struct tensor *given, *to = call_output(call, 0);

    if (!gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) ||
        !attributes_among(call, "perm"))
        return false;
    given = gradient_given(call, 0);
    for (int d = 0; to != NULL && d < given->rank; d++) {
        int origin = origin_of(call, d, given->rank);

        if (to->rank != given->rank || origin < 0 || to->dim[origin] != given->dim[d])
            return error_set(call->error, "an order that does not fit the shapes");
    }
    return true;
}

static bool run_transpose(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *to = call_output(call, 0);
    struct strided loops = {.operands = 2, .rank = given->rank};
    int64_t stride[NETWORK_MAX_RANK];

    if (to == NULL)
        return true;
    memcpy(loops.extent, given->dim, (size_t)given->rank * sizeof given->dim[0]);
    strided_dense(to->rank, to->dim, stride);
    strided_dense(given->rank, given->dim, loops.stride[1]);
    for (int d = 0; d < given->rank; d++)
        loops.stride[0][d] = stride[origin_of(call, d, given->rank)];
    strided_copy(&loops, dtype_size(to->dtype), to->data, given->data);
    return true;
}

/* --- Gather: a row that was read several times gets the sum --- */

static bool accepts_gather(const struct call *call)
{
    const struct tensor *indices = gradient_input(call, 1), *to = call_output(call, 0);
    struct along along;

    if (!gradient_accepts(call, 2, 1, GRADIENT_NONE, GRADIENT_NONE) ||
        !attributes_among(call, "axis"))
        return false;
    if (indices == NULL || (indices->dtype != DTYPE_I64 && indices->dtype != DTYPE_I32))
        return error_set(call->error, "no indices of type i32 or i64");
    return to == NULL || (read_whole(call, to, 0, &along) &&
                          (tensor_elements(gradient_given(call, 0)) ==
                               along.outer * tensor_elements(indices) * along.inner ||
                           error_set(call->error, "indices that do not fit what is given")));
}

#define ADD_ROW(name, type)                                     \
    static void name(int64_t count, type *to, const type *from) \
    {                                                           \
        for (int64_t i = 0; i < count; i++)                     \
            to[i] += from[i];                                   \
    }
ADD_ROW(add_row_f32, float)
ADD_ROW(add_row_f64, double)

static bool run_gather(const struct call *call)
{
    const struct tensor *given = gradient_given(call, 0), *indices = gradient_input(call, 1);
    const struct tensor *to = call_output(call, 0);
    int64_t count = tensor_elements(indices);
    struct along along;

    if (to == NULL)
        return true;
    if (!read_whole(call, to, 0, &along))
        return false;
    clear(to);
    for (int64_t o = 0; o < along.outer; o++)
        for (int64_t i = 0; i < count; i++) {
            int64_t index = index_at(call, indices, i, along.count);
            int64_t at = (o * along.count + index) * along.inner;
            int64_t from = (o * count + i) * along.inner;

            if (index < 0)
                return index_refuse(call, indices, i, along.count);
            if (to->dtype == DTYPE_F32)
                add_row_f32(along.inner, (float *)to->data + at, (float *)given->data + from);
            else
                add_row_f64(along.inner, (double *)to->data + at, (double *)given->data + from);
        }
    return true;
}

const struct operator_rule operators_gradient_move[] = {
    {".ConcatGrad", accepts_concat, run_concat, 0},
    {".SplitGrad", accepts_split, run_split, 0},
    {".SliceGrad", accepts_slice, run_slice, 0},
    {".TransposeGrad", accepts_transpose, run_transpose, 0},
    {".GatherGrad", accepts_gather, run_gather, 0},
    {0},
};
