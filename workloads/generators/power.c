/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes that are powers of two, lifetimes as in `uniform`.  Nearly every
 * planner reaches the load here: a sanity check, not a benchmark.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param power_params[] = {
    DRAW_PARAM_N("30"),      DRAW_PARAM_STEPS("0"), DRAW_PARAM_LOW("1"),
    DRAW_PARAM_HIGH("1024"), DRAW_PARAM_SEED,       PARAM_END,
};

/* The first and last exponents whose powers are in [low, high].  */
static bool exponents(const struct params *params, int64_t *first, int64_t *last,
                      struct error *error)
{
    int64_t low = params_int(params, "low"), high = params_int(params, "high");

    *first = *last = 0;
    while (INT64_C(1) << *first < low)
        ++*first;
    while (INT64_C(1) << (*last + 1) <= high)
        ++*last;
    if (*first > *last)
        return error_set(error, "no power of two from low=%" PRId64 " to high=%" PRId64, low, high);
    return true;
}

static struct instance *power(const struct params *params, struct error *error)
{
    int64_t n = params_int(params, "n"), steps = draw_steps(params), first, last;
    struct instance *instance;
    struct rng *rng;

    if (!exponents(params, &first, &last, error))
        return NULL;
    instance = instance_new("power");
    rng = draw_rng(params);
    for (int64_t i = 0; i < n; i++) {
        struct draw_buffer buffer = draw_lifetime(rng, steps);

        buffer.size = INT64_C(1) << rng_range(rng, first, last);
        draw_add(instance, buffer);
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_power = {
    .name = "power",
    .title = "sizes that are powers of two: easy, a sanity check",
    .source = "arenabench; the sizes of buddy allocation, Knowlton (1965)",
    .params = power_params,
    .instance = power,
};
