/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A random graph of operators, each with one output, so that W exists and the
 * article's 2W bound applies: no operator is isolated and only the last value,
 * the network's output, is read by nobody.
 *
 * Operator i reads each of the `reach` values before it with probability
 * `density` per cent, at least one of them unless it is a source; then every
 * value that is still unread, but for the last, gets one reader among the
 * `reach` operators after it.  Sources read the network's input.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param random_dag_params[] = {
    {"n", PARAM_INT, "30", NULL, 2, 1000000, "number of operators"},
    {"reach", PARAM_INT, "4", NULL, 1, 1000, "how many operators back a value may come from"},
    {"density", PARAM_INT, "20", NULL, 0, 100, "per cent of the possible edges"},
    {"sources", PARAM_INT, "5", NULL, 0, 100,
     "per cent of the operators that read the network's input only"},
    DRAW_PARAM_LOW("1"),
    DRAW_PARAM_HIGH("100"),
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* Edges in the order they were drawn, by reader, later sorted into place.  */
struct edge {
    size_t from, to;
};

struct edges {
    size_t count, capacity;
    struct edge *edge;
    bool *read; /* read[i]: some operator reads the value of i */
};

static void add_edge(struct edges *edges, size_t from, size_t to)
{
    edges->edge = memory_grow(edges->edge, &edges->capacity, edges->count + 1, sizeof *edges->edge);
    edges->edge[edges->count++] = (struct edge){from, to};
    edges->read[from] = true;
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return ORDER(x->to, y->to) ?: ORDER(x->from, y->from);
}

static void draw_edges(const struct params *params, struct rng *rng, struct edges *edges)
{
    size_t n = (size_t)params_int(params, "n"), reach = (size_t)params_int(params, "reach");
    int64_t density = params_int(params, "density"), sources = params_int(params, "sources");

    for (size_t i = 1; i < n; i++) {
        size_t first = i > reach ? i - reach : 0, before = edges->count;

        if (rng_range(rng, 1, 100) <= sources)
            continue; /* not the last one in the end: only it can read the one before */
        for (size_t j = first; j < i; j++)
            if (rng_range(rng, 1, 100) <= density)
                add_edge(edges, j, i);
        if (edges->count == before)
            add_edge(edges, (size_t)rng_range(rng, (int64_t)first, (int64_t)i - 1), i);
    }
    for (size_t i = 0; i + 1 < n; i++)
        if (!edges->read[i]) {
            size_t last = i + reach < n - 1 ? i + reach : n - 1;

            add_edge(edges, i, (size_t)rng_range(rng, (int64_t)i + 1, (int64_t)last));
        }
    if (edges->count > 0)
        qsort(edges->edge, edges->count, sizeof *edges->edge, compare_edges);
}

/* Adds operator I, whose output is one row of bytes.  */
static size_t add_operator(struct network *network, size_t i, const size_t *input, size_t inputs,
                           int64_t size)
{
    char name[32];
    size_t op;

    snprintf(name, sizeof name, "op%zu", i);
    op = network_add_op(network, name, OP_OTHER, "random", input, inputs);
    snprintf(name, sizeof name, "b%zu", i);
    return network_add_output(network, op, name, DTYPE_I8, 1, &size);
}

static struct network *build(const struct params *params, struct rng *rng,
                             const struct edges *edges)
{
    size_t n = (size_t)params_int(params, "n"), next = 0;
    int64_t low = params_int(params, "low"), high = params_int(params, "high");
    struct network *network = network_new("random-dag");
    size_t source = network_add_value(network, "input", VALUE_INPUT, DTYPE_I8, 1, &low);
    size_t *value = memory_alloc(n, sizeof *value), *input = memory_alloc(n, sizeof *input);

    for (size_t i = 0; i < n; i++) {
        size_t inputs = 0;

        for (; next < edges->count && edges->edge[next].to == i; next++)
            input[inputs++] = value[edges->edge[next].from];
        if (inputs == 0)
            input[inputs++] = source;
        value[i] = add_operator(network, i, input, inputs, rng_range(rng, low, high));
    }
    network_mark_output(network, value[n - 1]);
    free(input);
    free(value);
    return network;
}

static struct network *random_dag(const struct params *params, struct error *error)
{
    struct edges edges = {0};
    struct network *network;
    struct rng *rng;

    if (!draw_check_sizes(params, error))
        return NULL;
    edges.read = memory_zalloc((size_t)params_int(params, "n"), sizeof *edges.read);
    rng = draw_rng(params);
    draw_edges(params, rng, &edges);
    network = build(params, rng, &edges);
    rng_free(rng);
    free(edges.edge);
    free(edges.read);
    if (network_check(network, error))
        return network;
    network_free(network);
    return NULL;
}

const struct generator generator_random_dag = {
    .name = "random-dag",
    .title = "a random graph of operators with one output each: W exists",
    .source = "arenabench",
    .params = random_dag_params,
    .network = random_dag,
};
