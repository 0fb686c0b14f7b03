/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/call.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/plan.h"
#include "planner/library/structs.h"

/* --- what the planner tells --- */

/* Buffers of size 0, which the planner does not get, lie anywhere.  */
static void place_empty(const struct arenaplan_problem *problem, int64_t *offset)
{
    for (size_t b = 0; b < problem->count; b++)
        offset[b] = problem_is_fixed(&problem->buffer[b]) ? problem->buffer[b].offset : 0;
}

static const int64_t *callers_order(struct call *call, const int64_t *offset)
{
    const struct prepared *prepared = &call->prepared;

    if (prepared->index == NULL)
        return offset;
    for (size_t b = 0; b < prepared->instance.n; b++)
        call->told[prepared->index[b]] = offset[b];
    return call->told;
}

static void tell_plan(void *context, const struct plan *plan)
{
    struct call *call = context;

    if (plan->peak >= call->told_peak)
        return;
    call->told_peak = plan->peak;
    if (call->options.better != NULL)
        watch_tell_plan(&call->watch, callers_order(call, plan->offset), call->problem->count,
                        plan->peak);
    if (plan->peak <= call->capacity)
        watch_stop(&call->watch);
}

static void tell_bound(void *context, int64_t bound)
{
    struct call *call = context;

    if (bound <= call->told_bound)
        return;
    call->told_bound = bound;
    watch_tell_bound(&call->watch, bound);
    if (call->capacity >= 0 && bound > call->capacity)
        watch_stop(&call->watch);
}

/* --- the call --- */

enum arenaplan_status call_refuse(struct call *call, enum arenaplan_fault fault,
                                  struct arenaplan_result *result)
{
    const struct arenaplan_result nothing = ARENAPLAN_RESULT;

    call->result = nothing;
    call->result.status = ARENAPLAN_INVALID;
    call->result.fault = fault;
    result_give(result, &call->result);
    return ARENAPLAN_INVALID;
}

static struct arenaplan_statistics callers_statistics(const struct search_statistics *counted)
{
#define MEMBER(constant, name, ...) .name = counted->count[STATISTIC_##constant],
    return (struct arenaplan_statistics){SEARCH_STATISTICS_OF_LIBRARY(MEMBER)};
#undef MEMBER
}

/* Copies what the caller gives, and says what is wrong with it.  */
static enum arenaplan_fault take(struct call *call, const struct arenaplan_options *options,
                                 const struct arenaplan_result *result)
{
    enum arenaplan_fault fault = options_take(&call->options, options);

    if (fault == ARENAPLAN_FAULT_NONE)
        fault = options_fault(&call->options);
    if (fault == ARENAPLAN_FAULT_NONE)
        fault = problem_take(&call->own_problem, call->problem);
    if (fault != ARENAPLAN_FAULT_NONE)
        return fault;
    call->problem = &call->own_problem;
    return result_is_known(result) && (call->problem->count == 0 || call->offset != NULL)
               ? ARENAPLAN_FAULT_NONE
               : ARENAPLAN_FAULT_STRUCT;
}

enum arenaplan_status call_run(struct call *call, const struct arenaplan_options *options,
                               struct arenaplan_result *result, void (*work)(void *call))
{
    const struct arenaplan_result nothing = ARENAPLAN_RESULT;
    const struct arenaplan_allocator *allocator;
    const struct timer_source *source;
    enum arenaplan_fault fault;

    call->result = nothing;
    fault = take(call, options, result);
    if (fault != ARENAPLAN_FAULT_NONE)
        return call_refuse(call, fault, result);
    allocator = &call->options.allocator;
    memory_pool_init(&call->pool, allocator->allocate, allocator->release, allocator->context,
                     call->options.memory);
    watch_begin(&call->watch, &call->options);
    source = timer_use(&call->watch.source);
    if (!memory_scope_run(&call->pool, work, call))
        call->result.status = ARENAPLAN_NO_MEMORY;
    timer_use(source);
    call->result.memory = call->pool.most;
    call->result.seconds = watch_seconds(&call->watch);
    call->result.statistics = callers_statistics(&call->counted);
    memory_pool_clear(&call->pool);
    result_give(result, &call->result);
    return call->result.status;
}

bool call_blame(struct call *call, const struct fault *fault)
{
    call->result.status = ARENAPLAN_INVALID;
    call->result.fault = fault->what;
    call->result.buffer = fault->buffer;
    call->result.other = fault->other;
    return false;
}

bool call_check(struct call *call)
{
    struct fault fault = {ARENAPLAN_FAULT_LATER, SIZE_MAX, SIZE_MAX};

    if (problem_take_buffers(&call->own_problem, &fault.buffer) &&
        problem_check(call->problem, &fault))
        return true;
    return call_blame(call, &fault);
}

bool call_prepare(struct call *call)
{
    if (!call_check(call))
        return false;
    prepare(&call->prepared, call->problem);
    call->env = (struct solver_env){
        .seed = call->options.seed == 0 ? 1 : call->options.seed,
        .work_limit = call->options.work,
        .time_limit = call->watch.deadline < WATCH_NEVER ? call->options.seconds : 0.0,
        .goal = call->capacity > 0 ? call->capacity : 0,
        .incumbent = tell_plan,
        .bound = tell_bound,
        .context = call,
        .statistics = &call->counted,
        .sink = call->extras.sink,
    };
    call->plan = plan_new(&call->prepared.instance);
    call->told_peak = INT64_MAX;
    call->told_bound = -1;
    if (call->options.better != NULL && call->prepared.index != NULL) {
        call->told = memory_alloc(call->problem->count, sizeof *call->told);
        place_empty(call->problem, call->told);
    }
    return true;
}

void call_fail(struct call *call, enum arenaplan_status status)
{
    call->result.status = status;
    call->result.work = call->plan->nodes;
    call->result.lower_bound = call->plan->lower_bound;
}

void call_take_plan(struct call *call)
{
    const struct plan *plan = call->plan;
    const size_t *index = call->prepared.index;

    if (call->capacity >= 0 && plan->peak > call->capacity) {
        call_fail(call, plan->lower_bound > call->capacity ? ARENAPLAN_INFEASIBLE
                                                           : ARENAPLAN_INTERRUPTED);
        return;
    }
    if (index != NULL)
        place_empty(call->problem, call->offset);
    for (size_t b = 0; b < call->prepared.instance.n; b++)
        call->offset[index == NULL ? b : index[b]] = plan->offset[b];
    call->result.status = plan->peak <= plan->lower_bound ? ARENAPLAN_OPTIMAL : ARENAPLAN_FEASIBLE;
    call->result.peak = plan->peak;
    call->result.lower_bound = plan->lower_bound;
    call->result.work = plan->nodes;
}
