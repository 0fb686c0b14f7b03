/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What moves elements and changes none: each result's element is one of the
 * input's, so that small constants are moved too.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* --- elements --- */

/* The indices of element I.  */
static void unravel(const struct shape *shape, size_t i, int64_t *index)
{
    for (int d = shape->rank - 1; d >= 0; d--) {
        index[d] = (int64_t)(i % (size_t)shape->dim[d]);
        i /= (size_t)shape->dim[d];
    }
}

static size_t ravel(const struct shape *shape, const int64_t *index)
{
    size_t i = 0;

    for (int d = 0; d < shape->rank; d++)
        i = i * (size_t)shape->dim[d] + (size_t)index[d];
    return i;
}

static void copy(struct onnx_data *to, size_t i, const struct onnx_data *from, size_t j)
{
    if (to->real != NULL)
        to->real[i] = from->real[j];
    else
        to->integer[i] = from->integer[j];
}

/* Room for the elements of output SLOT, of input 0's kind.  */
static struct onnx_data *room(struct onnx_op *op, size_t slot)
{
    int64_t elements;

    if (!shape_elements(&op->result[slot].shape, &elements, NULL))
        return NULL;
    return onnx_data_new(op->budget, elements, op->input[0]->data->real != NULL);
}

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

    if (!onnx_needs(op, 1))
        return false;
    order = order_of(op, reversed, &count);
    if (!shape_transpose(&op->input[0]->shape, order, count, &shape, op->error))
        return false;
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return true;
}

static void fold_transpose(struct onnx_op *op)
{
    int64_t reversed[NETWORK_MAX_RANK], index[NETWORK_MAX_RANK], source[NETWORK_MAX_RANK];
    struct onnx_data *to = room(op, 0);
    const int64_t *order;
    size_t count;

    if (to == NULL)
        return;
    order = order_of(op, reversed, &count);
    for (size_t i = 0; i < to->count; i++) {
        unravel(&op->result[0].shape, i, index);
        for (size_t d = 0; d < count; d++)
            source[order[d]] = index[d];
        copy(to, i, op->input[0]->data, ravel(&op->input[0]->shape, source));
    }
    op->result[0].data = to;
}

/* --- concatenation and splitting --- */

