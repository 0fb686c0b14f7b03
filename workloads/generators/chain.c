/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chain with skips, the shape of most networks: buffer i is made at step i
 * and read at step i + 1; some are read once more, up to `length` steps later,
 * as a residual connection does.
 *
 * At any step only the buffers of the last length + 2 steps can be alive, so
 * the width stays at or below length + 2, however long the chain.  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

enum sizes { SIZES_UNIFORM, SIZES_HEAVY, SIZES_EQUAL };

static const struct param chain_params[] = {
    DRAW_PARAM_N("40"),
    {"skip", PARAM_INT, "30", NULL, 0, 100, "per cent of the buffers that a later step reads too"},
    {"length", PARAM_INT, "16", NULL, 1, 1000000,
     "longest skip in steps; the width is at most 2 more"},
    PARAM_ENUM("sizes", "uniform",
               "uniform in [low, high]; Pareto of shape 1 from low, cut at high; all high",
               {"uniform", SIZES_UNIFORM}, {"heavy", SIZES_HEAVY}, {"equal", SIZES_EQUAL}),
    DRAW_PARAM_LOW("1"),
    DRAW_PARAM_HIGH("100"),
    DRAW_PARAM_SEED,
    PARAM_END,
};

static int64_t draw_size(enum sizes sizes, int64_t low, int64_t high, struct rng *rng)
{
    switch (sizes) {
    case SIZES_UNIFORM:
        return rng_range(rng, low, high);
    case SIZES_HEAVY:
        return draw_pareto_one(rng, low, high);
    case SIZES_EQUAL:
        break;
    }
    return high;
}

static struct instance *chain(const struct params *params, struct error *error)
{
    int64_t n = params_int(params, "n"), skip = params_int(params, "skip");
    int64_t length = params_int(params, "length");
    int64_t low = params_int(params, "low"), high = params_int(params, "high");
    enum sizes sizes = params_choice(params, "sizes");
    struct instance *instance;
    struct rng *rng;

    if (!draw_check_sizes(params, error))
        return NULL;
    instance = instance_new("chain");
    rng = draw_rng(params);
    for (int64_t i = 0; i < n; i++) {
        struct draw_buffer buffer = {.begin = i, .end = i + 2};

        if (rng_range(rng, 1, 100) <= skip)
            buffer.end += rng_range(rng, 1, length);
        buffer.end = min64(buffer.end, n + 1); /* step n reads the last buffer */
        buffer.size = draw_size(sizes, low, high, rng);
        draw_add(instance, buffer);
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_chain = {
    .name = "chain",
    .title = "a chain with skips, like most networks: sparse, of bounded width",
    .source = "arenabench",
    .params = chain_params,
    .instance = chain,
};
