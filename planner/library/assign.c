/* SPDX-License-Identifier: Apache-2.0 */
/* arenaplan_assign.  At first all buffers in their cheapest memories, which is the best there is
 * where they fit.  Else a lower bound, the best of two greedy assignments, and a search until the
 * bound or a limit: the best so far is disturbed, or an order is, and moves make of it what they
 * can (Lourenço, Martin and Stützle, Iterated local search, Handbook of Metaheuristics,
 * 2003).  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/timer.h"
#include "planner/arenaplan.h"
#include "planner/dives/section_plan.h"
#include "planner/library/assign_bound.h"
#include "planner/library/assign_improve.h"
#include "planner/library/assign_model.h"
#include "planner/library/assign_place.h"
#include "planner/library/call.h"
#include "planner/library/layers.h"
#include "planner/library/structs.h"

/* Work where nobody says how much: so many times what one plan takes; and the share of work that
 * a first placement in the cheapest memories may take.  */
#define USUAL_PLANS 20
#define FIRST_SHARE 4

/* What is kept of work and time for offsets in memories without a limit.  */
#define REST_SHARE 10

/* The share of what is left that the first assignments may take to place memories anew: with that
 * they are better, and without it there at once.  */
#define ANEW_SHARE 4

/* Rounds without success after which the search without limits ends.  */
#define PATIENCE 60

/* Buffers that are moved at once to disturb an assignment.  */
#define MOST_KICKS 4

struct assigning {
    struct call call; /* first: what call_run knows */
    struct arenaplan_memories memories;
    size_t *memory; /* the caller's */
    int64_t cost;   /* of what was found */

    /* In the scope.  */
    struct assign_model model;
    struct assign_search search;
    struct assign_prices prices;
    struct assign_plan best, now, tried;
    bool found;
    struct small_rng rng;
};

/* --- what is told --- */

static void tell_bound(struct assigning *assigning, int64_t bound)
{
    struct call *call = &assigning->call;

    if (bound <= call->told_bound)
        return;
    call->told_bound = bound;
    call->result.lower_bound = bound;
    watch_tell_bound(&call->watch, bound);
}

/* A whole assignment; true where it is the best.  */
static bool offer(struct assigning *assigning, const struct assign_plan *plan)
{
    if (plan->placed < assigning->model.n ||
        (assigning->found && plan->cost >= assigning->best.cost))
        return false;
    if (plan != &assigning->best)
        assign_plan_copy(&assigning->best, plan, &assigning->model);
    assigning->found = true;
    return true;
}

static bool is_done(const struct assigning *assigning)
{
    return assigning->found && assigning->best.cost <= assigning->call.result.lower_bound;
}

/* --- the beginning --- */

static int64_t usual_work(const struct assigning *assigning)
{
    const struct call *call = &assigning->call;

    if (call->options.work > 0)
        return call->options.work;
    return call->watch.deadline < WATCH_NEVER
               ? INT64_MAX
               : USUAL_PLANS * section_plan_nodes(assigning->model.n);
}

/* All that lies in the cheapest memories, each placed by the planner.  */
static void try_cheapest(struct assigning *assigning)
{
    const struct assign_model *model = &assigning->model;
    struct assign_plan *plan = &assigning->now;
    int64_t nodes = min64(section_plan_nodes(model->n), assigning->search.work / FIRST_SHARE);
    bool fits = true;

    for (size_t b = 0; b < model->n; b++) {
        plan->memory[b] = assign_choice(model, b, 0);
        plan->cost += assign_cost(model, b, plan->memory[b]);
    }
    plan->placed = model->n;
    for (size_t m = 0; m < model->memories && fits; m++)
        fits = assign_is_unlimited(model, m) ||
               assign_place_anew(&assigning->search, plan, SIZE_MAX, m, nodes);
    if (fits)
        offer(assigning, plan);
}

static void limit_anew(struct assign_search *search, bool limited)
{
    const double now = timer_now();

    search->anew_work = limited ? search->work - search->work / ANEW_SHARE : 0;
    search->anew_until = limited ? now + (search->deadline - now) / ANEW_SHARE : search->deadline;
}

static void try_order(struct assigning *assigning, const struct assign_prices *prices)
{
    size_t *order = assign_order(&assigning->search, prices, NULL);

    limit_anew(&assigning->search, true);
    if (assign_in_order(&assigning->search, order, &assigning->now))
        offer(assigning, &assigning->now);
    memory_free(order);
}

static void raise_bound(struct assigning *assigning)
{
    assign_prices_raise(&assigning->prices, &assigning->search,
                        assigning->found ? assigning->best.cost : assigning->model.dearest);
    tell_bound(assigning, assigning->prices.bound);
}

/* --- the search --- */

static size_t draw(struct assigning *assigning, size_t below)
{
    return (size_t)(small_rng_next(&assigning->rng) % below);
}

