/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resize (ONNX's text since version 10) and Upsample (7 to 9), which is what version 10 of Resize
 * still is: coordinates begin at 0 (asymmetric), and `nearest` is the element before.
 *
 * Refused, because ONNX's text and its reference implementation differ, or neither says what is
 * meant: a nearest element of a smaller image in version 10, scales beside a part that is
 * cropped, weights that leave out what is outside where there is one weight only.  */
#include <config.h>

#include "runtime/operators/resize.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

struct resize {
    struct resize_sampling sampling;
    double extrapolation;
    enum { STRETCH, NOT_LARGER, NOT_SMALLER } policy;
    int rank, axes, axis[NETWORK_MAX_RANK]; /* those that the inputs are about */
    const struct tensor *region, *scales, *sizes;
    const double *listed; /* scales as an attribute */
};

/* The product of the dimensions [FROM, PAST).  */
static int64_t product_of(const int64_t *dim, int from, int past)
{
    int64_t product = 1;

    for (int d = from; d < past; d++)
        product *= dim[d];
    return product;
}

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/resize_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/resize_real.h"

/* --- attributes --- */

static bool read_words(const struct call *call, struct resize_sampling *sampling)
{
    static const char *const modes[] = {"nearest", "linear", "cubic", NULL};
    static const char *const nearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                          "ceil", NULL};
    static const char *const coordinates[] = {
        "half_pixel",         "pytorch_half_pixel",   "align_corners",        "asymmetric",
        "tf_crop_and_resize", "tf_half_pixel_for_nn", "half_pixel_symmetric", NULL};
    int64_t version = call->computation->version;
    int mode = attribute_choice(call, "mode", modes), which, where;

    if (mode < 0)
        return false;
    sampling->mode = (enum resize_mode)mode;
    if (version < 11) {
        sampling->coordinates = RESIZE_ASYMMETRIC;
        sampling->nearest = RESIZE_FLOOR;
        return mode != RESIZE_CUBIC || error_set(call->error, "cubic in version %" PRId64, version);
    }
    which = attribute_choice(call, "nearest_mode", nearest);
    where = attribute_choice(call, "coordinate_transformation_mode", coordinates);
    if (which < 0 || where < 0)
        return false;
    sampling->nearest = (enum resize_nearest)which;
    sampling->coordinates = (enum resize_coordinates)where;
    if ((where == RESIZE_TF_HALF_PIXEL && version >= 18) ||
        (where == RESIZE_HALF_PIXEL_SYMMETRIC && version < 19))
        return error_set(call->error, "%s in version %" PRId64, coordinates[where], version);
    /* It shifts axes that stay as they are too, unless that is rounded off.  */
    if (where == RESIZE_TF_HALF_PIXEL && (mode != RESIZE_NEAREST || which % 2 != 0))
        return error_set(call->error, "%s for other modes than nearest, rounded down",
                         coordinates[where]);
    return true;
}

static bool read_sampling(const struct call *call, struct resize *resize)
{
    struct resize_sampling *sampling = &resize->sampling;
    static const char *const policies[] = {"stretch", "not_larger", "not_smaller", NULL};
    int policy = attribute_choice(call, "keep_aspect_ratio_policy", policies);
    int64_t exclude, antialias;

    if (policy < 0 || !read_words(call, sampling) ||
        !attribute_integers(call, "exclude_outside", 1, 0, 1, 0, &exclude) ||
        !attribute_integers(call, "antialias", 1, 0, 1, 0, &antialias))
        return false;
    resize->policy = policy == 0 ? STRETCH : policy == 1 ? NOT_LARGER : NOT_SMALLER;
    resize->extrapolation = attribute_number(call, "extrapolation_value", 0.0);
    sampling->cubic = attribute_number(call, "cubic_coeff_a", -0.75);
    sampling->exclude_outside = exclude != 0;
    sampling->antialias = antialias != 0;
    if (sampling->mode == RESIZE_NEAREST && (exclude != 0 || antialias != 0))
        return error_set(call->error, "exclude_outside or antialias of a nearest element");
    return true;
}

static bool read_axes(const struct call *call, struct resize *resize)
{
    size_t count;
    const int64_t *given = computation_integers(call->computation, "axes", &count);
    bool taken[NETWORK_MAX_RANK] = {false};

    resize->rank = resize->axes = call->input[0]->rank;
    for (int d = 0; d < resize->rank; d++)
        resize->axis[d] = d;
    if (given == NULL)
        return true;
    if (count > (size_t)resize->rank)
        return error_set(call->error, "%zu axes of %d", count, resize->rank);
    resize->axes = (int)count;
    for (int i = 0; i < resize->axes; i++) {
        int d = call_axis(given[i], resize->rank);

        if (d < 0 || taken[d])
            return error_set(call->error, "axis %" PRId64 " of %d, or twice", given[i],
                             resize->rank);
        taken[d] = true;
        resize->axis[i] = d;
    }
    return true;
}

