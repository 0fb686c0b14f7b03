/* SPDX-License-Identifier: Apache-2.0 */
/* The layers of the library: plan, prove, fits.  */
#include <config.h>

#include "planner/arenaplan.h"

#include "lib/problem/plan.h"
#include "planner/dives/section_plan.h"
#include "planner/library/call.h"
#include "planner/library/exact.h"
#include "planner/library/layers.h"
#include "planner/library/prove_with.h"

int64_t layers_goal(const struct arenaplan_options *options)
{
    return options == NULL || options->capacity <= 0 ? -1 : options->capacity;
}

/* --- plan --- */

void layers_plan(struct call *call, bool given)
{
    const struct instance *instance = &call->prepared.instance;
    struct section_plan_limits limits = {call->options.work, call->watch.deadline, false, false};

    if (limits.nodes == 0)
        limits.nodes = limits.deadline < WATCH_NEVER ? INT64_MAX : section_plan_nodes(instance->n);
    call->plan->lower_bound = instance->load;
    call->env.bound(call, instance->load);
    if (given && call->plan->peak <= instance->load) {
        call_take_plan(call);
        return;
    }
    section_plan(instance, &call->env, &limits, given, call->plan);
    call_take_plan(call);
}

static void plan_at_once(void *context)
{
    struct call *call = context;

    if (call_prepare(call))
        layers_plan(call, false);
}

enum arenaplan_status arenaplan_plan(const struct arenaplan_problem *problem,
                                     const struct arenaplan_options *options, int64_t *offset,
                                     struct arenaplan_result *result)
{
    struct call call = {.problem = problem, .offset = offset, .capacity = layers_goal(options)};

    return call_run(&call, options, result, plan_at_once);
}

/* --- prove and fits --- */

void layers_search(struct call *call, int64_t capacity)
{
    const struct exact_options options = {
        .without = call->extras.without,
        .nogoods = call->extras.nogoods,
        .deadline = call->watch.deadline,
        .capacity = capacity,
    };

    exact_plan(&call->prepared.instance, &call->env, &options, call->plan);
    call_take_plan(call);
}

static void prove(void *context)
{
    struct call *call = context;

    if (call_prepare(call))
        layers_search(call, -1);
}

enum arenaplan_status arenaplan_prove_with(const struct arenaplan_problem *problem,
                                           const struct arenaplan_options *options,
                                           struct prove_extras extras, int64_t *offset,
                                           struct arenaplan_result *result)
{
    struct call call = {
        .problem = problem, .extras = extras, .offset = offset, .capacity = layers_goal(options)};

    return call_run(&call, options, result, prove);
}

enum arenaplan_status arenaplan_prove(const struct arenaplan_problem *problem,
                                      const struct arenaplan_options *options, int64_t *offset,
                                      struct arenaplan_result *result)
{
    return arenaplan_prove_with(problem, options, PROVE_USUAL, offset, result);
}

static void fit(void *context)
{
    struct call *call = context;

    if (!call_prepare(call))
        return;
    if (call->capacity >= call->prepared.instance.load) {
        layers_search(call, call->capacity);
        return;
    }
    call->plan->lower_bound = call->prepared.instance.load;
    call_fail(call, ARENAPLAN_INFEASIBLE);
}

enum arenaplan_status arenaplan_fits_with(const struct arenaplan_problem *problem, int64_t capacity,
                                          const struct arenaplan_options *options,
                                          struct prove_extras extras, int64_t *offset,
                                          struct arenaplan_result *result)
{
    struct call call = {
        .problem = problem, .extras = extras, .offset = offset, .capacity = capacity};

    if (capacity < 0)
        return call_refuse(&call, ARENAPLAN_FAULT_OPTION, result);
    return call_run(&call, options, result, fit);
}

enum arenaplan_status arenaplan_fits(const struct arenaplan_problem *problem, int64_t capacity,
                                     const struct arenaplan_options *options, int64_t *offset,
                                     struct arenaplan_result *result)
{
    return arenaplan_fits_with(problem, capacity, options, PROVE_USUAL, offset, result);
}
