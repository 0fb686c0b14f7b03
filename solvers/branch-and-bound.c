/* branch-and-bound: optimal offsets by searching section by section.
 *
 * The time axis is cut where nothing is alive; the parts are solved one by one, the
 * one with the highest plan first, each only as far as it matters for the peak of
 * the whole.  A part has a lower bound, at first its load, and an upper bound, at
 * first the best greedy plan.  Whether a capacity is enough is decided by two
 * searches in turn, with ever larger budgets: one for a packing of the whole part
 * (solvers/common/section_search.h), which may also find that there is none, and one
 * for a window of time that has none (solvers/common/section_windows.h).  A packing
 * lowers the upper bound to its peak; a refutation raises the lower bound above the
 * capacity.  The first capacity asked is the lower bound; after refutations the
 * steps double, after a packing they begin with 1 again.
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

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/best_greedy.h"
#include "solvers/common/dsa_model.h"
#include "solvers/common/section_search.h"
#include "solvers/common/section_windows.h"
#include "solvers/common/time_parts.h"
#include "solvers/solver.h"

/* Placements of the first round of each search; each round has four times as many.  */
#define FIRST_PACKING_NODES 10000
#define FIRST_WINDOW_NODES 200
#define BUDGET_GROWTH 4

#define MEMO_BYTES ((size_t)64 << 20)
#define WINDOW_MEMO_BYTES ((size_t)8 << 20)

struct run {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan; /* the best so far */
    size_t parts;
    size_t *part;   /* of each buffer */
    int64_t *peak;  /* of each part in the best plan */
    int64_t *bound; /* proven for each part */
    double deadline;
    bool timed_out;
};

/* The part that is being solved.  Capacities are in units.  */
struct part_run {
    struct run *run;
    size_t part;
    size_t *member; /* buffer i of the part in the whole instance */
    struct instance *instance;
    int64_t unit;
    struct section_problem *problem;
    struct section_search search;
    struct section_windows windows;
};

static void part_begin(struct part_run *at, struct run *run, size_t part)
{
    size_t count = 0;

    *at = (struct part_run){.run = run, .part = part};
    at->member = memory_alloc(run->instance->n, sizeof *at->member);
    for (size_t b = 0; b < run->instance->n; b++)
        if (run->part[b] == part)
            at->member[count++] = b;
    at->instance = instance_subset(run->instance, at->member, count);
    at->unit = dsa_unit(at->instance);
    at->problem = section_problem_new(at->instance, at->unit);
    section_search_init(&at->search, at->problem, MEMO_BYTES, run->env->seed);
    section_windows_init(&at->windows, at->problem, WINDOW_MEMO_BYTES, run->env->seed);
}

static void part_end(struct part_run *at)
{
    at->run->plan->nodes += at->search.nodes + at->windows.nodes;
    section_search_clear(&at->search);
    section_windows_clear(&at->windows);
    section_problem_free(at->problem);
    instance_free(at->instance);
    free(at->member);
}

static int64_t nodes_left(const struct part_run *at)
{
    int64_t limit = at->run->env->work_limit;

    if (limit <= 0)
        return INT64_MAX / 2;
    return max64(0, limit - at->run->plan->nodes - at->search.nodes - at->windows.nodes);
}

/* The bound of the whole is the largest of its parts'.  */
static void report_bound(struct run *run)
{
    int64_t bound = run->instance->load;

    for (size_t p = 0; p < run->parts; p++)
        bound = max64(bound, run->bound[p]);
    if (bound <= run->plan->lower_bound)
        return;
    run->plan->lower_bound = bound;
    if (run->env->bound != NULL)
        run->env->bound(run->env->context, bound);
}

