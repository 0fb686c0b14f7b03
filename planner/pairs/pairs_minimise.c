/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/pairs/pairs_minimise.h"

#include "lib/base/checked.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/greedy/part_runs.h"
#include "planner/greedy/shape_fit.h"
#include "planner/pairs/pairs_log.h"
#include "planner/pairs/pairs_search.h"

/* Choices of the first round; each has four times as many.  */
#define FIRST_NODES 2000
#define FIRST_NODES_FEW 50000
#define BUDGET_GROWTH 4

/* Parts of so few buffers are decided by their orders alone, whatever the sizes.  */
#define FEW_BUFFERS 32
#define FEW_PUSHES 3

/* In larger sums the search by sections has no room for sums of capacities, and beyond larger
 * fixed offsets neither.  */
#define MOST_TOTAL (INT64_MAX / 16)

enum { TURNS = 3 };

struct run {
    struct part_runs *runs;
    struct part_instance part;
    struct pairs_problem *problem;
    struct pairs_search search;
    struct pairs_log log; /* where somebody asks for it */
    int64_t nodes;        /* all choices that it may make */
    bool few;             /* buffers */
};

bool pairs_needed(const struct part_runs *runs, size_t part)
{
    struct part_instance at;
    bool needed;

    if (!runs->instance->shapes && runs->instance->total <= MOST_TOTAL &&
        runs->instance->load <= MOST_TOTAL)
        return false;
    part_instance_begin(&at, runs, part);
    needed = at.instance->shapes ||
             (at.instance->fixed > 0 && at.instance->load / at.unit > MOST_TOTAL) ||
             (at.instance->n <= FEW_BUFFERS && at.instance->total / at.unit > MOST_TOTAL);
    part_instance_end(&at);
    return needed;
}

/* Plans that know the pieces, where rectangles do not reach the bound.  */
static void place_pieces(struct run *at)
{
    struct plan *plan = plan_new(at->part.instance);

    if (shape_place_best_until(at->part.instance, at->runs->deadline, plan))
        part_runs_offer(at->runs, &at->part, plan->offset, plan->peak);
    plan_free(plan);
}

static enum pairs_result decide(struct run *at, int64_t capacity, int64_t budget)
{
    return pairs_search_run(&at->search, capacity, min64(budget, at->nodes - at->search.nodes),
                            at->runs->deadline);
}

/* No more nodes or no more time.  */
static bool is_over(struct run *at)
{
    struct part_runs *runs = at->runs;

    if (timer_now() >= runs->deadline)
        runs->timed_out = true;
    return runs->timed_out || at->search.nodes >= at->nodes;
}

/* What to ask in turn, while one after the other is not decided: BOUND, or after refutations
 * a STEP above it, but no further than half way to HIGH; the middle; HIGH.  Of few buffers first
 * HIGH: each packing has a peak that is a sum of some sizes, so the optimum is a few packings away
 * and not as many as the sizes have bits, and its proof is the only one.  */
static void what_to_ask(const struct run *at, int64_t bound, int64_t high, int64_t step,
                        int64_t ask[TURNS])
{
    int64_t middle = bound + (high - bound) / 2;

    ask[at->few ? 1 : 0] = min64(clipped_add(bound, step - 1), middle);
    ask[at->few ? 2 : 1] = middle;
    ask[at->few ? 0 : 2] = high;
}

/* BOUND is proven for the part, in units.  After refutations the steps double.  Where a budget
 * has decided none of what is asked in turn, all come again with more.  */
static void close_bounds(struct run *at, int64_t bound)
{
    struct part_runs *runs = at->runs;
    int64_t *peak = &runs->peak[at->part.part], step = 1,
            budget = at->few ? FIRST_NODES_FEW : FIRST_NODES;
    int turn = 0;

    while (*peak > bound * at->part.unit && *peak > runs->bound && !is_over(at)) {
        int64_t high = (*peak - 1) / at->part.unit, ask[TURNS];
        enum pairs_result result;

        what_to_ask(at, bound, high, step, ask);
        result = decide(at, ask[turn], budget);
        if (result == PAIRS_PACKED) {
            part_runs_offer_packing(runs, &at->part, at->search.start);
            step = 1;
        } else if (result == PAIRS_REFUTED) {
            bound = ask[turn] + 1;
            part_runs_raise_bound(runs, bound * at->part.unit);
            step = clipped_add(step, step);
        }
        turn = result == PAIRS_STOPPED && bound < high ? (turn + 1) % TURNS : 0;
        if (turn == 0 && result == PAIRS_STOPPED)
            budget *= BUDGET_GROWTH;
    }
}

/* False: a limit ended it.  */
static bool minimise(struct part_runs *runs, size_t part, int64_t nodes)
{
    struct run at = {.runs = runs, .nodes = nodes};
    bool over;

    part_instance_begin(&at.part, runs, part);
    place_pieces(&at);
    at.problem = pairs_problem_new_until(at.part.instance, at.part.unit, runs->deadline);
    if (at.problem == NULL) {
        runs->timed_out = true;
        part_instance_end(&at.part);
        return false;
    }
    pairs_search_init(&at.search, at.problem);
    if (runs->env->sink != NULL) {
        pairs_log_init(&at.log, runs->instance, runs->env->sink);
        at.log.member = at.part.member;
        pairs_search_log(&at.search, &at.log);
    }
    at.few = at.problem->n <= FEW_BUFFERS;
    at.search.orders_only = at.few;
    if (at.few)
        at.search.rules.most_pushes = FEW_PUSHES;
    close_bounds(&at, runs->bound / at.part.unit);
    over = is_over(&at);
    runs->plan->nodes += at.search.nodes;
    pairs_search_count(&at.search, runs->env->statistics);
    pairs_search_clear(&at.search);
    pairs_log_clear(&at.log);
    pairs_problem_free(at.problem);
    part_instance_end(&at.part);
    return !over;
}

bool pairs_minimise(struct part_runs *runs, size_t part)
{
    return minimise(runs, part, part_runs_nodes_left(runs));
}

void pairs_tighten(struct part_runs *runs, size_t part, int64_t nodes)
{
    minimise(runs, part, min64(nodes, part_runs_nodes_left(runs)));
}
