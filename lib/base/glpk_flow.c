/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/glpk_flow.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

#include <glpk.h>

#include "lib/base/glpk_common.h"

struct vertex_data {
    double supply, potential;
};

struct arc_data {
    double low, high, cost, flow;
    struct flow_arc *arc; /* whose it is: GLPK keeps no order of arcs */
};

struct flow_run {
    size_t vertices, arcs;
    const int64_t *supply;
    struct flow_arc *arc;
    double *potential;
    double cost;
    int status; /* glp_mincost_okalg's */
};

static glp_graph *build_graph(const struct flow_run *run)
{
    glp_graph *graph =
        glp_create_graph((int)sizeof(struct vertex_data), (int)sizeof(struct arc_data));

    if (run->vertices > 0)
        glp_add_vertices(graph, (int)run->vertices);
    for (size_t v = 0; v < run->vertices; v++) {
        struct vertex_data *data = graph->v[v + 1]->data;

        data->supply = run->supply == NULL ? 0.0 : (double)run->supply[v];
    }
    for (size_t a = 0; a < run->arcs; a++) {
        struct flow_arc *arc = &run->arc[a];
        struct arc_data *data = glp_add_arc(graph, (int)arc->from + 1, (int)arc->to + 1)->data;

        data->low = (double)arc->low;
        data->high = (double)arc->high;
        data->cost = (double)arc->cost;
        data->arc = arc;
    }
    return graph;
}

static void read_solution(const struct flow_run *run, glp_graph *graph)
{
    for (size_t v = 0; v < run->vertices; v++) {
        const glp_vertex *vertex = graph->v[v + 1];

        for (const glp_arc *out = vertex->out; out != NULL; out = out->t_next) {
            const struct arc_data *data = out->data;

            data->arc->flow = llround(data->flow);
        }
        if (run->potential != NULL)
            run->potential[v] = ((const struct vertex_data *)vertex->data)->potential;
    }
}

static void solve(void *context)
{
    struct flow_run *run = context;
    glp_graph *graph = build_graph(run);

    run->status = glp_mincost_okalg(
        graph, offsetof(struct vertex_data, supply), offsetof(struct arc_data, low),
        offsetof(struct arc_data, high), offsetof(struct arc_data, cost), &run->cost,
        offsetof(struct arc_data, flow), offsetof(struct vertex_data, potential));
    if (run->status == 0)
        read_solution(run, graph);
    glp_delete_graph(graph);
}

static bool check_input(const struct flow_run *run, struct error *error)
{
    if (run->vertices >= INT_MAX || run->arcs >= INT_MAX)
        return error_set(error, "a flow on %zu vertices and %zu arcs is too large for GLPK",
                         run->vertices, run->arcs);
    for (size_t a = 0; a < run->arcs; a++) {
        const struct flow_arc *arc = &run->arc[a];

        if (arc->from >= run->vertices || arc->to >= run->vertices)
            return error_set(error, "flow arc %zu ends outside of the graph", a);
        if (arc->low < 0 || arc->low > arc->high || arc->high > INT_MAX || arc->cost < -INT_MAX ||
            arc->cost > INT_MAX)
            return error_set(error,
                             "flow arc %zu has bounds [%" PRId64 ", %" PRId64 "] and cost %" PRId64
                             "; GLPK takes 31 bits",
                             a, arc->low, arc->high, arc->cost);
    }
    for (size_t v = 0; run->supply != NULL && v < run->vertices; v++)
        if (run->supply[v] < -INT_MAX || run->supply[v] > INT_MAX)
            return error_set(error, "supply %" PRId64 " of flow vertex %zu; GLPK takes 31 bits",
                             run->supply[v], v);
    return true;
}

static bool refused(int status, struct error *error)
{
    switch (status) {
    case GLP_ENOPFS:
        return error_set(error, "no flow meets the bounds");
    case GLP_ERANGE:
    case GLP_EDATA:
        return error_set(error, "the flow does not fit in GLPK's 31 bits");
    default:
        return error_set(error, "GLPK's flow routine failed with status %d", status);
    }
}

bool flow_min_cost(size_t vertices, const int64_t *supply, struct flow_arc *arc, size_t arcs,
                   int64_t *cost, double *potential, struct error *error)
{
    struct flow_run run = {vertices, arcs, supply, arc, potential, 0.0, 0};

    if (!check_input(&run, error))
        return false;
    if (!glpk_protect(solve, &run, 0, error))
        return false;
    if (run.status != 0)
        return refused(run.status, error);
    if (cost != NULL)
        *cost = llround(run.cost);
    return true;
}

const char *flow_library_version(void)
{
    return glp_version();
}
