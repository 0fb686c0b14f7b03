/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that pick elements: Gather, GatherElements, GatherND, Compress, NonZero.
 *
 * ONNX's texts of these; negative indices since version 11 of the set.  How many elements Compress
 * and NonZero find is only known when they run: they are run where the output's shape is known,
 * and say so if they find another number (call_found).  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/index.h"
#include "runtime/operators/strided.h"

static bool has_elements(const struct call *call, int64_t elements)
{
    const struct tensor *out = call_output(call, 0);

    return out == NULL || tensor_elements(out) == elements ||
           error_set(call->error, "the output has %" PRId64 " elements, expected %" PRId64,
                     tensor_elements(out), elements);
}

/* --- Gather --- */

static struct along axis_of(const struct call *call, int64_t otherwise)
{
    int64_t axis = computation_integer(call->computation, "axis", otherwise);

    return along_axis(call->input[0], call_axis(axis, call->input[0]->rank));
}

static bool gather_accepts(const struct call *call)
{
    struct along along;

    if (!accept_inputs(call, 2) || !attributes_among(call, "axis") ||
        !accept_types(call, 1, 1, TYPES_INDEX) || !accept_axis(call, 0, call->input[0]->rank) ||
        !accept_output(call, 0, call->input[0]->dtype))
        return false;
    along = axis_of(call, 0);
    return has_elements(call, along.outer * tensor_elements(call->input[1]) * along.inner);
}

static bool gather_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *indices = call->input[1];
    const struct tensor *out = call_output(call, 0);
    struct along along = axis_of(call, 0);
    int64_t count = tensor_elements(indices);
    size_t bytes = (size_t)along.inner * dtype_size(in->dtype);
    char *to = out == NULL ? NULL : out->data;

    for (int64_t o = 0; to != NULL && o < along.outer; o++)
        for (int64_t i = 0; i < count; i++) {
            int64_t index = index_at(call, indices, i, along.count);

            if (index < 0)
                return index_refuse(call, indices, i, along.count);
            memcpy(to, (const char *)in->data + (size_t)(o * along.count + index) * bytes, bytes);
            to += bytes;
        }
    return true;
}

/* --- GatherElements --- */

static bool elements_accepts(const struct call *call)
{
    const struct tensor *in, *indices;
    int axis;

    if (!accept_inputs(call, 2) || !attributes_among(call, "axis") ||
        !accept_types(call, 1, 1, TYPES_INDEX) || !accept_axis(call, 0, call->input[0]->rank) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_shape(call, 0, 1))
        return false;
    in = call->input[0];
    indices = call->input[1];
    axis = call_axis(computation_integer(call->computation, "axis", 0), in->rank);
    for (int d = 0; d < in->rank; d++)
        if (indices->rank != in->rank || (d != axis && indices->dim[d] > in->dim[d]))
            return error_set(call->error, "indices that are not part of the input");
    return true;
}

static bool elements_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *indices = call->input[1];
    const struct tensor *out = call_output(call, 0);
    int axis = call_axis(computation_integer(call->computation, "axis", 0), in->rank);
    size_t size = dtype_size(in->dtype);
    struct strided loops = {.operands = 2, .rank = in->rank};
    int64_t step;

    if (out == NULL)
        return true;
    memcpy(loops.extent, indices->dim, sizeof indices->dim);
    strided_dense(indices->rank, indices->dim, loops.stride[0]);
    strided_dense(in->rank, in->dim, loops.stride[1]);
    step = loops.stride[1][axis];
    loops.stride[1][axis] = 0; /* that is where the index says */
    for (bool more = strided_start(&loops); more; more = strided_next(&loops))
        for (int64_t i = 0; i < loops.run; i++) {
            int64_t at = loops.at[0] + i * loops.step[0];
            int64_t index = index_at(call, indices, at, in->dim[axis]);
            int64_t from = loops.at[1] + i * loops.step[1] + index * step;

            if (index < 0)
                return index_refuse(call, indices, at, in->dim[axis]);
            memcpy((char *)out->data + (size_t)at * size,
                   (const char *)in->data + (size_t)from * size, size);
        }
    return true;
}

/* --- GatherND --- */

/* Dimensions: BATCH that both have, TUPLE that an index's last dimension names.  */
struct tuples {
    int batch, tuple;
    int64_t batches, each; /* indices a batch */
    int64_t slice;         /* elements that one picks */
};

static struct tuples tuples_of(const struct call *call)
{
    const struct tensor *in = call->input[0], *indices = call->input[1];
    struct tuples tuples = {.batches = 1, .each = 1, .slice = 1};

    tuples.batch = (int)computation_integer(call->computation, "batch_dims", 0);
    tuples.tuple = (int)indices->dim[indices->rank - 1];
    for (int d = 0; d < indices->rank - 1; d++)
        *(d < tuples.batch ? &tuples.batches : &tuples.each) *= indices->dim[d];
    for (int d = tuples.batch + tuples.tuple; d < in->rank; d++)
        tuples.slice *= in->dim[d];
    return tuples;
}

