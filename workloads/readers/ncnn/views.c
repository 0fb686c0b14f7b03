/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ncnn layers that move data: slices, reshapes, permutations, padding.  */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "workloads/readers/ncnn/layers.h"

/* Axis in parameter KEY, 0 where it is left out.  */
static bool get_axis(struct ncnn_work *work, int64_t key, int *axis)
{
    return shape_axis(ncnn_int(work, key, 0), work->in[0].rank, axis, work->error);
}

bool ncnn_concat(struct ncnn_work *work)
{
    int axis = 0;

    return get_axis(work, 0, &axis) &&
           shape_concat(work->in, work->layer->inputs, axis, &work->out[0], work->error);
}

/* Parts of given sizes (parameter 0), or parts that end at given places (2).  */
bool ncnn_slice(struct ncnn_work *work)
{
    size_t outputs = work->layer->outputs, sizes = ncnn_length(work, 0);
    size_t ends = ncnn_length(work, 2);
    int64_t done = 0, length, size;
    int axis = 0;

    if (!get_axis(work, 1, &axis))
        return false;
    if (sizes != outputs && ends + 1 != outputs)
        return error_set(work->error, "%zu sizes for %zu outputs", sizes, outputs);
    length = work->in[0].dim[axis];
    for (size_t i = 0; i < outputs; i++) {
        if (sizes == outputs)
            size = ncnn_element(work, 0, i);
        else if (i < ends)
            size = ncnn_element(work, 2, i) - done;
        else
            size = length - done;
        if (size == NCNN_REST)
            size = (length - done) / (int64_t)(outputs - i);
        if (size < 0 || size > length - done)
            return error_set(work->error,
                             "part %zu has %" PRId64 " of %" PRId64 " elements that are left", i,
                             size, length - done);
        work->out[i] = work->in[0];
        work->out[i].dim[axis] = size;
        done += size;
    }
    return true;
}

/* --- crop --- */

/* Keeps LENGTH elements of dimension AXIS from FROM on.  */
static bool cut(struct ncnn_work *work, int axis, int64_t from, int64_t length)
{
    int64_t all = work->in[0].dim[axis];

    if (from < 0 || length < 1 || from > all || length > all - from)
        return error_set(work->error,
                         "crops dimension %d of %" PRId64 " to %" PRId64 " elements from %" PRId64,
                         axis, all, length, from);
    work->out[0].dim[axis] = length;
    work->start[axis] = from;
    return true;
}

/* Starts, ends and axes as NumPy has them: parameters 9, 10 and 11.  */
static bool crop_ranges(struct ncnn_work *work)
{
    size_t count = ncnn_length(work, 9), axes = ncnn_length(work, 11);

    if (count != ncnn_length(work, 10) || (axes != 0 && axes != count))
        return error_set(work->error, "%zu starts, %zu ends and %zu axes", count,
                         ncnn_length(work, 10), axes);
    for (size_t i = 0; i < count; i++) {
        int64_t start = ncnn_element(work, 9, i), end = ncnn_element(work, 10, i), all;
        int axis = 0;

        if (!shape_axis(axes != 0 ? ncnn_element(work, 11, i) : (int64_t)i, work->in[0].rank, &axis,
                        work->error))
            return false;
        all = work->in[0].dim[axis];
        if (start == NCNN_REST)
            start = 0;
        if (end == NCNN_REST || end > all)
            end = all;
        /* Adding to a negative number does not overflow.  */
        start = start < 0 ? start + all : start;
        end = end <= 0 ? end + all : end;
        if (start < 0 || end < start || !cut(work, axis, start, end - start))
            return error_set(work->error,
                             "crops dimension %d of %" PRId64 " from %" PRId64 " to %" PRId64, axis,
                             all, start, end);
    }
    return true;
}

/* The dimension for width (0), height (1) or channels (2); -1: there is none.  */
static int image_axis(int rank, int which)
{
    if (which == 2)
        return rank >= 3 ? 0 : -1;
    return rank > which ? rank - 1 - which : -1;
}

/* Offsets (parameters 0 to 2, at the other end 6 to 8) and sizes (3 to 5, or
 * those of a second input) of width, height and channels.  */
bool ncnn_crop(struct ncnn_work *work)
{
    bool reference = work->layer->inputs > 1;

    work->out[0] = work->in[0];
    work->slice = true;
    memset(work->start, 0, sizeof work->start);
    if (ncnn_length(work, 9) > 0 && ncnn_length(work, 10) > 0)
        return crop_ranges(work);
    for (int which = 0; which < 3; which++) {
        int axis = image_axis(work->in[0].rank, which);
        int64_t from = ncnn_int(work, which, 0), size = ncnn_int(work, 3 + which, 0);
        int64_t behind = ncnn_int(work, 6 + which, 0), left;

        if (from == NCNN_REST) { /* which axes are meant depends on more than ncnn documents */
            work->open = true;
            return true;
        }
        if (axis < 0)
            continue;
        left = work->in[0].dim[axis];
        if (from < 0 || behind < 0 || !checked_sub(left, from, &left) ||
            !checked_sub(left, behind, &left))
            return error_set(work->error, "crops %" PRId64 " and %" PRId64 " off dimension %d",
                             from, behind, axis);
        if (reference) {
            int other = image_axis(work->in[1].rank, which);

            size = other >= 0 ? work->in[1].dim[other] : 0;
        }
        if (!cut(work, axis, from, size > 0 ? min64(size, left) : left))
            return false;
    }
    return true;
}

