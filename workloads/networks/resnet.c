/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residual networks.
 *
 * ResNet: He, Zhang, Ren and Sun, "Deep residual learning for image
 * recognition", CVPR 2016, table 1.  The bottleneck halves the resolution in
 * its 3x3 convolution ("v1.5", as torchvision and most zoos have it); the
 * paper's own place, the first 1x1 convolution, is stride=1x1.
 * ResNeXt: Xie, Girshick, Dollar, Tu and He, "Aggregated residual
 * transformations for deep neural networks", CVPR 2017, table 1 (32x4d).
 * In two streams: twice the batch, split in halves that go through the same
 * weights block by block in turn, as a runtime with two queues runs them, and
 * are joined at the end.
 * Layer names and operator order are those of torchvision's model.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

#define RESNET_SOURCE "He, Zhang, Ren and Sun, CVPR 2016"

static const struct network_model model[] = {
    {"resnet18", "ResNet-18", RESNET_SOURCE},
    {"resnet34", "ResNet-34", RESNET_SOURCE},
    {"resnet50", "ResNet-50 v1.5", RESNET_SOURCE},
    {"resnet101", "ResNet-101 v1.5", RESNET_SOURCE},
    {"resnet152", "ResNet-152 v1.5", RESNET_SOURCE},
    {"resnet50_two_streams", "ResNet-50 v1.5, the batch in two streams", RESNET_SOURCE},
    {"resnext50_32x4d", "ResNeXt-50 32x4d", "Xie, Girshick, Dollar, Tu and He, CVPR 2017"},
    {NULL, NULL, NULL},
};

struct layout {
    int blocks[4];
    bool bottleneck;
    int64_t groups, group_width; /* of the first stage's 3x3 convolutions */
};

static const struct layout layout[] = {
    {{2, 2, 2, 2}, false, 1, 64}, {{3, 4, 6, 3}, false, 1, 64}, {{3, 4, 6, 3}, true, 1, 64},
    {{3, 4, 23, 3}, true, 1, 64}, {{3, 8, 36, 3}, true, 1, 64}, {{3, 4, 6, 3}, true, 1, 64},
    {{3, 4, 6, 3}, true, 32, 4},
};

enum { TWO_STREAMS = 5 /* its place in both lists */, MAX_STREAMS = 2 };

enum { STRIDE_3X3, STRIDE_1X1 };

static const struct param own_params[] = {
    PARAM_ENUM("stride", "3x3",
               "Which convolution of a bottleneck halves the resolution: v1.5's or the paper's.",
               {"3x3", STRIDE_3X3}, {"1x1", STRIDE_1X1}),
    PARAM_END,
};

/* The shortcut of a block whose output is not of its input's shape.  */
static size_t downsample(struct builder *b, size_t x, int64_t channels, int64_t stride)
{
    x = builder_conv(b, "downsample.0", x, channels, .r = 1, .stride = stride);
    return builder_batch_norm(b, "downsample.1", x);
}

static size_t basic_block(struct builder *b, size_t x, int64_t channels, int64_t stride)
{
    size_t shortcut = x;

    x = builder_conv(b, "conv1", x, channels, .r = 3, .stride = stride, .pad = 1);
    x = builder_batch_norm(b, "bn1", x);
    x = builder_relu(b, "relu1", x);
    x = builder_conv(b, "conv2", x, channels, .r = 3, .pad = 1);
    x = builder_batch_norm(b, "bn2", x);
    if (stride != 1)
        shortcut = downsample(b, shortcut, channels, stride);
    x = builder_add(b, "add", x, shortcut);
    return builder_relu(b, "relu2", x);
}

struct bottleneck {
    int64_t channels, width, groups, stride;
    bool early; /* the first convolution takes the stride */
};

static size_t bottleneck_block(struct builder *b, size_t x, const struct bottleneck *block)
{
    size_t shortcut = x;
    int64_t early = block->early ? block->stride : 1, late = block->early ? 1 : block->stride;
    bool changes = block->stride != 1 || builder_dim(b, x, 1) != block->channels;

    x = builder_conv(b, "conv1", x, block->width, .r = 1, .stride = early);
    x = builder_batch_norm(b, "bn1", x);
    x = builder_relu(b, "relu1", x);
    x = builder_conv(b, "conv2", x, block->width, .r = 3, .stride = late, .pad = 1,
                     .groups = block->groups);
    x = builder_batch_norm(b, "bn2", x);
    x = builder_relu(b, "relu2", x);
    x = builder_conv(b, "conv3", x, block->channels, .r = 1);
    x = builder_batch_norm(b, "bn3", x);
    if (changes)
        shortcut = downsample(b, shortcut, block->channels, block->stride);
    x = builder_add(b, "add", x, shortcut);
    return builder_relu(b, "relu3", x);
}

/* What runs at the same time: one stream, or two that share the weights.  */
struct streams {
    struct builder *b;
    int count;
    size_t x[MAX_STREAMS];
};

/* Before and after the layers of stream S.  */
static void enter(struct streams *streams, int s)
{
    if (streams->count > 1)
        builder_push_shared(streams->b, "stream%d.", s);
}

static void leave(struct streams *streams)
{
    if (streams->count > 1)
        builder_pop(streams->b);
}

static void stem(struct streams *streams)
{
    struct builder *b = streams->b;

    for (int s = 0; s < streams->count; s++) {
        size_t x = streams->x[s];

        enter(streams, s);
        x = builder_conv(b, "conv1", x, 64, .r = 7, .stride = 2, .pad = 3);
        x = builder_batch_norm(b, "bn1", x);
        x = builder_relu(b, "relu", x);
        streams->x[s] = builder_max_pool(b, "maxpool", x, .r = 3, .stride = 2, .pad = 1);
        leave(streams);
    }
}

static void stages(struct streams *streams, const struct layout *net, bool early)
{
    struct builder *b = streams->b;
    int64_t channels = 64;

    for (int stage = 0; stage < 4; stage++, channels *= 2)
        for (int i = 0; i < net->blocks[stage] * streams->count; i++) {
            int number = i / streams->count, s = i % streams->count;
            int64_t stride = stage > 0 && number == 0 ? 2 : 1;
            struct bottleneck block = {
                .channels = 4 * channels,
                .width = channels / 64 * net->groups * net->group_width,
                .groups = net->groups,
                .stride = stride,
                .early = early,
            };

            enter(streams, s);
            builder_push(b, "layer%d.%d.", stage + 1, number);
            streams->x[s] = net->bottleneck ? bottleneck_block(b, streams->x[s], &block)
                                            : basic_block(b, streams->x[s], channels, stride);
            builder_pop(b);
            leave(streams);
        }
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    const int count = index == TWO_STREAMS ? 2 : 1;
    struct streams streams = {.count = count};
    struct zoo zoo;
    size_t x = zoo_begin_image(&zoo, model[index].name, count, 3, 224, params);
    struct builder *b = zoo.builder;

    streams.b = b;
    streams.x[0] = x;
    if (count > 1)
        builder_split(b, "split", x, 0, streams.x, 2);
    stem(&streams);
    stages(&streams, &layout[index], params_choice(params, "stride") == STRIDE_1X1);
    for (int s = 0; s < count; s++) {
        enter(&streams, s);
        x = builder_global_avg_pool(b, "avgpool", streams.x[s]);
        streams.x[s] = x = builder_linear(b, "fc", x, 1000);
        leave(&streams);
    }
    if (count > 1)
        x = builder_concat_axis(b, "join", 0, streams.x, 2);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_resnet = {model, own_params, build};
