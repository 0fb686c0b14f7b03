/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Softmax, LogSoftmax, Hardmax.
 *
 * ONNX's texts of these: before version 13 all axes from `axis` on, 1 where nothing is said, are
 * one; since then it is this axis alone, the last one where nothing is said.  Of equal elements
 * Hardmax takes the first.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <tgmath.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/exponential.h"

/* Columns that are worked on side by side where the axis is not the last one.  */
#define COLUMNS 64

/* Of a row, at a time.  */
#define PARTS 8

enum softmax { SOFTMAX, LOG_SOFTMAX, HARDMAX };

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/softmax_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/softmax_real.h"

static bool is_flat(const struct call *call)
{
    return call->computation->version < 13;
}

/* An old one may also begin behind the last axis: each element is a row of its own then.  */
static bool accepts(const struct call *call)
{
    int64_t rank, otherwise = is_flat(call) ? 1 : -1;

    if (!accept_inputs(call, 1) || !attributes_among(call, "axis") ||
        !accept_types(call, 0, 1, TYPES_REAL) || !accept_output(call, 0, call->input[0]->dtype) ||
        !accept_shape(call, 0, 0))
        return false;
    rank = call->input[0]->rank;
    return (is_flat(call) && computation_integer(call->computation, "axis", 1) == rank) ||
           accept_axis(call, otherwise, (int)rank);
}

static struct along find_along(const struct call *call)
{
    const struct tensor *x = call->input[0];
    int64_t number = computation_integer(call->computation, "axis", is_flat(call) ? 1 : -1);
    int axis = number == x->rank ? x->rank : call_axis(number, x->rank);
    struct along along = {1, 1, 1};

    if (!is_flat(call))
        return along_axis(x, axis);
    for (int d = 0; d < x->rank; d++)
        *(d < axis ? &along.outer : &along.count) *= x->dim[d];
    return along;
}

static bool run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call_output(call, 0);
    enum softmax what = (enum softmax)call_rule(call)->detail;

    if (y == NULL)
        return true;
    CALL_REAL(x->dtype, softmax, what, find_along(call), x->data, y->data);
    return true;
}

const struct operator_rule operators_softmax[] = {
    {"Softmax", accepts, run, SOFTMAX},
    {"LogSoftmax", accepts, run, LOG_SOFTMAX},
    {"Hardmax", accepts, run, HARDMAX},
    {0},
};