/* --- inputs --- */

/* Input I, where it is not one of no elements, which older files have for "none".  */
static const struct tensor *filled_input(const struct call *call, size_t i)
{
    const struct tensor *tensor = call_input(call, i);

    return tensor == NULL || tensor_elements(tensor) == 0 ? NULL : tensor;
}

static bool accept_list(const struct call *call, const char *name, const struct tensor *list,
                        unsigned types, int count)
{
    if (list == NULL ||
        (list->rank == 1 && list->dim[0] == count && (types & TYPE(list->dtype)) != 0))
        return true;
    return error_set(call->error, "input '%s' is not %d numbers of its type", name, count);
}

static bool read_inputs(const struct call *call, struct resize *resize)
{
    bool crop = resize->sampling.coordinates == RESIZE_CROP;
    bool old = call->computation->version < 11;

    resize->scales = filled_input(call, old ? 1 : 2);
    resize->sizes = old ? NULL : filled_input(call, 3);
    resize->region = crop ? filled_input(call, 1) : NULL;
    if ((resize->scales == NULL) == (resize->sizes == NULL) && resize->rank > 0)
        return error_set(call->error, "expected either scales or sizes");
    if (crop && (resize->region == NULL || resize->sizes == NULL))
        return error_set(call->error, "a part without its ends or without sizes");
    return accept_list(call, "roi", resize->region, TYPES_REAL, 2 * resize->axes) &&
           accept_list(call, "scales", resize->scales, TYPES_REAL, resize->axes) &&
           accept_list(call, "sizes", resize->sizes, TYPE(DTYPE_I64), resize->axes);
}

/* Scales as the attribute of version 7, as the input of version 9.  */
static bool read_upsample(const struct call *call, struct resize *resize)
{
    size_t count;

    if (call->computation->version >= 9) {
        resize->scales = call_input(call, 1);
        return accept_inputs(call, 2) &&
               accept_list(call, "scales", resize->scales, TYPES_REAL, resize->axes);
    }
    resize->listed = computation_reals(call->computation, "scales", &count);
    if (resize->listed == NULL || count != (size_t)resize->axes)
        return error_set(call->error, "%zu scales for %d dimensions", count, resize->axes);
    return true;
}

static bool is_upsample(const struct call *call)
{
    return call_rule(call)->detail != 0;
}

static bool read_resize(const struct call *call, struct resize *resize)
{
    *resize = (struct resize){.axes = 0};
    return accept_inputs(call, 1) && accept_types(call, 0, 1, TYPES_REAL) &&
           read_sampling(call, resize) && read_axes(call, resize) &&
           (is_upsample(call) ? read_upsample(call, resize) : read_inputs(call, resize));
}

/* --- the rule --- */

static const char *attribute_names(const struct call *call)
{
    int64_t version = call->computation->version;

    if (is_upsample(call))
        return version < 9 ? "mode scales" : "mode";
    if (version < 11)
        return "mode";
    return version < 18 ? "coordinate_transformation_mode cubic_coeff_a exclude_outside "
                          "extrapolation_value mode nearest_mode"
                        : "antialias axes coordinate_transformation_mode cubic_coeff_a "
                          "exclude_outside extrapolation_value keep_aspect_ratio_policy mode "
                          "nearest_mode";
}

static bool accepts(const struct call *call)
{
    const struct tensor *x, *y = call_output(call, 0);
    int64_t version = call->computation->version;
    struct resize resize;

    if (is_upsample(call) ? version < 7 || version > 9 : version < 10)
        return error_set(call->error, "version %" PRId64 ", expected %s", version,
                         is_upsample(call) ? "7 to 9" : "10 or later");
    if (!attributes_among(call, attribute_names(call)) || !read_resize(call, &resize))
        return false;
    x = call->input[0];
    if (!accept_output(call, 0, x->dtype))
        return false;
    if (y != NULL && y->rank != x->rank)
        return error_set(call->error, "the output has another rank");
    for (int d = 0; y != NULL && version < 11 && d < x->rank; d++)
        if (y->dim[d] < x->dim[d] && (is_upsample(call) || resize.sampling.mode == RESIZE_NEAREST))
            return error_set(call->error, "a smaller image in version %" PRId64, version);
    return true;
}

