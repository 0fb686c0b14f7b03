/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SqueezeNet 1.0: Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x
 * fewer parameters and < 0.5 MB model size", arXiv:1602.07360, 2016, table 1.
 * SqueezeNet 1.1 is the authors' cheaper revision in their repository.  Pools
 * round their output size up, as in Caffe.  The classifier is a convolution
 * whose maps are averaged, so the logits are the pool's output.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

#define SQUEEZENET_SOURCE "Iandola et al., arXiv:1602.07360, 2016"

static const struct network_model model[] = {
    {"squeezenet1_0", "SqueezeNet 1.0", SQUEEZENET_SOURCE},
    {"squeezenet1_1", "SqueezeNet 1.1", SQUEEZENET_SOURCE ", revised"},
    {NULL, NULL, NULL},
};

static const struct {
    int64_t channels, r; /* of the first convolution */
    bool pool_before[8]; /* a pool before the module; modules are fire2 to fire9 */
} layout[] = {
    {96, 7, {true, false, false, true, false, false, false, true}},
    {64, 3, {true, false, true, false, true, false, false, false}},
};

static size_t fire(struct builder *b, size_t x, int64_t squeeze, int64_t expand)
{
    size_t part[2];

    x = zoo_conv_relu(b, "squeeze1x1", x, squeeze, 1);
    part[0] = zoo_conv_relu(b, "expand1x1", x, expand, 1);
    part[1] = zoo_conv_relu(b, "expand3x3", x, expand, 3);
    return builder_concat(b, "concat", part, 2);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const int64_t squeeze[] = {16, 16, 32, 32, 48, 48, 64, 64};
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    x = builder_conv(b, "conv1", x, layout[index].channels, .r = layout[index].r, .stride = 2,
                     .bias = true);
    x = builder_relu(b, "relu_conv1", x);
    for (int i = 0; i < 8; i++) {
        if (layout[index].pool_before[i]) {
            builder_push(b, "pool%d", i + 1);
            x = builder_max_pool(b, "", x, .r = 3, .stride = 2, .ceil = true);
            builder_pop(b);
        }
        builder_push(b, "fire%d/", i + 2);
        x = fire(b, x, squeeze[i], 4 * squeeze[i]);
        builder_pop(b);
    }
    x = zoo_conv_relu(b, "conv10", x, 1000, 1);
    x = builder_global_avg_pool(b, "pool10", x);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_squeezenet = {model, NULL, build};