/* Takes over the packing that the search has found.  */
static void take_packing(struct part_run *at)
{
    struct run *run = at->run;
    int64_t peak = 0, before = run->plan->peak;

    for (size_t i = 0; i < at->instance->n; i++)
        peak = max64(peak, section_state_end(&at->search.state, i) * at->unit);
    if (peak >= run->peak[at->part])
        return;
    run->peak[at->part] = peak;
    for (size_t i = 0; i < at->instance->n; i++)
        run->plan->offset[at->member[i]] = at->search.state.start[i] * at->unit;
    run->plan->peak = 0;
    for (size_t p = 0; p < run->parts; p++)
        run->plan->peak = max64(run->plan->peak, run->peak[p]);
    if (run->plan->peak < before && run->env->incumbent != NULL)
        run->env->incumbent(run->env->context, run->plan);
}

/* Decides CAPACITY, both searches in turn.  */
static enum search_result decide(struct part_run *at, int64_t capacity)
{
    int64_t packing = FIRST_PACKING_NODES, window = FIRST_WINDOW_NODES;

    for (;;) {
        enum search_result result = section_search_run(
            &at->search, capacity, min64(packing, nodes_left(at)), at->run->deadline);

        if (result != SEARCH_STOPPED)
            return result;
        if (section_windows_refute(&at->windows, capacity, min64(window, nodes_left(at)),
                                   at->run->deadline))
            return SEARCH_REFUTED;
        if (timer_now() >= at->run->deadline) {
            at->run->timed_out = true;
            return SEARCH_STOPPED;
        }
        if (nodes_left(at) == 0)
            return SEARCH_STOPPED;
        packing *= BUDGET_GROWTH;
        window *= BUDGET_GROWTH;
    }
}

/* Until the bounds of the part meet, or it is no longer what keeps the peak of the
 * whole up.  False at a limit.  */
static bool solve_part(struct run *run, size_t part)
{
    enum search_result result = SEARCH_SOLVED;
    struct part_run at;
    int64_t step = 1;

    part_begin(&at, run, part);
    while (run->peak[part] > max64(run->bound[part], run->plan->lower_bound)) {
        int64_t low = max64(run->bound[part], run->plan->lower_bound) / at.unit;
        int64_t high = (run->peak[part] - 1) / at.unit;
        int64_t capacity = min64(low + (step - 1), low + (high - low) / 2);

        if (step == 1)
            capacity = low;
        result = decide(&at, capacity);
        if (result == SEARCH_STOPPED)
            break;
        if (result == SEARCH_SOLVED) {
            take_packing(&at);
            step = 1;
        } else {
            run->bound[part] = (capacity + 1) * at.unit;
            report_bound(run);
            step *= 2;
        }
    }
    part_end(&at);
    return result != SEARCH_STOPPED;
}

static size_t worst_part(const struct run *run)
{
    size_t worst = 0;

    for (size_t p = 1; p < run->parts; p++)
        if (run->peak[p] > run->peak[worst])
            worst = p;
    return worst;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct run run = {.instance = instance, .env = env, .plan = plan, .deadline = INFINITY};

    if (env->time_limit > 0.0)
        run.deadline = timer_now() + 0.98 * env->time_limit;
    run.part = memory_alloc(instance->n, sizeof *run.part);
    run.parts = time_parts(instance, run.part);
    run.peak = memory_zalloc(run.parts, sizeof *run.peak);
    run.bound = memory_zalloc(run.parts, sizeof *run.bound);
    best_greedy(instance, run.part, run.parts, plan);
    time_parts_peaks(instance, run.part, run.parts, plan, run.peak);
    if (env->incumbent != NULL)
        env->incumbent(env->context, plan);
    report_bound(&run);
    while (plan->peak > plan->lower_bound && solve_part(&run, worst_part(&run)))
        ;
    free(run.part);
    free(run.peak);
    free(run.bound);
    if (plan->peak == plan->lower_bound)
        return OUTCOME_OPTIMAL;
    return run.timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

const struct solver solver_branch_and_bound = {
    .name = "branch-and-bound",
    .title = "Section search, exact",
    .source = "this project",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED,
    .layout = LAYOUT_ARENA,
    .solve = solve,
};