/* Some buffers that are not in their cheapest memories go there, whatever that costs.  */
static bool kick(struct assigning *assigning)
{
    const struct assign_model *model = &assigning->model;
    struct assign_plan *plan = &assigning->now;

    assign_plan_copy(plan, &assigning->best, model);
    for (size_t left = 1 + draw(assigning, MOST_KICKS); left > 0; left--) {
        size_t b = draw(assigning, model->n), looked = 0;

        while (looked < model->n && plan->memory[b] == assign_choice(model, b, 0)) {
            b = (b + 1) % model->n;
            looked++;
        }
        if (looked == model->n)
            return true;
        if (!assign_move(&assigning->search, plan, b,
                         assign_choice(model, b, draw(assigning, model->choices[b]))))
            return false;
    }
    return true;
}

/* One round; true where it found a better assignment.  */
static bool go_round(struct assigning *assigning, bool anew)
{
    const struct assign_model *model = &assigning->model;
    struct assign_search *search = &assigning->search;
    const struct assign_prices *prices = small_rng_bit(&assigning->rng) ? &assigning->prices : NULL;
    size_t *order;
    bool whole;

    order = assign_order(search, prices, &assigning->rng);
    whole = anew || !assigning->found ? assign_in_order(search, order, &assigning->now)
                                      : kick(assigning);
    if (whole && assigning->now.placed == model->n)
        assign_improve(search, order, &assigning->now, &assigning->tried);
    memory_free(order);
    return whole && offer(assigning, &assigning->now);
}

static void search_on(struct assigning *assigning)
{
    const bool limited =
        assigning->call.options.work > 0 || assigning->call.watch.deadline < WATCH_NEVER;
    int waited = 0;

    for (int turn = 0; !is_done(assigning) && !assign_is_over(&assigning->search); turn++) {
        if (go_round(assigning, turn % 4 == 3)) {
            raise_bound(assigning);
            waited = 0;
        } else if (++waited >= PATIENCE && !limited) {
            return;
        }
        turn %= 1024;
    }
}

static void look_for(struct assigning *assigning)
{
    size_t *order;

    try_cheapest(assigning);
    if (is_done(assigning))
        return;
    try_order(assigning, NULL);
    raise_bound(assigning);
    if (is_done(assigning))
        return;
    try_order(assigning, &assigning->prices);
    order = assign_order(&assigning->search, NULL, NULL);
    limit_anew(&assigning->search, false);
    if (assigning->found)
        assign_improve(&assigning->search, order, &assigning->best, &assigning->tried);
    memory_free(order);
    raise_bound(assigning);
    search_on(assigning);
}

/* --- the end --- */

/* Offsets in memories without a limit, which had none.  */
static void place_rest(struct assigning *assigning)
{
    const struct assign_model *model = &assigning->model;
    struct assign_search *search = &assigning->search;

    search->deadline = assigning->call.watch.deadline;
    for (size_t m = 0; m < model->memories; m++)
        if (assign_is_unlimited(model, m))
            assign_place_anew(search, &assigning->best, SIZE_MAX, m,
                              max64(1, min64(section_plan_nodes(model->n), search->work)));
}

static void give(struct assigning *assigning, const int64_t *offset)
{
    const struct assign_model *model = &assigning->model;
    struct call *call = &assigning->call;

    for (size_t b = 0; b < model->n; b++) {
        const struct arenaplan_buffer *buffer = &model->problem->buffer[b];

        assigning->memory[b] = assigning->best.memory[b];
        call->offset[b] = offset[b];
        if (model->first_piece[b] == model->first_piece[b + 1])
            call->offset[b] = problem_is_fixed(buffer) ? buffer->offset : 0;
    }
    assigning->cost = assigning->best.cost;
    call->result.status =
        assigning->best.cost <= call->result.lower_bound ? ARENAPLAN_OPTIMAL : ARENAPLAN_FEASIBLE;
}

/* Of work and time, what the search may take, and the rest after it.  */
static void share(struct assigning *assigning)
{
    struct call *call = &assigning->call;
    struct assign_search *search = &assigning->search;
    const double now = timer_now();
    int64_t work = usual_work(assigning), rest = work / REST_SHARE;

    search->work = work - rest;
    search->deadline = call->watch.deadline < WATCH_NEVER
                           ? call->watch.deadline - (call->watch.deadline - now) / REST_SHARE
                           : call->watch.deadline;
    look_for(assigning);
    call->result.work = work - rest - search->work;
    if (!assigning->found)
        return;
    search->work = rest;
    place_rest(assigning);
    call->result.work += rest - search->work;
    give(assigning, assigning->best.offset);
}

static void assign_several(struct assigning *assigning)
{
    struct call *call = &assigning->call;
    const struct assign_model *model = &assigning->model;

    assigning->search = (struct assign_search){.model = model, .call = call};
    small_rng_seed(&assigning->rng, call->options.seed == 0 ? 1 : call->options.seed);
    assign_prices_init(&assigning->prices, model);
    assign_plan_init(&assigning->best, model);
    assign_plan_init(&assigning->now, model);
    assign_plan_init(&assigning->tried, model);
    share(assigning);
}

