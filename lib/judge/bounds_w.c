/* SPDX-License-Identifier: GPL-3.0-or-later */
/* W of a network: the fewest directed paths that together cover every edge of
 * the graph of operators, and its certificate.
 *
 * In the source each operator has one output and is that output; one with several
 * stands for as many operators side by side, each of which reads all the inputs and
 * makes one of the outputs.  So vertices are values here, and an edge leads from each
 * value to all that an operator which reads it makes.
 *
 * W is the value of a minimum flow with lower bound 1 on every edge and no
 * upper bound, from a super source to a super sink: a flow of k units is k
 * paths, which may share edges.  Paths can be lengthened until they start
 * where nothing comes in and end where nothing goes out, so the super source
 * needs arcs only to the former and the super sink only from the latter.
 *
 * Why the minimum equals the largest set of pairwise unreachable edges (the
 * flow form of Dilworth's theorem): two such edges are never on one path, so
 * no set is larger than the number of paths.  Conversely let f be a minimum
 * flow and T the vertices that the super sink t reaches when a step goes
 * forward along any arc (its flow can always grow) and backward along an arc
 * whose flow is above its lower bound (it can shrink).  The super source s is
 * not in T: a way from t to s would be a way to carry one unit less.  No arc
 * leaves T, because it could be walked forward; every arc that enters T
 * carries exactly its lower bound, because else it could be walked backward.
 * So the value of f, which is the net flow from the complement of T into T, is
 * the number of edges that enter T (the arcs of s and t have lower bound 0).
 * No path has two of them: after the first it never leaves T.  */
#include <config.h>

#include "lib/judge/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/glpk_flow.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"

struct w_graph {
    size_t n;
    size_t edges;
    struct w_edge *edge; /* by from, then to */
    size_t *out;         /* n + 1 offsets in edge */
    size_t *in;          /* n + 1 offsets in in_edge */
    size_t *in_edge;     /* indices in edge, by to */
};

static int compare_edges(const void *a, const void *b)
{
    const struct w_edge *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Fills VERTEX with those of operator OP, at least one, and returns their number.  */
static size_t vertices_of(const struct network *network, size_t op, size_t *vertex)
{
    size_t count = 0;

    for (size_t i = 0; i < network->op[op].outputs; i++)
        if (bounds_takes_part(&network->value[network->op[op].output[i]]))
            vertex[count++] = network->op[op].output[i];
    if (count == 0)
        vertex[count++] = network->n_values + op;
    return count;
}

static void collect_edges(struct w_graph *graph, const struct network *network)
{
    size_t capacity = 0, kept = 0, *vertex = memory_alloc(network->n_values + 1, sizeof *vertex);

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        size_t count = vertices_of(network, o, vertex);

        graph->edge = memory_grow(graph->edge, &capacity, graph->edges + op->inputs * count,
                                  sizeof *graph->edge);
        for (size_t i = 0; i < op->inputs; i++) {
            bool made = network->value[op->input[i]].producer != NETWORK_NONE;

            for (size_t v = 0; v < count && made; v++)
                graph->edge[graph->edges++] = (struct w_edge){op->input[i], vertex[v]};
        }
    }
    free(vertex);
    if (graph->edges > 0)
        qsort(graph->edge, graph->edges, sizeof *graph->edge, compare_edges);
    for (size_t e = 0; e < graph->edges; e++)
        if (kept == 0 || compare_edges(&graph->edge[kept - 1], &graph->edge[e]) != 0)
            graph->edge[kept++] = graph->edge[e];
    graph->edges = kept;
}

static void w_graph_init(struct w_graph *graph, const struct network *network)
{
    size_t *fill;

    *graph = (struct w_graph){.n = network->n_values + network->n_ops};
    collect_edges(graph, network);
    graph->out = memory_zalloc(graph->n + 1, sizeof *graph->out);
    graph->in = memory_zalloc(graph->n + 1, sizeof *graph->in);
    graph->in_edge = memory_alloc(graph->edges, sizeof *graph->in_edge);
    for (size_t e = 0; e < graph->edges; e++) {
        graph->out[graph->edge[e].from + 1]++;
        graph->in[graph->edge[e].to + 1]++;
    }
    for (size_t v = 0; v < graph->n; v++) {
        graph->out[v + 1] += graph->out[v];
        graph->in[v + 1] += graph->in[v];
    }
    fill = memory_copy(graph->in, graph->n, sizeof *fill);
    for (size_t e = 0; e < graph->edges; e++)
        graph->in_edge[fill[graph->edge[e].to]++] = e;
    free(fill);
}

