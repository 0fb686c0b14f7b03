/* SPDX-License-Identifier: GPL-3.0-or-later */
/* W with its certificates, and the bounds that follow from it.  Oracles: brute
 * force over sets of edges, and Dilworth's theorem by bipartite matching on
 * the order of the edges.  */
#include <config.h>

#include "lib/judge/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/dag.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

static struct network *random_dag(struct rng *rng, size_t ops, int64_t most_inputs)
{
    struct dag dag = dag_new();

    for (size_t o = 0; o < ops; o++) {
        size_t from[64], count = 0, wanted = (size_t)rng_range(rng, o == 0 ? 0 : 1, most_inputs);

        for (size_t i = 0; i < wanted && o > 0; i++) /* repetitions give parallel edges */
            from[count++] = (size_t)rng_range(rng, 0, (int64_t)o - 1);
        dag_add(&dag, from, count, rng_range(rng, 1, 20));
    }
    dag_finish(&dag);
    return dag.network;
}

static int64_t w_of(const struct network *network)
{
    struct error error = {""};
    int64_t w = -1;

    if (!bounds_w(network, &w, NULL, &error))
        tap_diag("%s", error.text);
    return w;
}

/* --- known values --- */

static void known(void)
{
    struct dag chain = dag_new(), residual = dag_new(), fan = dag_new(), lone = dag_new();
    size_t last = dag_add(&chain, NULL, 0, 1), skip;

    for (int i = 0; i < 9; i++)
        last = dag_add(&chain, &last, 1, 1);
    dag_finish(&chain);
    is_int(w_of(chain.network), 1, "a chain has W = 1");

    /* ResNet's shape: conv, conv, add of the result and the block's input.  */
    skip = dag_add(&residual, NULL, 0, 1);
    for (int block = 0; block < 8; block++) {
        size_t inner = dag_add(&residual, &skip, 1, 1);
        size_t both[2] = {dag_add(&residual, &inner, 1, 1), skip};

        skip = dag_add(&residual, both, 2, 1);
    }
    dag_finish(&residual);
    is_int(w_of(residual.network), 2, "residual blocks have W = 2");

    last = dag_add(&fan, NULL, 0, 1);
    for (int i = 0; i < 12; i++)
        dag_add(&fan, &last, 1, 1);
    dag_finish(&fan);
    is_int(w_of(fan.network), 12, "a fan of 12 has W = 12");

    dag_add(&lone, NULL, 0, 1);
    dag_finish(&lone);
    is_int(w_of(lone.network), 0, "no edges: W = 0");
    network_free(chain.network);
    network_free(residual.network);
    network_free(fan.network);
    network_free(lone.network);
}

/* --- oracles --- */

/* comes_before[e * edges + f]: e and then f on some path.  Floyd-Warshall on
 * the vertices, independent of the code under test.  */
static bool *edge_order(const struct w_certificate *cert, size_t vertices)
{
    bool *reach = memory_zalloc(vertices * vertices, sizeof *reach);
    bool *before = memory_zalloc(cert->n_edges * cert->n_edges, sizeof *before);

    for (size_t v = 0; v < vertices; v++)
        reach[v * vertices + v] = true;
    for (size_t e = 0; e < cert->n_edges; e++)
        reach[cert->edge[e].from * vertices + cert->edge[e].to] = true;
    for (size_t k = 0; k < vertices; k++)
        for (size_t i = 0; i < vertices; i++)
            for (size_t j = 0; j < vertices && reach[i * vertices + k]; j++)
                reach[i * vertices + j] = reach[i * vertices + j] || reach[k * vertices + j];
    for (size_t e = 0; e < cert->n_edges; e++)
        for (size_t f = 0; f < cert->n_edges; f++)
            before[e * cert->n_edges + f] =
                e != f && reach[cert->edge[e].to * vertices + cert->edge[f].from];
    free(reach);
    return before;
}

