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
 * are this project's (solvers/common/dsa_model.h has both forms; model=bigm
 * differs in nothing but its rows).  The search is GLPK's; at each node a plan
 * is built from the order of the relaxed offsets and handed to it.
 * Buffers of several pieces may interlock: a binary for each two of their parts;
 * with pieces=off they are rectangles, and nothing is called optimal.
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

#include "lib/checked.h"
#include "lib/glpk_milp.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/best_greedy.h"
#include "solvers/common/dsa_model.h"
#include "solvers/common/gap_index.h"
#include "solvers/common/order.h"
#include "solvers/common/shape_fit.h"
#include "solvers/common/time_parts.h"
#include "solvers/solver.h"

struct run {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan; /* the best so far */
    size_t parts;
    size_t *part;    /* of each buffer */
    int64_t *peak;   /* of each part in the best plan */
    int64_t bound;   /* proven for the whole */
    double deadline; /* by timer_now; INFINITY: none */
    bool timed_out;
    bool joined; /* instance is another one's bounding rectangles: it proves nothing */
};

/* The part that is being solved.  */
struct part_run {
    struct run *run;
    size_t part;
    size_t *member; /* member[i]: buffer i of the part in the whole instance */
    struct instance *instance;
    struct dsa_model *model;
    int64_t unit;
    struct plan *trial; /* of the part */
    struct order_key *key;
    int64_t known; /* peak of the best plan that GLPK knows */
};

static void stream_plan(struct run *run)
{
    if (run->env->incumbent != NULL)
        run->env->incumbent(run->env->context, run->plan);
}

static void raise_bound(struct run *run, int64_t bound)
{
    if (bound <= run->bound)
        return;
    run->bound = bound;
    if (run->joined)
        return;
    run->plan->lower_bound = bound;
    if (run->env->bound != NULL)
        run->env->bound(run->env->context, bound);
}

/* --- what the search reports --- */

/* Takes the trial plan over if it is better.  The whole gets better only when
 * no other part is as high.  */
static void offer(struct part_run *at)
{
    struct run *run = at->run;
    int64_t peak = plan_peak(at->instance, at->trial), before = run->plan->peak;

    if (peak >= run->peak[at->part])
        return;
    run->peak[at->part] = peak;
    for (size_t i = 0; i < at->instance->n; i++)
        run->plan->offset[at->member[i]] = at->trial->offset[i];
    run->plan->peak = plan_peak(run->instance, run->plan);
    if (run->plan->peak < before)
        stream_plan(run);
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
    struct run *run = at->run;

    for (size_t i = 0; i < at->instance->n; i++) {
        double offset = dsa_model_relaxed_offset(at->model, relaxed, i);

        /* A 2^20th of a unit is finer than the tolerances.  */
        at->key[i] = (struct order_key){key_ascending(llround(ldexp(fmax(offset, 0.0), 20))), 0, i};
    }
    order_sort(at->key, at->instance->n);
    if (at->instance->shapes)
        shape_place(at->instance, at->key, at->trial);
    else
        gap_place(at->instance, at->key, FIT_FIRST, at->trial);
    offer(at);
    if (run->peak[at->part] >= at->known)
        return false;
    at->known = run->peak[at->part];
    for (size_t i = 0; i < at->instance->n; i++)
        at->trial->offset[i] = run->plan->offset[at->member[i]];
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

    if (sure > 0.0 && sure < 9.0e15 && checked_mul((int64_t)sure, at->unit, &bytes))
        raise_bound(at->run, min64(bytes, at->run->peak[at->part]));
}

/* --- one part --- */

static void part_begin(struct part_run *at, struct run *run, size_t part)
{
    size_t count = 0;

    *at = (struct part_run){.run = run, .part = part, .known = INT64_MAX};
    at->member = memory_alloc(run->instance->n, sizeof *at->member);
    for (size_t b = 0; b < run->instance->n; b++)
        if (run->part[b] == part)
            at->member[count++] = b;
    at->instance = instance_subset(run->instance, at->member, count);
    at->unit = dsa_unit(at->instance);
    at->trial = plan_new(at->instance);
    at->key = memory_alloc(count, sizeof *at->key);
}

static void part_end(struct part_run *at)
{
    dsa_model_free(at->model);
    instance_free(at->instance);
    free(at->member);
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
    struct run *run = at->run;
    const struct solver_env *env = run->env;
    const struct milp_limits limits = {
        .time_s = isinf(run->deadline) ? 0.0 : fmax(1e-3, run->deadline - timer_now()),
        .nodes = env->work_limit > 0 ? env->work_limit - run->plan->nodes : 0,
        .cuts = params_choice(env->params, "cuts") == 1,
        .stop_at = (double)low + 1e-6 * (double)low,
        .integrality = integrality(high),
        .memory_bytes = env->memory_limit,
    };
    bool rounding = params_choice(env->params, "rounding") == 0;
    const struct milp_callbacks callbacks = {on_incumbent, rounding ? on_relaxation : NULL,
                                             on_bound, at};
    int64_t nodes = 0;
    enum milp_result result =
        milp_solve(dsa_model_milp(at->model), &limits, &callbacks, NULL, NULL, &nodes);

    run->plan->nodes += nodes;
    return result;
}

