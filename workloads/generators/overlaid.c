/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of other instances at the same time, each stretched to the length of the
 * longest, as when several networks share an arena: wide instances as hard as the
 * ones they are made of.
 *
 *   copy 1  |--|-----|-------|     its own steps, further apart
 *   copy 2  |-|-|-|-|-|-|-|-|
 *
 * Step t of a copy of length l is step t * L / l, rounded down, L being the length of the
 * longest copy: no two steps of a copy fall together.  Each copy is drawn
 * from the sources and runs in a direction of its own.  Alignments stay; pieces
 * don't (a buffer counts as its bounding rectangle).  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/copies.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param overlaid_params[] = {
    COPIES_PARAM_OF,
    {"n", PARAM_INT, "1000", NULL, 1, 10000000,
     "number of buffers; the last copy is whole, so it may be more"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* Longer time axes are refused: products of two steps have to fit.  */
#define LONGEST INT64_C(2000000000)

/* The length of the longest copy; 0 with a message when it is too long.  */
static int64_t longest(const struct copy *copy, size_t count, struct error *error)
{
    int64_t length = 0;

    for (size_t i = 0; i < count; i++)
        length = max64(length, copy[i].length);
    if (length <= LONGEST)
        return length;
    error_set(error, "a copy has too many steps to be stretched (at most 2000000000)");
    return 0;
}

static void add_copy(struct instance *instance, const struct copy *copy, size_t index,
                     int64_t length)
{
    for (size_t b = 0; b < copy->source->n; b++) {
        const struct buffer *buffer = &copy->source->buffer[b];
        int64_t begin, end;
        char id[64];

        copy_lifetime(copy, b, &begin, &end);
        snprintf(id, sizeof id, "c%zu.b%zu", index, b);
        instance_add(instance, id, begin * length / copy->length, end * length / copy->length,
                     buffer->size, buffer->alignment);
    }
}

static struct instance *overlaid(const struct params *params, struct error *error)
{
    struct instance *instance;
    struct sources sources;
    struct copy *copy;
    struct rng *rng;
    int64_t length;
    size_t count;

    if (!sources_read(&sources, params_text(params, "of"), error)) {
        sources_clear(&sources);
        return NULL;
    }
    instance = instance_new("overlaid");
    rng = draw_rng(params);
    copy = copies_draw(&sources, params_int(params, "n"), rng, &count);
    length = longest(copy, count, error);
    for (size_t i = 0; i < count && length > 0; i++)
        add_copy(instance, &copy[i], i, length);
    free(copy);
    sources_clear(&sources);
    if (length == 0) {
        instance_free(instance);
        rng_free(rng);
        return NULL;
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_overlaid = {
    .name = "overlaid",
    .title = "copies of instances at the same time, stretched to one length",
    .source = "arenabench",
    .params = overlaid_params,
    .instance = overlaid,
};