/* The largest set of pairwise unreachable edges, by trying all sets.  */
static int64_t brute_antichain(const bool *before, size_t edges)
{
    uint32_t *clash = memory_zalloc(edges, sizeof *clash);
    int64_t most = 0;

    for (size_t e = 0; e < edges; e++)
        for (size_t f = 0; f < edges; f++)
            if (before[e * edges + f] || before[f * edges + e])
                clash[e] |= (uint32_t)1 << f;
    for (uint32_t set = 0; set >> edges == 0; set++) {
        bool good = true;

        for (size_t e = 0; e < edges && good; e++)
            good = (set >> e & 1) == 0 || (set & clash[e]) == 0;
        if (good)
            most = max64(most, __builtin_popcount(set));
    }
    free(clash);
    return most;
}

static bool augment(const bool *before, size_t edges, size_t e, bool *seen, size_t *partner)
{
    for (size_t f = 0; f < edges; f++) {
        if (!before[e * edges + f] || seen[f])
            continue;
        seen[f] = true;
        if (partner[f] == SIZE_MAX || augment(before, edges, partner[f], seen, partner)) {
            partner[f] = e;
            return true;
        }
    }
    return false;
}

/* Dilworth: the fewest chains that cover the edges = edges - largest matching
 * of "comes right before in a chain".  */
static int64_t dilworth(const bool *before, size_t edges)
{
    size_t *partner = memory_alloc(edges, sizeof *partner);
    bool *seen = memory_alloc(edges, sizeof *seen);
    int64_t chains = (int64_t)edges;

    for (size_t f = 0; f < edges; f++)
        partner[f] = SIZE_MAX;
    for (size_t e = 0; e < edges; e++) {
        memset(seen, 0, edges * sizeof *seen);
        chains -= augment(before, edges, e, seen, partner);
    }
    free(seen);
    free(partner);
    return chains;
}

static void against_oracles(void)
{
    struct rng *rng = rng_new(11);
    int runs = tap_tier(100, 600), brute = 0, matching = 0, brute_runs = 0, valid = 0;

    for (int run = 0; run < runs; run++) {
        size_t ops = (size_t)rng_range(rng, 2, run % 2 == 0 ? 9 : 40);
        struct network *network = random_dag(rng, ops, 3);
        struct w_certificate cert;
        struct error error = {""};
        int64_t w = -1;
        bool *before;

        if (!bounds_w(network, &w, &cert, &error)) {
            tap_diag("%s", error.text);
            network_free(network);
            continue;
        }
        if (w_certificate_check(&cert, network, &error))
            valid++;
        else
            tap_diag("%s", error.text);
        before = edge_order(&cert, network->n_values + network->n_ops);
        if (cert.n_edges <= 15) {
            brute_runs++;
            brute += brute_antichain(before, cert.n_edges) == w;
        }
        matching += dilworth(before, cert.n_edges) == w;
        free(before);
        w_certificate_clear(&cert);
        network_free(network);
    }
    is_int(valid, runs, "the certificate of each random DAG holds");
    is_int(brute, brute_runs, "W is the largest set of pairwise unreachable edges");
    is_int(matching, runs, "W is the fewest chains of edges (Dilworth, by matching)");
    ok(brute_runs > runs / 10, "enough of them were small enough for brute force");
    rng_free(rng);
}

/* --- certificates that lie --- */

static void tampered(void)
{
    struct rng *rng = rng_new(5);
    struct network *network = random_dag(rng, 20, 3);
    struct w_certificate cert;
    struct error error = {""};
    int64_t w;
    size_t keep;

    ok(bounds_w(network, &w, &cert, &error) && w > 1, "a certificate to tamper with");
    keep = cert.antichain[0];
    cert.antichain[0] = cert.antichain[1];
    ok(!w_certificate_check(&cert, network, &error), "an edge twice: %s", error.text);
    for (cert.antichain[0] = 0; cert.antichain[0] < cert.n_edges; cert.antichain[0]++) {
        /* The edge before one of the others on a path.  */
        if (cert.edge[cert.antichain[0]].to == cert.edge[cert.antichain[1]].from)
            break;
    }
    ok(!w_certificate_check(&cert, network, &error), "an edge before another: %s", error.text);
    cert.antichain[0] = keep;
    ok(w_certificate_check(&cert, network, &error), "restored");
    cert.w--;
    ok(!w_certificate_check(&cert, network, &error), "a path too few: %s", error.text);
    cert.w++;
    keep = cert.path_edge[0];
    cert.path_edge[0] = cert.path_edge[cert.path_start[1]];
    if (cert.path_edge[0] == keep)
        cert.path_edge[0] = (keep + 1) % cert.n_edges;
    ok(!w_certificate_check(&cert, network, &error), "a broken path: %s", error.text);
    cert.path_edge[0] = keep;
    cert.edge[0].to = cert.edge[0].from;
    ok(!w_certificate_check(&cert, network, &error), "a wrong edge: %s", error.text);
    w_certificate_clear(&cert);
    network_free(network);
    rng_free(rng);
}

