/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes images larger or smaller, or takes parts of them: what its files share.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_RESIZE_H
#define ARENABENCH_RUNTIME_OPERATORS_RESIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

/* --- samples of an axis --- */

/* In the orders of the words that ONNX has for them.  */
enum resize_mode { RESIZE_NEAREST, RESIZE_LINEAR, RESIZE_CUBIC };
enum resize_nearest { RESIZE_PREFER_FLOOR, RESIZE_PREFER_CEIL, RESIZE_FLOOR, RESIZE_CEIL };
enum resize_coordinates {
    RESIZE_HALF_PIXEL,
    RESIZE_PYTORCH_HALF_PIXEL,
    RESIZE_ALIGN_CORNERS,
    RESIZE_ASYMMETRIC,
    RESIZE_CROP,
    RESIZE_TF_HALF_PIXEL,
    RESIZE_HALF_PIXEL_SYMMETRIC,
};

struct resize_sampling {
    enum resize_mode mode;
    enum resize_nearest nearest;
    enum resize_coordinates coordinates;
    double cubic;         /* the coefficient of cubic sampling */
    bool exclude_outside; /* weights beyond the ends are 0, the others are more */
    bool antialias;
};

/* PLACES of the output from LENGTH elements.  WIDTH is SCALE times LENGTH, which may be less than a
 * place more than PLACES.  START and END are the part that is sampled under RESIZE_CROP, the whole
 * is 0 to 1.  */
struct resize_axis {
    int64_t length, places;
    float scale, width;
    double start, end;
};

/* Place P is the sum of taps [first[p], first[p + 1]): elements times weights, none of which is
 * 0.  */
struct resize_taps {
    int64_t length, places;
    int64_t *first, *index;
    double *weight;
    bool same; /* each place is the element of its own number */
};

/* LENGTH and SCALE have to be above 0.  A place outside of [0, LENGTH - 1] under RESIZE_CROP has no
 * taps.  */
void resize_taps_make(struct resize_taps *taps, const struct resize_sampling *sampling,
                      const struct resize_axis *axis);
void resize_taps_clear(struct resize_taps *taps);

/* --- operators in files of their own --- */

bool affine_accepts(const struct call *call);
bool affine_run(const struct call *call);
bool col2im_accepts(const struct call *call);
bool col2im_run(const struct call *call);
bool crop_accepts(const struct call *call);
bool crop_run(const struct call *call);
bool grid_accepts(const struct call *call);
bool grid_run(const struct call *call);
bool roi_accepts(const struct call *call);
bool roi_run(const struct call *call);

#endif
