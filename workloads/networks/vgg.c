/* SPDX-License-Identifier: GPL-3.0-or-later */
/* VGG-16 and VGG-19: Simonyan and Zisserman, "Very deep convolutional networks
 * for large-scale image recognition", ICLR 2015, columns D and E of table 1.
 * Layer names are those of Keras' models.  Dropout does nothing in inference
 * and is left out.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"vgg16", "VGG-16", "Simonyan and Zisserman, ICLR 2015, column D"},
    {"vgg19", "VGG-19", "Simonyan and Zisserman, ICLR 2015, column E"},
    {NULL, NULL, NULL},
};

static const int convolutions[][5] = {{2, 2, 3, 3, 3}, {2, 2, 4, 4, 4}};

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const int64_t channels[] = {64, 128, 256, 512, 512};
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    for (int stage = 0; stage < 5; stage++) {
        builder_push(b, "block%d_", stage + 1);
        for (int i = 0; i < convolutions[index][stage]; i++) {
            builder_push(b, "conv%d", i + 1);
            x = builder_conv(b, "", x, channels[stage], .r = 3, .pad = 1, .bias = true);
            x = builder_relu(b, "_relu", x);
            builder_pop(b);
        }
        x = builder_max_pool(b, "pool", x, .r = 2, .stride = 2);
        builder_pop(b);
    }
    zoo_classifier_takes(&zoo, x, 7);
    x = builder_linear(b, "fc1", x, 4096);
    x = builder_relu(b, "fc1_relu", x);
    x = builder_linear(b, "fc2", x, 4096);
    x = builder_relu(b, "fc2_relu", x);
    x = builder_linear(b, "predictions", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_vgg = {model, NULL, build};
