/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What picks, scatters or sums up elements along axes.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <inttypes.h>

#include "lib/base/checked.h"

/* --- sums along axes --- */

static bool infer_reduce(struct onnx_op *op)
{
    const int64_t *axes;
    struct shape shape = op->input[0]->shape;
    size_t count;

    if (!onnx_numbers(op, 1, "axes", &axes, &count))
        return false;
    if ((count > 0 || onnx_int(op, "noop_with_empty_axes", 0) == 0) &&
        !shape_reduce(&op->input[0]->shape, axes, count, onnx_int(op, "keepdims", 1) != 0, &shape,
                      op->error))
        return false;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

static bool infer_arg(struct onnx_op *op)
{
    int64_t axis = onnx_int(op, "axis", 0);
    struct shape shape;

    if (!shape_reduce(&op->input[0]->shape, &axis, 1, onnx_int(op, "keepdims", 1) != 0, &shape,
                      op->error))
        return false;
    return onnx_set(op, 0, &shape, DTYPE_I64);
}

static bool infer_top_k(struct onnx_op *op)
{
    int64_t k = onnx_int(op, "k", 0);
    const int64_t *number;
    struct shape shape = op->input[0]->shape;
    size_t count;
    int axis;

    if (!shape_axis(onnx_int(op, "axis", -1), op->input[0]->shape.rank, &axis, op->error))
        return false;
    if (onnx_input(op, 1) != NULL && !onnx_has_integers(op->input[1])) {
        if (!onnx_open_length(op, 1, shape.dim[axis], &k))
            return false;
    } else if (!onnx_numbers(op, 1, NULL, &number, &count)) {
        return false;
    } else if (count == 1) {
        k = number[0];
    }
    if (k < 0 || k > shape.dim[axis])
        return error_set(op->error, "the %" PRId64 " largest of %" PRId64, k, shape.dim[axis]);
    shape.dim[axis] = k;
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return onnx_set(op, 1, &shape, DTYPE_I64);
}

/* --- gathering and scattering --- */

/* The result has the shape of input DETAIL.  */
static bool infer_shaped_as(struct onnx_op *op)
{
    size_t like = (size_t)op->rule->detail;

    return onnx_set(op, 0, &op->input[like]->shape, op->input[0]->dtype);
}

/* The last dimension of the indices says how many of the data's they choose.  */
static bool infer_gather_nd(struct onnx_op *op)
{
    const struct shape *data = &op->input[0]->shape, *indices = &op->input[1]->shape;
    int64_t batch = onnx_int(op, "batch_dims", 0), chosen;
    struct shape shape;

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
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* indices, depth, values.  */
static bool infer_one_hot(struct onnx_op *op)
{
    struct shape shape = op->input[0]->shape;
    double depth;
    int axis;

    if (!onnx_number(op->input[1], &depth))
        return onnx_open(op, 1);
    if (!(depth >= 0.0 && depth < 1e15))
        return error_set(op->error, "a depth of %g", depth);
    if (shape.rank == NETWORK_MAX_RANK)
        return error_set(op->error, "more than %d dimensions", NETWORK_MAX_RANK);
    shape.rank++;
    if (!shape_axis(onnx_int(op, "axis", -1), shape.rank, &axis, op->error))
        return false;
    for (int i = shape.rank - 1; i > axis; i--)
        shape.dim[i] = shape.dim[i - 1];
    shape.dim[axis] = (int64_t)depth;
    return onnx_set(op, 0, &shape, op->input[2]->dtype);
}

/* --- of a length that hangs on elements --- */

/* How many elements of VALUE are not 0, or -1 where nobody knows.  */
static int64_t count_set(const struct onnx_value *value)
{
    struct tensor tensor = onnx_as_tensor(value);
    int64_t elements = tensor_elements(&tensor), count = 0;

    if (!onnx_has_numbers(value))
        return -1;
    for (int64_t i = 0; i < elements; i++)
        count += tensor_real(&tensor, i) != 0;
    return count;
}

/* A column of indices for each.  */
static bool infer_non_zero(struct onnx_op *op)
{
    struct shape shape = {.rank = 2};
    int64_t elements;

    shape.dim[0] = op->input[0]->shape.rank;
    shape.dim[1] = count_set(op->input[0]);
    if (shape.dim[1] < 0 && (!shape_elements(&op->input[0]->shape, &elements, op->error) ||
                             !onnx_open_length(op, 0, elements, &shape.dim[1])))
        return false;
    return onnx_set(op, 0, &shape, DTYPE_I64);
}

/* What the condition leaves of an axis, or of all elements in a row.  */
static bool infer_compress(struct onnx_op *op)
{
    struct shape shape = op->input[0]->shape;
    int64_t conditions, all;
    int axis = 0;

    if (!shape_elements(&shape, &all, op->error) ||
        !shape_elements(&op->input[1]->shape, &conditions, op->error))
        return false;
    if (!onnx_has(op, "axis"))
        shape.rank = 1;
    else if (!shape_axis(onnx_int(op, "axis", 0), shape.rank, &axis, op->error))
        return false;
    else
        all = shape.dim[axis];
    shape.dim[axis] = count_set(op->input[1]);
    if (shape.dim[axis] < 0 && !onnx_open_length(op, 1, min64(all, conditions), &shape.dim[axis]))
        return false;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* Batch, class and box of each that is chosen, of each image and class no more than input 2
 * says.  */
static bool infer_non_max_suppression(struct onnx_op *op)
{
    const struct shape *scores = &op->input[1]->shape;
    struct shape shape = {.rank = 2, .dim = {0, 3}};
    int64_t each, given, all;

    if (scores->rank != 3)
        return error_set(op->error, "scores of %d dimensions, expected 3", scores->rank);
    each = scores->dim[2];
    if (onnx_integer(onnx_input(op, 2), &given))
        each = min64(each, max64(given, 0));
    if (!checked_mul(scores->dim[0], scores->dim[1], &all) || !checked_mul(all, each, &all))
        return error_set(op->error, "its boxes overflow 64 bits");
    return onnx_open_length(op, 1, all, &shape.dim[0]) && onnx_set(op, 0, &shape, DTYPE_I64);
}

/* Those that differ, along an axis or of all; where each is first; which each one is; how often
 * each is there.  */
static bool infer_unique(struct onnx_op *op)
{
    struct shape shape = op->input[0]->shape, row = {.rank = 1}, each = {.rank = 1};
    int axis = 0;

    if (!onnx_has(op, "axis")) {
        if (!shape_elements(&shape, &each.dim[0], op->error))
            return false;
        shape.rank = 1;
    } else if (!shape_axis(onnx_int(op, "axis", 0), shape.rank, &axis, op->error)) {
        return false;
    } else {
        each.dim[0] = shape.dim[axis];
    }
    if (!onnx_open_length(op, 0, each.dim[0], &row.dim[0]))
        return false;
    shape.dim[axis] = row.dim[0];
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    onnx_set_optional(op, 1, &row, DTYPE_I64);
    onnx_set_optional(op, 2, &each, DTYPE_I64);
    return onnx_set_optional(op, 3, &row, DTYPE_I64);
}

const struct onnx_rule onnx_rules_select[] = {
    {"ReduceMean", "reduce_mean", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceL1", "reduce_l1", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceL2", "reduce_l2", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceLogSum", "reduce_log_sum", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceLogSumExp", "reduce_log_sum_exp", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceSumSquare", "reduce_sum_square", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceSum", "reduce_sum", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceProd", "reduce_prod", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceMax", "reduce_max", OP_OTHER, infer_reduce, 1, 0},
    {"ReduceMin", "reduce_min", OP_OTHER, infer_reduce, 1, 0},
    {"ArgMax", "arg_max", OP_OTHER, infer_arg, 1, 0},
    {"ArgMin", "arg_min", OP_OTHER, infer_arg, 1, 0},
    {"TopK", "top_k", OP_OTHER, infer_top_k, 1, 0},
    {"GatherElements", "gather_elements", OP_OTHER, infer_shaped_as, 2, 1},
    {"GatherND", "gather_nd", OP_OTHER, infer_gather_nd, 2, 0},
    {"Scatter", "scatter", OP_OTHER, infer_shaped_as, 1, 0},
    {"ScatterElements", "scatter", OP_OTHER, infer_shaped_as, 1, 0},
    {"ScatterND", "scatter_nd", OP_OTHER, infer_shaped_as, 1, 0},
    {"CumSum", "cumulative_sum", OP_OTHER, infer_shaped_as, 1, 0},
    {"ReverseSequence", "reverse", OP_OTHER, infer_shaped_as, 1, 0},
    {"Trilu", "triangle", OP_OTHER, infer_shaped_as, 1, 0},
    {"OneHot", "one_hot", OP_OTHER, infer_one_hot, 3, 0},
    {"NonZero", "non_zero", OP_OTHER, infer_non_zero, 1, 0},
    {"NonMaxSuppression", "non_max_suppression", OP_OTHER, infer_non_max_suppression, 2, 0},
    {"Unique", "unique", OP_OTHER, infer_unique, 1, 0},
    {"Compress", "compress", OP_OTHER, infer_compress, 2, 0},
    {0},
};
