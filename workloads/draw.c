/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"

struct rng *draw_rng(const struct params *params)
{
    return rng_new((uint32_t)params_int(params, "seed"));
}

int64_t draw_steps(const struct params *params)
{
    int64_t steps = params_int(params, "steps");

    return steps != 0 ? steps : params_int(params, "n");
}

struct draw_buffer draw_lifetime(struct rng *rng, int64_t steps)
{
    int64_t a = rng_range(rng, 0, steps), b = rng_range(rng, 0, steps - 1);

    if (b >= a)
        b++; /* uniform over the ends other than A */
    return (struct draw_buffer){.begin = min64(a, b), .end = max64(a, b)};
}

bool draw_check_sizes(const struct params *params, struct error *error)
{
    int64_t low = params_int(params, "low"), high = params_int(params, "high");

    if (low > high)
        return error_set(error, "low=%" PRId64 " is above high=%" PRId64, low, high);
    return true;
}

int64_t draw_pareto_one(struct rng *rng, int64_t low, int64_t high)
{
    double size = (double)low / (1.0 - rng_unit(rng));

    return size < (double)high ? (int64_t)size : high;
}

void draw_add(struct instance *instance, struct draw_buffer buffer)
{
    char id[32];

    snprintf(id, sizeof id, "b%zu", instance->n);
    instance_add(instance, id, buffer.begin, buffer.end, buffer.size, 1);
}

struct instance *draw_finish(struct instance *instance, struct rng *rng, struct error *error)
{
    rng_free(rng);
    if (instance_seal(instance, NULL, error))
        return instance;
    instance_free(instance);
    return NULL;
}

struct instance *draw_finish_list(const char *name, struct draw_buffer *buffer, size_t count,
                                  bool shuffle, struct rng *rng, struct error *error)
{
    struct instance *instance = instance_new(name);

    if (shuffle)
        rng_shuffle(rng, buffer, count, sizeof *buffer);
    for (size_t i = 0; i < count; i++)
        draw_add(instance, buffer[i]);
    free(buffer);
    return draw_finish(instance, rng, error);
}
