/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MobileNet v2, width 1.0: Sandler, Howard, Zhu, Zhmoginov and Chen,
 * "MobileNetV2: inverted residuals and linear bottlenecks", CVPR 2018, table
 * 2, with the 1000 classes of torchvision's model.  The softmax head reshapes
 * first, as the authors' model does.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"mobilenet_v2", "MobileNet v2 1.0", "Sandler et al., CVPR 2018"},
    {NULL, NULL, NULL},
};

static size_t conv_bn_relu6(struct builder *b, const char *name, size_t x, int64_t channels,
                            struct window window)
{
    x = builder_conv_window(b, name, x, channels, window);
    builder_push(b, "%s_", name);
    x = builder_batch_norm(b, "bn", x);
    x = builder_relu6(b, "relu", x);
    builder_pop(b);
    return x;
}

static size_t inverted_residual(struct builder *b, size_t x, int64_t expansion, int64_t channels,
                                int64_t stride)
{
    int64_t in = builder_dim(b, x, 1), hidden = in * expansion;
    size_t shortcut = x;

    if (expansion != 1)
        x = conv_bn_relu6(b, "expand", x, hidden, (struct window){.r = 1});
    x = conv_bn_relu6(b, "depthwise", x, hidden,
                      (struct window){.r = 3, .stride = stride, .pad = 1, .groups = hidden});
    x = builder_conv(b, "project", x, channels, .r = 1);
    x = builder_batch_norm(b, "project_bn", x);
    if (stride == 1 && in == channels)
        x = builder_add(b, "add", x, shortcut);
    return x;
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const struct {
        int64_t expansion, channels;
        int repeats;
        int64_t stride;
    } row[] = {
        {1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2},  {6, 64, 4, 2},
        {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1},
    };
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;
    int block = 0;

    x = conv_bn_relu6(b, "conv1", x, 32, (struct window){.r = 3, .stride = 2, .pad = 1});
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        for (int repeat = 0; repeat < row[i].repeats; repeat++) {
            builder_push(b, "block%d.", ++block);
            x = inverted_residual(b, x, row[i].expansion, row[i].channels,
                                  repeat == 0 ? row[i].stride : 1);
            builder_pop(b);
        }
    x = conv_bn_relu6(b, "conv_last", x, 1280, (struct window){.r = 1});
    x = builder_global_avg_pool(b, "pool", x);
    x = builder_linear(b, "fc", x, 1000);
    zoo.reshape = true;
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_mobilenet_v2 = {model, NULL, build};
