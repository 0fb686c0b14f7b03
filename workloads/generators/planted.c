/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A planted optimum: a rectangle of steps x height bytes is cut by recursive
 * guillotine cuts into n pieces, which become the buffers.  They fill the
 * rectangle, so load = optimum = height, whatever n is.
 *
 * With drop=P, P per cent of the pieces are left out: the height is then only
 * an upper bound on the optimum, which is known as long as the load is still
 * equal to the height.  The buffers come in random order, which says nothing
 * about the cuts.  */
#include <config.h>

#include <assert.h>
#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param planted_params[] = {
    {"n", PARAM_INT, "30", NULL, 1, 10000000, "number of buffers before any are dropped"},
    {"steps", PARAM_INT, "0", NULL, 0, 1000000000.0,
     "length of the time axis in steps; 0: one a buffer"},
    {"height", PARAM_INT, "1024", NULL, 1, 1000000000.0, "height of the rectangle in bytes"},
    {"drop", PARAM_INT, "0", NULL, 0, 99, "per cent of the buffers that are left out"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

struct region {
    int64_t begin, end, height;
    int64_t count; /* pieces to cut it into: from 1 to its area */
};

struct cutting {
    struct rng *rng;
    struct draw_buffer *buffer;
    size_t count;
};

/* Cuts REGION in two; the pieces are shared out about by area, so that the
 * recursion stays shallow, and never more to a part than it has cells.  */
static void cut_region(struct rng *rng, struct region region, struct region part[2])
{
    int64_t steps = region.end - region.begin, area[2], share;
    bool in_time;

    if (steps == 1 || region.height == 1)
        in_time = steps > 1;
    else
        in_time = rng_range(rng, 0, 1) == 0;
    part[0] = part[1] = region;
    if (in_time) {
        part[0].end = part[1].begin = region.begin + rng_range(rng, 1, steps - 1);
    } else {
        part[0].height = rng_range(rng, 1, region.height - 1);
        part[1].height -= part[0].height;
    }
    for (int i = 0; i < 2; i++)
        area[i] = (part[i].end - part[i].begin) * part[i].height;
    share = (int64_t)((double)region.count * ((double)area[0] / (double)(area[0] + area[1])));
    share = max64(share, max64(1, region.count - area[1]));
    share = min64(share, min64(region.count - 1, area[0]));
    part[0].count = share;
    part[1].count = region.count - share;
}

/* Recursion goes into the part with fewer pieces, so its depth is at most the
 * logarithm of their number.  */
static void cut_up(struct cutting *cutting, struct region region)
{
    while (region.count > 1) {
        struct region part[2];
        int fewer;

        cut_region(cutting->rng, region, part);
        fewer = part[1].count < part[0].count;
        cut_up(cutting, part[fewer]);
        region = part[1 - fewer];
    }
    cutting->buffer[cutting->count++] =
        (struct draw_buffer){region.begin, region.end, region.height};
}

static struct instance *planted(const struct params *params, struct error *error)
{
    int64_t n = params_int(params, "n"), steps = draw_steps(params);
    int64_t height = params_int(params, "height"), drop = params_int(params, "drop");
    struct cutting cutting;

    if (n > steps * height) { /* at most 10^18 */
        error_set(error, "n=%" PRId64 " pieces don't fit in %" PRId64 " steps x %" PRId64 " bytes",
                  n, steps, height);
        return NULL;
    }
    cutting =
        (struct cutting){draw_rng(params), memory_alloc((size_t)n, sizeof *cutting.buffer), 0};
    cut_up(&cutting, (struct region){0, steps, height, n});
    assert(cutting.count == (size_t)n);
    /* In random order, leaving out the last ones is leaving out random ones.  */
    rng_shuffle(cutting.rng, cutting.buffer, cutting.count, sizeof *cutting.buffer);
    cutting.count -= (size_t)(n * drop / 100);
    return draw_finish_list("planted", cutting.buffer, cutting.count, false, cutting.rng, error);
}

const struct generator generator_planted = {
    .name = "planted",
    .title = "guillotine cuts of a rectangle: the optimum is its height",
    .source = "arenabench; guillotine cuts as in strip-packing benchmarks",
    .params = planted_params,
    .instance = planted,
};
