/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MobileNet v3: Howard, Sandler, Chu, Chen, Chen, Tan, Wang, Zhu, Pang,
 * Vasudevan, Le and Adam, "Searching for MobileNetV3", ICCV 2019, tables 1 and
 * 2, with the layers of torchvision's models.  */
#include <config.h>

#include <stdbool.h>

#include "lib/base/checked.h"
#include "workloads/builder/builder.h"
#include "workloads/mobile.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"mobilenet_v3_large", "MobileNet v3 large", "Howard et al., ICCV 2019"},
    {"mobilenet_v3_small", "MobileNet v3 small", "Howard et al., ICCV 2019"},
    {NULL, NULL, NULL},
};

struct row {
    int64_t r, hidden, channels;
    bool squeeze, swish; /* hard swish instead of ReLU */
    int64_t stride;
};

/* Each ends with a row of zeros.  */
static const struct row large[] = {
    {3, 16, 16, false, false, 1}, {3, 64, 24, false, false, 2}, {3, 72, 24, false, false, 1},
    {5, 72, 40, true, false, 2},  {5, 120, 40, true, false, 1}, {5, 120, 40, true, false, 1},
    {3, 240, 80, false, true, 2}, {3, 200, 80, false, true, 1}, {3, 184, 80, false, true, 1},
    {3, 184, 80, false, true, 1}, {3, 480, 112, true, true, 1}, {3, 672, 112, true, true, 1},
    {5, 672, 160, true, true, 2}, {5, 960, 160, true, true, 1}, {5, 960, 160, true, true, 1},
    {0, 0, 0, false, false, 0},
};
static const struct row small[] = {
    {3, 16, 16, true, false, 2}, {3, 72, 24, false, false, 2}, {3, 88, 24, false, false, 1},
    {5, 96, 40, true, true, 2},  {5, 240, 40, true, true, 1},  {5, 240, 40, true, true, 1},
    {5, 120, 48, true, true, 1}, {5, 144, 48, true, true, 1},  {5, 288, 96, true, true, 2},
    {5, 576, 96, true, true, 1}, {5, 576, 96, true, true, 1},  {0, 0, 0, false, false, 0},
};

/* A quarter of CHANNELS as a multiple of 8, not below nine tenths of it.  */
static int64_t squeezed(int64_t channels)
{
    int64_t quarter = channels / 4, rounded = max64((quarter + 4) / 8 * 8, 8);

    return 10 * rounded < 9 * quarter ? rounded + 8 : rounded;
}

static size_t block(struct builder *b, size_t x, const struct row *row)
{
    const char *type = row->swish ? "hard_swish" : "relu";
    int64_t in = builder_dim(b, x, 1);
    size_t shortcut = x;

    if (row->hidden != in)
        x = mobile_unit(b, "expand", x, row->hidden, type, (struct window){.r = 1});
    x = mobile_unit(
        b, "depthwise", x, row->hidden, type,
        (struct window){
            .r = row->r, .stride = row->stride, .pad = row->r / 2, .groups = row->hidden});
    if (row->squeeze)
        x = mobile_squeeze_excite(b, x, squeezed(row->hidden), "relu", "hard_sigmoid");
    x = mobile_unit(b, "project", x, row->channels, NULL, (struct window){.r = 1});
    if (row->stride == 1 && in == row->channels)
        x = builder_add(b, "add", x, shortcut);
    return x;
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 224, params);
    struct builder *b = zoo.builder;
    int number = 0;

    x = mobile_unit(b, "stem", x, 16, "hard_swish", (struct window){.r = 3, .stride = 2, .pad = 1});
    for (const struct row *row = index == 0 ? large : small; row->r != 0; row++) {
        builder_push(b, "block%d.", ++number);
        x = block(b, x, row);
        builder_pop(b);
    }
    x = mobile_unit(b, "last", x, 6 * builder_dim(b, x, 1), "hard_swish", (struct window){.r = 1});
    x = builder_global_avg_pool(b, "avgpool", x);
    x = builder_linear(b, "fc1", x, index == 0 ? 1280 : 1024);
    x = builder_activation(b, "fc1_act", "hard_swish", x);
    x = builder_linear(b, "fc2", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_mobilenet_v3 = {model, NULL, build};
