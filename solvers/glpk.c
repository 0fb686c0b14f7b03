/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glpk: optimal offsets by branch and bound over an integer model.
 *
 * The time axis is cut where nothing is alive.  The parts are solved one by
 * one, the one with the highest plan first, each only as far as it matters for
 * the peak of the whole: down to the best bound known.  A part whose greedy
 * plan is there already needs no model.
 *
 * Sources: the model with one binary a pair of buffers is the usual one of the
 * field (for example T. Sekiyama et al., "Profile-guided memory optimization
 * for deep neural networks", 2018); the clique rows, which make it solvable,
 * are this project's (solvers/search/dsa_model.h has both forms; model=bigm
 * differs in nothing but its rows).  The search is GLPK's; at each node a plan
 * is built from the order of the relaxed offsets and handed to it.
 * Buffers of several pieces may interlock: a binary for each two of their pieces;
 * with pieces=off they are rectangles, and nothing is called optimal.
 * With warm=search each part starts from what a short run of branch-and-bound's search
 * over the orders of pairs has found and proven (planner/disjunctive/pairs_minimise.h).
 * Complexity: exponential.  About 200 overlapping pairs take seconds.
 * Guarantee: none on time; what it calls optimal is.  The offsets are rebuilt
 * from the binaries in whole numbers, and only their peak counts; of the
 * search's floating-point bound only the part that rounding can't have made is
 * believed.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/gap_index.h"
#include "lib/place/part_runs.h"
#include "lib/place/shape_fit.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "planner/disjunctive/pairs_minimise.h"
#include "solvers/search/dsa_model.h"
#include "solvers/solver.h"

enum { WARM_GREEDY, WARM_SEARCH };

/* The part that is being solved.  */
struct part_run {
    struct part_runs *runs;
    struct part_instance part;
    struct dsa_model *model;
    struct plan *trial; /* of the part */
    struct order_key *key;
    int64_t known; /* peak of the best plan that GLPK knows */
};

/* --- what the search reports --- */

/* Takes the trial plan over if it is better.  */
static void offer(struct part_run *at)
{
    part_runs_offer(at->runs, &at->part, at->trial->offset,
                    plan_peak(at->part.instance, at->trial));
}

static void on_incumbent(void *context, const double *value)
{
    struct part_run *at = context;

    if (dsa_model_offsets(at->model, value, at->trial->offset))
        offer(at);
}

/* Puts the buffers down by the offsets that they have in a relaxation, each in
 * the lowest gap: often far better than any fixed order.  GLPK knows nothing of
 * the plans found before, so the first call passes on the greedy one.  */
static bool on_relaxation(void *context, const double *relaxed, double *solution)
{
    struct part_run *at = context;
    struct part_runs *run = at->runs;

    for (size_t i = 0; i < at->part.instance->n; i++) {
        double offset = dsa_model_relaxed_offset(at->model, relaxed, i);

        /* A 2^20th of a unit is finer than the tolerances.  */
        at->key[i] = (struct order_key){key_ascending(llround(ldexp(fmax(offset, 0.0), 20))), 0, i};
    }
    order_sort(at->key, at->part.instance->n);
    if (at->part.instance->shapes)
        shape_place(at->part.instance, at->key, at->trial);
    else
        gap_place(at->part.instance, at->key, FIT_FIRST, at->trial);
    offer(at);
    if (run->peak[at->part.part] >= at->known)
        return false;
    at->known = run->peak[at->part.part];
    for (size_t i = 0; i < at->part.instance->n; i++)
        at->trial->offset[i] = run->plan->offset[at->part.member[i]];
    dsa_model_solution(at->model, at->trial->offset, solution);
    return true;
}

/* BOUND is in units, and a bound of max(H, what is known for the whole).  GLPK
 * computes with tolerances of 1e-7, relative to the numbers at hand; what is
 * within a few of them of a whole number is not proven to be above it.  Where
 * the units are so fine that this is more than one of them, bounds lose their
 * last units, and only plans that reach the load are called optimal.  */
static void on_bound(void *context, double bound)
{
    struct part_run *at = context;
    double sure = ceil(bound - 1e-6 - 2e-7 * fabs(bound));
    int64_t bytes;

    if (sure > 0.0 && sure < 9.0e15 && checked_mul((int64_t)sure, at->part.unit, &bytes))
        part_runs_raise_bound(at->runs, min64(bytes, at->runs->peak[at->part.part]));
}

/* --- one part --- */

