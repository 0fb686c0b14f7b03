/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that put elements at indices: Scatter, ScatterElements, ScatterND.
 *
 * ONNX's texts of these; negative indices since version 11 of the set, `reduction` since 16, with
 * min and max since 18.  Where an index is there twice, the last one holds.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/index.h"
#include "runtime/operators/numbers.h"
#include "runtime/operators/strided.h"

enum reduction { NONE, ADD, MUL, MIN, MAX };

static const char *const reductions[] = {"none", "add", "mul", "min", "max"};

static int reduction_of(const struct call *call)
{
    const char *name = computation_text(call->computation, "reduction", "none");
    int known = call->computation->version < 18 ? MUL : MAX;

    for (int i = NONE; i <= known; i++)
        if (strcmp(name, reductions[i]) == 0)
            return i;
    return -1;
}

/* TO becomes what the reduction makes of it and FROM, COUNT elements.  */
typedef void reduce_run(int what, int64_t count, void *to, const void *from);

#define REDUCE(suffix, type, wide)                                                   \
    static void reduce_##suffix(int what, int64_t count, void *to, const void *from) \
    {                                                                                \
        const type *in = from;                                                       \
        type *out = to;                                                              \
                                                                                     \
        for (int64_t i = 0; i < count; i++) {                                        \
            const type x = out[i], y = in[i];                                        \
                                                                                     \
            out[i] = what == ADD   ? (type)((wide)x + (wide)y)                       \
                     : what == MUL ? (type)((wide)x * (wide)y)                       \
                     : what == MIN ? (y < x || y != y ? y : x)                       \
                                   : (y > x || y != y ? y : x);                      \
        }                                                                            \
    }
#define REDUCE_REAL(dtype, suffix, type) REDUCE(suffix, type, type)
#define REDUCE_WHOLE(dtype, suffix, type) REDUCE(suffix, type, uint64_t)
NUMBERS_REAL(REDUCE_REAL)
NUMBERS_WHOLE(REDUCE_WHOLE)

#define ROW(dtype, suffix, type) [dtype] = reduce_##suffix,
static reduce_run *const runs[] = {NUMBERS(ROW)};

/* COUNT elements of UPDATES from FROM on go to OUT from TO on.  */
static void update(const struct tensor *out, int64_t to, const struct tensor *updates, int64_t from,
                   int64_t count, int reduction)
{
    size_t size = dtype_size(out->dtype);
    char *place = (char *)out->data + (size_t)to * size;
    const char *element = (const char *)updates->data + (size_t)from * size;

    if (reduction == NONE)
        memcpy(place, element, (size_t)count * size);
    else
        runs[out->dtype](reduction, count, place, element);
}

/* What both kinds need: data, indices, updates.  */
static bool accepts(const struct call *call, const char *attributes, unsigned index_types)
{
    int reduction = reduction_of(call);

    if (!accept_inputs(call, 3) || !attributes_among(call, attributes) ||
        !accept_types(call, 1, 1, index_types) || !accept_output(call, 0, call->input[0]->dtype) ||
        !accept_shape(call, 0, 0))
        return false;
    if (reduction < 0)
        return error_set(call->error, "reduction '%s' is unknown",
                         computation_text(call->computation, "reduction", ""));
    if (call->input[2]->dtype != call->input[0]->dtype)
        return error_set(call->error, "updates of another type");
    return accept_types(call, 0, 1, reduction == NONE ? TYPES_ANY : TYPES_NUMBER);
}

/* --- ScatterElements --- */

static bool elements_accepts(const struct call *call)
{
    bool old = call->computation->version < 16;
    const struct tensor *data, *indices, *updates;
    int axis;

    if (!accepts(call, old ? "axis" : "axis reduction", TYPES_INDEX) ||
        !accept_axis(call, 0, call->input[0]->rank))
        return false;
    data = call->input[0];
    indices = call->input[1];
    updates = call->input[2];
    axis = call_axis(computation_integer(call->computation, "axis", 0), data->rank);
    for (int d = 0; d < data->rank; d++)
        if (indices->rank != data->rank || updates->rank != data->rank ||
            indices->dim[d] != updates->dim[d] || (d != axis && indices->dim[d] > data->dim[d]))
            return error_set(call->error, "indices or updates that are not part of the input");
    return true;
}

