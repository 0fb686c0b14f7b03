/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/layout.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"

struct tensor_layout layout_input(const struct conv_shape *shape, int64_t block)
{
    return (struct tensor_layout){shape->n, shape->c, shape->h, shape->w, block};
}

struct tensor_layout layout_output(const struct conv_shape *shape, int64_t block)
{
    return (struct tensor_layout){shape->n, shape->k, conv_shape_out_h(shape),
                                  conv_shape_out_w(shape), block};
}

/* The product, -1 when it or its bytes do not fit.  */
static int64_t floats(const int64_t *factor, int count)
{
    int64_t product = 1, bytes;

    for (int i = 0; i < count; i++)
        if (!checked_mul(product, factor[i], &product))
            return -1;
    return checked_mul(product, (int64_t)sizeof(float), &bytes) ? product : -1;
}

int64_t layout_floats(const struct tensor_layout *layout)
{
    int64_t channels;

    if (!checked_add(layout->c, layout->block, &channels))
        return -1;
    channels = align_up(layout->c, layout->block);
    return floats((const int64_t[]){layout->n, channels, layout->h, layout->w}, 4);
}

int64_t layout_index(const struct tensor_layout *layout, int64_t n, int64_t c, int64_t h, int64_t w)
{
    int64_t blocks = align_up(layout->c, layout->block) / layout->block;
    int64_t block = n * blocks + c / layout->block;

    return ((block * layout->h + h) * layout->w + w) * layout->block + c % layout->block;
}

/* TARGET holds the floats of SOURCE, element by element, and zeros where channels fill up.  */
static void check_converted(const struct tensor_layout *from, const float *source,
                            const struct tensor_layout *to, const float *target)
{
    int64_t place = 0;

    for (int64_t n = 0; n < to->n; n++)
        for (int64_t first = 0; first < to->c; first += to->block)
            for (int64_t h = 0; h < to->h; h++)
                for (int64_t w = 0; w < to->w; w++)
                    for (int64_t c = first; c < first + to->block; c++, place++) {
                        const float *element =
                            c < to->c ? &source[layout_index(from, n, c, h, w)] : NULL;

                        CHECK(
                            element == NULL ? target[place] == 0.0F
                                            : memcmp(&target[place], element, sizeof *element) == 0,
                            "layout", "blocks of channels stand pixel by pixel, filled with zeros");
                    }
    CHECK(place == layout_floats(to), "layout", "a tensor has as many floats as its blocks");
}

/* Channel C, which may be one that fills up.  */
static void convert_channel(const struct tensor_layout *from, const float *source,
                            const struct tensor_layout *to, float *target, int64_t n, int64_t c)
{
    for (int64_t h = 0; h < to->h; h++) {
        float *row = target + layout_index(to, n, c, h, 0);
        const float *origin = c < to->c ? source + layout_index(from, n, c, h, 0) : target;

        for (int64_t w = 0; w < to->w; w++)
            row[w * to->block] = c < to->c ? origin[w * from->block] : 0.0F;
    }
}

/* RUN channels from C on, side by side in both layouts.  */
static void convert_run(const struct tensor_layout *from, const float *source,
                        const struct tensor_layout *to, float *target, int64_t n, int64_t c,
                        int64_t run)
{
    for (int64_t h = 0; h < to->h; h++) {
        float *row = target + layout_index(to, n, c, h, 0);
        const float *origin = source + layout_index(from, n, c, h, 0);

        for (int64_t w = 0; w < to->w; w++)
            memcpy(row + w * to->block, origin + w * from->block, (size_t)run * sizeof *row);
    }
}

/* How many channels, from multiples of that number on, lie side by side in both layouts.  */
static int64_t common_run(const struct tensor_layout *a, const struct tensor_layout *b)
{
    int64_t low = min64(a->block, b->block), high = max64(a->block, b->block);

    return high % low == 0 ? low : 1;
}

void layout_convert(const struct tensor_layout *from, const float *source,
                    const struct tensor_layout *to, float *target)
{
    int64_t channels = align_up(to->c, to->block), run = common_run(from, to);

    assert(from->n == to->n && from->c == to->c && from->h == to->h && from->w == to->w);
    for (int64_t n = 0; n < to->n; n++) {
        int64_t c = 0;

        for (; run > 1 && c + run <= to->c; c += run)
            convert_run(from, source, to, target, n, c, run);
        for (; c < channels; c++)
            convert_channel(from, source, to, target, n, c);
    }
    CHECK_INVARIANT(check_converted(from, source, to, target));
}