static void part_begin(struct part_run *at, struct part_runs *runs, size_t part)
{
    *at = (struct part_run){.runs = runs, .known = INT64_MAX};
    part_instance_begin(&at->part, runs, part);
    at->trial = plan_new(at->part.instance);
    at->key = memory_alloc(at->part.instance->n, sizeof *at->key);
}

static void part_end(struct part_run *at)
{
    dsa_model_free(at->model);
    part_instance_end(&at->part);
    free(at->key);
    plan_free(at->trial);
}

/* How far from 0 or 1 a binary may be: times the largest coefficient it has to
 * stay well below one unit.  */
static double integrality(int64_t high)
{
    return fmax(1e-9, fmin(1e-5, 0.1 / (double)high));
}

static enum milp_result search(struct part_run *at, int64_t low, int64_t high)
{
    struct part_runs *run = at->runs;
    const struct solver_env *env = run->env;
    const struct milp_limits limits = {
        .time_s = isinf(run->deadline) ? 0.0 : fmax(1e-3, run->deadline - timer_now()),
        .nodes = env->work_limit > 0 ? env->work_limit - run->plan->nodes : 0,
        .cuts = params_on(env->params, "cuts"),
        .stop_at = (double)low + 1e-6 * (double)low,
        .integrality = integrality(high),
        .memory_bytes = env->memory_limit,
    };
    bool rounding = params_on(env->params, "rounding");
    const struct milp_callbacks callbacks = {on_incumbent, rounding ? on_relaxation : NULL,
                                             on_bound, at};
    struct milp *milp = dsa_model_milp(at->model);
    int64_t nodes = 0;
    enum milp_result result = milp_solve(milp, &limits, &callbacks, NULL, NULL, &nodes);

    run->plan->nodes += nodes;
    search_statistics_add(env->statistics, STATISTIC_MODEL_ROWS, (int64_t)milp_rows(milp));
    search_statistics_add(env->statistics, STATISTIC_MODEL_COLUMNS, (int64_t)milp_columns(milp));
    search_statistics_add(env->statistics, STATISTIC_TREE_NODES, nodes);
    return result;
}

/* Says why the part could not be finished; false for the caller's sake.  */
static bool give_up(struct part_run *at, enum milp_result result)
{
    struct plan *plan = at->runs->plan;

    if (milp_timed_out(dsa_model_milp(at->model)))
        at->runs->timed_out = true;
    else if (result == MILP_ERROR)
        snprintf(plan->note, sizeof plan->note, "%.150s", milp_error(dsa_model_milp(at->model)));
    else if (result == MILP_INFEASIBLE)
        snprintf(plan->note, sizeof plan->note, "GLPK lost all solutions: numerical trouble");
    else if (at->runs->env->work_limit > 0 && plan->nodes >= at->runs->env->work_limit)
        snprintf(plan->note, sizeof plan->note, "work limit of %" PRId64 " nodes",
                 at->runs->env->work_limit);
    else
        snprintf(plan->note, sizeof plan->note,
                 "units of %" PRId64 " bytes are too fine for a proof in floating point",
                 at->part.unit);
    return false;
}

/* A start from the search over the orders of pairs: a plan and a bound.  False when
 * nothing is left to do, or to do it with.  */
static bool warm_up(struct part_runs *run, size_t part)
{
    const struct solver_env *env = run->env;

    pairs_tighten(run, part, params_int(env->params, "warm-nodes"));
    if (env->work_limit > 0 && run->plan->nodes >= env->work_limit)
        snprintf(run->plan->note, sizeof run->plan->note, "work limit of %" PRId64 " nodes",
                 env->work_limit);
    else if (!run->timed_out)
        return run->peak[part] > run->bound;
    return false;
}

/* True when no plan of this part keeps the peak of the whole from BOUND.  */
static bool solve_part(struct part_runs *run, size_t part)
{
    struct part_run at;
    int64_t pairs, most = params_int(run->env->params, "max-pairs"), low, high;
    enum milp_result result;
    bool done;

    part_begin(&at, run, part);
    pairs = instance_overlapping_pairs(at.part.instance);
    if (pairs > most) {
        snprintf(run->plan->note, sizeof run->plan->note,
                 "no model: %" PRId64 " overlapping pairs, more than max-pairs=%" PRId64, pairs,
                 most);
        part_end(&at);
        return false;
    }
    if (params_choice(run->env->params, "warm") == WARM_SEARCH && !warm_up(run, part)) {
        part_end(&at);
        return run->peak[part] <= run->bound;
    }
    /* The part need not get below what is proven for the whole.  Whole units
     * only: its optimum is one.  */
    low = max64(at.part.instance->load, run->bound) / at.part.unit;
    high = run->peak[part] / at.part.unit;
    at.model = dsa_model_new(at.part.instance, params_choice(run->env->params, "model"), low, high,
                             run->deadline);
    if (at.model == NULL) {
        run->timed_out = true;
        part_end(&at);
        return false;
    }
    result = search(&at, low, high);
    done = run->peak[part] <= run->bound || give_up(&at, result);
    part_end(&at);
    return done;
}

