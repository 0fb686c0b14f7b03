/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inception v3: Szegedy, Vanhoucke, Ioffe, Shlens and Wojna, "Rethinking the
 * inception architecture for computer vision", CVPR 2016, table 1, with the
 * layers, names and order of torchvision's model and without the auxiliary
 * classifier, which only training uses.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

static const struct network_model model[] = {
    {"inception_v3", "Inception v3", "Szegedy, Vanhoucke, Ioffe, Shlens and Wojna, CVPR 2016"},
    {NULL, NULL, NULL},
};

/* Convolution, batch normalisation, activation.  */
static size_t unit_window(struct builder *b, const char *name, size_t x, int64_t channels,
                          struct window window)
{
    builder_push(b, "%s.", name);
    x = builder_conv_window(b, "conv", x, channels, window);
    x = builder_batch_norm(b, "bn", x);
    x = builder_relu(b, "relu", x);
    builder_pop(b);
    return x;
}
#define unit(b, name, x, channels, ...) \
    unit_window(b, name, x, channels, (struct window){__VA_ARGS__})

/* A row or column of seven taps.  */
static size_t unit_1x7(struct builder *b, const char *name, size_t x, int64_t channels)
{
    return unit(b, name, x, channels, .r = 1, .s = 7, .pad_w = 3);
}

static size_t unit_7x1(struct builder *b, const char *name, size_t x, int64_t channels)
{
    return unit(b, name, x, channels, .r = 7, .s = 1, .pad_h = 3);
}

static size_t pool_branch(struct builder *b, size_t x, int64_t channels)
{
    x = builder_avg_pool(b, "avg_pool", x, .r = 3, .pad = 1);
    return unit(b, "branch_pool", x, channels, .r = 1);
}

/* Figure 5 of the paper.  */
static size_t inception_a(struct builder *b, size_t x, int64_t pool_channels)
{
    size_t branch[4];

    branch[0] = unit(b, "branch1x1", x, 64, .r = 1);
    branch[1] = unit(b, "branch5x5_1", x, 48, .r = 1);
    branch[1] = unit(b, "branch5x5_2", branch[1], 64, .r = 5, .pad = 2);
    branch[2] = unit(b, "branch3x3dbl_1", x, 64, .r = 1);
    branch[2] = unit(b, "branch3x3dbl_2", branch[2], 96, .r = 3, .pad = 1);
    branch[2] = unit(b, "branch3x3dbl_3", branch[2], 96, .r = 3, .pad = 1);
    branch[3] = pool_branch(b, x, pool_channels);
    return builder_concat(b, "concat", branch, 4);
}

/* 35 x 35 to 17 x 17.  */
static size_t inception_b(struct builder *b, size_t x)
{
    size_t branch[3];

    branch[0] = unit(b, "branch3x3", x, 384, .r = 3, .stride = 2);
    branch[1] = unit(b, "branch3x3dbl_1", x, 64, .r = 1);
    branch[1] = unit(b, "branch3x3dbl_2", branch[1], 96, .r = 3, .pad = 1);
    branch[1] = unit(b, "branch3x3dbl_3", branch[1], 96, .r = 3, .stride = 2);
    branch[2] = builder_max_pool(b, "max_pool", x, .r = 3, .stride = 2);
    return builder_concat(b, "concat", branch, 3);
}

/* Figure 6: n x n convolutions in factors, n = 7.  */
static size_t inception_c(struct builder *b, size_t x, int64_t middle)
{
    size_t branch[4];

    branch[0] = unit(b, "branch1x1", x, 192, .r = 1);
    branch[1] = unit(b, "branch7x7_1", x, middle, .r = 1);
    branch[1] = unit_1x7(b, "branch7x7_2", branch[1], middle);
    branch[1] = unit_7x1(b, "branch7x7_3", branch[1], 192);
    branch[2] = unit(b, "branch7x7dbl_1", x, middle, .r = 1);
    branch[2] = unit_7x1(b, "branch7x7dbl_2", branch[2], middle);
    branch[2] = unit_1x7(b, "branch7x7dbl_3", branch[2], middle);
    branch[2] = unit_7x1(b, "branch7x7dbl_4", branch[2], middle);
    branch[2] = unit_1x7(b, "branch7x7dbl_5", branch[2], 192);
    branch[3] = pool_branch(b, x, 192);
    return builder_concat(b, "concat", branch, 4);
}

