/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GoogLeNet: Szegedy et al., "Going deeper with convolutions", CVPR 2015,
 * table 1, as in the BVLC Caffe model: local response normalisation, no batch
 * normalisation, pools that round their output size up, and without the
 * auxiliary classifiers, which only training uses.  Layer names and order are
 * those of that model.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"googlenet", "GoogLeNet (Inception v1)", "Szegedy et al., CVPR 2015"},
    {NULL, NULL, NULL},
};

/* Channels of the branches: 1x1; 3x3 with its reduction; 5x5 with its
 * reduction; the projection after the pool.  */
struct inception {
    const char *name;
    int64_t one, three_reduce, three, five_reduce, five, project;
    bool pool; /* halve the resolution afterwards */
};

static size_t inception(struct builder *b, size_t x, const struct inception *module)
{
    size_t branch[4];

    builder_push(b, "inception_%s/", module->name);
    branch[0] = zoo_conv_relu(b, "1x1", x, module->one, 1);
    branch[1] = zoo_conv_relu(b, "3x3_reduce", x, module->three_reduce, 1);
    branch[1] = zoo_conv_relu(b, "3x3", branch[1], module->three, 3);
    branch[2] = zoo_conv_relu(b, "5x5_reduce", x, module->five_reduce, 1);
    branch[2] = zoo_conv_relu(b, "5x5", branch[2], module->five, 5);
    branch[3] = builder_max_pool(b, "pool", x, .r = 3, .pad = 1, .ceil = true);
    branch[3] = zoo_conv_relu(b, "pool_proj", branch[3], module->project, 1);
    x = builder_concat(b, "output", branch, 4);
    builder_pop(b);
    return x;
}

static size_t stem(struct builder *b, size_t x)
{
    x = builder_conv(b, "conv1/7x7_s2", x, 64, .r = 7, .stride = 2, .pad = 3, .bias = true);
    x = builder_relu(b, "conv1/relu_7x7", x);
    x = builder_max_pool(b, "pool1/3x3_s2", x, .r = 3, .stride = 2, .ceil = true);
    x = builder_lrn(b, "pool1/norm1", x);
    builder_push(b, "conv2/");
    x = zoo_conv_relu(b, "3x3_reduce", x, 64, 1);
    x = zoo_conv_relu(b, "3x3", x, 192, 3);
    x = builder_lrn(b, "norm2", x);
    builder_pop(b);
    return builder_max_pool(b, "pool2/3x3_s2", x, .r = 3, .stride = 2, .ceil = true);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const struct inception module[] = {
        {"3a", 64, 96, 128, 16, 32, 32, false},     {"3b", 128, 128, 192, 32, 96, 64, true},
        {"4a", 192, 96, 208, 16, 48, 64, false},    {"4b", 160, 112, 224, 24, 64, 64, false},
        {"4c", 128, 128, 256, 24, 64, 64, false},   {"4d", 112, 144, 288, 32, 64, 64, false},
        {"4e", 256, 160, 320, 32, 128, 128, true},  {"5a", 256, 160, 320, 32, 128, 128, false},
        {"5b", 384, 192, 384, 48, 128, 128, false},
    };
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    x = stem(b, x);
    for (size_t i = 0; i < sizeof module / sizeof module[0]; i++) {
        x = inception(b, x, &module[i]);
        if (module[i].pool) {
            builder_push(b, "pool%c/", module[i].name[0]);
            x = builder_max_pool(b, "3x3_s2", x, .r = 3, .stride = 2, .ceil = true);
            builder_pop(b);
        }
    }
    x = builder_global_avg_pool(b, "pool5/7x7_s1", x);
    x = builder_linear(b, "loss3/classifier", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_googlenet = {model, NULL, build};
