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
#define BUDGET_GROWTH 4

struct run {
    struct part_runs *runs;
    struct part_instance part;
    struct pairs_problem *problem;
    struct pairs_search search;
    struct pairs_log log; /* where somebody asks for it */
    int64_t nodes;        /* all choices that it may make */
};

bool pairs_needed(const struct part_runs *runs, size_t part)
{
    struct part_instance at;
    bool shapes;

    if (!runs->instance->shapes)
        return false;
    part_instance_begin(&at, runs, part);
    shapes = at.instance->shapes;
    part_instance_end(&at);
    return shapes;
}

/* Plans that know the pieces, where rectangles do not reach the bound.  */
static void place_pieces(struct run *at)
{
    struct plan *plan = plan_new(at->part.instance);

    shape_place_best(at->part.instance, plan);
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

/* BOUND is proven for the part, in units.  It is asked about first; after refutations the
 * steps double, but go no further than half way.  Where a budget decides nothing, the
 * middle and the best peak less one unit come in turn, and then all with more.  */
static void close_bounds(struct run *at, int64_t bound)
{
    struct part_runs *runs = at->runs;
    int64_t *peak = &runs->peak[at->part.part], step = 1, budget = FIRST_NODES;
    int turn = 0;

    while (*peak > bound * at->part.unit && *peak > runs->bound && !is_over(at)) {
        int64_t high = (*peak - 1) / at->part.unit, middle = bound + (high - bound) / 2;
        const int64_t ask[] = {min64(bound + (step - 1), middle), middle, high};
        enum pairs_result result = decide(at, ask[turn], budget);

        if (result == PAIRS_PACKED) {
            part_runs_offer_packing(runs, &at->part, at->search.start);
            step = 1;
        } else if (result == PAIRS_REFUTED) {
            bound = ask[turn] + 1;
            part_runs_raise_bound(runs, bound * at->part.unit);
            step *= 2;
        }
        turn = result == PAIRS_STOPPED && ask[turn] < high ? turn + 1 : 0;
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
    at.problem = pairs_problem_new(at.part.instance, at.part.unit);
    pairs_search_init(&at.search, at.problem);
    if (runs->env->proof != NULL) {
        pairs_log_init(&at.log, runs->instance, runs->env->proof);
        at.log.member = at.part.member;
        pairs_search_log(&at.search, &at.log);
    }
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