/* --- other shapes, same elements --- */

bool ncnn_flatten(struct ncnn_work *work)
{
    work->out[0].rank = 1;
    return shape_elements(&work->in[0], &work->out[0].dim[0], work->error);
}

/* Width, height, depth and channels in parameters 0, 1, 11 and 2.  */
bool ncnn_reshape(struct ncnn_work *work)
{
    static const struct {
        int64_t key;
        int which; /* of image_axis; 3: depth */
    } size[] = {{2, 2}, {11, 3}, {1, 1}, {0, 0}};
    int64_t wanted[4];
    size_t count = 0;

    if (ncnn_find(work->model, work->layer, 6) != NULL) { /* an expression */
        work->open = true;
        return true;
    }
    for (size_t i = 0; i < 4; i++) {
        int64_t dim = ncnn_int(work, size[i].key, NCNN_REST);
        const struct shape *in = &work->in[0];

        if (dim == NCNN_REST)
            continue;
        if (dim == 0) { /* the input's, by its name */
            int axis = size[i].which == 3 ? 1 : image_axis(in->rank, size[i].which);

            dim = axis >= 0 && (size[i].which != 3 || in->rank == 4) ? in->dim[axis] : 1;
        }
        wanted[count++] = dim;
    }
    if (count == 0)
        return error_set(work->error, "no new shape");
    if (ncnn_int(work, 3, 0) != 0) { /* channels last in between: it moves data */
        work->kind = OP_OTHER;
        work->type = "permute";
    }
    return shape_reshape(&work->in[0], wanted, count, false, &work->out[0], work->error);
}

/* Axes as a list (parameter 3), or one flag a dimension.  */
static size_t listed_axes(struct ncnn_work *work, int64_t *axis)
{
    size_t count = ncnn_length(work, 3);

    for (size_t i = 0; i < count && i < NETWORK_MAX_RANK; i++)
        axis[i] = ncnn_element(work, 3, i);
    return count;
}

bool ncnn_squeeze(struct ncnn_work *work)
{
    static const int64_t key[] = {0, 1, 2};
    int64_t axes[NETWORK_MAX_RANK];
    size_t count = listed_axes(work, axes);
    int rank = work->in[0].rank;

    if (count > NETWORK_MAX_RANK)
        return error_set(work->error, "%zu axes", count);
    for (int i = 0; i < 3 && ncnn_length(work, 3) == 0; i++) {
        int axis = image_axis(rank, i);

        if (ncnn_int(work, key[i], 0) != 0 && axis >= 0 && work->in[0].dim[axis] == 1)
            axes[count++] = axis;
    }
    if (count > 0 && !shape_squeeze(&work->in[0], axes, count, &work->out[0], work->error))
        return false;
    if (count == 0)
        work->out[0] = work->in[0];
    if (work->out[0].rank == 0)
        work->out[0] = (struct shape){.rank = 1, .dim = {1}};
    return true;
}

bool ncnn_expand_dims(struct ncnn_work *work)
{
    int64_t axes[NETWORK_MAX_RANK];
    size_t count = listed_axes(work, axes);

    work->open = count == 0;
    if (work->open)
        return true;
    return count <= NETWORK_MAX_RANK
               ? shape_unsqueeze(&work->in[0], axes, count, &work->out[0], work->error)
               : error_set(work->error, "%zu axes", count);
}

/* --- permutations --- */

/* For each order type the dimensions of the output, width first.  */
bool ncnn_permute(struct ncnn_work *work)
{
    static const char *const order2[] = {"wh", "hw"};
    static const char *const order3[] = {"whc", "hwc", "wch", "cwh", "hcw", "chw"};
    static const char *const order4[] = {"whdc", "hwdc", "wdhc", "dwhc", "hdwc", "dhwc",
                                         "whcd", "hwcd", "wchd", "cwhd", "hcwd", "chwd",
                                         "wdch", "dwch", "wcdh", "cwdh", "dcwh", "cdwh",
                                         "hdcw", "dhcw", "hcdw", "chdw", "dchw", "cdhw"};
    static const char *const names[] = {"", "w", "hw", "chw", "cdhw"};
    static const char *const *const orders[] = {NULL, NULL, order2, order3, order4};
    static const int64_t most[] = {0, 0, 2, 6, 24};
    int64_t type = ncnn_int(work, 0, 0), order[4];
    int rank = work->in[0].rank;

    if (rank == 1)
        work->out[0] = work->in[0];
    if (rank == 1)
        return true;
    if (type < 0 || type >= most[rank])
        return error_set(work->error, "order %" PRId64 " of %d dimensions, expected 0 to %" PRId64,
                         type, rank, most[rank] - 1);
    for (int i = 0; i < rank; i++)
        order[i] = strchr(names[rank], orders[rank][type][rank - 1 - i]) - names[rank];
    return shape_transpose(&work->in[0], order, (size_t)rank, &work->out[0], work->error);
}