/* Says why the part could not be finished; false for the caller's sake.  */
static bool give_up(struct part_run *at, enum milp_result result)
{
    struct plan *plan = at->run->plan;

    if (milp_timed_out(dsa_model_milp(at->model)))
        at->run->timed_out = true;
    else if (result == MILP_ERROR)
        snprintf(plan->note, sizeof plan->note, "%.150s", milp_error(dsa_model_milp(at->model)));
    else if (result == MILP_INFEASIBLE)
        snprintf(plan->note, sizeof plan->note, "GLPK lost all solutions: numerical trouble");
    else if (at->run->env->work_limit > 0 && plan->nodes >= at->run->env->work_limit)
        snprintf(plan->note, sizeof plan->note, "work limit of %" PRId64 " nodes",
                 at->run->env->work_limit);
    else
        snprintf(plan->note, sizeof plan->note,
                 "units of %" PRId64 " bytes are too fine for a proof in floating point", at->unit);
    return false;
}

/* True when no plan of this part keeps the peak of the whole from BOUND.  */
static bool solve_part(struct run *run, size_t part)
{
    struct part_run at;
    int64_t pairs, most = params_int(run->env->params, "max-pairs"), low, high;
    enum milp_result result;
    bool done;

    part_begin(&at, run, part);
    pairs = instance_overlapping_pairs(at.instance);
    if (pairs > most) {
        snprintf(run->plan->note, sizeof run->plan->note,
                 "no model: %" PRId64 " overlapping pairs, more than max-pairs=%" PRId64, pairs,
                 most);
        part_end(&at);
        return false;
    }
    /* The part need not get below what is proven for the whole.  Whole units
     * only: its optimum is one.  */
    low = max64(at.instance->load, run->bound) / at.unit;
    high = run->peak[part] / at.unit;
    at.model = dsa_model_new(at.instance,
                             params_choice(run->env->params, "model") == 1 ? DSA_BIG_M : DSA_CLIQUE,
                             low, high, run->deadline);
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

/* The part with the highest plan; the first of equal ones.  */
static size_t worst_part(const struct run *run)
{
    size_t worst = 0;

    for (size_t p = 1; p < run->parts; p++)
        if (run->peak[p] > run->peak[worst])
            worst = p;
    return worst;
}

static bool limits_reached(struct run *run)
{
    if (timer_now() >= run->deadline)
        run->timed_out = true;
    return run->timed_out || (run->env->work_limit > 0 && run->plan->nodes >= run->env->work_limit);
}

/* Largest first, but with the pieces: better than any plan of rectangles where
 * buffers interlock.  */
static void improve_start(struct run *run)
{
    const struct instance *instance = run->instance;
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    struct plan *trial = plan_new(instance);

    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){key_descending(instance->buffer[b].size), 0, b};
    order_sort(key, instance->n);
    shape_place(instance, key, trial);
    if (trial->peak < run->plan->peak)
        plan_copy(run->plan, trial);
    plan_free(trial);
    free(key);
}

/* Fills in the plan for RUN's instance.  */
static enum outcome minimise(struct run *run)
{
    const struct instance *instance = run->instance;
    const struct solver_env *env = run->env;
    struct plan *plan = run->plan;

    /* GLPK looks at the clock between iterations and has to clear up after.  */
    if (env->time_limit > 0.0)
        run->deadline = timer_now() + 0.98 * env->time_limit;
    run->part = memory_alloc(instance->n, sizeof *run->part);
    run->parts = time_parts(instance, run->part);
    run->peak = memory_zalloc(run->parts, sizeof *run->peak);
    best_greedy(instance, run->part, run->parts, plan);
    if (instance->shapes && plan->peak > instance->load)
        improve_start(run);
    time_parts_peaks(instance, run->part, run->parts, plan, run->peak);
    stream_plan(run);
    raise_bound(run, instance->load);
    while (plan->peak > run->bound && !limits_reached(run))
        if (!solve_part(run, worst_part(run)))
            break;
    free(run->part);
    free(run->peak);
    if (plan->peak == run->bound)
        return OUTCOME_OPTIMAL;
    return run->timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct run run = {.instance = instance, .env = env, .plan = plan, .deadline = INFINITY};
    struct instance *joined;
    enum outcome outcome;

    if (!instance->shapes || params_choice(env->params, "pieces") == 0)
        return minimise(&run);
    /* What is proven of the rectangles says nothing of the pieces.  */
    joined = instance_joined(instance);
    run.instance = joined;
    run.joined = true;
    outcome = minimise(&run);
    instance_free(joined);
    plan->lower_bound = instance->load;
    return outcome == OUTCOME_OPTIMAL ? OUTCOME_FEASIBLE : outcome;
}

static const struct param params[] = {
    {"model", PARAM_CHOICE, "clique", "clique|bigm", 0.0, 0.0,
     "rows: pairs and cliques, or pairs alone"},
    {"rounding", PARAM_CHOICE, "on", "on|off", 0.0, 0.0,
     "build a plan from the relaxation of each node"},
    {"cuts", PARAM_CHOICE, "off", "off|on", 0.0, 0.0, "GLPK's Gomory, MIR, cover and clique cuts"},
    {"max-pairs", PARAM_INT, "20000", NULL, 0.0, PARAM_NO_LIMIT,
     "overlapping pairs in a part of the time axis beyond which no model is built"},
    {"pieces", PARAM_CHOICE, "on", "on|off", 0.0, 0.0,
     "buffers of several pieces may interlock, or are their bounding rectangles"},
    PARAM_END,
};

const struct solver solver_glpk = {
    .name = "glpk",
    .title = "Integer model, GLPK",
    .source = "this project; GLPK",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHAPES,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
