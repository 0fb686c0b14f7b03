/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tight random lifetimes, on which proofs are hard: random intervals are added while
 * the load stays within a cap, the last room of a step being filled exactly.
 * Nearly every step is full, and the optimum is often a few per cent above the load,
 * which no heuristic and no simple bound can see.
 *
 * An interval has a random begin and a length up to LONGEST.  A size is drawn; where
 * less than LOW would be left above it in its fullest step, it takes all of that room.
 * An interval with less room than LOW is given up, and after FAILURES such in a row
 * nothing more is added.  The load is at most the cap, and the optimum is not known.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

/* Failures in a row that end it.  */
#define FAILURES 3000

static const struct param tight_params[] = {
    {"steps", PARAM_INT, "20", NULL, 1, 1000000, "length of the time axis in steps"},
    {"cap", PARAM_INT, "100", NULL, 1, 1000000000000.0, "largest load in bytes"},
    DRAW_PARAM_LOW("10"),
    DRAW_PARAM_HIGH("50"),
    {"longest", PARAM_INT, "8", NULL, 1, 1000000, "longest lifetime in steps"},
    {"n", PARAM_INT, "0", NULL, 0, 10000000, "most buffers; 0: as many as there is room for"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* Room below CAP in all steps of [BEGIN, END).  */
static int64_t room_in(const int64_t *load, int64_t begin, int64_t end, int64_t cap)
{
    int64_t room = cap;

    for (int64_t t = begin; t < end; t++)
        room = min64(room, cap - load[t]);
    return room;
}

/* Adds a buffer to INSTANCE, if what is drawn finds room.  */
static bool add_one(struct instance *instance, struct rng *rng, int64_t *load,
                    const struct params *params)
{
    int64_t steps = params_int(params, "steps"), low = params_int(params, "low");
    int64_t length = rng_range(rng, 1, min64(steps, params_int(params, "longest")));
    int64_t begin = rng_range(rng, 0, steps - length);
    int64_t size = rng_range(rng, low, params_int(params, "high"));
    int64_t room = room_in(load, begin, begin + length, params_int(params, "cap"));

    if (room < low)
        return false;
    if (room - low < size)
        size = room;
    for (int64_t t = begin; t < begin + length; t++)
        load[t] += size;
    draw_add(instance, (struct draw_buffer){begin, begin + length, size});
    return true;
}

static struct instance *tight(const struct params *params, struct error *error)
{
    int64_t steps = params_int(params, "steps"), most = params_int(params, "n");
    struct instance *instance;
    struct rng *rng;
    int64_t *load;

    if (!draw_check_sizes(params, error))
        return NULL;
    if (params_int(params, "low") > params_int(params, "cap")) {
        error_set(error, "low=%" PRId64 " is above cap=%" PRId64, params_int(params, "low"),
                  params_int(params, "cap"));
        return NULL;
    }
    instance = instance_new("tight");
    rng = draw_rng(params);
    load = memory_zalloc((size_t)steps, sizeof *load);
    for (int failures = 0; failures < FAILURES && (most == 0 || (int64_t)instance->n < most);)
        failures = add_one(instance, rng, load, params) ? 0 : failures + 1;
    free(load);
    return draw_finish(instance, rng, error);
}

const struct generator generator_tight = {
    .name = "tight",
    .title = "intervals up to a cap, room filled exactly: hard to prove",
    .source = "arenabench",
    .params = tight_params,
    .instance = tight,
};
