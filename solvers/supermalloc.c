/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supermalloc: MiniMalloc's rules, interchangeable buffers, and rounds of a portfolio.
 *
 * The first plan is the best of first fit in thirteen orders.  Each part of the time axis
 * (lib/place/part_runs.h) then has a plan of `high` and a lower bound `low`.  A round asks
 * MiniMalloc's search (solvers/minimalloc/minimalloc_search.h), with each of the static orders
 * WAT, TAW and TWA, for a packing below high, below low + 1, below low + gap/4 and below
 * low + gap/8, gap being high - low.  A packing, or the proof that there is none, moves a
 * bound, and with it the next round begins.  Questions of a round that end otherwise have
 * had their nodes: 2n at first, twice as many in each round that moves nothing.  The bounds
 * meet in the end.
 *
 * An example: the smallest instance with an optimum above its load, 7 buffers, 5 against 4.
 * The first plan has 5, so a round is one question, for 4, to each order.  None answers within
 * 14 nodes; of the second round's 28 the first needs less to prove that there is no such packing.
 *
 * Source: OmniMalloc (fpedd/omnimalloc, Apache-2.0), its allocator supermalloc, from a
 * description; its search after Moffitt, "MiniMalloc" (ASPLOS 2023).
 * Complexity: exponential; memory grows with overlapping pairs.
 * Guarantee: none on time; what it calls optimal is.
 * Differences: upstream asks the questions of a round at once, on threads that share the best
 * bound, and takes a round that ends by itself for the proof; here they are asked in turn, so a
 * run repeats, and nodes stand for time.  The thirteen orders are not named in the
 * description: these are ours, in MiniMalloc's letters.  The greedy plans from which all exact
 * solvers begin here (part_runs_begin) come before them.  The search is this project's, which
 * undoes changes too instead of copying.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/place/gap_index.h"
#include "lib/place/part_runs.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/minimalloc/minimalloc_problem.h"
#include "solvers/minimalloc/minimalloc_search.h"
#include "solvers/solver.h"

/* Nodes a buffer of a question in the first round.  */
#define FIRST_NODES 2

/* Keys descend, the first letter first; ties in input order.  */
static const char *const first_orders[] = {"WAT", "TAW", "TWA", "ATW", "AWT", "WTA", "ZW",
                                           "WZ",  "AZ",  "TZ",  "OZ",  "CZ",  "OA"};
static const char *const search_orders[] = {"WAT", "TAW", "TWA"};

enum { RUNGS = 4, SEARCH_ORDERS = sizeof search_orders / sizeof search_orders[0] };

/* The part that is being solved.  Nothing below LOW units is possible, and there is a plan of
 * HIGH.  */
struct run {
    struct part_runs *runs;
    struct part_instance part;
    struct minimalloc_problem *problem;
    struct minimalloc_search search;
    int64_t low, high;
    int64_t questions, restarts;
};

/* --- the first plan --- */

static void try_first_orders(struct run *at)
{
    struct order_key *key = memory_alloc(at->problem->n, sizeof *key);
    struct plan *plan = plan_new(at->part.instance);

    for (size_t i = 0; i < sizeof first_orders / sizeof first_orders[0]; i++) {
        if (timer_now() >= at->runs->deadline)
            break;
        for (size_t b = 0; b < at->problem->n; b++)
            key[b].index = b;
        minimalloc_sort(at->problem, first_orders[i], at->problem->total, key, at->problem->n);
        gap_place(at->part.instance, key, FIT_FIRST, plan);
        part_runs_offer(at->runs, &at->part, plan->offset, plan->peak);
    }
    plan_free(plan);
    free(key);
}

/* --- rounds --- */

static int64_t nodes_left(const struct run *at)
{
    return max64(0, part_runs_nodes_left(at->runs) - at->search.nodes);
}

static bool goes_on(const struct run *at)
{
    return at->low < at->high && nodes_left(at) > 0 && timer_now() < at->runs->deadline;
}

