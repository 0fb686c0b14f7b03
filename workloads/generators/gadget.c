/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 7-buffer gap gadget, the smallest instance known whose optimum exceeds
 * its load (5 against 4), scaled and repeated one after the other in time: the
 * optimum stays 5/4 of the load.  (Side by side in address it would not.)
 *
 * The gadget was found by exhaustive search: within its ranges nothing with
 * 6 buffers or fewer has a gap.  */
#include <config.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct draw_buffer gadget_buffers[] = {
    {0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1}, {2, 4, 1}, {3, 5, 2}, {4, 5, 2},
};

#define GADGET_BUFFERS (sizeof gadget_buffers / sizeof gadget_buffers[0])
#define GADGET_STEPS 5

static const struct param gadget_params[] = {
    {"repeat", PARAM_INT, "4", NULL, 1, 1000000, "number of gadgets, one after the other in time"},
    {"scale", PARAM_INT, "1", NULL, 1, 1000000000000.0,
     "factor of the sizes: load 4 and optimum 5 times this, in bytes"},
    DRAW_PARAM_SHUFFLE,
    DRAW_PARAM_SEED,
    PARAM_END,
};

static struct instance *gadget(const struct params *params, struct error *error)
{
    size_t repeat = (size_t)params_int(params, "repeat"), count = repeat * GADGET_BUFFERS;
    int64_t scale = params_int(params, "scale");
    struct draw_buffer *buffer = memory_alloc(count, sizeof *buffer);

    for (size_t i = 0; i < count; i++) {
        int64_t shift = (int64_t)(i / GADGET_BUFFERS) * GADGET_STEPS;

        buffer[i] = gadget_buffers[i % GADGET_BUFFERS];
        buffer[i].begin += shift;
        buffer[i].end += shift;
        buffer[i].size *= scale;
    }
    return draw_finish_list("gadget", buffer, count, params_on(params, "shuffle"), draw_rng(params),
                            error);
}

const struct generator generator_gadget = {
    .name = "gadget",
    .title = "the smallest gap gadget, repeated: the optimum is 5/4 of the load",
    .source = "arenabench, by exhaustive search",
    .params = gadget_params,
    .instance = gadget,
};
