/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of other instances one after the other, each beginning at the middle of
 * the one before, so that the time axis can't be cut anywhere: large instances as
 * hard as the ones they are made of.
 *
 *   copy 1  |-----------|
 *   copy 2        |-------|             a copy begins where half of the one
 *   copy 3            |-----------|     before has passed
 *   copy 4                  |---...
 *
 * Each copy is drawn from the sources and runs in a direction of its own.
 * Alignments stay; pieces don't (a buffer counts as its bounding rectangle).  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/copies.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param chained_params[] = {
    COPIES_PARAM_OF,
    {"n", PARAM_INT, "1000", NULL, 1, 10000000,
     "number of buffers; the last copy is whole, so it may be more"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* Adds COPY from step AT on.  False when a step is out of range.  */
static bool add_copy(struct instance *instance, const struct copy *copy, size_t index, int64_t at)
{
    for (size_t b = 0; b < copy->source->n; b++) {
        const struct buffer *buffer = &copy->source->buffer[b];
        int64_t begin, end;
        char id[64];

        copy_lifetime(copy, b, &begin, &end);
        if (!checked_add(begin, at, &begin) || !checked_add(end, at, &end))
            return false;
        snprintf(id, sizeof id, "c%zu.b%zu", index, b);
        instance_add(instance, id, begin, end, buffer->size, buffer->alignment);
    }
    return true;
}

static struct instance *chained(const struct params *params, struct error *error)
{
    struct instance *instance = NULL;
    struct sources sources;
    struct copy *copy;
    struct rng *rng;
    size_t count;
    int64_t at = 0;

    if (!sources_read(&sources, params_text(params, "of"), error)) {
        sources_clear(&sources);
        return NULL;
    }
    instance = instance_new("chained");
    rng = draw_rng(params);
    copy = copies_draw(&sources, params_int(params, "n"), rng, &count);
    for (size_t i = 0; i < count && instance != NULL; i++) {
        if (!add_copy(instance, &copy[i], i, at)) {
            error_set(error, "copy %zu would begin at step %" PRId64 ", too late to count", i, at);
            instance_free(instance);
            instance = NULL;
        }
        at += max64(1, copy[i].length / 2);
    }
    free(copy);
    sources_clear(&sources);
    if (instance == NULL) {
        rng_free(rng);
        return NULL;
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_chained = {
    .name = "chained",
    .title = "copies of instances, each from the middle of the one before on",
    .source = "arenabench",
    .params = chained_params,
    .instance = chained,
};