/* 17 x 17 to 8 x 8.  */
static size_t inception_d(struct builder *b, size_t x)
{
    size_t branch[3];

    branch[0] = unit(b, "branch3x3_1", x, 192, .r = 1);
    branch[0] = unit(b, "branch3x3_2", branch[0], 320, .r = 3, .stride = 2);
    branch[1] = unit(b, "branch7x7x3_1", x, 192, .r = 1);
    branch[1] = unit_1x7(b, "branch7x7x3_2", branch[1], 192);
    branch[1] = unit_7x1(b, "branch7x7x3_3", branch[1], 192);
    branch[1] = unit(b, "branch7x7x3_4", branch[1], 192, .r = 3, .stride = 2);
    branch[2] = builder_max_pool(b, "max_pool", x, .r = 3, .stride = 2);
    return builder_concat(b, "concat", branch, 3);
}

/* A 1x3 and a 3x1 convolution beside each other.  */
static size_t forked(struct builder *b, const char *name, size_t x)
{
    size_t branch[2];

    builder_push(b, "%s", name);
    branch[0] = unit(b, "a", x, 384, .r = 1, .s = 3, .pad_w = 1);
    branch[1] = unit(b, "b", x, 384, .r = 3, .s = 1, .pad_h = 1);
    x = builder_concat(b, ".concat", branch, 2);
    builder_pop(b);
    return x;
}

/* Figure 7.  */
static size_t inception_e(struct builder *b, size_t x)
{
    size_t branch[4];

    branch[0] = unit(b, "branch1x1", x, 320, .r = 1);
    branch[1] = unit(b, "branch3x3_1", x, 384, .r = 1);
    branch[1] = forked(b, "branch3x3_2", branch[1]);
    branch[2] = unit(b, "branch3x3dbl_1", x, 448, .r = 1);
    branch[2] = unit(b, "branch3x3dbl_2", branch[2], 384, .r = 3, .pad = 1);
    branch[2] = forked(b, "branch3x3dbl_3", branch[2]);
    branch[3] = pool_branch(b, x, 192);
    return builder_concat(b, "concat", branch, 4);
}

static size_t stem(struct builder *b, size_t x)
{
    x = unit(b, "Conv2d_1a_3x3", x, 32, .r = 3, .stride = 2);
    x = unit(b, "Conv2d_2a_3x3", x, 32, .r = 3);
    x = unit(b, "Conv2d_2b_3x3", x, 64, .r = 3, .pad = 1);
    x = builder_max_pool(b, "maxpool1", x, .r = 3, .stride = 2);
    x = unit(b, "Conv2d_3b_1x1", x, 80, .r = 1);
    x = unit(b, "Conv2d_4a_3x3", x, 192, .r = 3);
    return builder_max_pool(b, "maxpool2", x, .r = 3, .stride = 2);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    static const struct {
        const char *name;
        char kind;
        int64_t channels; /* what the module's function takes */
    } module[] = {
        {"Mixed_5b", 'a', 32},  {"Mixed_5c", 'a', 64},  {"Mixed_5d", 'a', 64},
        {"Mixed_6a", 'b', 0},   {"Mixed_6b", 'c', 128}, {"Mixed_6c", 'c', 160},
        {"Mixed_6d", 'c', 160}, {"Mixed_6e", 'c', 192}, {"Mixed_7a", 'd', 0},
        {"Mixed_7b", 'e', 0},   {"Mixed_7c", 'e', 0},
    };
    struct zoo zoo;
    size_t x = zoo_begin(&zoo, model[index].name, 299, params);
    struct builder *b = zoo.builder;

    x = stem(b, x);
    for (size_t i = 0; i < sizeof module / sizeof module[0]; i++) {
        builder_push(b, "%s.", module[i].name);
        switch (module[i].kind) {
        case 'a':
            x = inception_a(b, x, module[i].channels);
            break;
        case 'b':
            x = inception_b(b, x);
            break;
        case 'c':
            x = inception_c(b, x, module[i].channels);
            break;
        case 'd':
            x = inception_d(b, x);
            break;
        default:
            x = inception_e(b, x);
        }
        builder_pop(b);
    }
    x = builder_global_avg_pool(b, "avgpool", x);
    x = builder_linear(b, "fc", x, 1000);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_inception_v3 = {model, NULL, build};
