/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minimum-cost flow: known cases, refusals, and optimality by complementary
 * slackness on random graphs.  */
#include <config.h>

#include "lib/base/glpk_flow.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/support/tap.h"

static void known(void)
{
    /* Two ways from 0 to 3: over 1 (cost 2, room for 3) and over 2 (cost 5).  */
    struct flow_arc arc[] = {
        {0, 1, 0, 3, 1, 0}, {1, 3, 0, 3, 1, 0}, {0, 2, 0, 9, 3, 0}, {2, 3, 1, 9, 2, 0}};
    const int64_t supply[] = {5, 0, 0, -5};
    struct error error = {""};
    int64_t cost;

    ok(flow_min_cost(4, supply, arc, 4, &cost, NULL, &error), "a transport");
    is_int(cost, 3 * 2 + 2 * 5, "its cost");
    is_int(arc[0].flow, 3, "the cheap way is full");
    is_int(arc[3].flow, 2, "the rest goes the dear way");
    ok(flow_min_cost(2, NULL, arc, 0, &cost, NULL, &error) && cost == 0, "no arcs");
    arc[0].low = 3;
    arc[0].high = 3;
    arc[1].high = 2;
    ok(!flow_min_cost(4, supply, arc, 4, &cost, NULL, &error) &&
           strstr(error.text, "no flow meets the bounds") != NULL,
       "contradicting bounds are refused: %s", error.text);
    arc[1].high = (int64_t)1 << 40;
    ok(!flow_min_cost(4, supply, arc, 4, &cost, NULL, &error) &&
           strstr(error.text, "31 bits") != NULL,
       "large bounds are refused: %s", error.text);
    ok(strlen(flow_library_version()) > 0, "GLPK names its version");
}

/* Conservation, bounds, and no arc that the potentials would have otherwise:
 * together they prove that the flow is one of least cost.  */
static bool is_optimal(size_t vertices, const int64_t *supply, const struct flow_arc *arc,
                       size_t arcs, const double *potential)
{
    int64_t *balance = memory_zalloc(vertices, sizeof *balance);
    bool good = true;

    for (size_t a = 0; a < arcs; a++) {
        double reduced = (double)arc[a].cost - (potential[arc[a].from] - potential[arc[a].to]);

        balance[arc[a].from] += arc[a].flow;
        balance[arc[a].to] -= arc[a].flow;
        good = good && arc[a].low <= arc[a].flow && arc[a].flow <= arc[a].high;
        good = good && (reduced <= 0.5 || arc[a].flow == arc[a].low);
        good = good && (reduced >= -0.5 || arc[a].flow == arc[a].high);
    }
    for (size_t v = 0; v < vertices; v++)
        good = good && balance[v] == supply[v];
    free(balance);
    return good;
}

static void random_flows(void)
{
    struct rng *rng = rng_new(7);
    int runs = tap_tier(100, 1000), solved = 0, optimal = 0;

    for (int run = 0; run < runs; run++) {
        size_t vertices = (size_t)rng_range(rng, 2, 9), arcs = (size_t)rng_range(rng, 1, 30);
        struct flow_arc arc[30];
        int64_t supply[9] = {0};
        double potential[9];
        struct error error = {""};

        /* Supplies that a random flow within the bounds has: always feasible.  */
        for (size_t a = 0; a < arcs; a++) {
            size_t from = (size_t)rng_range(rng, 0, (int64_t)vertices - 1);
            size_t to = (from + (size_t)rng_range(rng, 1, (int64_t)vertices - 1)) % vertices;
            int64_t low = rng_range(rng, 0, 3), high = low + rng_range(rng, 0, 5);
            int64_t flow = rng_range(rng, low, high);

            arc[a] = (struct flow_arc){from, to, low, high, rng_range(rng, -4, 9), 0};
            supply[from] += flow;
            supply[to] -= flow;
        }
        if (!flow_min_cost(vertices, supply, arc, arcs, NULL, potential, &error))
            continue;
        solved++;
        optimal += is_optimal(vertices, supply, arc, arcs, potential);
    }
    is_int(solved, runs, "every random flow is solved");
    is_int(optimal, runs, "and optimal by complementary slackness");
    rng_free(rng);
}

int main(void)
{
    known();
    random_flows();
    return tap_done();
}