static void w_graph_clear(struct w_graph *graph)
{
    free(graph->edge);
    free(graph->out);
    free(graph->in);
    free(graph->in_edge);
}

/* The minimum flow: flow[e] units on each edge.  The super source is vertex n,
 * the super sink n + 1; the arc back from it costs 1 a unit.  */
static bool minimum_flow(const struct w_graph *graph, int64_t *flow, int64_t *w,
                         struct error *error)
{
    int64_t most = (int64_t)graph->edges;
    size_t arcs = 0;
    struct flow_arc *arc = memory_alloc(graph->edges + graph->n + 1, sizeof *arc);
    bool solved;

    for (; arcs < graph->edges; arcs++)
        arc[arcs] = (struct flow_arc){graph->edge[arcs].from, graph->edge[arcs].to, 1, most, 0, 0};
    for (size_t v = 0; v < graph->n; v++) {
        bool no_in = graph->in[v] == graph->in[v + 1], no_out = graph->out[v] == graph->out[v + 1];

        if (no_in && !no_out)
            arc[arcs++] = (struct flow_arc){graph->n, v, 0, most, 0, 0};
        if (no_out && !no_in)
            arc[arcs++] = (struct flow_arc){v, graph->n + 1, 0, most, 0, 0};
    }
    arc[arcs++] = (struct flow_arc){graph->n + 1, graph->n, 0, most, 1, 0};
    solved = flow_min_cost(graph->n + 2, NULL, arc, arcs, w, NULL, error);
    for (size_t e = 0; e < graph->edges && solved; e++)
        flow[e] = arc[e].flow;
    free(arc);
    return solved;
}

/* Takes the flow apart into w paths from where nothing comes in to where
 * nothing goes out.  LEFT is used up.  */
static bool decompose(const struct w_graph *graph, int64_t *left, struct w_certificate *cert)
{
    size_t capacity = 0, used = 0, paths = 0;
    size_t *next = memory_copy(graph->out, graph->n, sizeof *next);

    cert->path_start = memory_zalloc((size_t)cert->w + 1, sizeof *cert->path_start);
    for (size_t source = 0; source < graph->n; source++) {
        while (graph->in[source] == graph->in[source + 1] && paths < (size_t)cert->w) {
            size_t v = source;

            for (;;) {
                while (next[v] < graph->out[v + 1] && left[next[v]] == 0)
                    next[v]++;
                if (next[v] == graph->out[v + 1])
                    break;
                cert->path_edge =
                    memory_grow(cert->path_edge, &capacity, used + 1, sizeof *cert->path_edge);
                cert->path_edge[used++] = next[v];
                left[next[v]]--;
                v = graph->edge[next[v]].to;
            }
            if (v == source)
                break;
            cert->path_start[++paths] = used;
        }
    }
    free(next);
    return paths == (size_t)cert->w;
}

/* The set T of the proof above.  */
static bool *reached_from_sink(const struct w_graph *graph, const int64_t *flow)
{
    bool *reached = memory_zalloc(graph->n, sizeof *reached);
    size_t *stack = memory_alloc(graph->n, sizeof *stack);
    size_t depth = 0;

    /* Backward into the vertices whose arc to t carries something: those
     * without a way out, which have edges with flow above 0.  */
    for (size_t v = 0; v < graph->n; v++)
        if (graph->out[v] == graph->out[v + 1] && graph->in[v] < graph->in[v + 1]) {
            reached[v] = true;
            stack[depth++] = v;
        }
    while (depth > 0) {
        size_t v = stack[--depth];

        for (size_t e = graph->out[v]; e < graph->out[v + 1]; e++) {
            size_t to = graph->edge[e].to;

            if (!reached[to]) {
                reached[to] = true;
                stack[depth++] = to;
            }
        }
        for (size_t i = graph->in[v]; i < graph->in[v + 1]; i++) {
            size_t e = graph->in_edge[i], from = graph->edge[e].from;

            if (flow[e] > 1 && !reached[from]) {
                reached[from] = true;
                stack[depth++] = from;
            }
        }
    }
    free(stack);
    return reached;
}

