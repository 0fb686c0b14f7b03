/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minimalloc: the published exact search, for one capacity or as a minimiser.
 *
 * For one capacity (capacity=BYTES) it does what the tool does: the search of
 * solvers/minimalloc/minimalloc_search.h, from nothing, with the first static order, the
 * second and so on, each for at most 2n nodes; then with twice as many, until one finds
 * a packing or that there is none.  With one order there is no such limit.  Orders are
 * letters, each a descending key (solvers/minimalloc/minimalloc_problem.h), ties by index.
 *
 * Otherwise it minimises each part of the time axis (lib/place/part_runs.h) by
 * such questions: first at the lower bound, at the beginning the load, then half way
 * between the bounds.  Under a limit a question gets half of what is left; one that
 * stays open says nothing, the next goes above it, and after the last of them the first
 * is asked again, so a bracket is left at the end.  (The tool's own minimiser bisects
 * from 0 and takes a question that ran out of time for a refutation.)
 *
 * Source: Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
 * Hardware-Accelerated Machine Learning" (ASPLOS 2023), google/minimalloc at 9f5cf81.
 * Complexity: exponential; a node costs O(what is left over + incidences of the
 * placed buffer's neighbours), and memory grows with overlapping pairs.
 * Guarantee: none on time; what it calls optimal is.  Buffers with gaps do not
 * interlock here: of two one is above the other in all steps that both use, by the
 * largest distance that any of them needs.  So a refutation speaks of rectangles
 * only, and of others nothing above the load is claimed.
 *
 * Differences: node counts are the tool's to 0.1 % on its instances, for what its
 * description leaves open was chosen so: the leaf where all is placed is no node,
 * stretches of time where nothing is left over are no partitions.  hatless_pruning is
 * off by itself where dynamic_ordering is off and offsets have to rise, as siblings that come
 * later may then start lower.  Fixed offsets do not exist here.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/place/part_runs.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/minimalloc/minimalloc_problem.h"
#include "solvers/minimalloc/minimalloc_search.h"
#include "solvers/solver.h"

/* The first limit of an order, in nodes a buffer.  */
#define FIRST_LIMIT 2

/* A question gets at least this share of the time limit.  */
#define LEAST_SHARE 0.02

/* The static orders, apart by this sign.  */
#define ORDER_SEPARATOR '+'

/* What a question needs.  */
struct asker {
    struct minimalloc_problem *problem;
    struct minimalloc_search search;
    char *orders; /* one after the other, each terminated */
    size_t n_orders;
    int64_t capacities, restarts; /* counted, for statistics */
};

static struct minimalloc_switches read_switches(const struct params *params)
{
    return (struct minimalloc_switches){
        .canonical_only = params_on(params, "canonical_only"),
        .section_inference = params_on(params, "section_inference"),
        .dynamic_ordering = params_on(params, "dynamic_ordering"),
        .check_dominance = params_on(params, "check_dominance"),
        .unallocated_floor = params_on(params, "unallocated_floor"),
        .static_preordering = params_on(params, "static_preordering"),
        .dynamic_decomposition = params_on(params, "dynamic_decomposition"),
        .monotonic_floor = params_on(params, "monotonic_floor"),
        .hatless_pruning = params_on(params, "hatless_pruning"),
    };
}

static void asker_begin(struct asker *asker, const struct instance *instance,
                        const struct params *params)
{
    *asker = (struct asker){
        .problem = minimalloc_problem_new(instance),
        .orders = memory_strdup(params_text(params, "orders")),
        .n_orders = 1,
    };
    for (char *c = asker->orders; *c != '\0'; c++)
        if (*c == ORDER_SEPARATOR) {
            *c = '\0';
            asker->n_orders++;
        }
    minimalloc_search_init(&asker->search, asker->problem, read_switches(params));
}

static void asker_end(struct asker *asker, struct search_statistics *sum)
{
    search_statistics_add(sum, STATISTIC_CAPACITIES, asker->capacities);
    search_statistics_add(sum, STATISTIC_RESTARTS, asker->restarts);
    minimalloc_search_clear(&asker->search, sum);
    minimalloc_problem_free(asker->problem);
    free(asker->orders);
}

/* Is there a packing within CAPACITY?  At most NODES nodes, until DEADLINE.  */
static enum minimalloc_result ask(struct asker *asker, int64_t capacity, int64_t nodes,
                                  double deadline)
{
    int64_t most = asker->n_orders == 1 ? INT64_MAX : FIRST_LIMIT * (int64_t)asker->problem->n;
    int64_t stop = asker->search.nodes + min64(nodes, INT64_MAX - asker->search.nodes);

    asker->capacities++;
    asker->restarts--; /* the first run is none */
    for (;; most *= 2) {
        const char *order = asker->orders;

        for (size_t i = 0; i < asker->n_orders; i++, order += strlen(order) + 1) {
            enum minimalloc_result result = minimalloc_search_run(
                &asker->search, capacity, order, min64(most, stop - asker->search.nodes), deadline);

            asker->restarts++;
            if (result != MINIMALLOC_STOPPED || asker->search.nodes >= stop ||
                timer_now() >= deadline)
                return result;
        }
    }
}

/* --- one capacity --- */

static enum minimalloc_result ask_once(const struct instance *instance,
                                       const struct solver_env *env, struct plan *plan,
                                       int64_t capacity, double deadline)
{
    struct asker asker;
    enum minimalloc_result result;

    asker_begin(&asker, instance, env->params);
    result = ask(&asker, capacity, env->work_limit > 0 ? env->work_limit : INT64_MAX, deadline);
    plan->nodes = asker.search.nodes;
    if (result == MINIMALLOC_FOUND) {
        memcpy(plan->offset, asker.search.offset, instance->n * sizeof *plan->offset);
        plan->peak = minimalloc_peak(asker.problem, asker.search.offset);
    }
    asker_end(&asker, env->statistics);
    return result;
}

/* Where the search finds nothing the plan is a greedy one.  */
static enum outcome test_capacity(const struct instance *instance, const struct solver_env *env,
                                  struct plan *plan, int64_t capacity)
{
    double deadline = solver_deadline(env);
    enum minimalloc_result result = MINIMALLOC_STOPPED;

    if (minimalloc_takes(instance, env->params, plan))
        result = ask_once(instance, env, plan, capacity, deadline);
    plan->lower_bound = instance->load;
    if (result != MINIMALLOC_FOUND) {
        best_greedy_of_all(instance, INFINITY, plan);
        if (plan->note[0] == '\0')
            snprintf(plan->note, sizeof plan->note, "%s within %" PRId64 " bytes",
                     result == MINIMALLOC_INFEASIBLE ? "no packing" : "undecided", capacity);
    }
    if (result == MINIMALLOC_INFEASIBLE && !instance->shapes)
        plan->lower_bound = max64(plan->lower_bound, capacity + 1);
    if (env->bound != NULL)
        env->bound(env->context, plan->lower_bound);
    if (plan->peak == plan->lower_bound)
        return OUTCOME_OPTIMAL;
    return result == MINIMALLOC_STOPPED && timer_now() >= deadline ? OUTCOME_TIMEOUT
                                                                   : OUTCOME_FEASIBLE;
}

/* --- the minimum --- */

/* The part that is being solved.  LOW and HIGH are in units: nothing below LOW is
 * possible, as far as the search can tell, and there is a plan of HIGH.  */
struct part_run {
    struct part_runs *runs;
    struct part_instance part;
    struct asker asker;
    int64_t low, high;
};

static int64_t nodes_left(const struct part_run *at)
{
    return max64(0, part_runs_nodes_left(at->runs) - at->asker.search.nodes);
}

/* Asks about CAPACITY with half of what is left of the limits.  */
static enum minimalloc_result ask_part(struct part_run *at, int64_t capacity)
{
    double now = timer_now(), deadline = at->runs->deadline;
    int64_t left = nodes_left(at);
    enum minimalloc_result result;

    if (!isinf(deadline))
        deadline = fmin(
            deadline, now + fmax((deadline - now) / 2.0, LEAST_SHARE * at->runs->env->time_limit));
    result = ask(&at->asker, capacity * at->part.unit,
                 at->runs->env->work_limit > 0 ? (left + 1) / 2 : left, deadline);
    if (result == MINIMALLOC_FOUND) {
        int64_t peak = minimalloc_peak(at->asker.problem, at->asker.search.offset);

        part_runs_offer(at->runs, &at->part, at->asker.search.offset, peak);
        at->high = min64(at->high, peak / at->part.unit);
    }
    if (result == MINIMALLOC_INFEASIBLE) {
        at->low = capacity + 1;
        if (!at->part.instance->shapes)
            part_runs_raise_bound(at->runs, at->low * at->part.unit);
    }
    return result;
}

/* Bisects between the bounds, above what stays open.  */
static void bisect(struct part_run *at)
{
    int64_t from = at->low;
    bool first = true;

    while (from < at->high && nodes_left(at) > 0 && timer_now() < at->runs->deadline) {
        int64_t capacity = first ? from : from + (at->high - from) / 2;
        enum minimalloc_result result = ask_part(at, capacity);

        if (result != MINIMALLOC_FOUND)
            from = capacity + 1;
        first = false;
    }
}

/* Until the bounds of the part meet, or it is no longer what keeps the peak of the
 * whole up.  False at a limit.  */
static bool solve_part(struct part_runs *runs, size_t part)
{
    struct part_run at = {.runs = runs};
    bool done;

    part_instance_begin(&at.part, runs, part);
    if (!minimalloc_takes(at.part.instance, runs->env->params, runs->plan)) {
        part_instance_end(&at.part);
        return false;
    }
    asker_begin(&at.asker, at.part.instance, runs->env->params);
    at.low = (max64(at.part.instance->load, runs->bound) + at.part.unit - 1) / at.part.unit;
    at.high = runs->peak[part] / at.part.unit;
    while (at.low < at.high && nodes_left(&at) > 0 && timer_now() < runs->deadline)
        bisect(&at);
    runs->plan->nodes += at.asker.search.nodes;
    done = runs->peak[part] <= runs->bound;
    if (!done && at.low >= at.high)
        snprintf(runs->plan->note, sizeof runs->plan->note, "nothing better without interlocking");
    else if (!done && timer_now() >= runs->deadline)
        runs->timed_out = true;
    asker_end(&at.asker, runs->env->statistics);
    part_instance_end(&at.part);
    return done;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    int64_t capacity = params_int(env->params, "capacity");
    struct part_runs runs;

    if (capacity > 0)
        return test_capacity(instance, env, plan, capacity);
    part_runs_begin(&runs, instance, env, solver_deadline(env), plan);
    return part_runs_solve(&runs, solve_part);
}

static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    const char *orders = params_text(params, "orders");
    size_t letters = strspn(orders, MINIMALLOC_ORDER_LETTERS "+");

    (void)instance;
    if (orders[letters] == '\0')
        return true;
    error_set(reason, "orders=%s: '%c' is none of the keys %s", orders, orders[letters],
              MINIMALLOC_ORDER_LETTERS);
    return false;
}

