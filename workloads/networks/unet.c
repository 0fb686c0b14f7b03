/* SPDX-License-Identifier: GPL-3.0-or-later */
/* U-Net: Ronneberger, Fischer and Brox, "U-Net: convolutional networks for
 * biomedical image segmentation", MICCAI 2015, figure 1: one channel in, two
 * classes a pixel out, convolutions without padding, so that what the
 * contracting path hands over is cropped.  */
#include <config.h>

#include <inttypes.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"unet", "U-Net", "Ronneberger, Fischer and Brox, MICCAI 2015"},
    {NULL, NULL, NULL},
};

#define LEVELS 5

static size_t two_convolutions(struct builder *b, size_t x, int64_t channels)
{
    x = builder_conv(b, "conv1", x, channels, .r = 3, .bias = true);
    x = builder_relu(b, "relu1", x);
    x = builder_conv(b, "conv2", x, channels, .r = 3, .bias = true);
    return builder_relu(b, "relu2", x);
}

/* The paper wants every pool to see an even number of rows and columns.  */
static size_t pool(struct zoo *zoo, size_t x)
{
    int64_t side = builder_dim(zoo->builder, x, 2);

    if (side % 2 != 0)
        builder_fail(zoo->builder, "%" PRId64 " x %" PRId64 " before a pool, which halves it", side,
                     side);
    return builder_max_pool(zoo->builder, "pool", x, .r = 2, .stride = 2);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    struct zoo zoo;
    size_t x = zoo_begin_image(&zoo, model[index].name, 1, 1, 572, params), skip[LEVELS];
    struct builder *b = zoo.builder;

    for (int level = 0; level < LEVELS; level++) {
        builder_push(b, "down%d.", level + 1);
        skip[level] = x = two_convolutions(b, x, INT64_C(64) << level);
        if (level < LEVELS - 1)
            x = pool(&zoo, x);
        builder_pop(b);
    }
    for (int level = LEVELS - 2; level >= 0; level--) {
        size_t part[2];

        builder_push(b, "up%d.", level + 1);
        part[1] = builder_conv_transpose(b, "up", x, INT64_C(64) << level, 2);
        part[0] = builder_crop(b, "crop", skip[level], builder_dim(b, part[1], 2),
                               builder_dim(b, part[1], 3));
        x = builder_concat(b, "concat", part, 2);
        x = two_convolutions(b, x, INT64_C(64) << level);
        builder_pop(b);
    }
    x = builder_conv(b, "classes", x, 2, .r = 1, .bias = true);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_unet = {model, NULL, build};
