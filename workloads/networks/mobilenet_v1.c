/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MobileNet v1, width 1.0: Howard et al., "MobileNets: efficient convolutional
 * neural networks for mobile vision applications", arXiv:1704.04861, 2017,
 * table 1, with the authors' 1001 classes (one is "background").  The
 * classifier of the authors' model is a 1x1 convolution, so its softmax head
 * reshapes to a row an image first.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"mobilenet_v1", "MobileNet v1 1.0", "Howard et al., arXiv:1704.04861, 2017"},
    {NULL, NULL, NULL},
};

static size_t separable(struct builder *b, size_t x, int64_t channels, int64_t stride)
{
    x = builder_depthwise(b, "conv_dw", x, .r = 3, .stride = stride, .same = true);
    x = builder_batch_norm(b, "conv_dw_bn", x);
    x = builder_relu6(b, "conv_dw_relu", x);
    x = builder_conv(b, "conv_pw", x, channels, .r = 1);
    x = builder_batch_norm(b, "conv_pw_bn", x);
    return builder_relu6(b, "conv_pw_relu", x);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const struct {
        int64_t channels, stride;
    } block[] = {
        {64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2},  {512, 1},
        {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1},
    };
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    x = builder_conv(b, "conv1", x, 32, .r = 3, .stride = 2, .same = true);
    x = builder_batch_norm(b, "conv1_bn", x);
    x = builder_relu6(b, "conv1_relu", x);
    for (size_t i = 0; i < sizeof block / sizeof block[0]; i++) {
        builder_push(b, "block%zu.", i + 1);
        x = separable(b, x, block[i].channels, block[i].stride);
        builder_pop(b);
    }
    x = builder_global_avg_pool(b, "pool", x);
    x = builder_linear(b, "fc", x, 1001);
    zoo.reshape = true;
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_mobilenet_v1 = {model, NULL, build};