/* SCALE makes so many places of an axis, as the reader of a model rounds.  */
static bool check_scale(const struct call *call, int d, double scale)
{
    int64_t length = call->input[0]->dim[d], places = call->output[0]->dim[d];

    if (floorf((float)length * (float)scale) == (float)places)
        return true;
    return error_set(call->error, "scale %g of axis %d makes not %" PRId64 " of %" PRId64, scale, d,
                     places, length);
}

/* One scale for all axes, by which none is larger than its size, or none smaller.  */
static bool keep_ratio(const struct call *call, const struct resize *resize, double *scale)
{
    const struct tensor *x = call->input[0], *y = call->output[0];
    double one = 0.0;

    for (int i = 0; i < resize->axes; i++) {
        double own = tensor_real(resize->sizes, i) / (double)x->dim[resize->axis[i]];

        if (i == 0 || (resize->policy == NOT_LARGER ? own < one : own > one))
            one = own;
    }
    for (int i = 0; i < resize->axes; i++) {
        int d = resize->axis[i];

        scale[d] = one;
        if (floor(one * (double)x->dim[d] + 0.5) != (double)y->dim[d])
            return error_set(call->error, "sizes make not %" PRId64 " of axis %d", y->dim[d], d);
    }
    return true;
}

/* Of every axis; those that the inputs are not about stay.  */
static bool find_scales(const struct call *call, const struct resize *resize, double *scale)
{
    const struct tensor *x = call->input[0], *y = call->output[0];

    for (int d = 0; d < resize->rank; d++)
        scale[d] = 1.0;
    if (resize->sizes != NULL && resize->policy != STRETCH)
        return keep_ratio(call, resize, scale);
    for (int i = 0; i < resize->axes; i++) {
        int d = resize->axis[i];

        if (resize->listed != NULL)
            scale[d] = resize->listed[i];
        else if (resize->scales != NULL)
            scale[d] = tensor_real(resize->scales, i);
        else
            scale[d] = (double)((float)y->dim[d] / (float)x->dim[d]);
        if (resize->sizes == NULL && !check_scale(call, d, scale[d]))
            return false;
    }
    return true;
}

static void make_taps(const struct call *call, const struct resize *resize, const double *scale,
                      struct resize_taps *taps)
{
    const struct tensor *x = call->input[0], *y = call->output[0];
    struct resize_axis axis[NETWORK_MAX_RANK];

    for (int d = 0; d < resize->rank; d++) {
        float narrow = (float)scale[d], width = narrow * (float)x->dim[d];

        /* A quotient of sizes, rounded, need not come to the size again.  */
        if (resize->sizes != NULL && resize->policy == STRETCH)
            width = (float)y->dim[d];
        axis[d] = (struct resize_axis){x->dim[d], y->dim[d], narrow, width, 0.0, 1.0};
    }
    for (int i = 0; resize->region != NULL && i < resize->axes; i++) {
        axis[resize->axis[i]].start = tensor_real(resize->region, i);
        axis[resize->axis[i]].end = tensor_real(resize->region, resize->axes + i);
    }
    for (int d = 0; d < resize->rank; d++)
        resize_taps_make(&taps[d], &resize->sampling, &axis[d]);
}

static bool run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call_output(call, 0);
    struct resize_taps taps[NETWORK_MAX_RANK];
    double scale[NETWORK_MAX_RANK];
    struct resize resize;

    if (!read_resize(call, &resize))
        return false;
    if (y == NULL || tensor_elements(y) == 0)
        return true;
    if (tensor_elements(x) == 0)
        return error_set(call->error, "an image without elements");
    if (!find_scales(call, &resize, scale))
        return false;
    make_taps(call, &resize, scale, taps);
    CALL_REAL(x->dtype, resize, x->rank, taps, resize.extrapolation, x->data, y->data);
    for (int d = 0; d < x->rank; d++)
        resize_taps_clear(&taps[d]);
    return true;
}

const struct operator_rule operators_resize[] = {
    {"AffineGrid", affine_accepts, affine_run, 0},
    {"CenterCropPad", crop_accepts, crop_run, 0},
    {"Col2Im", col2im_accepts, col2im_run, 0},
    {"GridSample", grid_accepts, grid_run, 0},
    {"MaxRoiPool", roi_accepts, roi_run, 1},
    {"Resize", accepts, run, 0},
    {"RoiAlign", roi_accepts, roi_run, 0},
    {"Upsample", accepts, run, 1},
    {0},
};
