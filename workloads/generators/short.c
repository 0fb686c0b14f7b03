/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short lives: begins uniform over the time axis, lengths uniform from one step
 * to `life`.  Each buffer meets few others, however many there are.  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param short_params[] = {
    DRAW_PARAM_N("40"),
    {"steps", PARAM_INT, "0", NULL, 0, 1000000000000.0,
     "length of the time axis in steps; 0: one for every four buffers"},
    {"life", PARAM_INT, "4", NULL, 1, 1000000, "longest lifetime in steps"},
    DRAW_PARAM_LOW("1"),
    DRAW_PARAM_HIGH("100"),
    DRAW_PARAM_SEED,
    PARAM_END,
};

static struct instance *short_lives(const struct params *params, struct error *error)
{
    int64_t n = params_int(params, "n"), steps = params_int(params, "steps");
    int64_t life = params_int(params, "life");
    int64_t low = params_int(params, "low"), high = params_int(params, "high");
    struct instance *instance;
    struct rng *rng;

    if (!draw_check_sizes(params, error))
        return NULL;
    if (steps == 0)
        steps = (n + 3) / 4;
    instance = instance_new("short");
    rng = draw_rng(params);
    for (int64_t i = 0; i < n; i++) {
        struct draw_buffer buffer = {.begin = rng_range(rng, 0, steps - 1)};

        buffer.end = min64(buffer.begin + rng_range(rng, 1, life), steps);
        buffer.size = rng_range(rng, low, high);
        draw_add(instance, buffer);
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_short = {
    .name = "short",
    .title = "short lives spread over time: few overlaps a buffer",
    .source = "arenabench",
    .params = short_params,
    .instance = short_lives,
};
