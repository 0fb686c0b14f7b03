/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recurrence as a loop: x[c] = f(x[c - 1], x[c - DEPTH]), the case that the
 * document on NNC's allocation leaves to its readers.  The loop carries DEPTH
 * values, "x1 <= y, x2 <= x1, ...", and makes y with two operators of which the
 * first reads the oldest value.  With OUTER > 1 the loop stands in another one, which
 * carries the same values from one run of it to the next.  */
#include <config.h>

#include <stdio.h>

#include "lib/graph/network.h"
#include "workloads/builder/builder.h"
#include "workloads/workload.h"

enum { MOST_DEPTH = 32 };

static const struct param own_params[] = {
    {"depth", PARAM_INT, "4", NULL, 1, MOST_DEPTH, "iterations back that the oldest value is read"},
    {"trips", PARAM_INT, "100", NULL, 1, PARAM_NO_LIMIT, "iterations of the loop"},
    {"outer", PARAM_INT, "1", NULL, 1, PARAM_NO_LIMIT, "iterations of a loop around it; 1: none"},
    {"n", PARAM_INT, "1024", NULL, 1, 1 << 30, "numbers in a value, 4 bytes each"},
    PARAM_END,
};

/* The loop over X[0..depth), which become the values after it.  */
static void add_recurrence(struct builder *b, size_t *x, int depth, int64_t trips)
{
    struct builder_loop *loop = builder_loop_begin(b, "loop", trips);
    struct builder *body = builder_loop_body(loop);
    size_t past[MOST_DEPTH] = {0}, y;
    char name[32];

    for (int i = 0; i < depth; i++) {
        snprintf(name, sizeof name, "x%d", i + 1);
        past[i] = builder_loop_carry(loop, name, x[i]);
    }
    y = builder_scale(body, "old", past[depth - 1], 1.0, 0.0);
    y = builder_add(body, "y", y, past[0]);
    for (int i = 0; i < depth; i++)
        builder_loop_next(loop, past[i], i == 0 ? y : past[i - 1]);
    for (int i = 0; i < depth; i++)
        builder_loop_last(loop, i == 0 ? y : past[i - 1]);
    builder_loop_end(loop, x);
}

static void add_outer(struct builder *b, size_t *x, int depth, int64_t trips, int64_t outer)
{
    struct builder_loop *loop = builder_loop_begin(b, "outer", outer);
    size_t past[MOST_DEPTH] = {0};
    char name[32];

    for (int i = 0; i < depth; i++) {
        snprintf(name, sizeof name, "x%d", i + 1);
        x[i] = past[i] = builder_loop_carry(loop, name, x[i]);
    }
    add_recurrence(builder_loop_body(loop), x, depth, trips);
    for (int i = 0; i < depth; i++) {
        builder_loop_next(loop, past[i], x[i]);
        builder_loop_last(loop, x[i]);
    }
    builder_loop_end(loop, x);
}

static struct network *generate(const struct params *params, struct error *error)
{
    struct builder *b = builder_new("recurrence", DTYPE_F32);
    int depth = (int)params_int(params, "depth");
    int64_t n = params_int(params, "n"), trips = params_int(params, "trips");
    int64_t outer = params_int(params, "outer");
    size_t x[MOST_DEPTH], start = builder_input(b, "start", 2, (const int64_t[]){1, n});
    char name[32];

    for (int i = 0; i < depth; i++) {
        snprintf(name, sizeof name, "first%d", i + 1);
        x[i] = builder_scale(b, name, start, 1.0, 0.0);
    }
    if (outer > 1)
        add_outer(b, x, depth, trips, outer);
    else
        add_recurrence(b, x, depth, trips);
    builder_output(b, builder_concat(b, "end", x, (size_t)depth));
    return builder_finish(b, error);
}

const struct generator generator_recurrence = {
    .name = "recurrence",
    .title = "a loop that reads values of several iterations back",
    .source = "after the x[c - 4] of doc/nnc-alloc.rst, libnnc",
    .params = own_params,
    .network = generate,
};
