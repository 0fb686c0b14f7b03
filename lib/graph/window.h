/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One axis of a sliding window, as convolutions and pools have it: how long
 * the output is, and which padding keeps the length.  */
#ifndef ARENABENCH_LIB_GRAPH_WINDOW_H
#define ARENABENCH_LIB_GRAPH_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct window_axis {
    int64_t length;        /* of the input, at least 1 */
    int64_t taps;          /* of the filter, at least 1 */
    int64_t stride;        /* at least 1 */
    int64_t dilation;      /* at least 1 */
    int64_t before, after; /* padding, at least 0 */
};

enum window_rounding {
    WINDOW_FLOOR,       /* only windows that fit */
    WINDOW_CEIL,        /* the last one may hang over the end */
    WINDOW_CEIL_INSIDE, /* ... if it starts inside the input or the padding before it */
};

struct conv_shape;

/* The two axes of a convolution, or of a pool written as one.  */
struct window_axis window_rows(const struct conv_shape *shape);
struct window_axis window_columns(const struct conv_shape *shape);

/* Each refuses fields out of range (above 2^31 - 1 too) and, where one window
 * does not fit at all, says so.  */
bool window_output(const struct window_axis *axis, enum window_rounding rounding, int64_t *output,
                   struct error *error);

/* Sets the padding so that the output is length / stride, rounded up.  The odd
 * one comes last, or first if ODD_FIRST.  */
bool window_pad_same(struct window_axis *axis, bool odd_first, struct error *error);

/* The length that a transposed convolution makes, EXTRA elements longer than
 * the shortest that fits; the padding is cut off.  */
bool window_transposed(const struct window_axis *axis, int64_t extra, int64_t *output,
                       struct error *error);

#endif
