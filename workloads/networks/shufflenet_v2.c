/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ShuffleNet v2, width 1.0: Ma, Zhang, Zheng and Sun, "ShuffleNet V2: practical
 * guidelines for efficient CNN architecture design", ECCV 2018, table 5 and
 * figure 3, with the layers and order of torchvision's model.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/mobile.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"shufflenet_v2_x1_0", "ShuffleNet v2 1.0", "Ma, Zhang, Zheng and Sun, ECCV 2018"},
    {NULL, NULL, NULL},
};

static size_t depthwise(struct builder *b, const char *name, size_t x, int64_t stride)
{
    int64_t channels = builder_dim(b, x, 1);

    return mobile_unit(b, name, x, channels, NULL,
                       (struct window){.r = 3, .stride = stride, .pad = 1, .groups = channels});
}

/* To half of the CHANNELS.  */
static size_t main_branch(struct builder *b, size_t x, int64_t channels, int64_t stride)
{
    x = mobile_unit(b, "branch2.conv1", x, channels / 2, "relu", (struct window){.r = 1});
    x = depthwise(b, "branch2.conv2", x, stride);
    return mobile_unit(b, "branch2.conv3", x, channels / 2, "relu", (struct window){.r = 1});
}

static size_t block(struct builder *b, size_t x, int64_t channels, int64_t stride)
{
    size_t part[2];

    if (stride == 1) {
        builder_split(b, "chunk", x, 1, part, 2);
        part[1] = main_branch(b, part[1], channels, 1);
    } else {
        part[0] = depthwise(b, "branch1.conv1", x, stride);
        part[0] =
            mobile_unit(b, "branch1.conv2", part[0], channels / 2, "relu", (struct window){.r = 1});
        part[1] = main_branch(b, x, channels, stride);
    }
    x = builder_concat(b, "concat", part, 2);
    return builder_shuffle(b, "shuffle", x, 2);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const int repeats[] = {4, 8, 4};
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    x = mobile_unit(b, "conv1", x, 24, "relu", (struct window){.r = 3, .stride = 2, .pad = 1});
    x = builder_max_pool(b, "maxpool", x, .r = 3, .stride = 2, .pad = 1);
    for (int stage = 0; stage < 3; stage++)
        for (int i = 0; i < repeats[stage]; i++) {
            builder_push(b, "stage%d.%d.", stage + 2, i);
            x = block(b, x, INT64_C(116) << stage, i == 0 ? 2 : 1);
            builder_pop(b);
        }
    x = mobile_unit(b, "conv5", x, 1024, "relu", (struct window){.r = 1});
    x = builder_global_avg_pool(b, "mean", x);
    x = builder_linear(b, "fc", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_shufflenet_v2 = {model, NULL, build};
