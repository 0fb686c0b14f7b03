/* branch-and-bound: optimal offsets by searching section by section.
 *
 * The planner section-first (solvers/common/section_plan.h) makes the first plan; most
 * instances end there, at the load.  Otherwise each part of the time axis
 * (solvers/common/part_runs.h) has a lower bound, at first its load, and
 * an upper bound, at first that plan or the best greedy one.  Whether a capacity is enough is
 * decided by four searches in turn, with ever larger budgets: one for a packing of the whole part
 * (solvers/common/section_search.h), with restarts; the same with learning, which is
 * slower and refutes with far fewer placements; that one in windows of time
 * (solvers/common/section_windows.h); and one that decides which of two buffers is
 * below the other, pair by pair (solvers/common/piece_search.h), learns from its conflicts,
 * and refutes what the others do not.  A packing lowers the upper bound to its peak;
 * a refutation raises the lower bound above the capacity.  The first capacity asked is
 * the lower bound; after refutations the steps double; after a packing, and where a
 * capacity above the bound is hard, they begin with 1 again.
 *
 * A part with buffers of several pieces, which may interlock, is decided by the orders of
 * its pairs alone.
 *
 * A limit ends it with both bounds as they are: a limit refutes nothing.
 *
 * Source: this project.  Section first with failure weights is dom/wdeg (Boussemart,
 * Hemery, Lecoutre and Sais 2004) on the cliques of the interval graph; starts, ends
 * and not-first are those of scheduling a disjunctive resource (Carlier and Pinson
 * 1989), an address being a time.  It minimises what Moffitt's MiniMalloc (2023)
 * decides for one capacity.
 * Complexity: exponential; memory linear in the incidences of buffers and sections,
 * beside the memo, which is bounded.
 * Guarantee: none on time; what it calls optimal is.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/part_runs.h"
#include "solvers/common/piece_minimise.h"
#include "solvers/common/piece_search.h"
#include "solvers/common/section_plan.h"
#include "solvers/common/section_search.h"
#include "solvers/common/section_windows.h"
#include "solvers/solver.h"

/* For the first plan: nodes of instances with fewer buffers than many, and the share of a
 * time limit.  */
#define MANY_BUFFERS 1000
#define LEAST_FIRST_NODES 1000
#define FIRST_SHARE 0.5

#define MEMO_BYTES ((size_t)64 << 20)
#define WINDOW_MEMO_BYTES ((size_t)8 << 20)

/* More pairs than this are not decided one by one.  */
#define MOST_PAIRS 30000

/* The part that is being solved.  Capacities are in units.  */
struct part_run {
    struct part_runs *runs;
    struct part_instance part;
    struct section_problem *problem;
    struct section_options find, refute; /* which techniques the searches use */
    bool learn, use_windows;
    struct section_search packing, learning; /* for a packing; for a refutation */
    struct section_search *found;            /* which found the last packing; NULL: the orders */
    bool use_orders;
    struct piece_problem *pairs; /* made when their orders are searched first */
    struct piece_search orders;
    struct section_windows windows;
    int64_t bound; /* proven for the part, in units */
};

static bool is_on(const struct params *params, const char *name)
{
    return params_choice(params, name) == 1;
}

static void read_options(struct part_run *at, const struct params *params)
{
    at->find = (struct section_options){
        .not_first = is_on(params, "notfirst"),
        .memo = is_on(params, "memo"),
        .pieces = is_on(params, "decomposition"),
        .restarts = true,
    };
    at->refute = at->find;
    at->refute.subsets = is_on(params, "subset");
    at->refute.mirror = is_on(params, "mirror");
    at->refute.learning = is_on(params, "learning");
    at->refute.restarts = !at->refute.learning;
    at->learn = at->refute.learning;
    at->use_windows = is_on(params, "windows");
    at->refute.nogoods = (size_t)params_int(params, "nogoods");
}

static void part_begin(struct part_run *at, struct part_runs *runs, size_t part)
{
    *at = (struct part_run){.runs = runs};
    part_instance_begin(&at->part, runs, part);
    at->problem = section_problem_new(at->part.instance, at->part.unit);
    read_options(at, runs->env->params);
    section_search_init(&at->packing, at->problem, &at->find, MEMO_BYTES, runs->env->seed);
    section_search_init(&at->learning, at->problem, &at->refute, MEMO_BYTES, runs->env->seed);
    section_windows_init(&at->windows, at->problem, &at->refute,
                         is_on(runs->env->params, "fullwidth"), WINDOW_MEMO_BYTES, runs->env->seed);
    at->use_orders = is_on(runs->env->params, "orders") &&
                     instance_overlapping_pairs(at->part.instance) <= MOST_PAIRS;
}

