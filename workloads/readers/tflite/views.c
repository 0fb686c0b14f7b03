/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's operators that move data.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/checked.h"
#include "workloads/readers/tflite/ops.h"

/* The axis in option FIELD, for RANK dimensions.  */
static bool get_axis(struct tflite_work *work, size_t field, int rank, int *axis)
{
    int64_t number;

    return tflite_option(work, field, &number) && shape_axis(number, rank, axis, work->error);
}

/* The one number of constant input INDEX as an axis.  */
static bool axis_input(struct tflite_work *work, size_t index, int rank, int *axis)
{
    int64_t number = 0;
    size_t count;

    if (!tflite_numbers(work, index, &number, 1, &count))
        return false;
    if (count != 1)
        return error_set(work->error, "input %zu: expected one axis", index);
    return shape_axis(number, rank, axis, work->error);
}

/* As many numbers in constant input INDEX as input 0 has dimensions.  */
static bool per_dimension(struct tflite_work *work, size_t index, int64_t *number)
{
    size_t count, rank = (size_t)tflite_in(work, 0)->rank;

    if (!tflite_numbers(work, index, number, NETWORK_MAX_RANK, &count))
        return false;
    return count == rank ||
           error_set(work->error, "input %zu: %zu numbers for %zu dimensions", index, count, rank);
}

static bool all_inputs(struct tflite_work *work)
{
    for (size_t i = 0; i < work->op->input.count; i++)
        if (tflite_in(work, i) == NULL)
            return error_set(work->error, "input %zu is left out", i);
    return true;
}

bool tflite_concat(struct tflite_work *work)
{
    struct shape joint = *tflite_in(work, 0);
    int axis = 0;

    if (!all_inputs(work) || !get_axis(work, 0, joint.rank, &axis))
        return false;
    for (size_t i = 1; i < work->op->input.count; i++) {
        const struct shape pair[] = {joint, *tflite_in(work, i)};

        if (!shape_concat(pair, 2, axis, &joint, work->error))
            return false;
    }
    work->out[0] = joint;
    return true;
}

/* Inputs side by side along a new dimension.  */
bool tflite_pack(struct tflite_work *work)
{
    struct shape made = *tflite_in(work, 0);
    const int64_t zero = 0;
    int axis = 0;

    if (!all_inputs(work) || !get_axis(work, 1, made.rank + 1, &axis))
        return false;
    for (size_t i = 1; i < work->op->input.count; i++)
        if (!shape_equal(tflite_in(work, i), tflite_in(work, 0)))
            return error_set(work->error, "inputs of different shapes");
    if (!shape_unsqueeze(tflite_in(work, 0), &zero, 1, &made, work->error))
        return false;
    for (int i = 0; i < made.rank - 1; i++)
        made.dim[i + (i >= axis)] = tflite_in(work, 0)->dim[i];
    made.dim[axis] = (int64_t)work->op->input.count;
    work->out[0] = made;
    return true;
}

bool tflite_unpack(struct tflite_work *work)
{
    struct shape made = *tflite_in(work, 0);
    int axis = 0;

    if (!get_axis(work, 1, made.rank, &axis))
        return false;
    if ((size_t)made.dim[axis] != work->op->output.count)
        return error_set(work->error, "%zu outputs of %" PRId64, work->op->output.count,
                         made.dim[axis]);
    made.rank--;
    for (int i = axis; i < made.rank; i++)
        made.dim[i] = made.dim[i + 1];
    for (size_t i = 0; i < work->op->output.count; i++)
        work->out[i] = made;
    return true;
}

/* The axis is input 0.  */
bool tflite_split(struct tflite_work *work)
{
    struct shape made = *tflite_in(work, 1);
    size_t count = work->op->output.count;
    int axis = 0;

    if (!axis_input(work, 0, made.rank, &axis))
        return false;
    if (made.dim[axis] % (int64_t)count != 0)
        return error_set(work->error, "%" PRId64 " elements in %zu parts", made.dim[axis], count);
    made.dim[axis] /= (int64_t)count;
    for (size_t i = 0; i < count; i++)
        work->out[i] = made;
    return true;
}

/* Sizes in input 1, the axis in input 2.  A size of -1 is the rest.  */
bool tflite_split_v(struct tflite_work *work)
{
    const struct shape *in = tflite_in(work, 0);
    int64_t size[64], rest;
    size_t count, open = SIZE_MAX;
    int axis = 0;

    if (!axis_input(work, 2, in->rank, &axis) || !tflite_numbers(work, 1, size, 64, &count))
        return false;
    rest = in->dim[axis];
    for (size_t i = 0; i < count; i++)
        if (size[i] == -1 && open == SIZE_MAX)
            open = i;
        else if (size[i] < 0 || size[i] > rest)
            return error_set(work->error, "part %zu has %" PRId64 " elements of %" PRId64, i,
                             size[i], rest);
        else
            rest -= size[i];
    if (count != work->op->output.count || (open == SIZE_MAX && rest != 0))
        return error_set(work->error, "the parts do not make up the input");
    for (size_t i = 0; i < count; i++) {
        work->out[i] = *in;
        work->out[i].dim[axis] = i == open ? rest : size[i];
    }
    return true;
}

