/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/exact.h"

#include "lib/base/checked.h"
#include "lib/base/timer.h"
#include "lib/place/aligned_bound.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/part_runs.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/disjunctive/pairs_minimise.h"
#include "planner/dives/section_classes.h"
#include "planner/dives/section_plan.h"
#include "planner/library/prove_with.h"
#include "planner/sections/section_minimise.h"

/* For the first plan: nodes of instances with fewer buffers than many, and the share of a
 * time limit.  */
#define MANY_BUFFERS 1000
#define LEAST_FIRST_NODES 1000
#define FIRST_SHARE 0.5

/* Hard ones have more buffers than this, with pieces or with alignments: of a time limit the first
 * plan and the searches have such a share each, and then the planner has all.  */
#define FEW_OF_PIECES 32
#define FEW_ALIGNED 100
#define HARD_SHARE 0.05

/* Placements of the planner that take as long as one of the searches at least, and count as that in
 * turn with them and when it has the last word.  */
#define PLACEMENTS_FOR_ONE 16

/* Above so many incidences of buffers and sections one placement of the search takes a good part
 * of a second, and all of them together a gigabyte.  */
#define MOST_INCIDENCES 1000000

/* Stacks that are looked at for a bound from alignments (aligned_bound.h): some 0.1 s.  */
#define BOUND_WORK 1000000

static bool uses(const struct exact_options *options, uint32_t technique)
{
    return (options->without & technique) == 0;
}

static struct section_minimise_options techniques(const struct exact_options *options)
{
    bool learn = uses(options, WITHOUT_LEARNING);

    return (struct section_minimise_options){
        .refute = {.not_first = uses(options, WITHOUT_NOT_FIRST),
                   .subsets = uses(options, WITHOUT_SUBSETS),
                   .parts = uses(options, WITHOUT_DECOMPOSITION),
                   .restarts = !learn,
                   .learning = learn,
                   .nogoods = options->nogoods},
        .disjunctive = uses(options, WITHOUT_DISJUNCTIVE),
        .dives = uses(options, WITHOUT_PLANNER),
    };
}

static bool limited(const struct solver_env *env)
{
    return env->time_limit > 0.0 || env->work_limit > 0;
}

/* A part that is too large for the search is the planner's until the limit.  The planner
 * has been there for the first plan, so it gets another seed.  */
