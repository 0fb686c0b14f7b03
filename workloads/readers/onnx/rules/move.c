/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What moves elements and changes none: each result's element is one of the
 * input's.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* --- transpose --- */

static const int64_t *order_of(const struct onnx_op *op, int64_t *reversed, size_t *count)
{
    const int64_t *order = onnx_ints(op, "perm", count);

    if (*count > 0)
        return order;
    *count = (size_t)op->input[0]->shape.rank;
    for (size_t i = 0; i < *count; i++)
        reversed[i] = (int64_t)(*count - 1 - i);
    return reversed;
}

static bool infer_transpose(struct onnx_op *op)
{
    int64_t reversed[NETWORK_MAX_RANK];
    struct shape shape;
    const int64_t *order;
    size_t count;

    order = order_of(op, reversed, &count);
    if (!shape_transpose(&op->input[0]->shape, order, count, &shape, op->error))
        return false;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* --- concatenation and splitting --- */

static bool infer_concat(struct onnx_op *op)
{
    struct shape *shape, joint;
    int axis;
    bool good;

    if (!shape_axis(onnx_int(op, "axis", 1), op->input[0]->shape.rank, &axis, op->error))
        return false;
    shape = memory_alloc(op->inputs, sizeof *shape);
    for (size_t i = 0; i < op->inputs; i++)
        shape[i] = op->input[i]->shape;
    good = shape_concat(shape, op->inputs, axis, &joint, op->error);
    free(shape);
    if (good)
        onnx_set(op, 0, &joint, op->input[0]->dtype);
    return good;
}

/* Lengths as attribute or input, or equal parts of which the last is smaller.  */
static bool infer_split(struct onnx_op *op)
{
    int64_t length, left, parts = (int64_t)op->outputs, part;
    const int64_t *split;
    struct shape shape = op->input[0]->shape;
    size_t count;
    int axis;

    if (!onnx_numbers(op, 1, "split", &split, &count) ||
        !shape_axis(onnx_int(op, "axis", 0), op->input[0]->shape.rank, &axis, op->error))
        return false;
    if (count != 0 && count != op->outputs)
        return error_set(op->error, "%zu lengths for %zu outputs", count, op->outputs);
    if (parts == 0 || onnx_int(op, "num_outputs", parts) != parts)
        return error_set(op->error, "num_outputs is not its %zu outputs", op->outputs);
    left = length = shape.dim[axis];
    part = length / parts + (length % parts != 0);
    for (size_t i = 0; i < op->outputs; i++) {
        shape.dim[axis] = count != 0 ? split[i] : min64(part, left);
        if (shape.dim[axis] < 0 || shape.dim[axis] > left)
            return error_set(op->error, "parts that do not make up a length of %" PRId64, length);
        left -= shape.dim[axis];
        onnx_set(op, i, &shape, op->input[0]->dtype);
    }
    return left == 0 ||
           error_set(op->error, "parts that do not make up a length of %" PRId64, length);
}

/* --- slices --- */

/* One axis of a slice: element i of the result is element start + i * step.  */
struct stride {
    int64_t start, step;
};

/* The length of a slice of which only the run knows where it is: start and end
 * are the same number, moved by constants, as in the bodies of loops.  */
static bool moving_slice(struct onnx_op *op, int *axis, int64_t *length)
{
    const struct onnx_value *start = onnx_input(op, 1), *end = onnx_input(op, 2);
    const int64_t *axes, *steps;
    size_t n_axes, n_steps;
    int64_t moved;

    if (start == NULL || end == NULL || !onnx_numbers(op, 3, NULL, &axes, &n_axes) ||
        !onnx_numbers(op, 4, NULL, &steps, &n_steps) ||
        !shape_axis(n_axes == 1 ? axes[0] : 0, op->input[0]->shape.rank, axis, op->error))
        return false;
    if (onnx_moved(start, end, &moved) && moved >= 0 && moved <= op->input[0]->shape.dim[*axis] &&
        n_axes <= 1 && (n_steps == 0 || (n_steps == 1 && steps[0] == 1))) {
        *length = moved;
        return true;
    }
    if (n_axes > 1)
        return onnx_open(op, onnx_has_integers(start) ? 2 : 1);
    return onnx_open_length(op, onnx_has_integers(start) ? 2 : 1, op->input[0]->shape.dim[*axis],
                            length);
}

/* Starts, ends, axes and steps, as inputs 1 to 4 or attributes.  */
static bool read_slice(struct onnx_op *op, struct stride *stride, struct shape *shape)
{
    static const char *const name[] = {"starts", "ends", "axes", "steps"};
    const int64_t *number[4];
    size_t count[4];

    for (size_t i = 0; i < 4; i++)
        if (!onnx_numbers(op, 1 + i, name[i], &number[i], &count[i]))
            return false;
    if (count[1] != count[0] || (number[2] != NULL && count[2] != count[0]) ||
        (number[3] != NULL && count[3] != count[0]) || count[0] > NETWORK_MAX_RANK)
        return error_set(op->error, "starts, ends, axes and steps differ in number");
    *shape = op->input[0]->shape;
    for (int i = 0; i < shape->rank; i++)
        stride[i] = (struct stride){0, 1};
    for (size_t i = 0; i < count[0]; i++) {
        int64_t start = number[0][i], step = number[3] == NULL ? 1 : number[3][i], length;
        int axis;

        if (!shape_axis(number[2] == NULL ? (int64_t)i : number[2][i], shape->rank, &axis,
                        op->error))
            return false;
        length = op->input[0]->shape.dim[axis];
        if (!shape_slice(length, start, number[1][i], step, &shape->dim[axis], op->error))
            return false;
        if (start < 0)
            start += length;
        stride[axis].start = max64(0, min64(start, step > 0 ? length : length - 1));
        stride[axis].step = step;
    }
    return true;
}

static bool infer_slice(struct onnx_op *op)
{
    struct stride stride[NETWORK_MAX_RANK];
    struct shape shape;
    int64_t length = 0;
    int axis;

    if (!read_slice(op, stride, &shape)) {
        if (!op->open)
            return false;
        if (!moving_slice(op, &axis, &length))
            return false;
        op->open = false;
        op->error->text[0] = '\0';
        shape = op->input[0]->shape;
        shape.dim[axis] = length;
        onnx_set(op, 0, &shape, op->input[0]->dtype);
        return true;
    }
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    op->slice = true;
    for (int i = 0; i < shape.rank; i++) {
        op->start[i] = stride[i].start;
        op->slice = op->slice && stride[i].step == 1;
    }
    return true;
}

/* --- gathering --- */

/* The indices' dimensions in place of the axis.  */
static bool infer_gather(struct onnx_op *op)
{
    const struct shape *data = &op->input[0]->shape, *indices = &op->input[1]->shape;
    struct shape shape;
    int axis;

    if (!shape_axis(onnx_int(op, "axis", 0), data->rank, &axis, op->error))
        return false;
    shape.rank = data->rank - 1 + indices->rank;
    if (shape.rank > NETWORK_MAX_RANK)
        return error_set(op->error, "%d dimensions, expected at most %d", shape.rank,
                         NETWORK_MAX_RANK);
    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = i < axis                   ? data->dim[i]
                       : i < axis + indices->rank ? indices->dim[i - axis]
                                                  : data->dim[i - indices->rank + 1];
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* --- repeating --- */

static bool infer_expand(struct onnx_op *op)
{
    struct shape wanted, shape;
    const int64_t *number;
    size_t count;

    if (!onnx_numbers(op, 1, NULL, &number, &count))
        return false;
    if (count > NETWORK_MAX_RANK)
        return error_set(op->error, "%zu dimensions, expected at most %d", count, NETWORK_MAX_RANK);
    wanted.rank = (int)count;
    for (size_t i = 0; i < count; i++)
        wanted.dim[i] = number[i];
    if (!shape_broadcast(&op->input[0]->shape, &wanted, &shape, op->error))
        return false;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

static bool infer_tile(struct onnx_op *op)
{
    const int64_t *repeats;
    struct shape shape = op->input[0]->shape;
    size_t count;

    if (!onnx_numbers(op, 1, NULL, &repeats, &count))
        return false;
    if (count != (size_t)shape.rank)
        return error_set(op->error, "%zu repeats for %d dimensions", count, shape.rank);
    for (int i = 0; i < shape.rank; i++)
        if (repeats[i] < 0 || !checked_mul(shape.dim[i], repeats[i], &shape.dim[i]))
            return error_set(op->error, "dimension %d, repeated %" PRId64 " times", i, repeats[i]);
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* --- padding --- */

static bool infer_pad(struct onnx_op *op)
{
    int64_t before[NETWORK_MAX_RANK] = {0}, after[NETWORK_MAX_RANK] = {0};
    const int64_t *pads, *axes;
    size_t count, n_axes, half;
    struct shape shape;

    if (!onnx_numbers(op, 1, onnx_has(op, "pads") ? "pads" : "paddings", &pads, &count) ||
        !onnx_numbers(op, 3, NULL, &axes, &n_axes))
        return false;
    half = n_axes != 0 ? n_axes : (size_t)op->input[0]->shape.rank;
    if (count != 2 * half || half > NETWORK_MAX_RANK)
        return error_set(op->error, "%zu paddings for %zu dimensions", count, half);
    for (size_t i = 0; i < half; i++) {
        int axis = (int)i;

        if (n_axes != 0 && !shape_axis(axes[i], op->input[0]->shape.rank, &axis, op->error))
            return false;
        before[axis] = pads[i];
        after[axis] = pads[i + half];
    }
    if (!shape_pad(&op->input[0]->shape, before, after, &shape, op->error))
        return false;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

const struct onnx_rule onnx_rules_move[] = {
    {"Transpose", "transpose", OP_OTHER, infer_transpose, 1, 0},
    {"Concat", "concat", OP_CONCAT, infer_concat, ONNX_ALL, 0},
    {"Split", "split", OP_SPLIT, infer_split, 1, 0},
    {"Slice", "slice", OP_OTHER, infer_slice, 1, 0},
    {"Gather", "gather", OP_OTHER, infer_gather, 2, 0},
    {"Expand", "expand", OP_OTHER, infer_expand, 2, 0},
    {"Tile", "tile", OP_OTHER, infer_tile, 2, 0},
    {"Pad", "pad", OP_OTHER, infer_pad, 1, 0},
    {0},
};