static bool find_antichain(const struct w_graph *graph, const int64_t *flow,
                           struct w_certificate *cert)
{
    bool *reached = reached_from_sink(graph, flow);
    size_t found = 0;

    cert->antichain = memory_alloc((size_t)cert->w, sizeof *cert->antichain);
    for (size_t e = 0; e < graph->edges; e++)
        if (!reached[graph->edge[e].from] && reached[graph->edge[e].to]) {
            if (found < (size_t)cert->w)
                cert->antichain[found] = e;
            found++;
        }
    free(reached);
    return found == (size_t)cert->w;
}

bool bounds_w(const struct network *network, int64_t *w, struct w_certificate *certificate,
              struct error *error)
{
    struct w_graph graph;
    struct w_certificate cert = {0};
    int64_t *flow;
    bool done = true;

    w_graph_init(&graph, network);
    flow = memory_zalloc(graph.edges, sizeof *flow);
    if (graph.edges > 0)
        done = minimum_flow(&graph, flow, &cert.w, error);
    if (done && certificate != NULL) {
        done = find_antichain(&graph, flow, &cert) && decompose(&graph, flow, &cert);
        if (!done)
            error_set(error, "the flow that GLPK calls minimal is none");
    }
    if (done) {
        *w = cert.w;
        if (certificate != NULL) {
            cert.n_edges = graph.edges;
            cert.edge = graph.edge;
            graph.edge = NULL;
            *certificate = cert;
        }
    } else {
        w_certificate_clear(&cert);
    }
    free(flow);
    w_graph_clear(&graph);
    return done;
}

void w_certificate_clear(struct w_certificate *certificate)
{
    free(certificate->edge);
    free(certificate->antichain);
    free(certificate->path_start);
    free(certificate->path_edge);
    *certificate = (struct w_certificate){0};
}

/* --- checking from first principles --- */

/* The operator that vertex V stands for or whose output it is; NETWORK_NONE: not a vertex.  */
static size_t operator_of(const struct network *network, size_t v)
{
    if (v >= network->n_values + network->n_ops)
        return NETWORK_NONE;
    if (v >= network->n_values) {
        const struct network_op *op = &network->op[v - network->n_values];

        for (size_t i = 0; i < op->outputs; i++)
            if (bounds_takes_part(&network->value[op->output[i]]))
                return NETWORK_NONE;
        return v - network->n_values;
    }
    return bounds_takes_part(&network->value[v]) ? network->value[v].producer : NETWORK_NONE;
}

static bool network_has_edge(const struct network *network, struct w_edge edge)
{
    size_t to = operator_of(network, edge.to);

    if (to == NETWORK_NONE || edge.from >= network->n_values ||
        network->value[edge.from].producer == NETWORK_NONE)
        return false;
    for (size_t i = 0; i < network->op[to].inputs; i++)
        if (network->op[to].input[i] == edge.from)
            return true;
    return false;
}

/* The certificate's edges are those of the network, each once.  */
static bool check_edges(const struct w_certificate *cert, const struct network *network,
                        struct error *error)
{
    struct w_edge *sorted = memory_alloc(cert->n_edges, sizeof *sorted);
    bool good = true;

