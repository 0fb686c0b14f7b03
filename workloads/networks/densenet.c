/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DenseNet-121: Huang, Liu, van der Maaten and Weinberger, "Densely connected
 * convolutional networks", CVPR 2017, table 1 (bottlenecks, compression 0.5,
 * growth rate 32).  Layer names and order are those of torchvision's model in
 * its first form: each layer's output is joined to all that came before it
 * in the block.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"densenet121", "DenseNet-121", "Huang, Liu, van der Maaten and Weinberger, CVPR 2017"},
    {NULL, NULL, NULL},
};

static const int64_t growth = 32;

static size_t dense_layer(struct builder *b, size_t features)
{
    size_t x = features;

    x = builder_batch_norm(b, "norm1", x);
    x = builder_relu(b, "relu1", x);
    x = builder_conv(b, "conv1", x, 4 * growth, .r = 1);
    x = builder_batch_norm(b, "norm2", x);
    x = builder_relu(b, "relu2", x);
    x = builder_conv(b, "conv2", x, growth, .r = 3, .pad = 1);
    return builder_concat(b, "concat", (const size_t[]){features, x}, 2);
}

static size_t transition(struct builder *b, size_t x)
{
    int64_t channels = builder_dim(b, x, 1);

    x = builder_batch_norm(b, "norm", x);
    x = builder_relu(b, "relu", x);
    x = builder_conv(b, "conv", x, channels / 2, .r = 1);
    return builder_avg_pool(b, "pool", x, .r = 2, .stride = 2);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const int layers[] = {6, 12, 24, 16};
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    x = builder_conv(b, "conv0", x, 64, .r = 7, .stride = 2, .pad = 3);
    x = builder_batch_norm(b, "norm0", x);
    x = builder_relu(b, "relu0", x);
    x = builder_max_pool(b, "pool0", x, .r = 3, .stride = 2, .pad = 1);
    for (int block = 1; block <= 4; block++) {
        for (int layer = 1; layer <= layers[block - 1]; layer++) {
            builder_push(b, "denseblock%d.denselayer%d.", block, layer);
            x = dense_layer(b, x);
            builder_pop(b);
        }
        if (block < 4) {
            builder_push(b, "transition%d.", block);
            x = transition(b, x);
            builder_pop(b);
        }
    }
    x = builder_batch_norm(b, "norm5", x);
    x = builder_relu(b, "relu5", x);
    x = builder_global_avg_pool(b, "avgpool", x);
    x = builder_linear(b, "classifier", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_densenet = {model, NULL, build};
