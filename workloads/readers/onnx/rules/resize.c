/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes images larger or smaller without a filter.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <inttypes.h>
#include <math.h>

#include "lib/base/checked.h"

/* --- resizing --- */

/* LENGTH times SCALE rounded down, in the precision that the format has.  */
static bool scale_length(struct onnx_op *op, double scale, int64_t *length)
{
    float scaled = floorf((float)*length * (float)scale);

    if (!(scaled >= 0.0F && scaled < 1e15F))
        return error_set(op->error, "a length of %" PRId64 " scaled by %g", *length, scale);
    *length = (int64_t)scaled;
    return true;
}

/* Under a policy that keeps the aspect ratio, one scale for all AXES.  */
static bool keep_ratio(struct onnx_op *op, const int64_t *size, const int *axis, size_t count,
                       struct shape *shape)
{
    bool larger = onnx_text_is(op, "keep_aspect_ratio_policy", "not_smaller", false);
    double scale = 0.0;

    for (size_t i = 0; i < count; i++) {
        double own = (double)size[i] / (double)shape->dim[axis[i]];

        if (i == 0 || (larger ? own > scale : own < scale))
            scale = own;
    }
    for (size_t i = 0; i < count; i++) {
        double scaled = round(scale * (double)shape->dim[axis[i]]);

        if (!(scaled >= 0.0 && scaled < 1e15))
            return error_set(op->error, "sizes that do not fit");
        shape->dim[axis[i]] = (int64_t)scaled;
    }
    return true;
}

static bool by_sizes(struct onnx_op *op, size_t input, const int *axis, size_t axes,
                     struct shape *shape)
{
    const int64_t *size;
    size_t count;

    if (!onnx_numbers(op, input, NULL, &size, &count))
        return false;
    if (count != axes)
        return error_set(op->error, "%zu sizes for %zu dimensions", count, axes);
    if (!onnx_text_is(op, "keep_aspect_ratio_policy", "stretch", true))
        return keep_ratio(op, size, axis, axes, shape);
    for (size_t i = 0; i < axes; i++)
        shape->dim[axis[i]] =
            axis[i] == 0 && onnx_is_batch(op, 0, size[i]) ? op->batch.to : size[i];
    return true;
}

static bool by_scales(struct onnx_op *op, size_t input, const int *axis, size_t axes,
                      struct shape *shape)
{
    struct tensor scales = onnx_as_tensor(op->input[input]);
    int64_t count = tensor_elements(&scales);

    if (!onnx_has_numbers(op->input[input]) || onnx_has_integers(op->input[input]))
        return onnx_open(op, input);
    if (count != (int64_t)axes)
        return error_set(op->error, "%" PRId64 " scales for %zu dimensions", count, axes);
    for (size_t i = 0; i < axes; i++)
        if (!scale_length(op, tensor_real(&scales, (int64_t)i), &shape->dim[axis[i]]))
            return false;
    return true;
}

/* Whether input I is there and not empty, as older files have it for "none".  */
static bool has_input(const struct onnx_op *op, size_t i)
{
    const struct onnx_value *input = onnx_input(op, i);

    return input != NULL && !(input->shape.rank == 1 && input->shape.dim[0] == 0);
}

/* x, scales in operator set 10; x, region, scales, sizes since.  */
static bool infer_resize(struct onnx_op *op)
{
    size_t scales = op->opset < 11 ? 1 : 2, sizes = 3, axes;
    int axis[NETWORK_MAX_RANK];
    const int64_t *given;
    struct shape shape = op->input[0]->shape;
    bool good;

    given = onnx_ints(op, "axes", &axes);
    if (axes > NETWORK_MAX_RANK)
        return error_set(op->error, "%zu axes", axes);
    for (size_t i = 0; i < axes; i++)
        if (!shape_axis(given[i], shape.rank, &axis[i], op->error))
            return false;
    if (given == NULL)
        for (axes = 0; axes < (size_t)shape.rank; axes++)
            axis[axes] = (int)axes;
    if (has_input(op, sizes))
        good = by_sizes(op, sizes, axis, axes, &shape);
    else
        good = has_input(op, scales) ? by_scales(op, scales, axis, axes, &shape)
                                     : error_set(op->error, "neither scales nor sizes");
    if (good)
        onnx_set(op, 0, &shape, op->input[0]->dtype);
    return good;
}