/* --- one memory --- */

static const struct arenaplan_buffer *in_one(const struct assign_model *model)
{
    struct arenaplan_buffer *buffer = memory_alloc(model->n, sizeof *buffer);

    for (size_t b = 0; b < model->n; b++)
        buffer[b] = assign_buffer(model, b, 0);
    return buffer;
}

/* As arenaplan_plan does it, and where that finds nothing, as arenaplan_fits.  Bounds that these
 * tell are of the peak.  */
static void assign_alone(struct assigning *assigning)
{
    struct call *call = &assigning->call;
    const struct assign_model *model = &assigning->model;
    const int64_t capacity = model->memory[0].capacity;
    struct arenaplan_problem alone = *model->problem;
    int64_t spent;

    alone.buffer = in_one(model);
    call->own_problem = alone;
    call->capacity = capacity == ARENAPLAN_UNLIMITED ? -1 : capacity;
    call->options.bound = NULL;
    if (!call_prepare(call))
        return;
    layers_plan(call, false);
    spent = call->result.work;
    if (call->result.status == ARENAPLAN_INTERRUPTED &&
        (call->options.work == 0 || call->options.work > spent)) {
        call->env.work_limit = usual_work(assigning);
        if (call->options.work > 0)
            call->env.work_limit = call->options.work - spent;
        layers_search(call, call->capacity);
        call->result.work += spent;
    }
    call->result.lower_bound = model->cheapest;
    if (call->result.status > ARENAPLAN_FEASIBLE)
        return;
    call->result.status = ARENAPLAN_OPTIMAL;
    assigning->cost = model->cheapest;
    for (size_t b = 0; b < model->n; b++)
        assigning->memory[b] = 0;
}

/* --- the call --- */

static bool check_all(struct assigning *assigning)
{
    struct call *call = &assigning->call;
    struct fault fault = {ARENAPLAN_FAULT_LATER, SIZE_MAX, SIZE_MAX};

    if (problem_take_buffers(&call->own_problem, &fault.buffer) &&
        memories_take_all(&assigning->memories, call->problem->count, &fault.buffer,
                          &fault.other) &&
        assign_check(call->problem, &assigning->memories, &fault))
        return true;
    return call_blame(call, &fault);
}

static void assign(void *context)
{
    struct assigning *assigning = context;
    struct call *call = &assigning->call;
    struct assign_model *model = &assigning->model;
    size_t buffer = SIZE_MAX;

    if (!check_all(assigning))
        return;
    call->told_bound = -1;
    call->options.better = NULL;
    if (!assign_model_init(model, call->problem, &assigning->memories, &buffer) ||
        !assign_sums_fit(model)) {
        call->result.status = ARENAPLAN_INFEASIBLE;
        call->result.buffer = buffer;
        return;
    }
    tell_bound(assigning, model->cheapest);
    if (model->memories == 1)
        assign_alone(assigning);
    else
        assign_several(assigning);
}

/* What the call says, without what it has no part in.  */
static void answer(const struct assigning *assigning, const struct arenaplan_result *result,
                   struct arenaplan_assignment *assignment)
{
    const bool found = result->status <= ARENAPLAN_FEASIBLE;
    const struct arenaplan_assignment own = {
        .struct_size = sizeof own,
        .status = result->status,
        .fault = result->fault,
        .buffer = result->buffer,
        .other = result->other,
        .cost = found ? assigning->cost : 0,
        .lower_bound = result->lower_bound,
        .work = result->work,
        .seconds = result->seconds,
        .memory = result->memory,
    };

    assignment_give(assignment, &own);
}

enum arenaplan_status arenaplan_assign(const struct arenaplan_problem *problem,
                                       const struct arenaplan_memories *memories,
                                       const struct arenaplan_options *options, size_t *memory,
                                       int64_t *offset, struct arenaplan_assignment *assignment)
{
    struct arenaplan_result result = ARENAPLAN_RESULT;
    struct assigning assigning = {
        .call = {.problem = problem, .extras = PROVE_USUAL, .offset = offset, .capacity = -1},
        .memory = memory,
    };
    enum arenaplan_fault fault = memories_take(&assigning.memories, memories);

    if (fault == ARENAPLAN_FAULT_NONE &&
        (!assignment_is_known(assignment) ||
         (problem != NULL && problem->count > 0 && memory == NULL)))
        fault = ARENAPLAN_FAULT_STRUCT;
    if (fault == ARENAPLAN_FAULT_NONE)
        call_run(&assigning.call, options, &result, assign);
    else
        call_refuse(&assigning.call, fault, &result);
    answer(&assigning, &result, assignment);
    return result.status;
}
