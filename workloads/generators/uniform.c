/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random lifetimes with both ends uniform over the time axis, sizes uniform:
 * dense, and hard for its number of buffers.  A third of all buffers is alive
 * at a step on average.
 *
 * Source of the lifetimes: J. Justicz, E. R. Scheinerman and P. M. Winkler,
 * Random Intervals, American Mathematical Monthly 97 (1990).  */
#include <config.h>

#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param uniform_params[] = {
    DRAW_PARAM_N("30"),     DRAW_PARAM_STEPS("0"), DRAW_PARAM_LOW("1"),
    DRAW_PARAM_HIGH("100"), DRAW_PARAM_SEED,       PARAM_END,
};

static struct instance *uniform(const struct params *params, struct error *error)
{
    int64_t n = params_int(params, "n"), steps = draw_steps(params);
    int64_t low = params_int(params, "low"), high = params_int(params, "high");
    struct instance *instance;
    struct rng *rng;

    if (!draw_check_sizes(params, error))
        return NULL;
    instance = instance_new("uniform");
    rng = draw_rng(params);
    for (int64_t i = 0; i < n; i++) {
        struct draw_buffer buffer = draw_lifetime(rng, steps);

        buffer.size = rng_range(rng, low, high);
        draw_add(instance, buffer);
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_uniform = {
    .name = "uniform",
    .title = "ends uniform over time, sizes uniform: dense and hard",
    .source = "lifetimes: Justicz, Scheinerman, Winkler, Random Intervals (1990)",
    .params = uniform_params,
    .instance = uniform,
};
