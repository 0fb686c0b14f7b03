/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What picks, scatters or sums up elements along axes.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <inttypes.h>

#include "lib/base/checked.h"

/* --- sums along axes --- */

enum summing { SUM = 1, PRODUCT, LARGEST, SMALLEST };

static bool infer_reduce(struct onnx_op *op)
{
    const int64_t *axes;
    struct shape shape;
    size_t count;

    if (!onnx_needs(op, 1) || !onnx_numbers(op, 1, "axes", &axes, &count))
        return false;
    shape = op->input[0]->shape;
    if ((count > 0 || onnx_int(op, "noop_with_empty_axes", 0) == 0) &&
        !shape_reduce(&op->input[0]->shape, axes, count, onnx_int(op, "keepdims", 1) != 0, &shape,
                      op->error))
        return false;
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return true;
}

/* Of vectors of integers, which is what shapes are.  */
static void fold_reduce(struct onnx_op *op)
{
    const struct onnx_data *from = op->input[0]->data;
    struct onnx_data *to;
    int64_t total;

    if (from->integer == NULL || from->count == 0 || op->input[0]->shape.rank != 1 ||
        op->result[0].shape.dim[0] != 1)
        return;
    total = from->integer[0];
    for (size_t i = 1; i < from->count; i++) {
        int64_t next = from->integer[i];

        if (op->rule->detail == LARGEST)
            total = max64(total, next);
        else if (op->rule->detail == SMALLEST)
            total = min64(total, next);
        else if (op->rule->detail == SUM ? !checked_add(total, next, &total)
                                         : !checked_mul(total, next, &total))
            return;
    }
    to = onnx_data_new(op->budget, 1, false);
    if (to != NULL)
        to->integer[0] = total;
    op->result[0].data = to;
}

static bool infer_arg(struct onnx_op *op)
{
    int64_t axis = onnx_int(op, "axis", 0);
    struct shape shape;

    if (!onnx_needs(op, 1) || !shape_reduce(&op->input[0]->shape, &axis, 1,
                                            onnx_int(op, "keepdims", 1) != 0, &shape, op->error))
        return false;
    onnx_set(op, 0, &shape, DTYPE_I64);
    return true;
}

static bool infer_top_k(struct onnx_op *op)
{
    int64_t k = onnx_int(op, "k", 0);
    const int64_t *number;
    struct shape shape;
    size_t count;
    int axis;

    if (!onnx_needs(op, 1) || !onnx_numbers(op, 1, NULL, &number, &count) ||
        !shape_axis(onnx_int(op, "axis", -1), op->input[0]->shape.rank, &axis, op->error))
        return false;
    if (count == 1)
        k = number[0];
    shape = op->input[0]->shape;
    if (k < 0 || k > shape.dim[axis])
        return error_set(op->error, "the %" PRId64 " largest of %" PRId64, k, shape.dim[axis]);
    shape.dim[axis] = k;
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    onnx_set(op, 1, &shape, DTYPE_I64);
    return true;
}

/* --- gathering and scattering --- */

/* The result has the shape of input DETAIL.  */
static bool infer_shaped_as(struct onnx_op *op)
{
    size_t like = (size_t)op->rule->detail;

    if (!onnx_needs(op, like + 1))
        return false;
    onnx_set(op, 0, &op->input[like]->shape, op->input[0]->dtype);
    return true;
}

/* The last dimension of the indices says how many of the data's they choose.  */
static bool infer_gather_nd(struct onnx_op *op)
{
    const struct shape *data, *indices;
    int64_t batch = onnx_int(op, "batch_dims", 0), chosen;
    struct shape shape;

    if (!onnx_needs(op, 2))
        return false;
    data = &op->input[0]->shape;
    indices = &op->input[1]->shape;
    if (indices->rank < 1 || batch < 0 || batch >= indices->rank)
        return error_set(op->error, "%" PRId64 " batch dimensions of indices with %d", batch,
                         indices->rank);
    chosen = indices->dim[indices->rank - 1];
    if (chosen < 1 || chosen > data->rank - batch)
        return error_set(op->error, "indices of %" PRId64 " for %d dimensions", chosen, data->rank);
    shape = *indices;
    shape.rank--;
    for (int64_t i = batch + chosen; i < data->rank; i++) {
        if (shape.rank == NETWORK_MAX_RANK)
            return error_set(op->error, "more than %d dimensions", NETWORK_MAX_RANK);
        shape.dim[shape.rank++] = data->dim[i];
    }
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return true;
}