static const struct param params[] = {
    {"capacity", PARAM_BYTES, "0", NULL, 0.0, PARAM_NO_LIMIT,
     "bytes to find any plan within; 0: the least peak"},
    {"orders", PARAM_TEXT, "WAT+TAW+TWA", NULL, 0.0, 0.0,
     "static orders in turn, apart by +: keys A area, C sections, L begin, O overlaps, "
     "T fullest section, U end, W lifetime, Z size"},
    PARAM_SWITCH("canonical_only", "on", "offsets don't fall along a branch"),
    PARAM_SWITCH("section_inference", "on", "sections that don't fit any more end a branch"),
    PARAM_SWITCH("dynamic_ordering", "on", "lowest offset first"),
    PARAM_SWITCH("check_dominance", "on", "no child that leaves a hole for another buffer"),
    PARAM_SWITCH("unallocated_floor", "on", "floors at the least offset of what is left over"),
    PARAM_SWITCH("static_preordering", "on", "ties by the static order, not by index"),
    PARAM_SWITCH("dynamic_decomposition", "on", "split where nothing left over crosses"),
    PARAM_SWITCH("monotonic_floor", "on", "floors at the offset just given"),
    PARAM_SWITCH("hatless_pruning", "on", "no siblings of a buffer with nothing above it"),
    MINIMALLOC_PAIRS_PARAM,
    PARAM_END,
};

const struct solver solver_minimalloc = {
    .name = "minimalloc",
    .title = "MiniMalloc's search",
    .source = "Moffitt, MiniMalloc, ASPLOS 2023",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
