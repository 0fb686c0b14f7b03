/* branch-and-bound: optimal offsets by searching section by section.
 *
 * Each part of the time axis (solvers/common/part_runs.h) has a lower bound, at first its load, and
 * an upper bound, at first the best greedy plan.  Whether a capacity is enough is decided by two
 * searches in turn, with ever larger budgets: one for a packing of the whole part
 * (solvers/common/section_search.h), which may also find that there is none, and one
 * for a window of time that has none (solvers/common/section_windows.h).  A packing
 * lowers the upper bound to its peak; a refutation raises the lower bound above the
 * capacity.  The first capacity asked is the lower bound; after refutations the
 * steps double, after a packing they begin with 1 again.
 *
 * A part with buffers of several pieces, which may interlock, is decided by the orders of
 * its pairs instead (solvers/common/piece_search.h).
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

#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/part_runs.h"
#include "solvers/common/piece_minimise.h"
#include "solvers/common/section_search.h"
#include "solvers/common/section_windows.h"
#include "solvers/solver.h"

/* Placements of the first round of each search; each round has four times as many.  */
#define FIRST_PACKING_NODES 10000
#define FIRST_WINDOW_NODES 200
#define BUDGET_GROWTH 4

#define MEMO_BYTES ((size_t)64 << 20)
#define WINDOW_MEMO_BYTES ((size_t)8 << 20)

/* The part that is being solved.  Capacities are in units.  */
struct part_run {
    struct part_runs *runs;
    struct part_instance part;
    struct section_problem *problem;
    struct section_options find, refute; /* which techniques the searches use */
    struct section_search search;
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
    at->refute.nogoods = (size_t)params_int(params, "nogoods");
    if (params_int(params, "xl")) {
        bool r = at->find.restarts;
        at->find = at->refute;
        at->find.restarts = r && params_int(params, "xl") == 1;
    }
}

static void part_begin(struct part_run *at, struct part_runs *runs, size_t part)
{
    *at = (struct part_run){.runs = runs};
    part_instance_begin(&at->part, runs, part);
    at->problem = section_problem_new(at->part.instance, at->part.unit);
    read_options(at, runs->env->params);
    section_search_init(&at->search, at->problem, &at->find, MEMO_BYTES, runs->env->seed);
    section_windows_init(&at->windows, at->problem, &at->refute,
                         is_on(runs->env->params, "fullwidth"), WINDOW_MEMO_BYTES, runs->env->seed);
}

static void part_end(struct part_run *at)
{
    at->runs->plan->nodes += at->search.nodes + at->windows.nodes;
    section_search_clear(&at->search);
    section_windows_clear(&at->windows);
    section_problem_free(at->problem);
    part_instance_end(&at->part);
}

static int64_t nodes_left(const struct part_run *at)
{
    int64_t limit = at->runs->env->work_limit;

    if (limit <= 0)
        return INT64_MAX / 2;
    return max64(0, limit - at->runs->plan->nodes - at->search.nodes - at->windows.nodes);
}

/* Takes over the packing that the search has found.  */
static void take_packing(struct part_run *at)
{
    size_t n = at->problem->n;
    int64_t *offset = memory_alloc(n, sizeof *offset), peak = 0;

    for (size_t i = 0; i < n; i++) {
        offset[i] = at->search.state.start[i] * at->part.unit;
        peak = max64(peak, section_state_end(&at->search.state, i) * at->part.unit);
    }
    part_runs_offer(at->runs, &at->part, offset, peak);
    free(offset);
}

/* Decides CAPACITY, both searches in turn.  */
static enum search_result decide(struct part_run *at, int64_t capacity)
{
    int64_t packing = FIRST_PACKING_NODES, window = FIRST_WINDOW_NODES;

    for (;;) {
        enum search_result result = section_search_run(
            &at->search, capacity, min64(packing, nodes_left(at)), at->runs->deadline);

        if (result != SEARCH_STOPPED)
            return result;
        if (is_on(at->runs->env->params, "windows") &&
            section_windows_refute(&at->windows, capacity, min64(window, nodes_left(at)),
                                   at->runs->deadline))
            return SEARCH_REFUTED;
        if (timer_now() >= at->runs->deadline) {
            at->runs->timed_out = true;
            return SEARCH_STOPPED;
        }
        if (nodes_left(at) == 0)
            return SEARCH_STOPPED;
        packing *= BUDGET_GROWTH;
        window *= BUDGET_GROWTH;
    }
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
    enum search_result result = SEARCH_SOLVED;
    struct part_run at;
    int64_t step = 1;

    part_begin(&at, runs, part);
    at.bound = runs->bound / at.part.unit;
    while (result != SEARCH_STOPPED && runs->peak[part] > at.bound * at.part.unit &&
           runs->peak[part] > runs->bound) {
        int64_t high = (runs->peak[part] - 1) / at.part.unit;
        int64_t capacity = next_capacity(at.bound, high, step);

        result = decide(&at, capacity);
        if (result == SEARCH_SOLVED) {
            take_packing(&at);
            step = 1;
        } else if (result == SEARCH_REFUTED) {
            at.bound = capacity + 1;
            part_runs_raise_bound(runs, at.bound * at.part.unit);
            step *= 2;
        }
    }
    part_end(&at);
    return result != SEARCH_STOPPED;
}

/* Buffers of several pieces have a search of their own.  */
static bool solve_any(struct part_runs *runs, size_t part)
{
    return piece_part(runs, part) ? piece_minimise(runs, part) : solve_part(runs, part);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct part_runs runs;

    part_runs_begin(&runs, instance, env, plan);
    return part_runs_solve(&runs, solve_any);
}

#define SWITCH(name, help)                                 \
    {                                                      \
        name, PARAM_CHOICE, "on", "off|on", 0.0, 0.0, help \
    }
static const struct param params[] = {
    SWITCH("windows", "refute capacities by time windows"),
    SWITCH("learning", "nogoods, backjumping (refuting)"),
    SWITCH("notfirst", "a member that can't be the lowest lies above another"),
    SWITCH("subset", "not-first by subsets of the others (refuting)"),
    SWITCH("mirror", "a large buffer lies in the lower half (refuting)"),
    SWITCH("memo", "a table of refuted states (without learning)"),
    SWITCH("decomposition", "pieces of time that share no unplaced buffer, one by one"),
    SWITCH("fullwidth", "cut buffers that span a window out of it"),
    {"nogoods", PARAM_INT, "200", NULL, 0.0, 1000000.0, "size of the database of nogoods"},
    {"xl", PARAM_INT, "0", NULL, 0.0, 1000000.0, "size of the database of nogoods"},
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
