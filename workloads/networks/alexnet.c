/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AlexNet in one tower: Krizhevsky, "One weird trick for parallelizing
 * convolutional neural networks", arXiv:1404.5997, 2014, with the layers and
 * widths of torchvision's model: no normalisation, no grouped convolutions.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"alexnet", "AlexNet, one tower", "Krizhevsky, arXiv:1404.5997, 2014"},
    {NULL, NULL, NULL},
};

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    x = builder_conv(b, "conv1", x, 64, .r = 11, .stride = 4, .pad = 2, .bias = true);
    x = builder_relu(b, "relu1", x);
    x = builder_max_pool(b, "pool1", x, .r = 3, .stride = 2);
    x = builder_conv(b, "conv2", x, 192, .r = 5, .pad = 2, .bias = true);
    x = builder_relu(b, "relu2", x);
    x = builder_max_pool(b, "pool2", x, .r = 3, .stride = 2);
    x = builder_conv(b, "conv3", x, 384, .r = 3, .pad = 1, .bias = true);
    x = builder_relu(b, "relu3", x);
    x = builder_conv(b, "conv4", x, 256, .r = 3, .pad = 1, .bias = true);
    x = builder_relu(b, "relu4", x);
    x = builder_conv(b, "conv5", x, 256, .r = 3, .pad = 1, .bias = true);
    x = builder_relu(b, "relu5", x);
    x = builder_max_pool(b, "pool5", x, .r = 3, .stride = 2);
    zoo_classifier_takes(&zoo, x, 6);
    x = builder_linear(b, "fc6", x, 4096);
    x = builder_relu(b, "relu6", x);
    x = builder_linear(b, "fc7", x, 4096);
    x = builder_relu(b, "relu7", x);
    x = builder_linear(b, "fc8", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_alexnet = {model, NULL, build};