static bool tuples_accepts(const struct call *call)
{
    int64_t batch = computation_integer(call->computation, "batch_dims", 0);
    const struct tensor *in, *indices;
    struct tuples tuples;

    if (!accept_inputs(call, 2) || !attributes_among(call, "batch_dims") ||
        !accept_types(call, 1, 1, TYPE(DTYPE_I64)) ||
        !accept_output(call, 0, call->input[0]->dtype))
        return false;
    in = call->input[0];
    indices = call->input[1];
    if (in->rank == 0 || indices->rank == 0 || batch < 0 || batch >= in->rank ||
        batch >= indices->rank || indices->dim[indices->rank - 1] > in->rank - batch)
        return error_set(call->error, "indices of more dimensions than the input has");
    for (int d = 0; d < batch; d++)
        if (in->dim[d] != indices->dim[d])
            return error_set(call->error, "batches of different sizes");
    tuples = tuples_of(call);
    return has_elements(call, tuples.batches * tuples.each * tuples.slice);
}

static bool tuples_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *indices = call->input[1];
    const struct tensor *out = call_output(call, 0);
    struct tuples tuples = tuples_of(call);
    int64_t stride[NETWORK_MAX_RANK], batch_stride = tuples.slice;
    size_t size = dtype_size(in->dtype), bytes = (size_t)tuples.slice * size;

    strided_dense(in->rank, in->dim, stride);
    for (int d = tuples.batch; d < tuples.batch + tuples.tuple; d++)
        batch_stride *= in->dim[d];
    for (int64_t i = 0; out != NULL && i < tuples.batches * tuples.each; i++) {
        int64_t from = i / tuples.each * batch_stride;

        for (int t = 0; t < tuples.tuple; t++) {
            int d = tuples.batch + t;
            int64_t index = index_at(call, indices, i * tuples.tuple + t, in->dim[d]);

            if (index < 0)
                return index_refuse(call, indices, i * tuples.tuple + t, in->dim[d]);
            from += index * stride[d];
        }
        memcpy((char *)out->data + (size_t)i * bytes, (const char *)in->data + (size_t)from * size,
               bytes);
    }
    return true;
}

/* --- Compress --- */

/* Without an axis the input is seen as one row.  */
static struct along compressed(const struct call *call)
{
    if (computation_find(call->computation, "axis") == NULL)
        return (struct along){1, tensor_elements(call->input[0]), 1};
    return axis_of(call, 0);
}

static bool compress_accepts(const struct call *call)
{
    return accept_inputs(call, 2) && attributes_among(call, "axis") &&
           accept_types(call, 1, 1, TYPE(DTYPE_BOOL)) &&
           (computation_find(call->computation, "axis") == NULL ||
            accept_axis(call, 0, call->input[0]->rank)) &&
           accept_output(call, 0, call->input[0]->dtype);
}

/* What there is room for in the output.  */
static int64_t length_of(const struct call *call, const struct tensor *out)
{
    if (computation_find(call->computation, "axis") == NULL)
        return tensor_elements(out);
    return out->dim[call_axis(computation_integer(call->computation, "axis", 0), out->rank)];
}

static bool compress_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *condition = call->input[1];
    const struct tensor *out = call_output(call, 0);
    struct along along = compressed(call);
    int64_t conditions = tensor_elements(condition), found = 0;
    size_t bytes = (size_t)along.inner * dtype_size(in->dtype);
    char *to = out == NULL ? NULL : out->data;

    if (conditions > along.count)
        return error_set(call->error, "more conditions than elements");
    for (int64_t i = 0; i < conditions; i++)
        found += ((const uint8_t *)condition->data)[i] != 0;
    if (out == NULL)
        return true;
    if (tensor_elements(out) != along.outer * found * along.inner)
        return call_found(call, found, length_of(call, out));
    for (int64_t o = 0; o < along.outer; o++)
        for (int64_t i = 0; i < conditions; i++)
            if (((const uint8_t *)condition->data)[i] != 0) {
                memcpy(to, (const char *)in->data + (size_t)(o * along.count + i) * bytes, bytes);
                to += bytes;
            }
    return true;
}

/* --- NonZero --- */

static bool nonzero_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);

    if (!accept_inputs(call, 1) || !attributes_among(call, "") ||
        !accept_types(call, 0, 1, TYPES_NUMBER | TYPE(DTYPE_BOOL)) ||
        !accept_output(call, 0, DTYPE_I64))
        return false;
    return (call->input[0]->rank > 0 &&
            (out == NULL || (out->rank == 2 && out->dim[0] == call->input[0]->rank))) ||
           error_set(call->error, "shapes that do not go together");
}

static bool nonzero_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    int64_t elements = tensor_elements(in), found = 0, stride[NETWORK_MAX_RANK];

    if (out == NULL)
        return true;
    strided_dense(in->rank, in->dim, stride);
    for (int64_t i = 0; i < elements; i++) {
        if (tensor_real(in, i) == 0)
            continue;
        for (int d = 0; d < in->rank && found < out->dim[1]; d++)
            ((int64_t *)out->data)[d * out->dim[1] + found] = i / stride[d] % in->dim[d];
        found++;
    }
    return found == out->dim[1] || call_found(call, found, out->dim[1]);
}

const struct operator_rule operators_select[] = {
    {"Compress", compress_accepts, compress_run, 0},
    {"Gather", gather_accepts, gather_run, 0},
    {"GatherElements", elements_accepts, elements_run, 0},
    {"GatherND", tuples_accepts, tuples_run, 0},
    {"NonZero", nonzero_accepts, nonzero_run, 0},
    {0},
};
