/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which elements of an axis a place of Resize's output is made of.
 *
 * Where a place lies is worked out in single precision, whatever the type of the elements: scales
 * are stored in it, and ONNX Runtime, PyTorch and OpenCV, which do so, meet a whole number where
 * the same quotient in double is just below it, and an element before is the nearest.  All else is
 * in double.
 *
 * Cubic sampling: Keys, IEEE Transactions on Acoustics, Speech, and Signal Processing 29, 1981,
 * equation (4).  Where ONNX's text leaves things open, they are as in its reference
 * implementation: the length behind a scale is not rounded in a coordinate, and an antialiasing
 * filter's weights are divided by their sum.  */
#include <config.h>

#include "runtime/operators/resize.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* Whether each place is the element of its own number.  Single precision would not have it so on
 * axes of millions.  */
static bool stays(const struct resize_sampling *sampling, const struct resize_axis *axis)
{
    return axis->scale == 1.0F && axis->places == axis->length &&
           (sampling->coordinates != RESIZE_CROP || (axis->start == 0.0 && axis->end == 1.0));
}

/* Where PLACE lies among the elements.  */
static float coordinate(const struct resize_sampling *sampling, const struct resize_axis *axis,
                        int64_t place)
{
    float p = (float)place, last = (float)(axis->length - 1), places = (float)axis->places;
    float start = (float)axis->start, end = (float)axis->end, centre = (p + 0.5F) / axis->scale;

    switch (sampling->coordinates) {
    case RESIZE_HALF_PIXEL:
        return centre - 0.5F;
    case RESIZE_PYTORCH_HALF_PIXEL:
        return axis->places > 1 ? centre - 0.5F : 0.0F;
    case RESIZE_ALIGN_CORNERS:
        return place == 0 ? 0.0F : p * last / (axis->width - 1.0F);
    case RESIZE_ASYMMETRIC:
        return p / axis->scale;
    case RESIZE_CROP:
        if (axis->places > 1)
            return start * last + p * (end - start) * last / (places - 1.0F);
        return 0.5F * (start + end) * last;
    case RESIZE_TF_HALF_PIXEL:
        return centre;
    case RESIZE_HALF_PIXEL_SYMMETRIC:
        return (float)axis->length / 2.0F * (1.0F - places / axis->width) + centre - 0.5F;
    }
    return p;
}

static double nearest(enum resize_nearest how, double x)
{
    switch (how) {
    case RESIZE_PREFER_FLOOR:
        return ceil(x - 0.5);
    case RESIZE_PREFER_CEIL:
        return floor(x + 0.5);
    case RESIZE_FLOOR:
        return floor(x);
    case RESIZE_CEIL:
        return ceil(x);
    }
    return x;
}

/* The weight of an element at DISTANCE.  */
static double weight_at(const struct resize_sampling *sampling, double distance)
{
    double a = sampling->cubic, x = fabs(distance);

    if (sampling->mode == RESIZE_LINEAR)
        return x < 1.0 ? 1.0 - x : 0.0;
    if (x <= 1.0)
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    return x < 2.0 ? ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a : 0.0;
}

/* A smaller image's antialiasing filter is as much wider as the image is smaller.  */
static double filter_scale(const struct resize_sampling *sampling, const struct resize_axis *axis)
{
    return sampling->antialias && axis->scale < 1.0F ? (double)axis->scale : 1.0;
}

/* The first of the elements around the one before a place that may have weights; there are twice
 * as many as from it on, and two.  */
static int64_t first_around(const struct resize_sampling *sampling, const struct resize_axis *axis)
{
    double reach = sampling->mode == RESIZE_LINEAR ? 1.0 : 2.0;

    return (int64_t)floor(-reach / filter_scale(sampling, axis)) + 1;
}

static void add_tap(struct resize_taps *taps, int64_t *count, int64_t index, double weight)
{
    if (weight == 0.0)
        return;
    taps->index[*count] = index < 0 ? 0 : min64(index, taps->length - 1);
    taps->weight[(*count)++] = weight;
}

/* Adds the taps around X.  */
static void add_around(struct resize_taps *taps, int64_t *count,
                       const struct resize_sampling *sampling, const struct resize_axis *axis,
                       double x)
{
    int64_t before = (int64_t)ceil(x) - 1, first = first_around(sampling, axis), from = *count;
    double ratio = x - (double)before, scale = filter_scale(sampling, axis), sum = 0.0;

    for (int64_t i = first; i < 2 - first; i++) {
        bool outside = before + i < 0 || before + i >= axis->length;
        double weight = weight_at(sampling, scale * ((double)i - ratio));

        if (outside && sampling->exclude_outside)
            continue;
        add_tap(taps, count, before + i, weight);
        sum += weight;
    }
    for (int64_t i = from; (sampling->antialias || sampling->exclude_outside) && i < *count; i++)
        taps->weight[i] /= sum;
}

static bool is_same(const struct resize_taps *taps)
{
    if (taps->places != taps->length || taps->first[taps->places] != taps->places)
        return false;
    for (int64_t p = 0; p < taps->places; p++)
        if (taps->first[p] != p || taps->index[p] != p || taps->weight[p] != 1.0)
            return false;
    return true;
}

void resize_taps_make(struct resize_taps *taps, const struct resize_sampling *sampling,
                      const struct resize_axis *axis)
{
    int64_t most = sampling->mode == RESIZE_NEAREST ? 1 : 2 - 2 * first_around(sampling, axis);
    bool whole = stays(sampling, axis);
    int64_t count = 0;

    *taps = (struct resize_taps){.length = axis->length, .places = axis->places};
    taps->first = memory_alloc((size_t)axis->places + 1, sizeof *taps->first);
    taps->index = memory_alloc((size_t)(axis->places * most), sizeof *taps->index);
    taps->weight = memory_alloc((size_t)(axis->places * most), sizeof *taps->weight);
    for (int64_t p = 0; p < axis->places; p++) {
        double x = whole ? (double)p : (double)coordinate(sampling, axis, p);

        taps->first[p] = count;
        if (sampling->coordinates == RESIZE_CROP && !(x >= 0.0 && x <= (double)(axis->length - 1)))
            continue;
        if (sampling->mode == RESIZE_NEAREST)
            add_tap(taps, &count, (int64_t)nearest(sampling->nearest, x), 1.0);
        else
            add_around(taps, &count, sampling, axis, x);
    }
    taps->first[axis->places] = count;
    taps->same = is_same(taps);
}

void resize_taps_clear(struct resize_taps *taps)
{
    free(taps->first);
    free(taps->index);
    free(taps->weight);
}
