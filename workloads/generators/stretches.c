/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random lifetimes that fall into stretches: a buffer is in use as a whole in one of them, in
 * others in part, or it is idle for a while.
 *
 *   +---+           +---+
 *   |   +---+  idle |   |    three stretches, the second one smaller
 *   |       |       |   |
 *   +-------+       +---+
 *
 * With stretches=1 these are rectangles.  Alignments are the powers of two from LEAST to ALIGN,
 * each as likely as any other.  The load is no planted optimum.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

enum { MOST_STRETCHES = 16 };
#define MOST_ALIGNMENT 1048576

static const struct param stretches_params[] = {
    DRAW_PARAM_N("200"),
    DRAW_PARAM_STEPS("0"),
    {"life", PARAM_INT, "20", NULL, 1, 1000000000.0, "longest lifetime in steps"},
    {"stretches", PARAM_INT, "3", NULL, 1, MOST_STRETCHES, "of a lifetime at most"},
    DRAW_PARAM_LOW("1"),
    DRAW_PARAM_HIGH("100000"),
    {"least", PARAM_BYTES, "1", NULL, 1, MOST_ALIGNMENT, "smallest alignment, a power of two"},
    {"align", PARAM_BYTES, "1", NULL, 1, MOST_ALIGNMENT, "largest alignment, a power of two"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* How many times 2 divides the power of two VALUE; -1 if it is none.  */
static int exponent(int64_t value)
{
    return (value & (value - 1)) == 0 ? __builtin_ctzll((uint64_t)value) : -1;
}

/* What is in use of SIZE bytes in the stretch [BEGIN, END).  */
static struct piece draw_piece(struct rng *rng, int64_t begin, int64_t end, int64_t size)
{
    int64_t part = rng_range(rng, 1, size);

    if (rng_range(rng, 0, 1) == 0)
        return (struct piece){begin, end, 0, part, false};
    return (struct piece){begin, end, size - part, size, false};
}

/* The pieces of a buffer of SIZE bytes that lives from BEGIN on, LENGTH steps; returns how many.
 * Neither the first nor the last stretch is idle, nor the one that is in use as a whole.  */
static size_t draw_pieces(struct rng *rng, int64_t begin, int64_t length, int64_t size,
                          int64_t most, struct piece *piece)
{
    int64_t count = rng_range(rng, 1, min64(most, length)), end = begin + length;
    int64_t whole = rng_range(rng, 0, count - 1);
    size_t pieces = 0;

    for (int64_t i = 0; i < count; i++) {
        /* The stretches behind it need a step each.  */
        int64_t next = i == count - 1 ? end : rng_range(rng, begin + 1, end - (count - 1 - i));
        bool idle = i > 0 && i < count - 1 && i != whole && rng_range(rng, 0, 1) == 0;

        if (i == whole)
            piece[pieces++] = (struct piece){begin, next, 0, size, false};
        else if (!idle)
            piece[pieces++] = draw_piece(rng, begin, next, size);
        begin = next;
    }
    return pieces;
}

static struct instance *stretches(const struct params *params, struct error *error)
{
    int64_t n = params_int(params, "n"), steps = draw_steps(params);
    int64_t life = params_int(params, "life"), most = params_int(params, "stretches");
    int least = exponent(params_int(params, "least")),
        align = exponent(params_int(params, "align"));
    struct instance *instance;
    struct rng *rng;

    if (!draw_check_sizes(params, error))
        return NULL;
    if (least < 0 || align < least) {
        error_set(error,
                  "least=%" PRId64 " and align=%" PRId64 ": expected powers of two, in this order",
                  params_int(params, "least"), params_int(params, "align"));
        return NULL;
    }
    instance = instance_new("stretches");
    rng = draw_rng(params);
    for (int64_t i = 0; i < n; i++) {
        int64_t begin = rng_range(rng, 0, steps - 1);
        int64_t length = min64(rng_range(rng, 1, life), steps - begin);
        int64_t size = rng_range(rng, params_int(params, "low"), params_int(params, "high"));
        int64_t alignment = INT64_C(1) << rng_range(rng, least, align);
        struct piece piece[MOST_STRETCHES];
        size_t pieces = draw_pieces(rng, begin, length, size, most, piece);
        char id[32];

        snprintf(id, sizeof id, "b%" PRId64, i);
        instance_add_pieces(instance, id, piece, pieces, alignment);
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_stretches = {
    .name = "stretches",
    .title = "random lifetimes in stretches, of which some are idle or smaller",
    .source = "arenabench",
    .params = stretches_params,
    .instance = stretches,
};