    if (cert->n_edges > 0) {
        memcpy(sorted, cert->edge, cert->n_edges * sizeof *sorted);
        qsort(sorted, cert->n_edges, sizeof *sorted, compare_edges);
    }
    for (size_t e = 0; e < cert->n_edges && good; e++)
        if (!network_has_edge(network, sorted[e]) ||
            (e > 0 && compare_edges(&sorted[e - 1], &sorted[e]) == 0))
            good = error_set(error, "edge %zu -> %zu is not in the network or stands twice",
                             sorted[e].from, sorted[e].to);
    for (size_t v = 0; v < network->n_values + network->n_ops && good; v++) {
        size_t o = operator_of(network, v);

        for (size_t i = 0; o != NETWORK_NONE && i < network->op[o].inputs && good; i++) {
            struct w_edge edge = {network->op[o].input[i], v};

            if (network->value[edge.from].producer != NETWORK_NONE &&
                bsearch(&edge, sorted, cert->n_edges, sizeof *sorted, compare_edges) == NULL)
                good = error_set(error, "the edge %zu -> %zu is missing", edge.from, edge.to);
        }
    }
    free(sorted);
    return good;
}

/* W paths, each of consecutive edges, cover every edge.  */
static bool check_paths(const struct w_certificate *cert, struct error *error)
{
    bool *covered = memory_zalloc(cert->n_edges, sizeof *covered);
    bool good = cert->w == 0 || cert->path_start[0] == 0;

    for (size_t p = 0; good && p < (size_t)cert->w; p++) {
        size_t begin = cert->path_start[p], end = cert->path_start[p + 1];

        good = begin < end;
        for (size_t i = begin; i < end && good; i++) {
            size_t e = cert->path_edge[i];

            good = e < cert->n_edges &&
                   (i == begin || cert->edge[cert->path_edge[i - 1]].to == cert->edge[e].from);
            if (good)
                covered[e] = true;
        }
        if (!good)
            error_set(error, "path %zu is empty or not a path", p);
    }
    for (size_t e = 0; e < cert->n_edges && good; e++)
        if (!covered[e])
            good = error_set(error, "no path covers the edge %zu -> %zu", cert->edge[e].from,
                             cert->edge[e].to);
    free(covered);
    return good;
}

/* Marks the vertices that V reaches, itself included.  */
static void mark_reachable(const struct network *network, size_t v, bool *reached, size_t *stack)
{
    size_t depth = 0;

    memset(reached, 0, (network->n_values + network->n_ops) * sizeof *reached);
    reached[v] = true;
    stack[depth++] = v;
    while (depth > 0) {
        size_t at = stack[--depth],
               readers = at < network->n_values ? network->value[at].readers : 0;

        for (size_t i = 0; i < readers; i++) {
            size_t reader = network->value[at].reader[i];
            const struct network_op *op = &network->op[reader];

            for (size_t o = 0; o < op->outputs; o++)
                if (!reached[op->output[o]]) {
                    reached[op->output[o]] = true;
                    stack[depth++] = op->output[o];
                }
        }
    }
}

/* Of two different edges (a, b) and (c, d) the first comes before the second
 * on some path exactly when b is c or reaches it.  */
static bool check_antichain(const struct w_certificate *cert, const struct network *network,
                            struct error *error)
{
    size_t vertices = network->n_values + network->n_ops;
    bool *reached = memory_alloc(vertices, sizeof *reached);
    size_t *stack = memory_alloc(vertices, sizeof *stack);
    size_t width = (size_t)cert->w;
    bool good = true;

    for (size_t i = 0; i < width && good; i++)
        if (cert->antichain[i] >= cert->n_edges)
            good = error_set(error, "edge %zu of the antichain is none", i);
    for (size_t i = 0; i < width && good; i++) {
        const struct w_edge *edge = &cert->edge[cert->antichain[i]];

        mark_reachable(network, edge->to, reached, stack);
        for (size_t j = 0; j < width && good; j++) {
            const struct w_edge *other = &cert->edge[cert->antichain[j]];

            if (i != j && (cert->antichain[i] == cert->antichain[j] || reached[other->from]))
                good = error_set(error, "the edges %zu -> %zu and %zu -> %zu are on one path",
                                 edge->from, edge->to, other->from, other->to);
        }
    }
    free(stack);
    free(reached);
    return good;
}

bool w_certificate_check(const struct w_certificate *certificate, const struct network *network,
                         struct error *error)
{
    if (certificate->w < 0 || (certificate->w == 0) != (certificate->n_edges == 0))
        return error_set(error, "W is 0 exactly when there are no edges");
    return check_edges(certificate, network, error) && check_paths(certificate, error) &&
           check_antichain(certificate, network, error);
}
