/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Successive shortest paths against GLPK's flows: as much flow, at the same cost.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/glpk_flow.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "solvers/shipped/unit_flow.h"
#include "tests/support/tap.h"

/* Whether the flows of ARC are 0 or 1 and what comes in goes out; *AMOUNT is what
 * leaves the source, *COST what it costs.  */
static bool is_flow(size_t vertices, size_t source, size_t sink, const struct flow_arc *arc,
                    size_t arcs, int64_t *amount, int64_t *cost)
{
    int64_t *balance = memory_zalloc(vertices, sizeof *balance);
    bool good = true;

    *cost = 0;
    for (size_t a = 0; a < arcs; a++) {
        good = good && (arc[a].flow == 0 || arc[a].flow == 1);
        balance[arc[a].from] += arc[a].flow;
        balance[arc[a].to] -= arc[a].flow;
        *cost += arc[a].flow * arc[a].cost;
    }
    for (size_t v = 0; v < vertices; v++)
        good = good && (balance[v] == 0 || v == source || v == sink);
    *amount = balance[source];
    free(balance);
    return good;
}

/* The least cost at which GLPK sends AMOUNT; -1: it can't.  */
static int64_t glpk_cost(size_t vertices, size_t source, size_t sink, struct flow_arc *arc,
                         size_t arcs, int64_t amount)
{
    int64_t *supply = memory_zalloc(vertices, sizeof *supply), cost = -1;
    struct error error = {""};

    supply[source] = amount;
    supply[sink] = -amount;
    if (!flow_min_cost(vertices, supply, arc, arcs, &cost, NULL, &error))
        cost = -1;
    free(supply);
    return cost;
}

static bool random_graph(struct rng *rng)
{
    size_t vertices = (size_t)rng_range(rng, 2, 12), arcs = (size_t)rng_range(rng, 0, 40);
    struct flow_arc *arc = memory_zalloc(arcs, sizeof *arc);
    int64_t amount, cost;
    bool good;

    for (size_t a = 0; a < arcs; a++) {
        arc[a].from = (size_t)rng_range(rng, 0, (int64_t)vertices - 1);
        do
            arc[a].to = (size_t)rng_range(rng, 0, (int64_t)vertices - 1);
        while (arc[a].to == arc[a].from);
        arc[a].high = 1;
        arc[a].cost = rng_range(rng, 0, 6);
    }
    unit_flow(vertices, 0, 1, arc, arcs);
    good = is_flow(vertices, 0, 1, arc, arcs, &amount, &cost) &&
           glpk_cost(vertices, 0, 1, arc, arcs, amount) == cost &&
           glpk_cost(vertices, 0, 1, arc, arcs, amount + 1) == -1;
    free(arc);
    return good;
}

int main(void)
{
    struct rng *rng = rng_new(77);
    int rounds = tap_tier(300, 3000), good = 0;

    for (int round = 0; round < rounds; round++)
        good += random_graph(rng);
    is_int(good, rounds, "the largest flows of least cost are GLPK's, in amount and cost");
    rng_free(rng);
    return tap_done();
}