/* Blocks of a group are whole vectors, no wider than c_o, and stand one after the other.  */
static void check_filter_layout(const struct filter_layout *layout)
{
    int64_t first = 0, floats = 0;

    for (int64_t b = 0; b < filter_layout_blocks(layout); b++) {
        int64_t width = filter_layout_width(layout, b);

        CHECK(filter_layout_first(layout, b) == first, "filter layout",
              "a block begins where the one before it ends");
        CHECK(width > 0 && width <= layout->co && width % layout->vector == 0, "filter layout",
              "a block is whole vectors, no wider than c_o");
        CHECK(filter_layout_offset(layout, layout->groups - 1, b) ==
                  (layout->groups - 1) * filter_layout_floats(layout) / layout->groups + floats,
              "filter layout", "a block stands behind those before it");
        first += width;
        floats += width * layout->c * layout->r * layout->s;
    }
    CHECK(first >= layout->k && first < layout->k + layout->vector, "filter layout",
          "the blocks of a group hold its channels");
    CHECK(floats * layout->groups == filter_layout_floats(layout), "filter layout",
          "the blocks take as many floats as they say");
}

struct filter_layout filter_layout(const struct conv_shape *shape, int64_t co, int64_t vector)
{
    assert(vector > 0 && co > 0 && co % vector == 0);
    return (struct filter_layout){
        shape->groups, shape->k / shape->groups, shape->c / shape->groups, shape->r, shape->s, co,
        vector};
}

int64_t filter_layout_floats(const struct filter_layout *layout)
{
    int64_t channels;

    if (!checked_add(layout->k, layout->vector, &channels))
        return -1;
    channels = align_up(layout->k, layout->vector);
    return floats((const int64_t[]){layout->groups, channels, layout->c, layout->r, layout->s}, 5);
}

int64_t filter_layout_blocks(const struct filter_layout *layout)
{
    return (layout->k + layout->co - 1) / layout->co;
}

int64_t filter_layout_first(const struct filter_layout *layout, int64_t block)
{
    const int64_t vectors = (layout->k + layout->vector - 1) / layout->vector;
    const int64_t blocks = filter_layout_blocks(layout);

    return (vectors / blocks * block + min64(block, vectors % blocks)) * layout->vector;
}

int64_t filter_layout_width(const struct filter_layout *layout, int64_t block)
{
    return filter_layout_first(layout, block + 1) - filter_layout_first(layout, block);
}

int64_t filter_layout_bias_offset(const struct filter_layout *layout, int64_t group, int64_t block)
{
    return group * align_up(layout->k, layout->vector) + filter_layout_first(layout, block);
}

int64_t filter_layout_offset(const struct filter_layout *layout, int64_t group, int64_t block)
{
    return filter_layout_bias_offset(layout, group, block) * layout->r * layout->c * layout->s;
}

int64_t filter_layout_bias_floats(const struct filter_layout *layout)
{
    return filter_layout_bias_offset(layout, layout->groups, 0);
}

/* One block, from the first of its output channels.  */
static void pack_block(const struct filter_layout *layout, const float *filter, int64_t left,
                       int64_t width, float *packed)
{
    const int64_t taps = layout->r * layout->s, next = layout->c * taps;

    for (int64_t r = 0; r < layout->r; r++)
        for (int64_t c = 0; c < layout->c; c++)
            for (int64_t s = 0; s < layout->s; s++)
                for (int64_t k = 0; k < width; k++)
                    *packed++ = k < left ? filter[k * next + c * taps + r * layout->s + s] : 0.0F;
}

void filter_layout_pack(const struct filter_layout *layout, const float *filter, float *packed)
{
    const int64_t one = layout->c * layout->r * layout->s;

    CHECK_INVARIANT(check_filter_layout(layout));
    for (int64_t g = 0; g < layout->groups; g++)
        for (int64_t b = 0; b < filter_layout_blocks(layout); b++)
            pack_block(layout, filter + (g * layout->k + filter_layout_first(layout, b)) * one,
                       layout->k - filter_layout_first(layout, b), filter_layout_width(layout, b),
                       packed + filter_layout_offset(layout, g, b));
}

void filter_layout_pack_bias(const struct filter_layout *layout, const float *bias, float *packed)
{
    const int64_t channels = align_up(layout->k, layout->vector);

    for (int64_t g = 0; g < layout->groups; g++)
        for (int64_t k = 0; k < channels; k++)
            packed[g * channels + k] =
                bias != NULL && k < layout->k ? bias[g * layout->k + k] : 0.0F;
}

void layout_pack_lanes(const struct conv_shape *shape, int64_t vector, const float *filter,
                       float *packed)
{
    const int64_t channels = shape->c / shape->groups, row = shape->s;
    const int64_t plane = shape->r * row, all = align_up(shape->k, vector);

    for (int64_t first = 0; first < all; first += vector)
        for (int64_t r = 0; r < shape->r; r++)
            for (int64_t c = 0; c < channels; c++)
                for (int64_t s = 0; s < row; s++)
                    for (int64_t k = first; k < first + vector; k++)
                        *packed++ =
                            k < shape->k ? filter[(k * channels + c) * plane + r * row + s] : 0.0F;
}