/* Asks for a packing within CAPACITY units; true when that moves a bound.  */
static bool ask(struct run *at, int64_t capacity, const char *order, int64_t nodes)
{
    enum minimalloc_result result =
        minimalloc_search_run(&at->search, capacity * at->part.unit, order,
                              min64(nodes, nodes_left(at)), at->runs->deadline);

    at->questions++;
    if (result == MINIMALLOC_FOUND) {
        int64_t peak = minimalloc_peak(at->problem, at->search.offset);

        part_runs_offer(at->runs, &at->part, at->search.offset, peak);
        at->high = min64(at->high, peak / at->part.unit);
    }
    if (result == MINIMALLOC_INFEASIBLE) {
        at->low = capacity + 1;
        part_runs_raise_bound(at->runs, at->low * at->part.unit);
    }
    return result != MINIMALLOC_STOPPED;
}

/* The capacities of a round, from `below high` down, each once.  */
static size_t list_rungs(const struct run *at, int64_t capacity[RUNGS])
{
    int64_t gap = at->high - at->low;
    const int64_t below[RUNGS] = {at->high, at->low + 1, at->low + gap / 4, at->low + gap / 8};
    size_t count = 0;

    for (size_t i = 0; i < RUNGS; i++) {
        bool listed = below[i] <= at->low;

        for (size_t k = 0; k < count; k++)
            listed = listed || capacity[k] == below[i] - 1;
        if (!listed)
            capacity[count++] = below[i] - 1;
    }
    return count;
}

/* False: nothing has moved.  */
static bool play_round(struct run *at, int64_t nodes)
{
    int64_t capacity[RUNGS];
    size_t rungs = list_rungs(at, capacity);

    for (size_t order = 0; order < SEARCH_ORDERS; order++)
        for (size_t rung = 0; rung < rungs && goes_on(at); rung++)
            if (ask(at, capacity[rung], search_orders[order], nodes))
                return true;
    at->restarts++;
    return false;
}

static void run_begin(struct run *at, struct part_runs *runs)
{
    const struct minimalloc_switches switches = {
        .canonical_only = true,
        .section_inference = true,
        .dynamic_ordering = true,
        .check_dominance = true,
        .unallocated_floor = true,
        .static_preordering = true,
        .dynamic_decomposition = true,
        .monotonic_floor = true,
        .hatless_pruning = true,
        .interchangeable = params_on(runs->env->params, "interchangeable"),
    };

    at->problem = minimalloc_problem_new(at->part.instance);
    minimalloc_search_init(&at->search, at->problem, switches);
}

static void run_end(struct run *at)
{
    struct search_statistics *sum = at->runs->env->statistics;

    search_statistics_add(sum, STATISTIC_CAPACITIES, at->questions);
    search_statistics_add(sum, STATISTIC_RESTARTS, at->restarts);
    at->runs->plan->nodes += at->search.nodes;
    minimalloc_search_clear(&at->search, sum);
    minimalloc_problem_free(at->problem);
}

static bool solve_part(struct part_runs *runs, size_t part)
{
    struct run at = {.runs = runs};
    int64_t nodes;
    bool fits, done;

    part_instance_begin(&at.part, runs, part);
    fits = minimalloc_takes(at.part.instance, runs->env->params, runs->plan);
    if (fits) {
        run_begin(&at, runs);
        try_first_orders(&at);
        at.low = (max64(at.part.instance->load, runs->bound) + at.part.unit - 1) / at.part.unit;
        at.high = runs->peak[part] / at.part.unit;
        nodes = FIRST_NODES * (int64_t)at.problem->n;
        while (goes_on(&at))
            if (!play_round(&at, nodes))
                nodes = min64(nodes, INT64_MAX / 2) * 2;
        run_end(&at);
    }
    done = runs->peak[part] <= runs->bound;
    runs->timed_out = runs->timed_out || (!done && timer_now() >= runs->deadline);
    part_instance_end(&at.part);
    return done;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct part_runs runs;

    part_runs_begin(&runs, instance, env, solver_deadline(env), plan);
    return part_runs_solve(&runs, solve_part);
}

static const struct param params[] = {
    PARAM_SWITCH("interchangeable", "on", "buffers of one life and size in their order"),
    MINIMALLOC_PAIRS_PARAM,
    PARAM_END,
};

const struct solver solver_supermalloc = {
    .name = "supermalloc",
    .title = "OmniMalloc's exact search",
    .source = "OmniMalloc, allocators/supermalloc",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
