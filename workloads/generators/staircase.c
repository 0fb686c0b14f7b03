/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The staircase chain: n equal buffers with lifetimes [i, i + 2).  A planner
 * that orders by lifetime and reuses no gap stacks all of them, peak n sizes,
 * where 2 sizes are enough.
 *
 * Source: the worked case of the path-cover article.  */
#include <config.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param staircase_params[] = {
    DRAW_PARAM_N("20"),
    {"size", PARAM_INT, "1", NULL, 1, 1000000000000.0, "size of every buffer in bytes"},
    DRAW_PARAM_SHUFFLE,
    DRAW_PARAM_SEED,
    PARAM_END,
};

static struct instance *staircase(const struct params *params, struct error *error)
{
    size_t n = (size_t)params_int(params, "n");
    int64_t size = params_int(params, "size");
    struct draw_buffer *buffer = memory_alloc(n, sizeof *buffer);

    for (size_t i = 0; i < n; i++)
        buffer[i] = (struct draw_buffer){(int64_t)i, (int64_t)i + 2, size};
    return draw_finish_list("staircase", buffer, n, params_on(params, "shuffle"), draw_rng(params),
                            error);
}

const struct generator generator_staircase = {
    .name = "staircase",
    .title = "a chain of equal buffers with lifetimes [i, i+2)",
    .source = "worked case of the path-cover article (LeapMind)",
    .params = staircase_params,
    .instance = staircase,
};
