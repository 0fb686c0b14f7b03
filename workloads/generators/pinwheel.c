/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A planted optimum without guillotine cuts: a rectangle of steps x height bytes is
 * cut into pinwheels, and their parts again, in random order.
 *
 *     +---+-------+
 *     |   |   c   |     No straight line cuts it in two, so the plan can't be put
 *     | d +---+---+     together from plans of parts, as that of `planted` can.
 *     |   | e |   |
 *     +---+---+ b |
 *     |   a   |   |
 *     +-------+---+
 *
 * The parts fill the rectangle, so load = optimum = height.  Each pinwheel, or its
 * mirror image, adds four buffers; the buffers come in random order.  With drop=P, P
 * per cent of them are left out, and the height is only an upper bound.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

enum { PARTS = 5 };

static const struct param pinwheel_params[] = {
    {"pinwheels", PARAM_INT, "8", NULL, 0, 2000000, "number of them; 4 buffers each, and one"},
    {"steps", PARAM_INT, "100", NULL, 1, 1000000000.0, "length of the time axis in steps"},
    {"height", PARAM_INT, "1024", NULL, 1, 1000000000000.0, "height of the rectangle in bytes"},
    {"drop", PARAM_INT, "0", NULL, 0, 99, "per cent of the buffers that are left out"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* The parts of WHOLE, which has three steps and three bytes or more.  */
static void cut(struct rng *rng, struct draw_buffer whole, struct draw_buffer part[PARTS])
{
    int64_t t1 = rng_range(rng, whole.begin + 1, whole.end - 2);
    int64_t t2 = rng_range(rng, t1 + 1, whole.end - 1);
    int64_t h1 = rng_range(rng, 1, whole.size - 2), h2 = rng_range(rng, h1 + 1, whole.size - 1);

    part[0] = (struct draw_buffer){whole.begin, t2, h1};
    part[1] = (struct draw_buffer){t2, whole.end, h2};
    part[2] = (struct draw_buffer){t1, whole.end, whole.size - h2};
    part[3] = (struct draw_buffer){whole.begin, t1, whole.size - h1};
    part[4] = (struct draw_buffer){t1, t2, h2 - h1};
    if (rng_range(rng, 0, 1) == 1)
        for (int i = 0; i < PARTS; i++) {
            int64_t begin = part[i].begin;

            part[i].begin = whole.begin + (whole.end - part[i].end);
            part[i].end = whole.end - (begin - whole.begin);
        }
}

static bool can_cut(struct draw_buffer region)
{
    return region.end - region.begin >= 3 && region.size >= 3;
}

/* REGION[0..*count) are those that can be cut, the others go to the end of the array,
 * which has ROOM entries.  False if the region to cut has run out.  */
static bool cut_one(struct rng *rng, struct draw_buffer *region, size_t *count, size_t *room)
{
    struct draw_buffer part[PARTS];
    size_t at;

    if (*count == 0)
        return false;
    at = (size_t)rng_range(rng, 0, (int64_t)*count - 1);
    cut(rng, region[at], part);
    region[at] = region[--*count];
    for (int i = 0; i < PARTS; i++)
        if (can_cut(part[i]))
            region[(*count)++] = part[i];
        else
            region[--*room] = part[i];
    return true;
}

static struct instance *pinwheel(const struct params *params, struct error *error)
{
    int64_t pinwheels = params_int(params, "pinwheels");
    size_t n = (size_t)(PARTS - 1) * (size_t)pinwheels + 1, count = 0, room = n;
    struct draw_buffer *region = memory_alloc(n, sizeof *region);
    struct draw_buffer whole = {0, params_int(params, "steps"), params_int(params, "height")};
    struct rng *rng = draw_rng(params);

    if (can_cut(whole))
        region[count++] = whole;
    else
        region[--room] = whole;
    for (int64_t i = 0; i < pinwheels; i++)
        if (!cut_one(rng, region, &count, &room)) {
            error_set(error,
                      "only %" PRId64 " of %" PRId64 " pinwheels found room in %" PRId64
                      " steps x %" PRId64 " bytes",
                      i, pinwheels, whole.end, whole.size);
            free(region);
            rng_free(rng);
            return NULL;
        }
    rng_shuffle(rng, region, n, sizeof *region);
    n -= n * (size_t)params_int(params, "drop") / 100;
    return draw_finish_list("pinwheel", region, n, false, rng, error);
}

const struct generator generator_pinwheel = {
    .name = "pinwheel",
    .title = "recursive pinwheels, no straight cuts: the optimum is the height",
    .source = "arenabench; pinwheels as in the literature on non-guillotine packing",
    .params = pinwheel_params,
    .instance = pinwheel,
};
