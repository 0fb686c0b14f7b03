/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TopK.
 *
 * ONNX's text: how many is an attribute before version 10 and an input since; it is seen from the
 * output's shape.  Of equal elements those with a lower index come first.  What is no number is
 * taken as the largest, as numpy sorts it.  What need not be sorted is sorted all the same.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/order.h"

/* A row of elements that are STEP bytes apart.  */
struct row {
    const char *data;
    int64_t step;
    element_order *order;
    bool largest;
};

static int by_element(const void *a, const void *b, void *context)
{
    const struct row *row = context;
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    int found = row->order(row->data + i * row->step, row->data + j * row->step);

    return (row->largest ? -found : found) ?: ORDER(i, j);
}

/* --- the first of a row --- */

/* Lets the entry at PLACE sink in a heap of COUNT whose first one comes last in the order.  */
static void sink(int64_t *heap, int64_t count, int64_t place, struct row *row)
{
    for (int64_t child; (child = 2 * place + 1) < count; place = child) {
        int64_t moved = heap[place];

        if (child + 1 < count && by_element(&heap[child + 1], &heap[child], row) > 0)
            child++;
        if (by_element(&heap[child], &moved, row) <= 0)
            return;
        heap[place] = heap[child];
        heap[child] = moved;
    }
}

/* The indices of the first K of COUNT elements, in order.  */
static void find_first(int64_t *first, int64_t k, int64_t count, struct row *row)
{
    for (int64_t i = 0; i < k; i++)
        first[i] = i;
    for (int64_t i = k / 2 - 1; i >= 0; i--)
        sink(first, k, i, row);
    for (int64_t i = k; k > 0 && i < count; i++)
        if (by_element(&i, &first[0], row) < 0) {
            first[0] = i;
            sink(first, k, 0, row);
        }
    qsort_r(first, (size_t)k, sizeof *first, by_element, row);
}

/* --- the rule --- */

static int axis_of(const struct call *call)
{
    return call_axis(computation_integer(call->computation, "axis", -1), call->input[0]->rank);
}

static bool fits(const struct call *call, const struct tensor *out)
{
    const struct tensor *in = call->input[0];
    int axis = axis_of(call);

    if (out == NULL)
        return true;
    for (int d = 0; d < in->rank; d++)
        if (out->rank != in->rank ||
            (d == axis ? out->dim[d] > in->dim[d] : out->dim[d] != in->dim[d]))
            return error_set(call->error, "an output of another shape");
    return true;
}

static bool accepts(const struct call *call)
{
    int64_t version = call->computation->version;
    const struct tensor *values = call_output(call, 0), *indices = call_output(call, 1);

    if (!accept_inputs(call, version < 10 ? 1 : 2) ||
        !attributes_among(call, version < 10   ? "axis k"
                                : version < 11 ? "axis"
                                               : "axis largest sorted") ||
        !accept_types(call, 0, 1, TYPES_NUMBER) || !accept_types(call, 1, 1, TYPE(DTYPE_I64)) ||
        !accept_axis(call, -1, call->input[0]->rank) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_output(call, 1, DTYPE_I64) ||
        !fits(call, values) || !fits(call, indices))
        return false;
    return values == NULL || indices == NULL ||
           values->dim[axis_of(call)] == indices->dim[axis_of(call)] ||
           error_set(call->error, "outputs of different shapes");
}

/* The K indices FIRST and their elements go to the outputs, from TO on and STEP apart.  */
static void write_row(const struct call *call, const struct row *row, const int64_t *first,
                      int64_t k, int64_t to, int64_t step)
{
    const struct tensor *values = call_output(call, 0), *indices = call_output(call, 1);
    size_t size = dtype_size(call->input[0]->dtype);

    for (int64_t i = 0; i < k; i++) {
        const char *element = row->data + first[i] * row->step;

        if (values != NULL)
            memcpy((char *)values->data + (size_t)(to + i * step) * size, element, size);
        if (indices != NULL)
            ((int64_t *)indices->data)[to + i * step] = first[i];
    }
}

static bool run(const struct call *call)
{
    const struct tensor *in = call->input[0];
    const struct tensor *out =
        call_output(call, 0) != NULL ? call_output(call, 0) : call_output(call, 1);
    bool largest = computation_integer(call->computation, "largest", 1) != 0;
    struct along along = along_axis(in, axis_of(call));
    size_t size = dtype_size(in->dtype);
    int64_t *first, k;

    if (out == NULL)
        return true;
    k = out->dim[axis_of(call)];
    if (call->computation->version >= 10 &&
        (tensor_elements(call->input[1]) != 1 || tensor_integer(call->input[1], 0) != k))
        return error_set(call->error, "input 1 is not %" PRId64, k);
    first = memory_alloc((size_t)k, sizeof *first);
    for (int64_t o = 0; o < along.outer; o++)
        for (int64_t i = 0; i < along.inner; i++) {
            size_t start = (size_t)(o * along.count * along.inner + i);
            struct row row = {(const char *)in->data + start * size, along.inner * (int64_t)size,
                              element_order_of(in->dtype), largest};

            find_first(first, k, along.count, &row);
            write_row(call, &row, first, k, o * k * along.inner + i, along.inner);
        }
    free(first);
    return true;
}

const struct operator_rule operators_topk[] = {
    {"TopK", accepts, run, 0},
    {0},
};