/* Knows the pieces: better than any plan of rectangles where buffers interlock.  */
static void improve_start(const struct instance *instance, struct plan *plan)
{
    struct plan *trial = plan_new(instance);

    shape_place_best(instance, trial);
    if (trial->peak < plan->peak)
        plan_copy(plan, trial);
    plan_free(trial);
}

static enum outcome minimise(struct part_runs *runs)
{
    if (runs->instance->shapes && runs->plan->peak > runs->instance->load)
        improve_start(runs->instance, runs->plan);
    return part_runs_solve(runs, solve_part);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct part_runs runs;
    struct instance *joined;
    enum outcome outcome;

    if (!instance->shapes || params_on(env->params, "pieces")) {
        part_runs_begin(&runs, instance, env, solver_deadline(env), plan);
        return minimise(&runs);
    }
    /* What is proven of the rectangles says nothing of the pieces.  */
    joined = instance_joined(instance);
    part_runs_begin(&runs, joined, env, solver_deadline(env), plan);
    runs.joined = true;
    outcome = minimise(&runs);
    instance_free(joined);
    plan->lower_bound = instance->load;
    return outcome == OUTCOME_OPTIMAL ? OUTCOME_FEASIBLE : outcome;
}

/* --- the model as a file --- */

/* Of the whole time axis, between the load and a greedy plan.  */
static bool write_whole(const struct instance *instance, const struct params *params,
                        enum model_format format, const char *path, struct error *error)
{
    enum dsa_form form = params_choice(params, "model");
    struct plan *plan = plan_new(instance);
    int64_t unit = dsa_unit(instance);
    struct dsa_model *model;
    bool done;

    best_greedy_of_all(instance, INFINITY, plan);
    if (instance->shapes)
        improve_start(instance, plan);
    model = dsa_model_new(instance, form, (instance->load + unit - 1) / unit, plan->peak / unit,
                          INFINITY);
    dsa_model_name(model);
    done = milp_write(dsa_model_milp(model), format == MODEL_LP ? MILP_LP : MILP_MPS,
                      instance->name, path, error);
    dsa_model_free(model);
    plan_free(plan);
    return done;
}

static bool write_model(const struct instance *instance, const struct params *params,
                        enum model_format format, const char *path, struct error *error)
{
    int64_t pairs = instance_overlapping_pairs(instance), most = params_int(params, "max-pairs");
    struct instance *joined;
    bool done;

    if (pairs > most)
        return error_set(
            error, "no model: %" PRId64 " overlapping pairs, more than glpk:max-pairs=%" PRId64,
            pairs, most);
    if (params_on(params, "pieces"))
        return write_whole(instance, params, format, path, error);
    joined = instance_joined(instance);
    done = write_whole(joined, params, format, path, error);
    instance_free(joined);
    return done;
}

static const struct param params[] = {
    PARAM_ENUM("model", "clique", "rows: pairs and cliques, or pairs alone", {"clique", DSA_CLIQUE},
               {"bigm", DSA_BIG_M}),
    PARAM_SWITCH("rounding", "on", "build a plan from the relaxation of each node"),
    PARAM_ENUM(
        "warm", "greedy",
        "start from the best greedy plan, or also from branch-and-bound's search over orders",
        {"greedy", WARM_GREEDY}, {"search", WARM_SEARCH}),
    {"warm-nodes", PARAM_INT, "500", NULL, 0.0, PARAM_NO_LIMIT,
     "choices of that search: 500 are tens of milliseconds"},
    PARAM_SWITCH("cuts", "off", "GLPK's Gomory, MIR, cover and clique cuts"),
    {"max-pairs", PARAM_INT, "20000", NULL, 0.0, PARAM_NO_LIMIT,
     "overlapping pairs in a part of the time axis beyond which no model is built"},
    PARAM_SWITCH("pieces", "on",
                 "buffers of several pieces may interlock, or are their bounding rectangles"),
    PARAM_END,
};

const struct solver solver_glpk = {
    .name = "glpk",
    .title = "Integer model, GLPK",
    .source = "this project; GLPK",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .write_model = write_model,
    .solve = solve,
};
