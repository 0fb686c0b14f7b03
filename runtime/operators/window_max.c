/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MaxPool (ONNX's text since version 1; its second output and storage_order since 8, ceil_mode and
 * dilations since 10, integers since 12) and MaxUnpool (9 and 11).
 *
 * Of equal elements the first one of a window is the one whose place comes out.  The maximum of
 * what has a NaN among it is NaN, of which the text says nothing: an error should not vanish in a
 * pool.  */
#include <config.h>

#include "runtime/operators/window.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

/* How far apart in the numbering of elements neighbours along each axis are.  */
struct order {
    int64_t step[WINDOW_AXES];
};

#define REAL float
#define LEAST -INFINITY
#define IS_NAN(x) isnan(x)
#define TYPED(name) name##_f32
#include "runtime/operators/window_max_real.h"
#define REAL double
#define LEAST -(double)INFINITY
#define IS_NAN(x) isnan(x)
#define TYPED(name) name##_f64
#include "runtime/operators/window_max_real.h"
#define REAL int8_t
#define LEAST INT8_MIN
#define IS_NAN(x) false
#define TYPED(name) name##_i8
#include "runtime/operators/window_max_real.h"
#define REAL uint8_t
#define LEAST 0
#define IS_NAN(x) false
#define TYPED(name) name##_u8
#include "runtime/operators/window_max_real.h"

/* Row by row, or column by column: then the first axis of the image is the one whose neighbours
 * have neighbouring numbers.  */
static struct order numbering(const struct windows *windows, bool by_columns)
{
    const struct window_axis *axis = windows->axis;

    if (by_columns)
        return (struct order){{1, axis[0].length, axis[0].length * axis[1].length}};
    return (struct order){{axis[1].length * axis[2].length, axis[2].length, 1}};
}

static bool read_max(const struct call *call, struct windows *windows)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    const struct tensor *where = call_output(call, 1);

    if (x == NULL || y == NULL)
        return error_set(call->error, "the image or its output is missing");
    if (where != NULL && where->dtype != DTYPE_I64)
        return error_set(call->error, "places of type %s, expected i64", dtype_name(where->dtype));
    return windows_read(call, x, y, NULL, windows);
}

bool window_accepts_max(const struct call *call)
{
    struct windows windows;

    if (!attributes_among(call, "auto_pad ceil_mode dilations kernel_shape pads storage_order "
                                "strides") ||
        !read_max(call, &windows))
        return false;
    switch (call_input(call, 0)->dtype) {
    case DTYPE_F32:
    case DTYPE_F64:
    case DTYPE_I8:
    case DTYPE_U8:
        return true;
    default:
        return error_set(call->error, "elements of type %s",
                         dtype_name(call_input(call, 0)->dtype));
    }
}

bool window_run_max(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    const struct tensor *places = call_output(call, 1);
    bool by_columns = computation_integer(call->computation, "storage_order", 0) != 0;
    int64_t planes = x->dim[0] * x->dim[1];
    int64_t *where = places == NULL ? NULL : places->data;
    struct windows windows;
    struct order order;

    if (!read_max(call, &windows))
        return false;
    order = numbering(&windows, by_columns);
    switch (x->dtype) {
    case DTYPE_F32:
        max_pool_f32(&windows, &order, planes, x->data, y->data, where);
        return true;
    case DTYPE_F64:
        max_pool_f64(&windows, &order, planes, x->data, y->data, where);
        return true;
    case DTYPE_I8:
        max_pool_i8(&windows, &order, planes, x->data, y->data, where);
        return true;
    default:
        max_pool_u8(&windows, &order, planes, x->data, y->data, where);
        return true;
    }
}

/* --- back --- */

/* The shape that places are numbers in: the smallest that the pool can have had, whatever larger
 * one is asked for.  */
static bool read_unpool(const struct call *call, int64_t *dim)
{
    const struct tensor *x = call_input(call, 0), *where = call_input(call, 1);
    const struct tensor *y = call_output(call, 0);
    struct windows windows;

    if (x == NULL || where == NULL || y == NULL || x->rank != y->rank)
        return error_set(call->error, "an input or the output is missing");
    if (where->dtype != DTYPE_I64 || tensor_elements(where) != tensor_elements(x))
        return error_set(call->error, "places that do not fit the elements");
    if (!windows_read(call, y, x, NULL, &windows))
        return false;
    for (int i = 0; i < x->rank; i++) {
        int axis = i - WINDOW_FRONT + WINDOW_AXES - (x->rank - WINDOW_FRONT);

        dim[i] = x->dim[i];
        if (i < WINDOW_FRONT)
            continue;
        windows.axis[axis].length = x->dim[i];
        if (!window_transposed(&windows.axis[axis], 0, &dim[i], call->error))
            return false;
    }
    for (int i = 0; i < x->rank; i++)
        if (dim[i] > y->dim[i])
            return error_set(call->error, "an output smaller than what was pooled");
    return accept_types(call, 0, 1, TYPES_REAL);
}

bool window_accepts_unpool(const struct call *call)
{
    int64_t dim[NETWORK_MAX_RANK];

    return attributes_among(call, "kernel_shape pads strides") && read_unpool(call, dim) &&
           accept_output(call, 0, call->input[0]->dtype);
}

bool window_run_unpool(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    const int64_t *where = call_input(call, 1)->data;
    size_t size = dtype_size(x->dtype);
    int64_t dim[NETWORK_MAX_RANK], elements = 1;

    if (!read_unpool(call, dim))
        return false;
    for (int i = 0; i < x->rank; i++)
        elements *= dim[i];
    memset(y->data, 0, (size_t)tensor_elements(y) * size);
    for (int64_t i = 0; i < tensor_elements(x); i++) {
        int64_t rest = where[i], to = 0, stride = 1;

        if (rest < 0 || rest >= elements)
            return error_set(call->error, "place %" PRId64 " of %" PRId64, rest, elements);
        for (int j = x->rank - 1; j >= 0; j--) {
            to += rest % dim[j] * stride;
            rest /= dim[j];
            stride *= y->dim[j];
        }
        memcpy((char *)y->data + (size_t)to * size, (const char *)x->data + (size_t)i * size, size);
    }
    return true;
}
