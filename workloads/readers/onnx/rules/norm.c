/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisations and softmax.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

/* An attribute says so, or before operator set 14 that there are outputs of it.  */
static bool is_training(const struct onnx_op *op)
{
    if (op->opset >= 14)
        return onnx_int(op, "training_mode", 0) != 0;
    for (size_t i = 1; i < op->outputs; i++)
        if (op->node->output[i][0] != '\0')
            return true;
    return op->opset < 7 && onnx_int(op, "is_test", 0) == 0;
}

/* A number a channel, as a layer has of weights.  */
static bool is_by_channel(const struct onnx_op *op)
{
    const struct shape *x = &op->input[0]->shape;

    if (op->opset < 9 && onnx_int(op, "spatial", 1) != 1)
        return false;
    for (size_t i = 1; i < 5; i++)
        if (op->input[i]->shape.rank != 1 || x->rank < 2 || op->input[i]->shape.dim[0] != x->dim[1])
            return false;
    return true;
}

/* y, then what training saves: two to four vectors of a number a channel.  In training, or with
 * other numbers than one a channel, it cannot be folded into a layer.  */
static bool infer_batch_norm(struct onnx_op *op)
{
    if (op->input[0]->shape.rank < 1)
        return error_set(op->error, "its input is a scalar");
    if (is_training(op) || !is_by_channel(op))
        op->kind = OP_OTHER;
    onnx_set_same(op);
    for (size_t i = 1; i < op->outputs; i++)
        onnx_set_optional(op, i, &op->input[1]->shape, op->input[1]->dtype);
    return true;
}

/* y, then mean and deviation, which have 1 in place of what was normalised.  */
static bool infer_layer_norm(struct onnx_op *op)
{
    struct shape shape = op->input[0]->shape;
    int axis;

    if (!shape_axis(onnx_int(op, "axis", -1), op->input[0]->shape.rank, &axis, op->error))
        return false;
    onnx_set_same(op);
    for (int i = axis; i < shape.rank; i++)
        shape.dim[i] = 1;
    onnx_set_optional(op, 1, &shape, DTYPE_F32);
    return onnx_set_optional(op, 2, &shape, DTYPE_F32);
}

const struct onnx_rule onnx_rules_norm[] = {
    {"BatchNormalization", "batch_norm", OP_BATCH_NORM, infer_batch_norm, 5, 0},
    {"InstanceNormalization", "instance_norm", OP_OTHER, onnx_set_same, 1, 0},
    {"GroupNormalization", "group_norm", OP_OTHER, onnx_set_same, 1, 0},
    {"LayerNormalization", "layer_norm", OP_OTHER, infer_layer_norm, 2, 0},
    {"SimplifiedLayerNormalization", "layer_norm", OP_OTHER, infer_layer_norm, 2, 0},
    {"RMSNormalization", "rms_norm", OP_OTHER, onnx_set_same, 1, 0},
    {"LpNormalization", "lp_norm", OP_OTHER, onnx_set_same, 1, 0},
    {"MeanVarianceNormalization", "mean_variance_norm", OP_OTHER, onnx_set_same, 1, 0},
    {"LRN", "lrn", OP_LRN, onnx_set_same, 1, 0},
    {"Softmax", "softmax", OP_SOFTMAX, onnx_set_same, 1, 0},
    {"LogSoftmax", "log_softmax", OP_SOFTMAX, onnx_set_same, 1, 0},
    {"Hardmax", "hardmax", OP_OTHER, onnx_set_same, 1, 0},
    {0},
};
