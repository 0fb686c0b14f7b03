/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/gather.h"

#include <string.h>

#include "lib/base/checked.h"

bool gather_suits_patches(const struct conv_shape *shape, enum isa isa)
{
    return shape->groups == 1 && shape->stride_w > 2 && shape->dilation_h == 1 &&
           shape->dilation_w == 1 && conv_shape_unpadded(shape) && shape->c < isa_vector(isa) &&
           shape->c * shape->r * shape->s >= isa_vector(isa);
}

struct conv_shape gather_patches(const struct conv_shape *shape)
{
    return conv_shape_pointwise(shape->n, shape->r * shape->c * shape->s, conv_shape_out_h(shape),
                                conv_shape_out_w(shape), shape->k);
}

/* FLOATS of each of COUNT pixels, which are STEP apart.  Inline, for FLOATS that are known: each is
 * a vector or two then.  */
static inline __attribute__((always_inline)) void copy_pixels(float *to, const float *from,
                                                              int64_t count, int64_t vector,
                                                              int64_t step, int64_t floats)
{
    for (int64_t x = 0; x < count; x++)
        memcpy(to + x * vector, from + x * step, (size_t)floats * sizeof *to);
}

static void copy_row(float *to, const float *from, int64_t count, int64_t vector, int64_t step,
                     int64_t floats)
{
    if (floats == 16)
        copy_pixels(to, from, count, vector, step, 16);
    else if (floats == 8)
        copy_pixels(to, from, count, vector, step, 8);
    else if (floats == 4)
        copy_pixels(to, from, count, vector, step, 4);
    else
        copy_pixels(to, from, count, vector, step, floats);
}

/* FLOATS that lie side by side for the gathered pixels.  FROM: those of the first output; ROW,
 * STEP: from an output to that below, and to the next.  */
static void copy_run(const struct gather *gather, int64_t q, float *to, const float *from,
                     int64_t row, int64_t step, int64_t floats)
{
    int64_t count;

    for (int64_t pixel = gather->first; pixel < gather->end; pixel += count) {
        const int64_t x = pixel % q;

        count = min64(q - x, gather->end - pixel);
        copy_row(to + (pixel - gather->first) * gather->vector, from + pixel / q * row + x * step,
                 count, gather->vector, step, floats);
    }
}

void gather_pixels(const struct conv_shape *shape, const struct gather *gather, float *to)
{
    const int64_t vector = gather->vector, line = shape->w * vector;

    for (int64_t channel = 0; channel < gather->channels; channel += vector) {
        copy_run(gather, conv_shape_out_w(shape), to,
                 gather->image + (gather->channel + channel) * shape->h * shape->w,
                 shape->stride_h * line, shape->stride_w * vector, vector);
        to += gather->block;
    }
}

void gather_taps(const struct conv_shape *shape, const struct gather *gather, float *to)
{
    const int64_t end = gather->channel + gather->channels;
    int64_t run;

    for (int64_t i = gather->channel; i < end; i += run) {
        const int64_t s = i % shape->s, c = i / shape->s % shape->c, r = i / shape->s / shape->c;
        const int64_t at = i - gather->channel, lane = at % gather->vector;

        run = min64(min64(shape->s - s, gather->vector - lane), end - i);
        copy_run(gather, conv_shape_out_w(shape), to + at / gather->vector * gather->block + lane,
                 gather->image + (c * shape->h + r) * shape->w + s, shape->stride_h * shape->w,
                 shape->stride_w, run);
    }
}
