/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite-gpu-min-cost-flow: the GPU delegate's shared objects as a flow.
 *
 * Who takes over whose object?  Every buffer i has a left copy (it leaves its object
 * behind) and a right copy i' (it needs one), and one unit of flow goes to each right
 * copy: from the source at the cost of i's size (a new object), or from the left copy
 * of a buffer j that ends before i begins, at the cost by which i is larger (the object
 * grows).
 *
 *          0 -> (j) -- max(0, size i - size j) --> (i') -> 0
 *   source -------------- size i ------------------^      sink
 *
 * A flow of least cost gives chains of buffers; a chain is an object, as large as its
 * largest buffer.  The cost is an estimate: growth is charged against the direct
 * predecessor, not against the largest so far.
 *
 * Source: TensorFlow Lite, delegates/gpu/common/memory_management,
 * min_cost_flow_assignment (MINCOSTFLOW).
 * Complexity: up to n^2 / 2 arcs; on them GLPK's out-of-kilter routine
 * (lib/base/glpk_flow.h), or n shortest paths.  Guarantee: none is known but peak <= sum of
 * the sizes plus padding.
 * Differences: upstream finds its flow by successive shortest paths, as routine=paths
 * does, arc for arc (solvers/shipped/unit_flow.c).  The default has the same least cost, but where
 * several flows have it, the chains may be others and so may the sizes of the objects: by
 * up to 0.4 % on five networks tried.  Lifetimes are half-open (theirs include the last
 * task); the records, which upstream takes as sorted by first task, are sorted so here, and
 * objects are numbered by their first buffers, as there.  Upstream's costs are 32-bit
 * integers: a size that does not fit is refused (a path to the sink costs no more
 * than the largest size, since a new object is always one).  Sizes are divided by their
 * greatest common divisor, which changes no flow.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_flow.h"
#include "lib/base/memory.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/ties.h"
#include "solvers/shipped/unit_flow.h"
#include "solvers/solver.h"

enum { ROUTINE_GLPK, ROUTINE_PATHS };

static const struct param params[] = {
    PARAM_ENUM("routine", "glpk",
               "GLPK's out-of-kilter method, or successive shortest paths as published",
               {"glpk", ROUTINE_GLPK}, {"paths", ROUTINE_PATHS}),
    TIES_PARAM,
    PARAM_END,
};

static bool applicable(const struct instance *instance, const struct params *given,
                       struct error *reason)
{
    if (instance->max_size > INT32_MAX)
        return error_set(reason, "a size of %" PRId64 " bytes does not fit in its 32-bit costs",
                         instance->max_size);
    return alignment_applicable(instance, given, reason);
}

/* Vertices: the left copy of record i is i, the right one n + i.  */
struct graph {
    size_t n, arcs, capacity;
    struct flow_arc *arc;
};

static void add_arc(struct graph *graph, size_t from, size_t to, int64_t cost)
{
    graph->arc = memory_grow(graph->arc, &graph->capacity, graph->arcs + 1, sizeof *graph->arc);
    graph->arc[graph->arcs++] = (struct flow_arc){from, to, 0, 1, cost, 0};
}

/* The records are numbered by the places that their buffers have in WALK.begin.  */
static void build(struct graph *graph, const struct instance *instance, struct time_walk *walk)
{
    size_t n = instance->n, source = 2 * n, sink = source + 1, ended = 0, b, ending;
    size_t *record = memory_alloc(n, sizeof *record); /* of each buffer */
    size_t *old = memory_alloc(n, sizeof *old);       /* buffers that have ended */
    int64_t unit = 0;

    for (b = 0; b < n; b++)
        unit = gcd64(unit, instance->buffer[b].size);
    while (time_walk_next(walk, &b)) {
        const struct buffer *buffer = &instance->buffer[b];
        size_t i = walk->begun - 1;

        while (time_walk_ended(walk, &ending))
            old[ended++] = ending;
        record[b] = i;
        add_arc(graph, source, i, 0);
        add_arc(graph, n + i, sink, 0);
        add_arc(graph, source, n + i, buffer->size / unit);
        for (size_t j = 0; j < ended; j++)
            add_arc(graph, record[old[j]], n + i,
                    max64(0, (buffer->size - instance->buffer[old[j]].size) / unit));
    }
    free(record);
    free(old);
}

/* Follows the flow from each buffer that opens an object.  */
static void read_chains(const struct graph *graph, const struct order_key *key, struct plan *plan)
{
    size_t n = graph->n, source = 2 * n;
    size_t *next = memory_alloc(n, sizeof *next); /* SIZE_MAX: nobody takes the object over */
    bool *opens = memory_zalloc(n, sizeof *opens);

    for (size_t i = 0; i < n; i++)
        next[i] = SIZE_MAX;
    for (size_t a = 0; a < graph->arcs; a++) {
        const struct flow_arc *arc = &graph->arc[a];

        if (arc->flow == 0 || arc->to < n || arc->to >= source)
            continue;
        if (arc->from == source)
            opens[arc->to - n] = true;
        else
            next[arc->from] = arc->to - n;
    }
    plan_use_objects(plan, LAYOUT_OBJECTS);
    for (size_t i = 0; i < n; i++) {
        if (!opens[i])
            continue;
        for (size_t j = i; j != SIZE_MAX; j = next[j])
            plan->object[key[j].index] = plan->objects;
        plan->objects++;
    }
    free(opens);
    free(next);
}

static bool find_flow(struct graph *graph, const struct solver_env *env, struct error *error)
{
    size_t vertices = 2 * graph->n + 2;
    int64_t *supply;
    bool solved;

    if (params_choice(env->params, "routine") == ROUTINE_PATHS) {
        unit_flow(vertices, vertices - 2, vertices - 1, graph->arc, graph->arcs);
        return true;
    }
    supply = memory_zalloc(vertices, sizeof *supply);
    supply[vertices - 2] = (int64_t)graph->n;
    supply[vertices - 1] = -(int64_t)graph->n;
    solved = flow_min_cost(vertices, supply, graph->arc, graph->arcs, NULL, NULL, error);
    free(supply);
    return solved;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t *equal = ties_order(env, instance->n, TIES_FIRST);
    struct time_walk walk;
    struct graph graph = {.n = instance->n};
    struct error error;
    bool solved;

    time_walk_init(&walk, instance, equal);
    build(&graph, instance, &walk);
    solved = find_flow(&graph, env, &error);
    if (solved) {
        read_chains(&graph, walk.begin, plan);
        plan_stack_objects(instance, plan);
    } else {
        snprintf(plan->note, sizeof plan->note, "%.*s", (int)sizeof plan->note - 1, error.text);
    }
    free(graph.arc);
    time_walk_clear(&walk);
    free(equal);
    return solved ? OUTCOME_FEASIBLE : OUTCOME_CRASHED;
}

const struct solver solver_tflite_gpu_min_cost_flow = {
    .name = "tflite-gpu-min-cost-flow",
    .title = "TFLite GPU, minimum-cost flow",
    .source = "TFLite GPU delegate, MINCOSTFLOW",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
