/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows that slide over images of one to three dimensions: convolutions and pools.
 *
 * Images are N x C x D1 x ... x Dn.  They are seen as three-dimensional here: one with fewer
 * dimensions has a length of 1 along the first ones.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_WINDOW_H
#define ARENABENCH_RUNTIME_OPERATORS_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/checked.h"
#include "lib/graph/window.h"
#include "runtime/operators/operator.h"

#define WINDOW_AXES 3
#define WINDOW_FRONT 2 /* dimensions before those: batch and channels */

struct windows {
    struct window_axis axis[WINDOW_AXES];
    int64_t output[WINDOW_AXES];
};

/* The windows of TAPS elements (NULL: of attribute kernel_shape) over IMAGE that give PLACES:
 * input and output of a convolution or a pool, with attributes auto_pad, dilations, pads and
 * strides.  */
bool windows_read(const struct call *call, const struct tensor *image, const struct tensor *places,
                  const int64_t *taps, struct windows *windows);

/* Elements of all axes: of an image, and of the places that its windows take.  */
int64_t windows_image(const struct windows *windows);
int64_t windows_places(const struct windows *windows);
int64_t windows_taps(const struct windows *windows);

/* Where tap TAP of the window at PLACE lies; the image is [0, length).  */
static inline int64_t window_at(const struct window_axis *axis, int64_t place, int64_t tap)
{
    return place * axis->stride + tap * axis->dilation - axis->before;
}

static inline bool window_inside(const struct window_axis *axis, int64_t at)
{
    return at >= 0 && at < axis->length;
}

/* The places [*FIRST, *PAST) among PLACES at which tap TAP lies on the image.  */
static inline void window_range(const struct window_axis *axis, int64_t places, int64_t tap,
                                int64_t *first, int64_t *past)
{
    int64_t shift = window_at(axis, 0, tap);
    int64_t room = axis->length - shift;

    *first = shift >= 0 ? 0 : (axis->stride - 1 - shift) / axis->stride;
    *past = room <= 0 ? 0 : min64((room - 1) / axis->stride + 1, places);
    *first = min64(*first, *past);
}

/* A tap's number along each axis, and the places [FIRST, PAST) at which it lies on the image.  */
struct window_tap {
    struct {
        int64_t number, first, past;
    } axis[WINDOW_AXES];
};

/* All taps in their order, which the caller frees.  */
struct window_tap *windows_list(const struct windows *windows);

/* The elements of an image that the window at PLACE sees, tap by tap, into SEEN, which has room for
 * as many as an image has; their number.  */
int64_t windows_see(const struct windows *windows, const int64_t *place, int64_t *seen);

/* How many taps at PLACE lie on the image, or on it and its padding.  */
int64_t window_taps(const struct window_axis *axis, int64_t place, bool padded);

bool window_accepts_conv(const struct call *call);
bool window_run_conv(const struct call *call);
bool window_accepts_transposed(const struct call *call);
bool window_run_transposed(const struct call *call);
bool window_accepts_max(const struct call *call);
bool window_run_max(const struct call *call);
bool window_accepts_pool(const struct call *call);
bool window_run_pool(const struct call *call);
bool window_accepts_unpool(const struct call *call);
bool window_run_unpool(const struct call *call);

/* What window_run_pool does with what a window holds; of WINDOW_MAX only the global one.  */
enum window_pool { WINDOW_MEAN, WINDOW_NORM, WINDOW_GLOBAL_MEAN, WINDOW_GLOBAL_NORM, WINDOW_MAX };

#endif
