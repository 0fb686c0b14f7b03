/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ReduceSum, -Mean, -Max, -Min, -Prod, -L1, -L2, -LogSum, -LogSumExp, -SumSquare.
 *
 * ONNX's texts of these: the axes are an attribute before version 18 (ReduceSum: 13) and an input
 * since; none are all, unless `noop_with_empty_axes` says that nothing is reduced.  The output's
 * shape says whether reduced dimensions are kept.  Of no elements Max and Min give the least and
 * the largest number of the type, as the later texts say.  Whole numbers have sums, products and
 * limits only.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

#define ELEMENT float
#define NAME(x) f32_##x
#define IS_REAL 1
#include "runtime/operators/reduce_type.h"

#define ELEMENT double
#define NAME(x) f64_##x
#define IS_REAL 1
#include "runtime/operators/reduce_type.h"

#define ELEMENT int32_t
#define NAME(x) i32_##x
#define IS_REAL 0
#include "runtime/operators/reduce_type.h"

#define ELEMENT int64_t
#define NAME(x) i64_##x
#define IS_REAL 0
#include "runtime/operators/reduce_type.h"

#define ELEMENT uint32_t
#define NAME(x) u32_##x
#define IS_REAL 0
#include "runtime/operators/reduce_type.h"

#define ELEMENT uint64_t
#define NAME(x) u64_##x
#define IS_REAL 0
#include "runtime/operators/reduce_type.h"

#define ELEMENT int8_t
#define NAME(x) i8_##x
#define IS_REAL 0
#include "runtime/operators/reduce_type.h"

#define ELEMENT uint8_t
#define NAME(x) u8_##x
#define IS_REAL 0
#include "runtime/operators/reduce_type.h"

/* --- which axes --- */

static bool axes_are_input(const struct call *call)
{
    return call->computation->version >= (call_rule(call)->detail == SUM ? 13 : 18);
}

/* The axes that are reduced, as bits; false with a reason where one is none.  */
static bool mark(const struct call *call, const int64_t *axis, size_t count, unsigned *reduced)
{
    int rank = call->input[0]->rank;
    bool nothing = computation_integer(call->computation, "noop_with_empty_axes", 0) != 0;

    *reduced = count > 0 || nothing ? 0 : (1u << rank) - 1;
    for (size_t i = 0; i < count; i++) {
        int d = call_axis(axis[i], rank);

        if (d < 0)
            return error_set(call->error, "axis %" PRId64 " of a tensor of rank %d", axis[i], rank);
        *reduced |= 1u << d;
    }
    return true;
}

static bool find_reduced(const struct call *call, unsigned *reduced)
{
    bool input = axes_are_input(call);
    size_t count = 0;
    const int64_t *axis = computation_integers(call->computation, "axes", &count);
    int64_t *held =
        input && call_input(call, 1) != NULL ? tensor_integers(call->input[1], &count) : NULL;
    bool good = mark(call, input ? held : axis, count, reduced);

    free(held);
    return good;
}

/* --- the rule --- */

static bool accepts(const struct call *call)
{
    int what = call_rule(call)->detail;
    bool input = axes_are_input(call);
    bool maps = what != SUM && what != MEAN && what != MAX && what != MIN && what != PROD;
    unsigned whole = TYPE(DTYPE_I32) | TYPE(DTYPE_I64) | TYPE(DTYPE_U32) | TYPE(DTYPE_U64);
    unsigned reduced;

    if (what == MAX || what == MIN)
        whole |= TYPE(DTYPE_I8) | TYPE(DTYPE_U8);
    if (what == MEAN || what == L2 || what == LOG_SUM || what == LOG_SUM_EXP)
        whole = 0;
    if (!accept_inputs(call, 1) ||
        !attributes_among(call, input ? "keepdims noop_with_empty_axes" : "keepdims axes") ||
        !accept_types(call, 0, 1, TYPES_REAL | whole) ||
        !accept_types(call, 1, 1, TYPE(DTYPE_I64)) ||
        !accept_output(call, 0, call->input[0]->dtype))
        return false;
    /* The texts do not agree on whether an element by itself is squared then.  */
    if (maps && computation_integer(call->computation, "noop_with_empty_axes", 0) != 0)
        return error_set(call->error, "'noop_with_empty_axes' is not supported");
    return input || find_reduced(call, &reduced);
}

static void compute(enum reduction what, struct strided *loops, const struct tensor *in,
                    const struct tensor *out, int64_t n)
{
    int64_t count = tensor_elements(out);

    switch (in->dtype) {
    case DTYPE_F32:
        f32_run(what, loops, in->data, out->data, count, n, -INFINITY, INFINITY);
        break;
    case DTYPE_F64:
        f64_run(what, loops, in->data, out->data, count, n, (double)-INFINITY, (double)INFINITY);
        break;
    case DTYPE_I32:
        i32_run(what, loops, in->data, out->data, count, n, INT32_MIN, INT32_MAX);
        break;
    case DTYPE_I64:
        i64_run(what, loops, in->data, out->data, count, n, INT64_MIN, INT64_MAX);
        break;
    case DTYPE_U32:
        u32_run(what, loops, in->data, out->data, count, n, 0, UINT32_MAX);
        break;
    case DTYPE_U64:
        u64_run(what, loops, in->data, out->data, count, n, 0, UINT64_MAX);
        break;
    case DTYPE_I8:
        i8_run(what, loops, in->data, out->data, count, n, INT8_MIN, INT8_MAX);
        break;
    default:
        u8_run(what, loops, in->data, out->data, count, n, 0, UINT8_MAX);
    }
}

static bool run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    struct strided loops = {.operands = 2, .rank = in->rank};
    int64_t kept = 1, n = 1;
    unsigned reduced;

    if (out == NULL)
        return true;
    if (!find_reduced(call, &reduced))
        return false;
    memcpy(loops.extent, in->dim, sizeof in->dim);
    strided_dense(in->rank, in->dim, loops.stride[1]);
    for (int d = in->rank - 1; d >= 0; d--)
        if ((reduced >> d & 1) != 0) {
            n *= in->dim[d];
        } else {
            loops.stride[0][d] = kept;
            kept *= in->dim[d];
        }
    if (kept != tensor_elements(out))
        return error_set(call->error, "the output has another number of elements");
    compute((enum reduction)call_rule(call)->detail, &loops, in, out, n);
    return true;
}

const struct operator_rule operators_reduce[] = {
    {"ReduceL1", accepts, run, L1},
    {"ReduceL2", accepts, run, L2},
    {"ReduceLogSum", accepts, run, LOG_SUM},
    {"ReduceLogSumExp", accepts, run, LOG_SUM_EXP},
    {"ReduceMax", accepts, run, MAX},
    {"ReduceMean", accepts, run, MEAN},
    {"ReduceMin", accepts, run, MIN},
    {"ReduceProd", accepts, run, PROD},
    {"ReduceSum", accepts, run, SUM},
    {"ReduceSumSquare", accepts, run, SUM_SQUARE},
    {0},
};