static bool infer_concat(struct onnx_op *op)
{
    struct shape *shape, joint;
    int axis;
    bool good;

    if (!onnx_needs(op, op->inputs) || !onnx_needs(op, 1) ||
        !shape_axis(onnx_int(op, "axis", 1), op->input[0]->shape.rank, &axis, op->error))
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

/* Copies between a whole and a part that begins at FIRST along AXIS.  */
static void copy_part(struct onnx_data *to, const struct onnx_data *from, const struct shape *part,
                      const struct shape *whole, int axis, int64_t first, bool into_whole)
{
    size_t count = into_whole ? from->count : to->count;
    int64_t index[NETWORK_MAX_RANK];

    for (size_t i = 0; i < count; i++) {
        size_t at;

        unravel(part, i, index);
        index[axis] += first;
        at = ravel(whole, index);
        copy(to, into_whole ? at : i, from, into_whole ? i : at);
    }
}

static void fold_concat(struct onnx_op *op)
{
    const struct shape *whole = &op->result[0].shape;
    struct onnx_data *to = room(op, 0);
    int64_t first = 0;
    int axis;

    if (to == NULL || !shape_axis(onnx_int(op, "axis", 1), whole->rank, &axis, NULL))
        return;
    for (size_t i = 0; i < op->inputs; i++) {
        const struct onnx_value *part = op->input[i];

        if ((part->data->real != NULL) != (to->real != NULL))
            return;
        copy_part(to, part->data, &part->shape, whole, axis, first, true);
        first += part->shape.dim[axis];
    }
    op->result[0].data = to;
}

/* Lengths as attribute or input, or equal parts of which the last is smaller.  */
static bool infer_split(struct onnx_op *op)
{
    int64_t length, left, parts = (int64_t)op->outputs, part;
    const int64_t *split;
    struct shape shape;
    size_t count;
    int axis;

    if (!onnx_needs(op, 1) || !onnx_numbers(op, 1, "split", &split, &count) ||
        !shape_axis(onnx_int(op, "axis", 0), op->input[0]->shape.rank, &axis, op->error))
        return false;
    if (count != 0 && count != op->outputs)
        return error_set(op->error, "%zu lengths for %zu outputs", count, op->outputs);
    if (parts == 0 || onnx_int(op, "num_outputs", parts) != parts)
        return error_set(op->error, "num_outputs is not its %zu outputs", op->outputs);
    shape = op->input[0]->shape;
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

static void fold_split(struct onnx_op *op)
{
    const struct shape *whole = &op->input[0]->shape;
    int64_t first = 0;
    int axis;

    if (op->input[0]->data == NULL ||
        !shape_axis(onnx_int(op, "axis", 0), whole->rank, &axis, NULL))
        return;
    for (size_t i = 0; i < op->outputs; i++) {
        struct onnx_data *to = room(op, i);

        if (to == NULL)
            return;
        copy_part(to, op->input[0]->data, &op->result[i].shape, whole, axis, first, false);
        op->result[i].data = to;
        first += op->result[i].shape.dim[axis];
    }
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
    return onnx_open(op, start->data == NULL ? 1 : 2);
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

    if (!onnx_needs(op, 1))
        return false;
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

static void fold_slice(struct onnx_op *op)
{
    int64_t index[NETWORK_MAX_RANK];
    struct stride stride[NETWORK_MAX_RANK];
    struct onnx_data *to = room(op, 0);
    struct shape shape;

    if (to == NULL || !read_slice(op, stride, &shape))
        return;
    for (size_t i = 0; i < to->count; i++) {
        unravel(&shape, i, index);
        for (int d = 0; d < shape.rank; d++)
            index[d] = stride[d].start + index[d] * stride[d].step;
        copy(to, i, op->input[0]->data, ravel(&op->input[0]->shape, index));
    }
    op->result[0].data = to;
}

/* --- gathering --- */

/* The indices' dimensions in place of the axis.  */
static bool infer_gather(struct onnx_op *op)
{
    const struct shape *data, *indices;
    struct shape shape;
    int axis;

    if (!onnx_needs(op, 2))
        return false;
    data = &op->input[0]->shape;
    indices = &op->input[1]->shape;
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
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return true;
}

static void fold_gather(struct onnx_op *op)
{
    const struct shape *data = &op->input[0]->shape, *indices = &op->input[1]->shape;
    const int64_t *wanted = op->input[1]->data->integer;
    int64_t index[NETWORK_MAX_RANK], source[NETWORK_MAX_RANK];
    struct onnx_data *to = room(op, 0);
    int axis;

    if (to == NULL || wanted == NULL ||
        !shape_axis(onnx_int(op, "axis", 0), data->rank, &axis, NULL))
        return;
    for (size_t i = 0; i < to->count; i++) {
        unravel(&op->result[0].shape, i, index);
        for (int d = 0; d < data->rank; d++)
            if (d != axis)
                source[d] = index[d < axis ? d : d + indices->rank - 1];
        source[axis] = wanted[ravel(indices, index + axis)];
        if (source[axis] < 0)
            source[axis] += data->dim[axis];
        if (source[axis] < 0 || source[axis] >= data->dim[axis])
            return;
        copy(to, i, op->input[0]->data, ravel(data, source));
    }
    op->result[0].data = to;
}

/* --- repeating --- */

static bool infer_expand(struct onnx_op *op)
{
    struct shape wanted, shape;
    const int64_t *number;
    size_t count;

    if (!onnx_needs(op, 2) || !onnx_numbers(op, 1, NULL, &number, &count))
        return false;
    if (count > NETWORK_MAX_RANK)
        return error_set(op->error, "%zu dimensions, expected at most %d", count, NETWORK_MAX_RANK);
    wanted.rank = (int)count;
    for (size_t i = 0; i < count; i++)
        wanted.dim[i] = number[i];
    if (!shape_broadcast(&op->input[0]->shape, &wanted, &shape, op->error))
        return false;
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return true;
}

static bool infer_tile(struct onnx_op *op)
{
    const int64_t *repeats;
    struct shape shape;
    size_t count;

    if (!onnx_needs(op, 2) || !onnx_numbers(op, 1, NULL, &repeats, &count))
        return false;
    shape = op->input[0]->shape;
    if (count != (size_t)shape.rank)
        return error_set(op->error, "%zu repeats for %d dimensions", count, shape.rank);
    for (int i = 0; i < shape.rank; i++)
        if (repeats[i] < 0 || !checked_mul(shape.dim[i], repeats[i], &shape.dim[i]))
            return error_set(op->error, "dimension %d, repeated %" PRId64 " times", i, repeats[i]);
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return true;
}

/* Expand and Tile: the input's elements over and over.  */
static void fold_repeat(struct onnx_op *op)
{
    const struct shape *whole = &op->result[0].shape, *part = &op->input[0]->shape;
    int64_t index[NETWORK_MAX_RANK];
    struct onnx_data *to = room(op, 0);

    if (to == NULL)
        return;
    for (size_t i = 0; i < to->count; i++) {
        int64_t *own = index + whole->rank - part->rank;

        unravel(whole, i, index);
        for (int d = 0; d < part->rank; d++)
            own[d] %= part->dim[d];
        copy(to, i, op->input[0]->data, ravel(part, own));
    }
    op->result[0].data = to;
}

const struct onnx_rule onnx_rules_move[] = {
    {"Transpose", "transpose", OP_OTHER, infer_transpose, fold_transpose, 0},
    {"Concat", "concat", OP_CONCAT, infer_concat, fold_concat, 0},
    {"Split", "split", OP_SPLIT, infer_split, fold_split, 0},
    {"Slice", "slice", OP_OTHER, infer_slice, fold_slice, 0},
    {"Gather", "gather", OP_OTHER, infer_gather, fold_gather, 0},
    {"Expand", "expand", OP_OTHER, infer_expand, fold_repeat, 0},
    {"Tile", "tile", OP_OTHER, infer_tile, fold_repeat, 0},
    {NULL, NULL, OP_OTHER, NULL, NULL, 0},
};
