/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lifetimes of a training step, by the rule and not from a network: layer i of n makes an
 * activation that its gradient reads, so lifetimes are nested.
 *
 *   layer 1   |----------------------|     forward pass: step i, backward pass: step 2n - 1 - i
 *   layer 2      |----------------|
 *   layer 3         |----------|           SAVED per cent of the activations live so long, the
 *   layer 4            |---|               others to the next layers; each step may have a
 * workspace
 *
 * A gradient lives from its layer's step of the backward pass to the next one, some (of
 * residual edges) for a few steps more.  Sizes fall from layer to layer as those of networks
 * do that halve their images, with noise.  The load is no planted optimum, but usually it is
 * the optimum.  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param nested_params[] = {
    {"layers", PARAM_INT, "60", NULL, 1, 1000000, "of the network"},
    DRAW_PARAM_LOW("1024"),
    DRAW_PARAM_HIGH("1048576"),
    {"saved", PARAM_INT, "80", NULL, 0, 100, "per cent of the activations a gradient reads"},
    {"reach", PARAM_INT, "4", NULL, 1, 1000000, "longest lifetime of the others, in layers"},
    {"workspaces", PARAM_INT, "50", NULL, 0, 100, "per cent of the steps that have one"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

struct training {
    struct instance *instance;
    struct rng *rng;
    int64_t layers, low, high;
};

static bool chance(struct rng *rng, int64_t per_cent)
{
    return rng_range(rng, 1, 100) <= per_cent;
}

/* Of a tensor of layer I: it falls in up to eight halvings, and is between a half and all of that.
 */
static int64_t draw_size(struct training *training, int64_t i)
{
    int64_t size = training->high >> (8 * i / training->layers);

    size = max64(size, training->low);
    return max64(training->low, rng_range(training->rng, (size + 1) / 2, size));
}

static void add(struct training *training, int64_t begin, int64_t end, int64_t size)
{
    draw_add(training->instance,
             (struct draw_buffer){begin, min64(end, 2 * training->layers), size});
}

static struct instance *nested(const struct params *params, struct error *error)
{
    struct training training = {.layers = params_int(params, "layers"),
                                .low = params_int(params, "low"),
                                .high = params_int(params, "high")};
    int64_t saved = params_int(params, "saved"), reach = params_int(params, "reach");
    int64_t workspaces = params_int(params, "workspaces");

    if (!draw_check_sizes(params, error))
        return NULL;
    training.instance = instance_new("nested");
    training.rng = draw_rng(params);
    for (int64_t i = 0; i < training.layers; i++) {
        int64_t back = 2 * training.layers - 1 - i, size = draw_size(&training, i);

        add(&training, i,
            chance(training.rng, saved) ? back + 1 : i + 1 + rng_range(training.rng, 1, reach),
            size);
        add(&training, back, back + 2 + (chance(training.rng, 20) ? reach : 0), size);
        for (int pass = 0; pass < 2; pass++)
            if (chance(training.rng, workspaces)) {
                int64_t step = pass == 0 ? i : back;

                add(&training, step, step + 1, draw_size(&training, i));
            }
    }
    return draw_finish(training.instance, training.rng, error);
}

const struct generator generator_nested = {
    .name = "nested",
    .title = "activations that gradients read: nested lifetimes beside short ones",
    .source = "arenabench",
    .params = nested_params,
    .instance = nested,
};
