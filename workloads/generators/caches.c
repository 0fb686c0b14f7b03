/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches that grow beside short temporaries, as where a language model writes text: at each
 * token each layer's cache is made anew, longer by a row, while the one before is read for
 * the last time.
 *
 *   cache      |----|----|----|     |: a token; two caches of a layer are alive at the step
 *   1 row      2 rows  3 rows       at which the rows of the old one are copied
 *   short      - -- - --- - -       temporaries, of a few steps each
 *
 * A token takes a step for each layer.  A cache grows by GROWTH rows at once, every so many
 * tokens; a model may run SEQUENCES of them at once, which begin one after the other.  With
 * grown=on nothing is copied: a cache of a layer is one buffer, of which more and more is in
 * use.  The load is no planted optimum, but usually it is the optimum.  */
#include <config.h>

#include <stdio.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param caches_params[] = {
    {"layers", PARAM_INT, "4", NULL, 1, 10000, "that have a cache each"},
    {"tokens", PARAM_INT, "24", NULL, 1, 100000, "that are written"},
    {"sequences", PARAM_INT, "2", NULL, 1, 1000, "that are written at once"},
    {"growth", PARAM_INT, "4", NULL, 1, 100000,
     "rows that a cache grows by, and tokens until then"},
    PARAM_SWITCH("grown", "off", "a layer's cache is one buffer that grows where it is"),
    {"row", PARAM_INT, "2048", NULL, 1, 1000000000.0, "bytes of a row of a cache"},
    {"temporaries", PARAM_INT, "1", NULL, 0, 1000, "that begin at each step"},
    {"life", PARAM_INT, "4", NULL, 1, 1000, "their longest lifetime in steps"},
    DRAW_PARAM_LOW("1024"),
    DRAW_PARAM_HIGH("65536"),
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* So many buffers are refused above.  */
#define MOST_BUFFERS INT64_C(10000000)

/* One layer's cache of one sequence, which begins at token FIRST and grows in place.  */
static void add_grown(struct instance *instance, const struct params *params, int64_t layer,
                      int64_t first)
{
    int64_t layers = params_int(params, "layers"), tokens = params_int(params, "tokens");
    int64_t growth = params_int(params, "growth"), row = params_int(params, "row"), rows = growth;
    struct piece *piece = NULL;
    size_t pieces = 0, capacity = 0;
    char id[32];

    for (int64_t token = first; token < tokens; token += growth, rows += growth) {
        int64_t end = token + growth < tokens ? (token + growth) * layers + layer : tokens * layers;

        piece = memory_grow(piece, &capacity, pieces + 1, sizeof *piece);
        piece[pieces++] = (struct piece){token * layers + layer, end, 0, rows * row, false};
    }
    snprintf(id, sizeof id, "b%zu", instance->n);
    instance_add_pieces(instance, id, piece, pieces, 1);
    memory_free(piece);
}

/* One layer's caches of one sequence, which begins at token FIRST.  */
static void add_caches(struct instance *instance, const struct params *params, int64_t layer,
                       int64_t first)
{
    int64_t layers = params_int(params, "layers"), tokens = params_int(params, "tokens");
    int64_t growth = params_int(params, "growth"), row = params_int(params, "row"), rows = growth;

    for (int64_t token = first; token < tokens; token += growth, rows += growth) {
        int64_t next = min64(token + growth, tokens);

        draw_add(instance, (struct draw_buffer){token * layers + layer,
                                                min64(next * layers + layer + 1, tokens * layers),
                                                rows * row});
    }
}

static struct instance *caches(const struct params *params, struct error *error)
{
    int64_t layers = params_int(params, "layers"), sequences = params_int(params, "sequences");
    int64_t steps = layers * params_int(params, "tokens"), life = params_int(params, "life");
    int64_t temporaries = params_int(params, "temporaries");
    struct instance *instance;
    struct rng *rng;

    if (!draw_check_sizes(params, error))
        return NULL;
    if (steps * (temporaries + sequences) > MOST_BUFFERS) {
        error_set(error, "layers, tokens, sequences and temporaries make too many buffers");
        return NULL;
    }
    instance = instance_new("caches");
    rng = draw_rng(params);
    for (int64_t s = 0; s < sequences; s++) {
        int64_t first = s == 0 ? 0 : rng_range(rng, 0, params_int(params, "tokens") / 2);

        for (int64_t layer = 0; layer < layers; layer++)
            if (params_on(params, "grown"))
                add_grown(instance, params, layer, first);
            else
                add_caches(instance, params, layer, first);
    }
    for (int64_t step = 0; step < steps; step++)
        for (int64_t i = 0; i < temporaries; i++) {
            int64_t end = min64(steps, step + rng_range(rng, 1, life));

            draw_add(instance, (struct draw_buffer){step, end,
                                                    rng_range(rng, params_int(params, "low"),
                                                              params_int(params, "high"))});
        }
    return draw_finish(instance, rng, error);
}

const struct generator generator_caches = {
    .name = "caches",
    .title = "caches that grow beside short temporaries",
    .source = "arenabench",
    .params = caches_params,
    .instance = caches,
};