/* --- the same elements --- */

/* The new shape is input 1 or, in old files, option 0.  */
bool tflite_reshape(struct tflite_work *work)
{
    int64_t wanted[NETWORK_MAX_RANK];
    size_t count;
    bool good = tflite_input(work, 1) != NULL
                    ? tflite_numbers(work, 1, wanted, NETWORK_MAX_RANK, &count)
                    : tflite_option_list(work, 0, wanted, NETWORK_MAX_RANK, &count);

    return good &&
           shape_reshape(tflite_in(work, 0), wanted, count, false, &work->out[0], work->error);
}

bool tflite_squeeze(struct tflite_work *work)
{
    int64_t axes[NETWORK_MAX_RANK];
    size_t count;

    return tflite_option_list(work, 0, axes, NETWORK_MAX_RANK, &count) &&
           shape_squeeze(tflite_in(work, 0), axes, count, &work->out[0], work->error);
}

bool tflite_expand_dims(struct tflite_work *work)
{
    int64_t axis = 0;
    size_t count;

    return tflite_numbers(work, 1, &axis, 1, &count) &&
           shape_unsqueeze(tflite_in(work, 0), &axis, count, &work->out[0], work->error);
}

bool tflite_transpose(struct tflite_work *work)
{
    int64_t order[NETWORK_MAX_RANK];

    return per_dimension(work, 1, order) &&
           shape_transpose(tflite_in(work, 0), order, (size_t)tflite_in(work, 0)->rank,
                           &work->out[0], work->error);
}

/* --- other sizes --- */

bool tflite_shape(struct tflite_work *work)
{
    work->out[0] = (struct shape){.rank = 1, .dim = {tflite_in(work, 0)->rank}};
    return true;
}

bool tflite_reduce(struct tflite_work *work)
{
    int64_t axes[NETWORK_MAX_RANK];
    size_t count;
    int keep;

    if (!tflite_numbers(work, 1, axes, NETWORK_MAX_RANK, &count) ||
        !tflite_option_byte(work, 0, &keep))
        return false;
    if (count == 0) {
        work->out[0] = *tflite_in(work, 0);
        return true;
    }
    return shape_reduce(tflite_in(work, 0), axes, count, keep != 0, &work->out[0], work->error);
}

bool tflite_arg(struct tflite_work *work)
{
    const struct shape *in = tflite_in(work, 0);
    int64_t number;
    int axis = 0;

    if (!axis_input(work, 1, in->rank, &axis))
        return false;
    number = axis;
    return shape_reduce(in, &number, 1, false, &work->out[0], work->error);
}

/* Input 1 has a pair for each dimension: elements before and after it.  */
bool tflite_pad(struct tflite_work *work)
{
    int64_t pair[2 * NETWORK_MAX_RANK], before[NETWORK_MAX_RANK], after[NETWORK_MAX_RANK];
    const struct shape *in = tflite_in(work, 0);
    size_t count;

    if (!tflite_numbers(work, 1, pair, 2 * NETWORK_MAX_RANK, &count))
        return false;
    if (count != 2 * (size_t)in->rank)
        return error_set(work->error, "%zu numbers for %d dimensions", count, in->rank);
    for (int i = 0; i < in->rank; i++) {
        before[i] = pair[2 * i];
        after[i] = pair[2 * i + 1];
    }
    return shape_pad(in, before, after, &work->out[0], work->error);
}

bool tflite_tile(struct tflite_work *work)
{
    int64_t times[NETWORK_MAX_RANK];

    if (!per_dimension(work, 1, times))
        return false;
    work->out[0] = *tflite_in(work, 0);
    for (int i = 0; i < work->out[0].rank; i++)
        if (!checked_mul(work->out[0].dim[i], times[i], &work->out[0].dim[i]))
            return error_set(work->error, "dimension %d overflows 64 bits", i);
    return true;
}

/* Where in input 1, how many in input 2; -1: all that are left.  */
bool tflite_slice(struct tflite_work *work)
{
    int64_t begin[NETWORK_MAX_RANK], size[NETWORK_MAX_RANK];
    const struct shape *in = tflite_in(work, 0);

    if (!per_dimension(work, 1, begin) || !per_dimension(work, 2, size))
        return false;
    work->out[0] = *in;
    for (int i = 0; i < in->rank; i++) {
        if (begin[i] < 0 || begin[i] > in->dim[i] || size[i] < -1 ||
            size[i] > in->dim[i] - begin[i])
            return error_set(work->error, "takes %" PRId64 " of %" PRId64 " elements from %" PRId64,
                             size[i], in->dim[i], begin[i]);
        work->out[0].dim[i] = size[i] == -1 ? in->dim[i] - begin[i] : size[i];
        work->start[i] = begin[i];
    }
    work->slice = true;
    return true;
}

