/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of images: RoiAlign (ONNX's text since version 10, half pixels since 16) and MaxRoiPool.
 *
 * The maximum of RoiAlign is, as in ONNX's own tests, that of the products of elements and
 * weights, not of the sums that the mean is made of.  ONNX's text leaves open which elements a bin
 * of MaxRoiPool has: those of Fast R-CNN (Girshick, ICCV 2015), whose regions have their last
 * row and column too, and whose bins may overlap.  */
#include <config.h>

#include "runtime/operators/resize.h"

#include <inttypes.h>
#include <tgmath.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

/* No image is so large.  */
#define FAR 1e9

/* Of a bin along an axis; more cost time only.  */
#define MOST_SAMPLES 1024

struct roi {
    bool pool; /* MaxRoiPool */
    bool largest, half_pixel;
    int64_t samples; /* of a bin along an axis; 0: as many as elements */
    double scale;
    int64_t images, channels, regions;
    int64_t image[2], bins[2]; /* rows, columns */
    const struct tensor *corner, *batch;
};

#define REAL float
#define PLACE float
#define TYPED(name) name##_f32
#include "runtime/operators/roi_real.h"
#define REAL double
#define PLACE double
#define TYPED(name) name##_f64
#include "runtime/operators/roi_real.h"
#define REAL double
#define PLACE float
#define TYPED(name) name##_wide
#include "runtime/operators/roi_real.h"

/* --- the call --- */

static bool read_align(const struct call *call, struct roi *roi)
{
    static const char *const modes[] = {"avg", "max", NULL};
    static const char *const old[] = {"output_half_pixel", NULL};
    static const char *const coordinates[] = {"half_pixel", "output_half_pixel", NULL};
    bool is_old = call->computation->version < 16;
    int mode = attribute_choice(call, "mode", modes);
    int where =
        attribute_choice(call, "coordinate_transformation_mode", is_old ? old : coordinates);

    if (mode < 0 || where < 0 ||
        !attribute_integers(call, "output_height", 1, 1, INT32_MAX, 1, &roi->bins[0]) ||
        !attribute_integers(call, "output_width", 1, 1, INT32_MAX, 1, &roi->bins[1]) ||
        !attribute_integers(call, "sampling_ratio", 1, 0, MOST_SAMPLES, 0, &roi->samples))
        return false;
    roi->largest = mode == 1;
    roi->half_pixel = !is_old && where == 0;
    roi->batch = call->input[2];
    if (roi->batch->rank != 1 || roi->batch->dim[0] != call->input[1]->dim[0])
        return error_set(call->error, "batch_indices that do not go with the regions");
    return accept_types(call, 2, 1, TYPE(DTYPE_I64));
}

static bool read_pool(const struct call *call, struct roi *roi)
{
    if (computation_find(call->computation, "pooled_shape") == NULL)
        return error_set(call->error, "there is no pooled_shape");
    return attribute_integers(call, "pooled_shape", 2, 1, INT32_MAX, 1, roi->bins);
}

static bool read_roi(const struct call *call, struct roi *roi)
{
    const struct tensor *x, *y = call_output(call, 0);
    bool pool = call_rule(call)->detail != 0;

    *roi = (struct roi){.pool = pool};
    if (!accept_inputs(call, pool ? 2 : 3) || !accept_types(call, 0, 2, TYPES_REAL))
        return false;
    x = call->input[0];
    roi->corner = call->input[1];
    if (x->rank != 4 || roi->corner->rank != 2 || roi->corner->dim[1] != (pool ? 5 : 4))
        return error_set(call->error, "no images, or no table of regions");
    if (!(pool ? read_pool(call, roi) : read_align(call, roi)))
        return false;
    roi->scale = attribute_number(call, "spatial_scale", 1.0);
    roi->images = x->dim[0];
    roi->channels = x->dim[1];
    roi->image[0] = x->dim[2];
    roi->image[1] = x->dim[3];
    roi->regions = roi->corner->dim[0];
    if (y == NULL || (y->rank == 4 && y->dim[0] == roi->regions && y->dim[1] == roi->channels &&
                      y->dim[2] == roi->bins[0] && y->dim[3] == roi->bins[1]))
        return true;
    return error_set(call->error, "an output that does not go with the regions");
}

bool roi_accepts(const struct call *call)
{
    struct roi roi;
    int64_t version = call->computation->version;

    if (call_rule(call)->detail != 0)
        return attributes_among(call, "pooled_shape spatial_scale") && read_roi(call, &roi);
    if (version < 10)
        return error_set(call->error, "version %" PRId64 ", expected 10 or later", version);
    return attributes_among(call, version < 16 ? "mode output_height output_width sampling_ratio "
                                                 "spatial_scale"
                                               : "coordinate_transformation_mode mode "
                                                 "output_height output_width sampling_ratio "
                                                 "spatial_scale") &&
           read_roi(call, &roi);
}

/* The image of region R; -1 (and refused): there is none, or its corners are nowhere.  */
static int64_t find_image(const struct call *call, const struct roi *roi, int64_t r)
{
    int64_t columns = roi->corner->dim[1];
    double image =
        roi->pool ? tensor_real(roi->corner, r * columns) : (double)tensor_integer(roi->batch, r);

    for (int64_t i = columns - 4; i < columns; i++) {
        double corner = tensor_real(roi->corner, r * columns + i) * roi->scale;

        if (!(fabs(corner) < FAR)) {
            error_set(call->error, "region %" PRId64 " has a corner at %g", r, corner);
            return -1;
        }
    }
    if (image >= 0.0 && image < (double)roi->images && floor(image) == image)
        return (int64_t)image;
    error_set(call->error, "region %" PRId64 " is of image %g of %" PRId64, r, image, roi->images);
    return -1;
}

bool roi_run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call_output(call, 0);
    struct roi roi;

    if (!read_roi(call, &roi))
        return false;
    for (int64_t r = 0; y != NULL && r < roi.regions; r++) {
        int64_t image = find_image(call, &roi, r);

        if (image < 0)
            return false;
        if (x->dtype == DTYPE_F32)
            region_f32(&roi, r, image, x->data, y->data);
        else
            (call->computation->widened ? region_wide : region_f64)(&roi, r, image, x->data,
                                                                    y->data);
    }
    return true;
}