static bool elements_run(const struct call *call)
{
    const struct tensor *data = call->input[0], *indices = call->input[1];
    const struct tensor *out = call_output(call, 0);
    int axis = call_axis(computation_integer(call->computation, "axis", 0), data->rank);
    struct strided loops = {.operands = 2, .rank = data->rank};
    int64_t step;

    if (out == NULL)
        return true;
    dense_copy(out, data);
    memcpy(loops.extent, indices->dim, sizeof indices->dim);
    strided_dense(indices->rank, indices->dim, loops.stride[0]);
    strided_dense(data->rank, data->dim, loops.stride[1]);
    step = loops.stride[1][axis];
    loops.stride[1][axis] = 0; /* that is where the index says */
    for (bool more = strided_start(&loops); more; more = strided_next(&loops))
        for (int64_t i = 0; i < loops.run; i++) {
            int64_t at = loops.at[0] + i * loops.step[0];
            int64_t index = index_at(call, indices, at, data->dim[axis]);

            if (index < 0)
                return index_refuse(call, indices, at, data->dim[axis]);
            update(out, loops.at[1] + i * loops.step[1] + index * step, call->input[2], at, 1,
                   reduction_of(call));
        }
    return true;
}

/* --- ScatterND --- */

static bool tuples_accepts(const struct call *call)
{
    const struct tensor *data, *indices, *updates;
    int tuple;

    if (!accepts(call, call->computation->version < 16 ? "" : "reduction", TYPE(DTYPE_I64)))
        return false;
    data = call->input[0];
    indices = call->input[1];
    updates = call->input[2];
    if (data->rank == 0 || indices->rank == 0 || indices->dim[indices->rank - 1] > data->rank)
        return error_set(call->error, "indices of more dimensions than the input has");
    tuple = (int)indices->dim[indices->rank - 1];
    if (updates->rank != indices->rank - 1 + data->rank - tuple)
        return error_set(call->error, "updates of another rank");
    for (int d = 0; d < updates->rank; d++)
        if (updates->dim[d] !=
            (d < indices->rank - 1 ? indices->dim[d] : data->dim[d - indices->rank + 1 + tuple]))
            return error_set(call->error, "updates of another shape");
    return true;
}

static bool tuples_run(const struct call *call)
{
    const struct tensor *data = call->input[0], *indices = call->input[1];
    const struct tensor *out = call_output(call, 0);
    int64_t tuple = indices->dim[indices->rank - 1], slice = 1, count = 1;
    int64_t stride[NETWORK_MAX_RANK];

    if (out == NULL)
        return true;
    dense_copy(out, data);
    strided_dense(data->rank, data->dim, stride);
    for (int d = 0; d < indices->rank - 1; d++)
        count *= indices->dim[d];
    for (int d = (int)tuple; d < data->rank; d++)
        slice *= data->dim[d];
    for (int64_t i = 0; i < count; i++) {
        int64_t to = 0;

        for (int64_t t = 0; t < tuple; t++) {
            int64_t index = index_at(call, indices, i * tuple + t, data->dim[t]);

            if (index < 0)
                return index_refuse(call, indices, i * tuple + t, data->dim[t]);
            to += index * stride[t];
        }
        update(out, to, call->input[2], i * slice, slice, reduction_of(call));
    }
    return true;
}

const struct operator_rule operators_scatter[] = {
    {"Scatter", elements_accepts, elements_run, 0},
    {"ScatterElements", elements_accepts, elements_run, 0},
    {"ScatterND", tuples_accepts, tuples_run, 0},
    {0},
};
