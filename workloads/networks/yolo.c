/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small YOLO detectors for 80 classes, layer by layer as the authors' files
 * yolov3-tiny.cfg and yolov4-tiny.cfg have them; a convolution is called by its
 * number there.  YOLOv3: Redmon and Farhadi, "YOLOv3: an incremental
 * improvement", arXiv:1804.02767, 2018.  YOLOv4-tiny: Wang, Bochkovskiy and
 * Liao, "Scaled-YOLOv4", CVPR 2021.  Decoding the two maps into boxes is not
 * part of the network.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"yolov3-tiny", "YOLOv3-tiny", "Redmon and Farhadi, arXiv:1804.02767, 2018"},
    {"yolov4-tiny", "YOLOv4-tiny", "Wang, Bochkovskiy and Liao, CVPR 2021"},
    {NULL, NULL, NULL},
};

/* For each of three boxes four coordinates, an objectness and 80 classes.  */
#define MAP_CHANNELS (3 * (4 + 1 + 80))

/* Layer NUMBER: a convolution R x R that keeps the resolution but for its
 * stride, a normalisation, an activation.  */
static size_t unit(struct builder *b, int number, size_t x, int64_t channels, int64_t r,
                   int64_t stride)
{
    builder_push(b, "conv%d", number);
    x = builder_conv(b, "", x, channels, .r = r, .stride = stride, .pad = r / 2);
    x = builder_batch_norm(b, "_bn", x);
    x = builder_activation(b, "_leaky", "leaky_relu", x);
    builder_pop(b);
    return x;
}

static size_t map_of(struct builder *b, const char *name, size_t x)
{
    return builder_conv(b, name, x, MAP_CHANNELS, .r = 1, .bias = true);
}

/* The finer map's features: X after a convolution, twice as large, and SKIP.  */
static size_t finer(struct builder *b, int number, size_t x, size_t skip)
{
    size_t part[2];

    part[0] = unit(b, number, x, 128, 1, 1);
    part[0] = builder_upsample(b, "upsample", part[0], 2);
    part[1] = skip;
    return builder_concat(b, "route", part, 2);
}

static void v3_tiny(struct builder *b, size_t x, size_t *map)
{
    static const char *const pool[] = {"max1", "max3", "max5", "max7", "max9", "max11"};
    size_t skip = x, coarse;

    for (int i = 0; i < 6; i++) {
        x = unit(b, 2 * i, x, INT64_C(16) << i, 3, 1);
        if (i == 4)
            skip = x;
        /* The last one keeps the resolution.  */
        x = builder_max_pool(b, pool[i], x, .r = 2, .stride = i < 5 ? 2 : 1, .same = i == 5);
    }
    x = unit(b, 12, x, 1024, 3, 1);
    coarse = unit(b, 13, x, 256, 1, 1);
    x = unit(b, 14, coarse, 512, 3, 1);
    map[0] = map_of(b, "conv15", x);
    x = finer(b, 18, coarse, skip);
    x = unit(b, 21, x, 256, 3, 1);
    map[1] = map_of(b, "conv22", x);
}

/* A cross-stage partial block from layer NUMBER on: convolutions on the second
 * half of the channels; WHOLE is what the skip of the finer map takes.  */
static size_t partial_block(struct builder *b, int number, size_t x, int64_t channels,
                            size_t *whole)
{
    size_t first = unit(b, number, x, channels, 3, 1), pair[2];

    builder_push(b, "route%d", number + 1);
    x = builder_slice(b, "", first, 1, channels / 2, channels / 2);
    builder_pop(b);
    pair[1] = unit(b, number + 2, x, channels / 2, 3, 1);
    pair[0] = unit(b, number + 3, pair[1], channels / 2, 3, 1);
    builder_push(b, "route%d", number + 4);
    x = builder_concat(b, "", pair, 2);
    builder_pop(b);
    *whole = unit(b, number + 5, x, channels, 1, 1);
    builder_push(b, "route%d", number + 6);
    x = builder_concat(b, "", (const size_t[]){first, *whole}, 2);
    builder_pop(b);
    builder_push(b, "max%d", number + 7);
    x = builder_max_pool(b, "", x, .r = 2, .stride = 2);
    builder_pop(b);
    return x;
}

static void v4_tiny(struct builder *b, size_t x, size_t *map)
{
    size_t skip = x, coarse;

    x = unit(b, 0, x, 32, 3, 2);
    x = unit(b, 1, x, 64, 3, 2);
    for (int i = 0; i < 3; i++)
        x = partial_block(b, 2 + 8 * i, x, INT64_C(64) << i, &skip);
    x = unit(b, 26, x, 512, 3, 1);
    coarse = unit(b, 27, x, 256, 1, 1);
    x = unit(b, 28, coarse, 512, 3, 1);
    map[0] = map_of(b, "conv29", x);
    x = finer(b, 32, coarse, skip);
    x = unit(b, 35, x, 256, 3, 1);
    map[1] = map_of(b, "conv36", x);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 416, params), map[2];

    if (index == 0)
        v3_tiny(zoo.builder, x, map);
    else
        v4_tiny(zoo.builder, x, map);
    return zoo_end_detector(&zoo, map, 2, error);
}

const struct network_family network_family_yolo = {model, NULL, build};