static bool plan_on(struct part_runs *runs, const struct part_instance *part)
{
    struct solver_env env = *runs->env;
    struct section_plan_limits limits = {part_runs_nodes_left(runs), runs->deadline, true, true};
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

/* For searches of a part: what section-first finds from its best plan on, with another seed.  */
static void plan_part(const struct instance *instance, const struct part_turn *turn,
                      struct plan *plan)
{
    int64_t nodes = PLACEMENTS_FOR_ONE * min64(turn->nodes, INT64_MAX / PLACEMENTS_FOR_ONE);
    const struct section_plan_limits limits = {nodes, turn->deadline, false, true};
    const struct solver_env env = {.seed = turn->seed, .goal = turn->goal, .statistics = turn->sum};

    section_plan(instance, &env, &limits, true, plan);
    plan->nodes /= PLACEMENTS_FOR_ONE;
}

/* Buffers of several pieces have a search of their own.  */
static bool solve_any(struct part_runs *runs, size_t index)
{
    const struct exact_options *options = runs->context;
    struct section_minimise_options used = techniques(options);
    struct part_instance part;
    bool large, done = false;

    if (pairs_needed(runs, index))
        return pairs_minimise(runs, index);
    part_instance_begin(&part, runs, index);
    large = used.dives && limited(runs->env) && section_incidences(part.instance) > MOST_INCIDENCES;
    if (large)
        done = plan_on(runs, &part);
    part_instance_end(&part);
    return large ? done : section_minimise(runs, index, &used);
}

/* Rectangles, without alignments that count: where a proof is likely.  */
static bool is_simple(const struct instance *instance)
{
    return !instance->shapes && instance->max_alignment <= dsa_unit(instance);
}

/* Where a proof above the load is not likely, and not soon.  */
static bool is_hard(const struct instance *instance)
{
    return !is_simple(instance) && instance->n > (instance->shapes ? FEW_OF_PIECES : FEW_ALIGNED);
}

/* When that much of the time that is left is over.  */
static double share_of_time(const struct exact_options *options, double share)
{
    double now = timer_now();

    return now + share * (options->deadline - now);
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

/* True when the first plan is at the load, or low enough: then nothing else is needed, nor the
 * memory that sections of all buffers would take.  Or when there is no time for more.  */
static bool plan_first(const struct instance *instance, const struct solver_env *env,
                       const struct exact_options *options, struct plan *plan)
{
    struct section_plan_limits limits = {first_nodes(instance, env), options->deadline,
                                         is_simple(instance), true};
    struct solver_env inner = *env;

    /* What bounds are told, and when, is said here.  */
    inner.bound = NULL;
    if (env->time_limit > 0.0)
        limits.deadline = share_of_time(options, is_hard(instance) ? HARD_SHARE : FIRST_SHARE);
    section_plan(instance, &inner, &limits, false, plan);
    plan->lower_bound = 0;
    if (plan->peak > max64(instance->load, options->capacity) && timer_now() < options->deadline)
        return false;
    plan->lower_bound = instance->load;
    if (env->bound != NULL)
        env->bound(env->context, instance->load);
    return true;
}

/* What section-first makes with the limits of the call, up to its deadline: no plan is above that
 * with a limit of work.  */
static void plan_anew(const struct instance *instance, const struct solver_env *env,
                      const struct exact_options *options, struct plan *plan)
{
    const struct section_plan_limits limits = {env->work_limit > 0 ? env->work_limit : INT64_MAX,
                                               options->deadline, false, false};
    struct solver_env inner = *env;
    struct plan *anew = plan_new(instance);

    inner.bound = NULL;
    section_plan(instance, &inner, &limits, false, anew);
    plan->nodes += anew->nodes / PLACEMENTS_FOR_ONE;
    anew->nodes = plan->nodes;
    anew->lower_bound = plan->lower_bound;
    if (anew->peak < plan->peak)
        plan_copy(plan, anew);
    plan_free(anew);
}

/* Searches from PLAN on until DEADLINE; without the planner there is none yet.  */
static void close_bounds(const struct instance *instance, const struct solver_env *env,
                         const struct exact_options *options, double deadline, struct plan *plan)
{
    bool planner = uses(options, WITHOUT_PLANNER);
    struct plan *first = plan_new(instance);
    struct part_runs runs;

    plan_copy(first, plan);
    part_runs_begin(&runs, instance, env, deadline, plan);
    runs.context = options;
    if (planner) {
        runs.planner = plan_part;
        if (first->peak < plan->peak)
            plan_copy(plan, first);
    }
    plan_free(first);
    /* A part whose plan is no higher than the bound is left alone, and what is refuted first is
     * the capacity of the bound.  */
    if (options->capacity >= 0) {
        runs.bound = options->capacity;
        runs.asked = true;
    }
    /* No certificate has words for it.  */
    if (env->sink == NULL)
        part_runs_raise_bound(&runs, aligned_bound(instance, BOUND_WORK, deadline));
    part_runs_raise_bound(&runs, plan->lower_bound);
    part_runs_solve(&runs, solve_any);
    plan->lower_bound = max64(plan->lower_bound, instance->load);
}

/* The plan is good enough, or there is none, or no time.  */
static bool is_over(const struct exact_options *options, const struct plan *plan)
{
    return plan->peak <= max64(plan->lower_bound, options->capacity) ||
           (options->capacity >= 0 && plan->lower_bound > options->capacity) ||
           timer_now() >= options->deadline;
}

void exact_plan(const struct instance *instance, const struct solver_env *env,
                const struct exact_options *options, struct plan *plan)
{
    bool planner = uses(options, WITHOUT_PLANNER);
    struct solver_env inner = *env;

    inner.work_limit -= env->work_limit / PLACEMENTS_FOR_ONE;
    if (planner && plan_first(instance, &inner, options, plan))
        return;
    if (planner && env->time_limit > 0.0 && is_hard(instance)) {
        close_bounds(instance, &inner, options, share_of_time(options, HARD_SHARE), plan);
        if (!is_over(options, plan))
            plan_anew(instance, env, options, plan);
        if (is_over(options, plan))
            return;
    }
    close_bounds(instance, &inner, options, options->deadline, plan);
    if (planner && env->work_limit > 0 && !is_over(options, plan))
        plan_anew(instance, env, options, plan);
}
