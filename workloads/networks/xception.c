/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Xception: Chollet, "Xception: deep learning with depthwise separable
 * convolutions", CVPR 2017, figure 5, with the layers, names and order of
 * Keras' model, which the author wrote.  A separable convolution runs as two
 * operators, depthwise and pointwise, without anything between them.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"xception", "Xception", "Chollet, CVPR 2017"},
    {NULL, NULL, NULL},
};

static size_t separable_bn(struct builder *b, const char *name, size_t x, int64_t channels)
{
    builder_push(b, "%s_", name);
    x = builder_depthwise(b, "depthwise", x, .r = 3, .same = true);
    x = builder_conv(b, "pointwise", x, channels, .r = 1);
    x = builder_batch_norm(b, "bn", x);
    builder_pop(b);
    return x;
}

static size_t relu_separable_bn(struct builder *b, const char *name, size_t x, int64_t channels)
{
    builder_push(b, "%s_", name);
    x = builder_relu(b, "act", x);
    builder_pop(b);
    return separable_bn(b, name, x, channels);
}

/* A block that halves the resolution; MIDDLE channels between its two
 * convolutions.  Block 2 starts without an activation, because block 1 ended
 * with one.  */
static size_t reducing_block(struct builder *b, int block, size_t x, int64_t middle,
                             int64_t channels)
{
    size_t shortcut;

    builder_push(b, "block%d_", block);
    shortcut = builder_conv(b, "shortcut", x, channels, .r = 1, .stride = 2, .same = true);
    shortcut = builder_batch_norm(b, "shortcut_bn", shortcut);
    x = block == 2 ? separable_bn(b, "sepconv1", x, middle)
                   : relu_separable_bn(b, "sepconv1", x, middle);
    x = relu_separable_bn(b, "sepconv2", x, channels);
    x = builder_max_pool(b, "pool", x, .r = 3, .stride = 2, .same = true);
    x = builder_add(b, "add", x, shortcut);
    builder_pop(b);
    return x;
}

static size_t middle_block(struct builder *b, int block, size_t x)
{
    size_t shortcut = x;

    builder_push(b, "block%d_", block);
    x = relu_separable_bn(b, "sepconv1", x, 728);
    x = relu_separable_bn(b, "sepconv2", x, 728);
    x = relu_separable_bn(b, "sepconv3", x, 728);
    x = builder_add(b, "add", x, shortcut);
    builder_pop(b);
    return x;
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 299, params);
    struct builder *b = zoo.builder;

    x = builder_conv(b, "block1_conv1", x, 32, .r = 3, .stride = 2);
    x = builder_batch_norm(b, "block1_conv1_bn", x);
    x = builder_relu(b, "block1_conv1_act", x);
    x = builder_conv(b, "block1_conv2", x, 64, .r = 3);
    x = builder_batch_norm(b, "block1_conv2_bn", x);
    x = builder_relu(b, "block1_conv2_act", x);
    x = reducing_block(b, 2, x, 128, 128);
    x = reducing_block(b, 3, x, 256, 256);
    x = reducing_block(b, 4, x, 728, 728);
    for (int block = 5; block <= 12; block++)
        x = middle_block(b, block, x);
    x = reducing_block(b, 13, x, 728, 1024);
    x = separable_bn(b, "block14_sepconv1", x, 1536);
    x = builder_relu(b, "block14_sepconv1_act", x);
    x = separable_bn(b, "block14_sepconv2", x, 2048);
    x = builder_relu(b, "block14_sepconv2_act", x);
    x = builder_global_avg_pool(b, "avg_pool", x);
    x = builder_linear(b, "predictions", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_xception = {model, NULL, build};