/* Begins, ends and strides in inputs 1 to 3, with masks: begins and ends to
 * leave out (options 0 and 1), dimensions to drop (4).  The other masks are for
 * indexing that converters resolve.  */
bool tflite_strided_slice(struct tflite_work *work)
{
    int64_t begin[NETWORK_MAX_RANK], end[NETWORK_MAX_RANK], stride[NETWORK_MAX_RANK], mask[5];
    const struct shape *in = tflite_in(work, 0);
    struct shape made = {.rank = 0};

    for (size_t i = 0; i < 5; i++)
        if (!tflite_option(work, i, &mask[i]))
            return false;
    if (mask[2] != 0 || mask[3] != 0)
        return error_set(work->error,
                         "an ellipsis or a new dimension in a slice cannot be worked out");
    if (!per_dimension(work, 1, begin) || !per_dimension(work, 2, end) ||
        !per_dimension(work, 3, stride))
        return false;
    for (int i = 0; i < in->rank; i++) {
        bool back = stride[i] < 0;
        int64_t from = mask[0] >> i & 1 ? (back ? INT64_MAX : 0) : begin[i];
        int64_t to = mask[1] >> i & 1 ? (back ? INT64_MIN : INT64_MAX) : end[i];

        if (mask[4] >> i & 1) /* one element, without its dimension */
            continue;
        if (!shape_slice(in->dim[i], from, to, stride[i], &made.dim[made.rank++], work->error))
            return false;
    }
    work->out[0] = made;
    return true;
}

/* Height and width in input 1.  */
bool tflite_resize(struct tflite_work *work)
{
    int64_t size[2];
    size_t count;

    if (!tflite_numbers(work, 1, size, 2, &count))
        return false;
    if (count != 2 || tflite_in(work, 0)->rank != 4)
        return error_set(work->error, "expected an image, and a height and width");
    work->out[0] = *tflite_in(work, 0);
    work->out[0].dim[1] = size[0];
    work->out[0].dim[2] = size[1];
    return true;
}

/* Blocks of BLOCK x BLOCK positions become channels.  */
static bool blocks(struct tflite_work *work, int64_t *block)
{
    if (!tflite_option(work, 0, block))
        return false;
    if (*block < 1 || *block > 1 << 15 || tflite_in(work, 0)->rank != 4)
        return error_set(work->error,
                         "blocks of %" PRId64 ", expected an image and blocks of 1 to %d", *block,
                         1 << 15);
    work->out[0] = *tflite_in(work, 0);
    return true;
}

bool tflite_space_to_depth(struct tflite_work *work)
{
    int64_t block, *dim = work->out[0].dim;

    if (!blocks(work, &block))
        return false;
    dim[1] /= block;
    dim[2] /= block;
    return checked_mul(dim[3], block * block, &dim[3]) ||
           error_set(work->error, "too many channels");
}

bool tflite_depth_to_space(struct tflite_work *work)
{
    int64_t block, *dim = work->out[0].dim;

    if (!blocks(work, &block))
        return false;
    dim[3] /= block * block;
    return (checked_mul(dim[1], block, &dim[1]) && checked_mul(dim[2], block, &dim[2])) ||
           error_set(work->error, "too large an image");
}

/* Rows of input 0 along an axis (option 0), where input 1 says, for each of the
 * first dimensions that they share (option 1).  */
bool tflite_gather(struct tflite_work *work)
{
    const struct shape *in = tflite_in(work, 0), *where = tflite_in(work, 1);
    struct shape made = {.rank = 0};
    int64_t shared;
    int axis = 0;

    if (!get_axis(work, 0, in->rank, &axis) || !tflite_option(work, 1, &shared))
        return false;
    if (shared < 0 || shared > axis || shared > where->rank ||
        in->rank + where->rank - 1 - shared > NETWORK_MAX_RANK)
        return error_set(work->error, "gathers along axis %d with %" PRId64 " shared dimensions",
                         axis, shared);
    for (int i = 0; i < axis; i++)
        made.dim[made.rank++] = in->dim[i];
    for (int i = (int)shared; i < where->rank; i++)
        made.dim[made.rank++] = where->dim[i];
    for (int i = axis + 1; i < in->rank; i++)
        made.dim[made.rank++] = in->dim[i];
    work->out[0] = made;
    return true;
}