/* --- bounds --- */

static void serial_width(void)
{
    struct rng *rng = rng_new(3);
    int runs = tap_tier(300, 3000), within = 0, tight = 0, applicable = 0;

    for (int run = 0; run < runs; run++) {
        size_t ops = (size_t)rng_range(rng, 2, run % 2 == 0 ? 8 : 30);
        struct instance *instance = dag_instance(random_dag(rng, ops, 1 + run % 4), IO_NONE);
        struct bounds bounds;
        struct error error = {""};

        if (instance != NULL && bounds_compute(instance, &bounds, &error)) {
            within += bounds.width <= bounds.w + 1;
            tight += bounds.width == bounds.w + 1;
            applicable += bounds.applicable && bounds.w1_applicable;
        }
        instance_free(instance);
    }
    is_int(within, runs, "width <= W + 1 on every serial DAG");
    ok(tight > runs / 20, "and often tight (%d of %d)", tight, runs);
    ok(applicable > runs / 2, "most of them meet the article's conditions (%d)", applicable);
    rng_free(rng);
}

static void path_cover_bound(void)
{
    struct rng *rng = rng_new(9);
    int runs = tap_tier(100, 1000), held = 0;

    for (int run = 0; run < runs; run++) {
        size_t ops = (size_t)rng_range(rng, 2, 40);
        struct instance *instance = dag_instance(random_dag(rng, ops, 4), IO_NONE);
        struct plan *plan = solver_plan("path-cover", instance, 1);
        struct bounds bounds;
        struct error error = {""};

        if (bounds_compute(instance, &bounds, &error))
            held += plan->peak <= bounds.width_bound &&
                    (!bounds.applicable || (bounds.width_bound <= bounds.w2_bound &&
                                            bounds.width_bound <= bounds.w1_bound));
        plan_free(plan);
        instance_free(instance);
    }
    is_int(held, runs, "path-cover's peak <= width max_size <= (W + 1) max_size, 2 W max_size");
    rng_free(rng);
}

/* Every network of the zoo: its certificate, and W where it is known.  */
static void zoo(void)
{
    static const struct {
        const char *spec;
        int64_t w; /* 0: not known beforehand */
    } network[] = {
        {"resnet18", 2}, {"resnet50", 2},     {"resnet50:fuse=all", 2}, {"vgg16", 1},
        {"alexnet", 1},  {"googlenet", 4},    {"mobilenet_v1", 1},      {"densenet121", 0},
        {"xception", 2}, {"inception_v3", 0}, {"squeezenet1_1", 2},     {"mobilenet_v2", 2},
    };

    for (size_t i = 0; i < sizeof network / sizeof network[0]; i++) {
        struct w_certificate cert = {0};
        struct error error = {""};
        struct network *graph = network_from(network[i].spec, &error);
        int64_t w = 0;
        bool good;

        good = graph != NULL && bounds_w(graph, &w, &cert, &error) &&
               w_certificate_check(&cert, graph, &error) &&
               (network[i].w == 0 || network[i].w == w);
        ok(good, "%s: W = %d with its certificate", network[i].spec, (int)w);
        w_certificate_clear(&cert);
        network_free(graph);
    }
}

int main(void)
{
    known();
    against_oracles();
    tampered();
    serial_width();
    path_cover_bound();
    zoo();
    return tap_done();
}
