/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EfficientNet-B0: Tan and Le, "EfficientNet: rethinking model scaling for
 * convolutional neural networks", ICML 2019, table 1, with the layers and
 * symmetric padding of torchvision's model.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/mobile.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"efficientnet_b0", "EfficientNet-B0", "Tan and Le, ICML 2019"},
    {NULL, NULL, NULL},
};

struct stage {
    int64_t expansion, r, stride, channels;
    int repeats;
};

static size_t block(struct builder *b, size_t x, const struct stage *stage, int64_t stride)
{
    int64_t in = builder_dim(b, x, 1), hidden = in * stage->expansion;
    size_t shortcut = x;

    if (stage->expansion != 1)
        x = mobile_unit(b, "expand", x, hidden, "swish", (struct window){.r = 1});
    x = mobile_unit(
        b, "depthwise", x, hidden, "swish",
        (struct window){.r = stage->r, .stride = stride, .pad = stage->r / 2, .groups = hidden});
    x = mobile_squeeze_excite(b, x, in / 4, "swish", "sigmoid");
    x = mobile_unit(b, "project", x, stage->channels, NULL, (struct window){.r = 1});
    if (stride == 1 && in == stage->channels)
        x = builder_add(b, "add", x, shortcut);
    return x;
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const struct stage stage[] = {
        {1, 3, 1, 16, 1},  {6, 3, 2, 24, 2},  {6, 5, 2, 40, 2},  {6, 3, 2, 80, 3},
        {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4}, {6, 3, 1, 320, 1},
    };
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;

    x = mobile_unit(b, "stem", x, 32, "swish", (struct window){.r = 3, .stride = 2, .pad = 1});
    for (size_t s = 0; s < sizeof stage / sizeof stage[0]; s++)
        for (int i = 0; i < stage[s].repeats; i++) {
            builder_push(b, "stage%zu.%d.", s + 1, i);
            x = block(b, x, &stage[s], i == 0 ? stage[s].stride : 1);
            builder_pop(b);
        }
    x = mobile_unit(b, "last", x, 1280, "swish", (struct window){.r = 1});
    x = builder_global_avg_pool(b, "avgpool", x);
    x = builder_linear(b, "fc", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_efficientnet = {model, NULL, build};