static void part_end(struct part_run *at)
{
    at->runs->plan->nodes +=
        at->packing.nodes + at->learning.nodes + at->windows.nodes + at->orders.nodes;
    if (at->pairs != NULL)
        piece_search_clear(&at->orders);
    piece_problem_free(at->pairs);
    section_search_clear(&at->packing);
    section_search_clear(&at->learning);
    section_windows_clear(&at->windows);
    section_problem_free(at->problem);
    part_instance_end(&at->part);
}

static int64_t nodes_left(const struct part_run *at)
{
    int64_t limit = at->runs->env->work_limit;

    if (limit <= 0)
        return INT64_MAX / 2;
    return max64(0, limit - at->runs->plan->nodes - at->packing.nodes - at->learning.nodes -
                        at->windows.nodes - at->orders.nodes);
}

/* Takes over the packing that the search has found.  */
static void take_packing(struct part_run *at)
{
    size_t n = at->problem->n;
    int64_t *offset = memory_alloc(n, sizeof *offset), peak = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t start = at->found != NULL ? at->found->state.start[i] : at->orders.start[i];

        offset[i] = start * at->part.unit;
        peak = max64(peak, (start + at->problem->size[i]) * at->part.unit);
    }
    part_runs_offer(at->runs, &at->part, offset, peak);
    free(offset);
}

/* The searches take turns.  These are their placements in the first round; there are
 * twice as many in each next one.  A placement that learns costs five to ten times as
 * much as one that does not.  */
struct turns {
    int64_t packing, learning, windows, orders;
};

/* Above the load a refutation is likely.  At the load a packing is: the searches that
 * refute get a small share after their first round, in which most of what can be
 * refuted is.  */
static const struct turns at_load = {1000, 200, 0, 0}, above_load = {100, 400, 1600, 400};
#define SHARE_AT_LOAD 16
#define WINDOWS_FROM 16000 /* placements for a packing at the load */

static void next_turns(struct turns *turns, bool load)
{
    turns->packing *= 2;
    turns->learning *= 2;
    turns->windows *= 2;
    turns->orders *= 2;
    if (!load)
        return;
    turns->learning = turns->packing / SHARE_AT_LOAD;
    turns->windows = turns->packing < WINDOWS_FROM ? 0 : turns->learning;
    turns->orders = turns->windows / 4;
}

static enum search_result ask_orders(struct part_run *at, int64_t capacity, int64_t nodes)
{
    enum piece_result result;

    if (at->pairs == NULL) {
        at->pairs = piece_problem_new(at->part.instance, at->part.unit);
        piece_search_init(&at->orders, at->pairs);
    }
    at->found = NULL;
    result = piece_search_run(&at->orders, capacity, nodes, at->runs->deadline);
    return result == PIECES_PACKED    ? SEARCH_SOLVED
           : result == PIECES_REFUTED ? SEARCH_REFUTED
                                      : SEARCH_STOPPED;
}

/* One round.  */
static enum search_result ask(struct part_run *at, int64_t capacity, const struct turns *turns)
{
    double deadline = at->runs->deadline;
    enum search_result result =
        section_search_run(&at->packing, capacity, min64(turns->packing, nodes_left(at)), deadline);

    at->found = &at->packing;
    if (result == SEARCH_STOPPED && at->learn) {
        at->found = &at->learning;
        result = section_search_run(&at->learning, capacity, min64(turns->learning, nodes_left(at)),
                                    deadline);
    }
    if (result == SEARCH_STOPPED && at->use_orders && turns->orders > 0)
        result = ask_orders(at, capacity, min64(turns->orders, nodes_left(at)));
    if (result == SEARCH_STOPPED && at->use_windows && turns->windows > 0 &&
        section_windows_refute(&at->windows, capacity, turns->windows, nodes_left(at), deadline))
        result = SEARCH_REFUTED;
    return result;
}

/* Rounds for a capacity above the bound: where there is a packing it may be hard to find,
 * and the bound can still be refuted.  */
#define ROUNDS_AHEAD 6

/* Decides CAPACITY; SEARCH_STOPPED also where it is above the bound and hard.  */
static enum search_result decide(struct part_run *at, int64_t capacity)
{
    bool load = capacity == at->problem->load;
    struct turns turns = load ? at_load : above_load;

    for (int round = 1; capacity == at->bound || round <= ROUNDS_AHEAD; round++) {
        enum search_result result = ask(at, capacity, &turns);

        if (result != SEARCH_STOPPED)
            return result;
        if (timer_now() >= at->runs->deadline) {
            at->runs->timed_out = true;
            return SEARCH_STOPPED;
        }
        if (nodes_left(at) == 0)
            return SEARCH_STOPPED;
        next_turns(&turns, load);
    }
    return SEARCH_STOPPED;
}

