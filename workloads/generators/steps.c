/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of a network after the other, each with a batch of its own: what an allocator sees of a
 * server, or of a training run whose batches differ.
 *
 *   batch 16  |---------|
 *   batch 31            |---------|          nothing is alive between two steps
 *   batch 22                      |---...
 *
 * The batches are drawn uniformly from low to high.  So load and optimum are those of the step with
 * the largest batch, and what an allocator needs above that it has lost to what earlier steps left
 * behind: blocks of sizes that don't come again.
 * Alignments stay; pieces don't (a buffer counts as its bounding rectangle).  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param steps_params[] = {
    {"of", PARAM_TEXT, "resnet18", NULL, 0, 0, "a network or a model's file, without a comma"},
    {"count", PARAM_INT, "20", NULL, 1, 100000, "number of steps"},
    {"low", PARAM_INT, "16", NULL, 1, 4096, "smallest batch"},
    {"high", PARAM_INT, "32", NULL, 1, 4096, "largest batch"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

enum { MOST_BUFFERS = 10000000 };

/* One step of OF; NULL with a message.  The caller frees it.  */
static struct instance *one_step(const char *of, int64_t batch, struct error *error)
{
    char *spec =
        memory_printf("%s%sbatch=%" PRId64, of, strchr(of, ':') != NULL ? "," : ":", batch);
    struct instance *instance = NULL;
    struct workload workload;

    if (workload_parse(&workload, spec, error)) {
        instance = workload_instance(&workload, error);
        workload_clear(&workload);
    }
    free(spec);
    return instance;
}

/* Adds the buffers of STEP from *AT on, which is raised to where they end.  */
static bool add_step(struct instance *instance, const struct instance *step, size_t index,
                     int64_t *at)
{
    int64_t first = INT64_MAX, last = INT64_MIN;

    if (instance->n + step->n > MOST_BUFFERS)
        return false;
    for (size_t b = 0; b < step->n; b++) {
        first = min64(first, step->buffer[b].begin);
        last = max64(last, step->buffer[b].end);
    }
    for (size_t b = 0; b < step->n; b++) {
        const struct buffer *buffer = &step->buffer[b];
        char id[64];

        snprintf(id, sizeof id, "s%zu.b%zu", index, b);
        instance_add(instance, id, buffer->begin - first + *at, buffer->end - first + *at,
                     buffer->size, buffer->alignment);
    }
    *at += step->n > 0 ? last - first : 0;
    return true;
}

/* The steps by their batches, from LOW on, as far as they are drawn.  */
static bool add_steps(struct instance *instance, const struct params *params,
                      struct instance **step, struct rng *rng, struct error *error)
{
    const int64_t low = params_int(params, "low"), high = params_int(params, "high");
    int64_t at = 0;

    for (int64_t i = 0; i < params_int(params, "count"); i++) {
        const int64_t batch = rng_range(rng, low, high);
        struct instance **drawn = &step[batch - low];

        if (*drawn == NULL)
            *drawn = one_step(params_text(params, "of"), batch, error);
        if (*drawn == NULL)
            return false;
        if (!add_step(instance, *drawn, (size_t)i, &at))
            return error_set(error, "more than %d buffers; expected a smaller count", MOST_BUFFERS);
    }
    return true;
}

static struct instance *steps(const struct params *params, struct error *error)
{
    const int64_t low = params_int(params, "low"), high = params_int(params, "high");
    struct instance **step, *instance;
    struct rng *rng;
    bool good;

    if (!draw_check_sizes(params, error))
        return NULL;
    step = memory_zalloc((size_t)(high - low) + 1, sizeof *step);
    instance = instance_new("steps");
    rng = draw_rng(params);
    good = add_steps(instance, params, step, rng, error);
    for (int64_t b = 0; b <= high - low; b++)
        instance_free(step[b]);
    free(step);
    if (good)
        return draw_finish(instance, rng, error);
    instance_free(instance);
    rng_free(rng);
    return NULL;
}

const struct generator generator_steps = {
    .name = "steps",
    .title = "steps of a network one after the other, with batches that differ",
    .source = "arenabench",
    .params = steps_params,
    .instance = steps,
};
