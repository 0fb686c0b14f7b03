/* branch-and-bound: optimal offsets by searching section by section.
 *
 * The planner section-first (planner/dives/section_plan.h) makes the first plan; most
 * instances end there, at the load.  Otherwise each part of the time axis
 * (planner/greedy/part_runs.h) has a lower bound, at first its load, and an upper bound, at
 * first that plan or the best greedy one.  They are closed by searches in turn, on one thread
 * or two (planner/sections/section_minimise.h): some look for packings, others refute
 * capacities.
 *
 * A part with buffers of several pieces, which may interlock, is decided by the orders of
 * its pairs alone.
 *
 * Fixed offsets are least and latest starts to all of these (METHOD.md says why that is sound).
 *
 * A limit ends it with both bounds as they are: a limit refutes nothing.
 *
 * Source: this project.  Section first with failure weights is dom/wdeg (Boussemart,
 * Hemery, Lecoutre and Sais 2004) on the cliques of the interval graph; starts, ends
 * and not-first are those of scheduling a disjunctive resource (Carlier and Pinson
 * 1989), an address being a time.  It minimises what Moffitt's MiniMalloc (2023)
 * decides for one capacity.
 * Complexity: exponential; memory linear in the incidences of buffers and sections,
 * beside the memo, which is bounded.  With a limit, parts of more than a million incidences
 * are left to the planner, which may reach the load.
 * Guarantee: none on time; what it calls optimal is.  */
#include <config.h>

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "planner/dives/section_plan.h"
#include "planner/greedy/part_runs.h"
#include "planner/pairs/pairs_minimise.h"
#include "planner/sections/section_minimise.h"
#include "planner/sections/section_problem.h"
#include "solvers/solver.h"

/* For the first plan: nodes of instances with fewer buffers than many, and the share of a
 * time limit.  */
#define MANY_BUFFERS 1000
#define LEAST_FIRST_NODES 1000
#define FIRST_SHARE 0.5

static struct section_minimise_options read_options(const struct params *params)
{
    struct section_minimise_options options = {
        .find = {.not_first = params_on(params, "notfirst"),
                 .memo = params_on(params, "memo"),
                 .parts = params_on(params, "decomposition"),
                 .restarts = true},
        .learn = params_on(params, "learning"),
        .windows = params_on(params, "windows"),
        .full_width = params_on(params, "fullwidth"),
        .orders = params_on(params, "orders"),
        .guide = params_on(params, "guide"),
        .portfolio = params_on(params, "portfolio"),
        .dives = params_on(params, "planner"),
        .threads = (int)params_int(params, "threads"),
    };

    options.refute = options.find;
    options.refute.subsets = params_on(params, "subset");
    options.refute.mirror = params_on(params, "mirror");
    options.refute.learning = options.learn;
    options.refute.restarts = !options.learn;
    options.refute.nogoods = (size_t)params_int(params, "nogoods");
    return options;
}

/* Above so many incidences of buffers and sections one placement of the search takes a good part
 * of a second, and all of them together a gigabyte.  */
#define MOST_INCIDENCES 1000000

static bool limited(const struct solver_env *env)
{
    return env->time_limit > 0.0 || env->work_limit > 0;
}

/* A part that is too large for the search is the planner's until the limit.  The planner
 * has been there for the first plan, so it gets another seed.  */
static bool plan_on(struct part_runs *runs, const struct part_instance *part)
{
    struct solver_env env = *runs->env;
    struct section_plan_limits limits = {part_runs_nodes_left(runs), runs->deadline, true};
    struct plan *plan = plan_new(part->instance);
    bool done;

    env.incumbent = NULL;
    env.bound = NULL;
    env.seed = env.seed < UINT32_MAX ? env.seed + 1 : 1;
    section_plan(part->instance, &env, &limits, false, plan);
    part_runs_offer(runs, part, plan->offset, plan->peak);
    runs->plan->nodes += plan->nodes;
    done = plan->peak <= runs->bound;
    runs->timed_out = runs->timed_out || (!done && timer_now() >= runs->deadline);
    plan_free(plan);
    return done;
}

/* Buffers of several pieces have a search of their own.  */
static bool solve_any(struct part_runs *runs, size_t index)
{
    struct section_minimise_options options = read_options(runs->env->params);
    struct part_instance part;
    bool large, done = false;

    if (pairs_needed(runs, index))
        return pairs_minimise(runs, index);
    part_instance_begin(&part, runs, index);
    large =
        options.dives && limited(runs->env) && section_incidences(part.instance) > MOST_INCIDENCES;
    if (large)
        done = plan_on(runs, &part);
    part_instance_end(&part);
    return large ? done : section_minimise(runs, index, &options);
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
    struct section_plan_limits limits = {first_nodes(instance, env), INFINITY, true};

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
    bool rectangles = !instance->shapes && params_on(env->params, "planner");
    struct plan *first = plan_new(instance);
    double deadline = part_runs_deadline(env);
    struct part_runs runs;

    if (rectangles && plan_first(instance, env, plan)) {
        plan_free(first);
        return OUTCOME_OPTIMAL;
    }
    plan_copy(first, plan);
    part_runs_begin(&runs, instance, env, plan);
    runs.deadline = deadline; /* of the first plan, too */
    if (rectangles && first->peak < plan->peak)
        plan_copy(plan, first);
    plan_free(first);
    return part_runs_solve(&runs, solve_any);
}

static const struct param params[] = {
    PARAM_SWITCH("planner", "on", "begin with section-first's plan, go on with its dives"),
    PARAM_SWITCH("windows", "on", "refute capacities by time windows"),
    PARAM_SWITCH("learning", "on", "nogoods, backjumping (refuting)"),
    PARAM_SWITCH("notfirst", "on", "a member that can't be the lowest lies above another"),
    PARAM_SWITCH("subset", "on", "not-first by subsets of the others (refuting)"),
    PARAM_SWITCH("mirror", "on", "a large buffer lies in the lower half (refuting)"),
    PARAM_SWITCH("memo", "on", "a table of refuted states (without learning)"),
    PARAM_SWITCH("decomposition", "on", "parts of time that share no unplaced buffer, one by one"),
    PARAM_SWITCH("orders", "on", "decide the orders of pairs, one by one"),
    PARAM_SWITCH("guide", "on", "look for packings below the best peak that follow the best one"),
    PARAM_SWITCH("portfolio", "on",
                 "other tie orders, section rules and the other direction of time in turn"),
    PARAM_SWITCH("fullwidth", "on", "cut buffers that span a window out of it"),
    {"nogoods", PARAM_INT, "200", NULL, 0.0, 1000000.0, "kept in the database"},
    {"threads", PARAM_INT, "1", NULL, 1.0, 2.0, "with 2, plan and time differ from run to run"},
    PARAM_END,
};

const struct solver solver_branch_and_bound = {
    .name = "branch-and-bound",
    .title = "Section search, exact",
    .source = "this project",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_SHAPES | SOLVER_FIXED,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
