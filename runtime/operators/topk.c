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

/* A row of elements STEP apart.  */
struct row {
    const void *data;
    int64_t step;
    bool largest;
};

typedef int compare(const void *a, const void *b, void *context);

#define COMPARE(name, type)                                       \
    static int name(const void *a, const void *b, void *context)  \
    {                                                             \
        const struct row *row = context;                          \
        int64_t i = *(const int64_t *)a, j = *(const int64_t *)b; \
        const type x = ((const type *)row->data)[i * row->step];  \
        const type y = ((const type *)row->data)[j * row->step];  \
        int order = ORDER(x != x, y != y) ?: ORDER(x, y);         \
                                                                  \
        return (row->largest ? -order : order) ?: ORDER(i, j);    \
    }
COMPARE(compare_f32, float)
COMPARE(compare_f64, double)
COMPARE(compare_i8, int8_t)
COMPARE(compare_i16, int16_t)
COMPARE(compare_i32, int32_t)
COMPARE(compare_i64, int64_t)
COMPARE(compare_u8, uint8_t)
COMPARE(compare_u16, uint16_t)
COMPARE(compare_u32, uint32_t)
COMPARE(compare_u64, uint64_t)

static compare *const comparisons[] = {
    [DTYPE_F32] = compare_f32, [DTYPE_F64] = compare_f64, [DTYPE_I8] = compare_i8,
    [DTYPE_I16] = compare_i16, [DTYPE_I32] = compare_i32, [DTYPE_I64] = compare_i64,
    [DTYPE_U8] = compare_u8,   [DTYPE_U16] = compare_u16, [DTYPE_U32] = compare_u32,
    [DTYPE_U64] = compare_u64,
};

/* --- the first of a row --- */

/* Lets the entry at PLACE sink in a heap of COUNT whose first one comes last in the order.  */
static void sink(int64_t *heap, int64_t count, int64_t place, compare *order, struct row *row)
{
    for (int64_t child; (child = 2 * place + 1) < count; place = child) {
        int64_t moved = heap[place];

        if (child + 1 < count && order(&heap[child + 1], &heap[child], row) > 0)
            child++;
        if (order(&heap[child], &moved, row) <= 0)
            return;
        heap[place] = heap[child];
        heap[child] = moved;
    }
}

/* The indices of the first K of COUNT elements, in order.  */
static void find_first(int64_t *first, int64_t k, int64_t count, compare *order, struct row *row)
{
    for (int64_t i = 0; i < k; i++)
        first[i] = i;
    for (int64_t i = k / 2 - 1; i >= 0; i--)
        sink(first, k, i, order, row);
    for (int64_t i = k; k > 0 && i < count; i++)
        if (order(&i, &first[0], row) < 0) {
            first[0] = i;
            sink(first, k, 0, order, row);
        }
    qsort_r(first, (size_t)k, sizeof *first, order, row);
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
        const char *element = (const char *)row->data + (size_t)(first[i] * row->step) * size;

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
            struct row row = {(const char *)in->data + start * dtype_size(in->dtype), along.inner,
                              largest};

            find_first(first, k, along.count, comparisons[in->dtype], &row);
            write_row(call, &row, first, k, o * k * along.inner + i, along.inner);
        }
    free(first);
    return true;
}

const struct operator_rule operators_topk[] = {
    {"TopK", accepts, run, 0},
    {0},
};
