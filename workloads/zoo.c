/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/zoo.h"

#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/graph/expand.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "workloads/workload.h"

static void begin(struct zoo *zoo, const char *name, const char *measure, int64_t size,
                  const struct params *params)
{
    *zoo = (struct zoo){
        .builder = builder_new(name, params_choice(params, "dtype")),
        .params = params,
        .name = name,
        .measure = measure,
        .size = size,
    };
}

size_t zoo_begin_image(struct zoo *zoo, const char *name, int64_t batches, int64_t channels,
                       int64_t size, const struct params *params)
{
    int64_t given = params_int(params, "size"), images = params_int(params, "batch");

    begin(zoo, name, "size", given == 0 ? size : given, params);
    if (!checked_mul(images, batches, &images))
        builder_fail(zoo->builder, "the number of images overflows 64 bits");
    return builder_input(zoo->builder, "input", 4,
                         (const int64_t[]){images, channels, zoo->size, zoo->size});
}

size_t zoo_begin(struct zoo *zoo, const char *name, int64_t size, const struct params *params)
{
    return zoo_begin_image(zoo, name, 1, 3, size, params);
}

void zoo_begin_text(struct zoo *zoo, const char *name, const struct params *params)
{
    int64_t size = params_int(params, "size");

    begin(zoo, name, "seq", params_int(params, "seq"), params);
    if (size != 0) {
        zoo->measure = "size";
        zoo->size = size;
        builder_fail(zoo->builder, "it reads no images, but seq tokens");
    }
}

size_t zoo_conv_relu(struct builder *b, const char *name, size_t x, int64_t channels, int64_t r)
{
    x = builder_conv(b, name, x, channels, .r = r, .pad = r / 2, .bias = true);
    builder_push(b, "relu_");
    x = builder_relu(b, name, x);
    builder_pop(b);
    return x;
}

void zoo_classifier_takes(struct zoo *zoo, size_t x, int64_t side)
{
    int64_t h = builder_dim(zoo->builder, x, 2), w = builder_dim(zoo->builder, x, 3);

    if (h != side || w != side)
        builder_fail(zoo->builder,
                     "%" PRId64 " x %" PRId64 " before the classifier, which takes %" PRId64
                     " x %" PRId64,
                     h, w, side, side);
}

/* Says which network it was, of what size.  */
static void prefix_error(const struct zoo *zoo, struct error *error)
{
    int64_t batch = params_int(zoo->params, "batch");

    if (batch == 1)
        error_prefix(error, "%s: %s=%" PRId64, zoo->name, zoo->measure, zoo->size);
    else
        error_prefix(error, "%s: batch=%" PRId64 ",%s=%" PRId64, zoo->name, batch, zoo->measure,
                     zoo->size);
}

/* Finishes, fuses and expands what has its outputs.  */
static struct network *finish(struct zoo *zoo, struct error *error)
{
    struct network *network = builder_finish(zoo->builder, error);

    if (network == NULL) {
        prefix_error(zoo, error);
        return NULL;
    }
    network = network_fuse(network, params_choice(zoo->params, "fuse"));
    if (params_choice(zoo->params, "grouped") == GROUPED_EXPAND)
        network = network_expand_groups(network);
    return network;
}

struct network *zoo_end(struct zoo *zoo, size_t logits, struct error *error)
{
    struct builder *b = zoo->builder;
    size_t x = logits;

    if (params_choice(zoo->params, "head") == HEAD_SOFTMAX) {
        if (zoo->reshape)
            x = builder_reshape(b, "reshape", x, 2,
                                (const int64_t[]){builder_dim(b, x, 0), builder_dim(b, x, 1)});
        x = builder_softmax(b, "softmax", x);
    }
    builder_output(b, x);
    return finish(zoo, error);
}

struct network *zoo_end_detector(struct zoo *zoo, const size_t *map, size_t count,
                                 struct error *error)
{
    struct builder *b = zoo->builder;

    for (size_t i = 0; i < count; i++) {
        size_t x = map[i];

        builder_push(b, "map%zu.", i);
        if (params_choice(zoo->params, "head") == HEAD_SOFTMAX)
            x = builder_activation(b, "sigmoid", "sigmoid", x);
        builder_output(b, x);
        builder_pop(b);
    }
    return finish(zoo, error);
}
