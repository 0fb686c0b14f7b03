#include <config.h>

#include "workloads/zoo.h"

#include <inttypes.h>

#include "lib/expand.h"
#include "lib/fuse.h"
#include "lib/network.h"

size_t zoo_begin(struct zoo *zoo, const char *name, int64_t size, const struct params *params)
{
    int64_t given = params_int(params, "size");

    *zoo = (struct zoo){
        .builder = builder_new(name, (enum dtype)params_choice(params, "dtype")),
        .params = params,
        .name = name,
        .size = given == 0 ? size : given,
    };
    return builder_input(zoo->builder, "input", 4,
                         (const int64_t[]){params_int(params, "batch"), 3, zoo->size, zoo->size});
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
        error_prefix(error, "%s: size=%" PRId64, zoo->name, zoo->size);
    else
        error_prefix(error, "%s: batch=%" PRId64 ",size=%" PRId64, zoo->name, batch, zoo->size);
}

struct network *zoo_end(struct zoo *zoo, size_t logits, struct error *error)
{
    struct builder *b = zoo->builder;
    struct network *network;
    size_t x = logits;

    if (params_choice(zoo->params, "head") == 1) {
        if (zoo->reshape)
            x = builder_reshape(b, "reshape", x, 2,
                                (const int64_t[]){builder_dim(b, x, 0), builder_dim(b, x, 1)});
        x = builder_softmax(b, "softmax", x);
    }
    builder_output(b, x);
    network = builder_finish(b, error);
    if (network == NULL) {
        prefix_error(zoo, error);
        return NULL;
    }
    network = network_fuse(network, (enum fuse)params_choice(zoo->params, "fuse"));
    if (params_choice(zoo->params, "grouped") == 1)
        network = network_expand_groups(network);
    return network;
}
