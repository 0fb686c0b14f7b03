/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_minimise.h"

#include "lib/base/checked.h"
#include "lib/base/timer.h"
#include "lib/place/part_runs.h"
#include "lib/place/shape_fit.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/disjunctive/pairs_log.h"
#include "planner/disjunctive/pairs_search.h"

/* Choices of the first round; each has four times as many.  */
#define FIRST_NODES 2000
#define FIRST_NODES_FEW 50000
#define BUDGET_GROWTH 4
#define WORK_A_CHOICE 1000 /* at most, where buffers are not few */

/* Parts of so few buffers are decided by their orders alone, whatever the sizes.  */
#define FEW_BUFFERS 32
#define FEW_PUSHES 3

/* In larger sums the search by sections has no room for sums of capacities, and beyond larger
 * fixed offsets neither.  */
#define MOST_TOTAL (INT64_MAX / 16)

/* The planner has so many times the work of the searches at first, and a turn so many nodes for
 * each buffer.  One takes as long as so much work for a neighbour.  */
#define FIRST_SHARE 4.0
#define LEAST_A_BUFFER 1
#define WORK_A_NEIGHBOUR 112.0

enum { TURNS = 3 };

struct run {
    struct part_runs *runs;
    struct part_instance part;
    struct pairs_problem *problem;
    struct pairs_search search;
    struct pairs_log log; /* where somebody asks for it */
    int64_t nodes;        /* all choices that it may make, and placements of the planner */
    int64_t planned;      /* of those these */
    struct part_turns turns;
    double work_a_node;
    bool few; /* buffers */
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
    if (!at->few)
        at->search.rules.work_end = clipped_add(at->search.rules.work, budget * WORK_A_CHOICE);
    return pairs_search_run(&at->search, capacity,
                            min64(budget, at->nodes - at->planned - at->search.nodes),
                            at->runs->deadline);
}

/* No more nodes or no more time.  */
static bool is_over(struct run *at)
{
    struct part_runs *runs = at->runs;

    if (timer_now() >= runs->deadline)
        runs->timed_out = true;
    return runs->timed_out || at->planned + at->search.nodes >= at->nodes;
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

/* A turn of the planner once it is due: of its share of the work of all searches there is half as
 * much to do as in all turns before.  */
static void plan_on(struct run *at)
{
    struct part_runs *runs = at->runs;
    int64_t left = at->nodes - at->search.nodes - at->planned;
    double due = at->turns.share * (double)at->search.rules.work / at->work_a_node;
    struct part_turn turn = {at->turns.seed, min64(left, (int64_t)due - at->planned), runs->bound,
                             runs->deadline, runs->env->statistics};
    struct plan *plan;
    bool better;

    if (runs->planner == NULL ||
        turn.nodes < at->planned / 2 + LEAST_A_BUFFER * (int64_t)at->problem->n)
        return;
    plan = plan_new(at->part.instance);
    part_runs_copy(runs, &at->part, plan);
    runs->planner(at->part.instance, &turn, plan);
    better = plan->peak < runs->peak[at->part.part];
    part_runs_offer(runs, &at->part, plan->offset, plan->peak);
    at->planned += plan->nodes;
    part_turns_next(&at->turns, better);
    plan_free(plan);
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
        plan_on(at);
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
    at.work_a_node =
        WORK_A_NEIGHBOUR * (1.0 + 2.0 * (double)at.problem->pairs / (double)at.problem->n);
    at.turns = part_turns_of(runs->env->seed, FIRST_SHARE);
    at.few = at.problem->n <= FEW_BUFFERS;
    at.search.orders_only = at.few;
    if (at.few)
        at.search.rules.most_pushes = FEW_PUSHES;
    close_bounds(&at, runs->bound / at.part.unit);
    over = is_over(&at);
    runs->plan->nodes += at.search.nodes + at.planned;
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