/* indices, depth, values.  */
static bool infer_one_hot(struct onnx_op *op)
{
    const struct onnx_data *depth;
    struct shape shape;
    int axis;

    if (!onnx_needs(op, 3))
        return false;
    depth = op->input[1]->data;
    if (depth == NULL || depth->count != 1)
        return onnx_open(op, 1);
    if (depth->real != NULL && !(depth->real[0] >= 0.0 && depth->real[0] < 1e15))
        return error_set(op->error, "a depth of %g", depth->real[0]);
    shape = op->input[0]->shape;
    if (shape.rank == NETWORK_MAX_RANK)
        return error_set(op->error, "more than %d dimensions", NETWORK_MAX_RANK);
    shape.rank++;
    if (!shape_axis(onnx_int(op, "axis", -1), shape.rank, &axis, op->error))
        return false;
    for (int i = shape.rank - 1; i > axis; i--)
        shape.dim[i] = shape.dim[i - 1];
    shape.dim[axis] = depth->integer != NULL ? depth->integer[0] : (int64_t)depth->real[0];
    onnx_set(op, 0, &shape, op->input[2]->dtype);
    return true;
}

/* How long the result is hangs on the elements of the input.  */
static bool infer_open(struct onnx_op *op)
{
    return onnx_needs(op, 1) && onnx_open(op, 0);
}

#define REDUCE(name, word)                          \
    {                                               \
        name, word, OP_OTHER, infer_reduce, NULL, 0 \
    }

const struct onnx_rule onnx_rules_select[] = {
    REDUCE("ReduceMean", "reduce_mean"),
    REDUCE("ReduceL1", "reduce_l1"),
    REDUCE("ReduceL2", "reduce_l2"),
    REDUCE("ReduceLogSum", "reduce_log_sum"),
    REDUCE("ReduceLogSumExp", "reduce_log_sum_exp"),
    REDUCE("ReduceSumSquare", "reduce_sum_square"),
    {"ReduceSum", "reduce_sum", OP_OTHER, infer_reduce, fold_reduce, SUM},
    {"ReduceProd", "reduce_prod", OP_OTHER, infer_reduce, fold_reduce, PRODUCT},
    {"ReduceMax", "reduce_max", OP_OTHER, infer_reduce, fold_reduce, LARGEST},
    {"ReduceMin", "reduce_min", OP_OTHER, infer_reduce, fold_reduce, SMALLEST},
    {"ArgMax", "arg_max", OP_OTHER, infer_arg, NULL, 0},
    {"ArgMin", "arg_min", OP_OTHER, infer_arg, NULL, 0},
    {"TopK", "top_k", OP_OTHER, infer_top_k, NULL, 0},
    {"GatherElements", "gather_elements", OP_OTHER, infer_shaped_as, NULL, 1},
    {"GatherND", "gather_nd", OP_OTHER, infer_gather_nd, NULL, 0},
    {"Scatter", "scatter", OP_OTHER, infer_shaped_as, NULL, 0},
    {"ScatterElements", "scatter", OP_OTHER, infer_shaped_as, NULL, 0},
    {"ScatterND", "scatter_nd", OP_OTHER, infer_shaped_as, NULL, 0},
    {"CumSum", "cumulative_sum", OP_OTHER, infer_shaped_as, NULL, 0},
    {"ReverseSequence", "reverse", OP_OTHER, infer_shaped_as, NULL, 0},
    {"Trilu", "triangle", OP_OTHER, infer_shaped_as, NULL, 0},
    {"OneHot", "one_hot", OP_OTHER, infer_one_hot, NULL, 0},
    {"NonZero", "non_zero", OP_OTHER, infer_open, NULL, 0},
    {"NonMaxSuppression", "non_max_suppression", OP_OTHER, infer_open, NULL, 0},
    {"Unique", "unique", OP_OTHER, infer_open, NULL, 0},
    {"Compress", "compress", OP_OTHER, infer_open, NULL, 0},
    {NULL, NULL, OP_OTHER, NULL, NULL, 0},
};