/* FACTOR in parameter 0, at least 1, at most what an image can have.  */
static bool get_factor(struct ncnn_work *work, int64_t *factor)
{
    *factor = ncnn_int(work, 0, 1);
    if (*factor < 1 || *factor > 1 << 15)
        return error_set(work->error, "factor %" PRId64 ", expected 1 to %d", *factor, 1 << 15);
    return true;
}

bool ncnn_pixel_shuffle(struct ncnn_work *work)
{
    struct ncnn_image image = ncnn_image(&work->in[0]);
    int64_t f;

    if (!get_factor(work, &f))
        return false;
    if (image.c % (f * f) != 0 || !checked_mul(image.h, f, &image.h) ||
        !checked_mul(image.w, f, &image.w))
        return error_set(work->error, "%" PRId64 " channels by a factor of %" PRId64, image.c, f);
    work->out[0] = ncnn_image_shape(image.c / (f * f), image.h, image.w);
    return true;
}

bool ncnn_reorg(struct ncnn_work *work)
{
    struct ncnn_image image = ncnn_image(&work->in[0]);
    int64_t f;

    if (!get_factor(work, &f))
        return false;
    if (!checked_mul(image.c, f * f, &image.c))
        return error_set(work->error, "too many channels");
    work->out[0] = ncnn_image_shape(image.c, image.h / f, image.w / f);
    return true;
}

/* --- other sizes --- */

bool ncnn_padding(struct ncnn_work *work)
{
    int64_t before[NETWORK_MAX_RANK] = {0}, after[NETWORK_MAX_RANK] = {0};
    int64_t front = ncnn_int(work, 7, 0), behind = ncnn_int(work, 8, front);
    int64_t values = ncnn_int(work, 6, 0);
    int rank = work->in[0].rank;

    before[rank - 1] = ncnn_int(work, 2, 0);
    after[rank - 1] = ncnn_int(work, 3, 0);
    if (rank > 1) {
        before[rank - 2] = ncnn_int(work, 0, 0);
        after[rank - 2] = ncnn_int(work, 1, 0);
    }
    if (rank > 2) {
        before[rank - 3] = front;
        after[rank - 3] = behind;
    }
    return shape_pad(&work->in[0], before, after, &work->out[0], work->error) &&
           (values == 0 || ncnn_store(work, "value", VALUE_CONSTANT, 1, &values));
}

bool ncnn_tile(struct ncnn_work *work)
{
    int64_t count = ncnn_int(work, 1, 1);
    int axis = 0;

    work->out[0] = work->in[0];
    work->open = ncnn_find(work->model, work->layer, 2) != NULL;
    if (!get_axis(work, 0, &axis))
        return false;
    if (count < 1 || !checked_mul(work->out[0].dim[axis], count, &work->out[0].dim[axis]))
        return error_set(work->error, "%" PRId64 " tiles", count);
    return true;
}

/* LENGTH scaled as ncnn does, in single precision, and cut to a whole number.  */
static bool scaled(struct ncnn_work *work, int64_t length, double scale, int64_t *result)
{
    float product = (float)length * (float)scale;

    if (!(product >= 1 && product < (float)(1 << 30)))
        return error_set(work->error, "scales %" PRId64 " by %g", length, scale);
    *result = (int64_t)product;
    return true;
}

bool ncnn_interp(struct ncnn_work *work)
{
    struct ncnn_image image = ncnn_image(&work->in[0]);
    int64_t h = ncnn_int(work, 3, 0), w = ncnn_int(work, 4, 0);

    if (work->in[0].rank == 1)
        image = (struct ncnn_image){work->in[0].dim[0], 1, 1};
    if (work->layer->inputs > 1) {
        h = ncnn_image(&work->in[1]).h;
        w = ncnn_image(&work->in[1]).w;
    } else if (h == 0 || w == 0) {
        if (!scaled(work, image.h, ncnn_real(work, 1, 1.0), &h) ||
            !scaled(work, image.w, ncnn_real(work, 2, 1.0), &w))
            return false;
    }
    work->out[0] = ncnn_image_shape(image.c, h, w);
    if (work->in[0].rank == 2) /* a sequence: only its length changes */
        work->out[0] = (struct shape){.rank = 2, .dim = {work->in[0].dim[0], w}};
    return true;
}