/* Scales as input, as attribute, or as two attributes.  */
static bool infer_upsample(struct onnx_op *op)
{
    const struct onnx_attribute *scales = onnx_attribute(op, "scales", ONNX_ATTRIBUTE_FLOATS);
    int axis[NETWORK_MAX_RANK];
    struct shape shape = op->input[0]->shape;

    for (int i = 0; i < shape.rank; i++)
        axis[i] = i;
    if (onnx_input(op, 1) != NULL) {
        if (!by_scales(op, 1, axis, (size_t)shape.rank, &shape))
            return false;
    } else if (scales != NULL && scales->n_floats == (size_t)shape.rank) {
        for (int i = 0; i < shape.rank; i++)
            if (!scale_length(op, (double)scales->floats[i], &shape.dim[i]))
                return false;
    } else if (shape.rank == 4 && onnx_has(op, "height_scale")) {
        if (!scale_length(op, onnx_float(op, "height_scale", 1.0), &shape.dim[2]) ||
            !scale_length(op, onnx_float(op, "width_scale", 1.0), &shape.dim[3]))
            return false;
    } else {
        return error_set(op->error, "no scales for %d dimensions", shape.rank);
    }
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* x as large as grid says: N x C x H x W and N x H' x W' x 2, or with depth.  */
static bool infer_grid_sample(struct onnx_op *op)
{
    struct shape shape = op->input[0]->shape;

    if (shape.rank < 3 || op->input[1]->shape.rank != shape.rank)
        return error_set(op->error, "a grid of %d dimensions for an input of %d",
                         op->input[1]->shape.rank, shape.rank);
    for (int i = 2; i < shape.rank; i++)
        shape.dim[i] = op->input[1]->shape.dim[i - 1];
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* Matrices N x 2 x 3 for a grid of images N x C x H x W, or N x 3 x 4 with depth.  */
static bool infer_affine_grid(struct onnx_op *op)
{
    struct shape shape = {0};
    const int64_t *size;
    size_t count;
    int64_t axes;

    if (!onnx_numbers(op, 1, NULL, &size, &count))
        return false;
    axes = op->input[0]->shape.rank == 3 ? op->input[0]->shape.dim[1] : 0;
    if (axes < 2 || axes > 3 || op->input[0]->shape.dim[2] != axes + 1 || count != (size_t)axes + 2)
        return error_set(op->error, "matrices and a size of %zu numbers do not fit", count);
    shape.rank = (int)axes + 2;
    shape.dim[0] = op->input[0]->shape.dim[0];
    for (int64_t i = 0; i < axes; i++)
        shape.dim[1 + i] = size[2 + i];
    shape.dim[1 + axes] = axes;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* As large as asked for, along some axes or all.  */
static bool infer_crop_pad(struct onnx_op *op)
{
    size_t axes, count;
    const int64_t *given = onnx_ints(op, "axes", &axes), *size;
    struct shape shape = op->input[0]->shape;

    if (!onnx_numbers(op, 1, NULL, &size, &count))
        return false;
    if (count != (given != NULL ? axes : (size_t)shape.rank))
        return error_set(op->error, "%zu sizes for %zu dimensions", count,
                         given != NULL ? axes : (size_t)shape.rank);
    for (size_t i = 0; i < count; i++) {
        int axis = (int)i;

        if (given != NULL && !shape_axis(given[i], shape.rank, &axis, op->error))
            return false;
        shape.dim[axis] = axis == 0 && onnx_is_batch(op, 0, size[i]) ? op->batch.to : size[i];
    }
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* N x (C times a block's elements) x blocks, back to images.  */
static bool infer_col2im(struct onnx_op *op)
{
    const int64_t *image, *block;
    size_t axes, count;
    struct shape shape = op->input[0]->shape;

    if (!onnx_numbers(op, 1, NULL, &image, &axes) || !onnx_numbers(op, 2, NULL, &block, &count))
        return false;
    if (shape.rank != 3 || axes != count || axes == 0 || axes > NETWORK_MAX_RANK - 2)
        return error_set(op->error, "columns of %d dimensions, %zu of the image, %zu of a block",
                         shape.rank, axes, count);
    for (size_t i = 0; i < axes; i++) {
        if (block[i] < 1 || shape.dim[1] % block[i] != 0)
            return error_set(op->error, "blocks of %" PRId64 " do not fit", block[i]);
        shape.dim[1] /= block[i];
        shape.dim[2 + i] = image[i];
    }
    shape.rank = (int)axes + 2;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

/* --- channels and places --- */

static bool infer_depth_to_space(struct onnx_op *op)
{
    int64_t block = onnx_int(op, "blocksize", 0);
    struct shape shape = op->input[0]->shape;

    if (shape.rank != 4 || block < 1 || block > INT32_MAX || shape.dim[1] % (block * block) != 0)
        return error_set(op->error, "blocks of %" PRId64 " do not fit", block);
    shape.dim[1] /= block * block;
    if (!checked_mul(shape.dim[2], block, &shape.dim[2]) ||
        !checked_mul(shape.dim[3], block, &shape.dim[3]))
        return error_set(op->error, "its size overflows 64 bits");
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

static bool infer_space_to_depth(struct onnx_op *op)
{
    int64_t block = onnx_int(op, "blocksize", 0);
    struct shape shape = op->input[0]->shape;

    if (shape.rank != 4 || block < 1 || block > INT32_MAX || shape.dim[2] % block != 0 ||
        shape.dim[3] % block != 0 || !checked_mul(shape.dim[1], block * block, &shape.dim[1]))
        return error_set(op->error, "blocks of %" PRId64 " do not fit", block);
    shape.dim[2] /= block;
    shape.dim[3] /= block;
    return onnx_set(op, 0, &shape, op->input[0]->dtype);
}

const struct onnx_rule onnx_rules_resize[] = {
    {"Resize", "resize", OP_OTHER, infer_resize, 1, 0},
    {"Upsample", "upsample", OP_OTHER, infer_upsample, 1, 0},
    {"AffineGrid", "affine_grid", OP_OTHER, infer_affine_grid, 2, 0},
    {"CenterCropPad", "center_crop_pad", OP_OTHER, infer_crop_pad, 2, 0},
    {"Col2Im", "col2im", OP_OTHER, infer_col2im, 3, 0},
    {"GridSample", "grid_sample", OP_OTHER, infer_grid_sample, 2, 0},
    {"DepthToSpace", "depth_to_space", OP_OTHER, infer_depth_to_space, 1, 0},
    {"SpaceToDepth", "space_to_depth", OP_OTHER, infer_space_to_depth, 1, 0},
    {0},
};