/* The next capacity to ask about: the lower bound at first; after STEP - 1 more
 * units were refuted in a row, as many above it, but no further than half way.  */
static int64_t next_capacity(int64_t low, int64_t high, int64_t step)
{
    return step == 1 ? low : min64(low + (step - 1), low + (high - low) / 2);
}

/* Until the bounds of the part meet, or it is no longer what keeps the peak of the
 * whole up.  False at a limit.  */
static bool solve_part(struct part_runs *runs, size_t part)
{
    bool over = false;
    struct part_run at;
    int64_t step = 1;

    part_begin(&at, runs, part);
    at.bound = runs->bound / at.part.unit;
    while (!over && runs->peak[part] > at.bound * at.part.unit && runs->peak[part] > runs->bound) {
        int64_t high = (runs->peak[part] - 1) / at.part.unit;
        int64_t capacity = next_capacity(at.bound, high, step);
        enum search_result result = decide(&at, capacity);

        if (result == SEARCH_SOLVED) {
            take_packing(&at);
            step = 1;
        } else if (result == SEARCH_REFUTED) {
            at.bound = capacity + 1;
            part_runs_raise_bound(runs, at.bound * at.part.unit);
            step *= 2;
        } else {
            over = capacity == at.bound || runs->timed_out || nodes_left(&at) == 0;
            step = 1;
        }
    }
    part_end(&at);
    return !over;
}

/* Buffers of several pieces have a search of their own.  */
static bool solve_any(struct part_runs *runs, size_t part)
{
    return piece_part(runs, part) ? piece_minimise(runs, part) : solve_part(runs, part);
}

/* Placements that the planner section-first may spend on the first plan, which is
 * often at the load: few for small instances, which are proven faster than that.  */
static int64_t first_nodes(const struct instance *instance, const struct solver_env *env)
{
    int64_t nodes = section_plan_nodes(instance->n), n = (int64_t)instance->n;

    if (n < MANY_BUFFERS)
        nodes = min64(nodes, n * n + LEAST_FIRST_NODES);
    return env->work_limit > 0 ? min64(nodes, env->work_limit / 2) : nodes;
}

/* True when the first plan is at the load: then nothing else is needed, nor the memory
 * that sections of all buffers would take.  */
static bool plan_first(const struct instance *instance, const struct solver_env *env,
                       struct plan *plan)
{
    struct section_plan_limits limits = {first_nodes(instance, env), INFINITY};

    if (env->time_limit > 0.0)
        limits.deadline = timer_now() + FIRST_SHARE * env->time_limit;
    section_plan(instance, env, &limits, false, plan);
    if (plan->peak > instance->load)
        return false;
    plan->lower_bound = instance->load;
    if (env->bound != NULL)
        env->bound(env->context, instance->load);
    return true;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    /* Buffers of several pieces are no rectangles, which is all that it plans.  */
    bool rectangles = !instance->shapes && is_on(env->params, "planner");
    struct plan *first = plan_new(instance);
    struct part_runs runs;

    if (rectangles && plan_first(instance, env, plan)) {
        plan_free(first);
        return OUTCOME_OPTIMAL;
    }
    plan_copy(first, plan);
    part_runs_begin(&runs, instance, env, plan);
    if (rectangles && first->peak < plan->peak)
        plan_copy(plan, first);
    plan_free(first);
    return part_runs_solve(&runs, solve_any);
}

#define SWITCH(name, help)                                 \
    {                                                      \
        name, PARAM_CHOICE, "on", "off|on", 0.0, 0.0, help \
    }
static const struct param params[] = {
    SWITCH("planner", "begin with section-first's plan"),
    SWITCH("windows", "refute capacities by time windows"),
    SWITCH("learning", "nogoods, backjumping (refuting)"),
    SWITCH("notfirst", "a member that can't be the lowest lies above another"),
    SWITCH("subset", "not-first by subsets of the others (refuting)"),
    SWITCH("mirror", "a large buffer lies in the lower half (refuting)"),
    SWITCH("memo", "a table of refuted states (without learning)"),
    SWITCH("decomposition", "pieces of time that share no unplaced buffer, one by one"),
    SWITCH("orders", "decide the orders of pairs, one by one"),
    SWITCH("fullwidth", "cut buffers that span a window out of it"),
    {"nogoods", PARAM_INT, "200", NULL, 0.0, 1000000.0, "kept in the database"},
    PARAM_END,
};

const struct solver solver_branch_and_bound = {
    .name = "branch-and-bound",
    .title = "Section search, exact",
    .source = "this project",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_SHAPES,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
