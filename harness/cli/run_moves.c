/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_moves.h"

#include <string.h>

#include "harness/cli/commands.h"
#include "harness/io/options.h"
#include "harness/timing/execution.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "memories/moves_solve.h"

/* --- where buffers are --- */

/* The stay of buffer B in memory M at STEP.  */
static const struct move_stay *stay_at(const struct run_moves *moves, size_t b, size_t m,
                                       int64_t step)
{
    for (size_t i = 0; i < moves->plan.stays; i++) {
        const struct move_stay *stay = &moves->plan.stay[i];

        if (stay->buffer == b && stay->memory == m && stay->begin <= step && step < stay->end)
            return stay;
    }
    return NULL; /* never: the plan was judged */
}

static unsigned char *address_of(const struct run_memory *memory, const struct move_stay *stay)
{
    return memory->arena[stay->memory].data + stay->offset;
}

/* Value V, where its buffer's stay STAY is.  */
static void put(const struct run_moves *moves, const struct run_memory *memory, size_t v,
                const struct move_stay *stay)
{
    if (stay != NULL)
        memory->value[v] = address_of(memory, stay) + moves->instance->origin->place[v];
}

/* The last access of buffer B up to STEP.  */
static size_t latest_access(const struct run_moves *moves, size_t b, int64_t step)
{
    const struct accesses *accesses = &moves->problem.accesses;
    size_t a = accesses->first[b];

    while (a + 1 < accesses->first[b + 1] && accesses->access[a + 1].step <= step)
        a++;
    return a;
}

/* The value is where its buffer was used last up to STEP.  */
static void put_used(const struct run_moves *moves, const struct run_memory *memory, size_t v,
                     int64_t step)
{
    const size_t b = moves->instance->origin->buffer[v];

    if (b != SIZE_MAX) {
        const size_t a = latest_access(moves, b, step);

        put(moves, memory, v,
            stay_at(moves, b, moves->plan.used[a], moves->problem.accesses.access[a].step));
    }
}

/* The stay in which buffer B ends its life: where it was used last, or where it was copied to.  */
static const struct move_stay *last_stay(const struct run_moves *moves, size_t b)
{
    const int64_t end = moves->instance->buffer[b].end - 1;
    const size_t last = moves->problem.accesses.first[b + 1] - 1;
    const struct move_stay *stay = stay_at(moves, b, moves->plan.used[last], end);

    for (size_t c = 0; c < moves->plan.copies; c++)
        if (stay == NULL && moves->plan.copy[c].access == last && moves->plan.copy[c].after)
            stay = stay_at(moves, b, moves->plan.copy[c].to, end);
    for (size_t m = 0; stay == NULL && m < moves->problem.split->memories; m++)
        stay = stay_at(moves, b, m, end);
    return stay;
}

/* --- hooks --- */

static void begin(void *context, const struct run_memory *memory)
{
    const struct run_moves *moves = context;

    for (size_t v = 0; v < moves->instance->origin->network->n_values; v++)
        put_used(moves, memory, v, INT64_MIN);
}

static void end(void *context, const struct run_memory *memory)
{
    const struct run_moves *moves = context;
    const struct origin *origin = moves->instance->origin;

    for (size_t v = 0; v < origin->network->n_values; v++)
        if (origin->network->value[v].output && origin->buffer[v] != SIZE_MAX)
            put(moves, memory, v, last_stay(moves, origin->buffer[v]));
}

static void place(void *context, const struct run_memory *memory, size_t o)
{
    const struct run_moves *moves = context;
    const struct network_op *op = &moves->instance->origin->network->op[o];
    const int64_t step = moves->instance->origin->schedule->step[o];

    for (size_t i = 0; i < op->inputs; i++)
        put_used(moves, memory, op->input[i], step);
    for (size_t i = 0; i < op->outputs; i++)
        put_used(moves, memory, op->output[i], step);
}

static void move(void *context, const struct run_memory *memory, size_t o, bool after,
                 struct run_traffic *traffic)
{
    const struct run_moves *moves = context;
    const int64_t step = moves->instance->origin->schedule->step[o];

    for (size_t c = 0; c < moves->plan.copies; c++) {
        const struct move_copy *copy = &moves->plan.copy[c];
        const int64_t bytes = moves->instance->buffer[copy->buffer].size;

        if (copy->after != after || moves->problem.accesses.access[copy->access].step != step)
            continue;
        memcpy(address_of(memory, stay_at(moves, copy->buffer, copy->to, step)),
               address_of(memory, stay_at(moves, copy->buffer, copy->from, step)), (size_t)bytes);
        if (traffic != NULL) {
            traffic->reads[copy->from] += bytes;
            traffic->writes[copy->to] += bytes;
        }
    }
}

/* --- the plan --- */

/* Whether a run can keep a plan with moves of it.  */
static bool can_move(const struct instance *instance)
{
    const struct origin *origin = instance->origin;

    if (instance->shapes || !origin->schedule->serial)
        return complain("run: --moves: expected one operator a step, and buffers that are "
                        "rectangles (inplace=off, concat=copy)");
    for (size_t v = 0; v < origin->network->n_values; v++)
        if (origin->buffer[v] != SIZE_MAX && origin->network->value[v].producer == NETWORK_NONE &&
            origin->network->value[v].role != VALUE_INPUT)
            return complain("run: --moves: '%s' is stored from the start; expected weights=off",
                            origin->network->value[v].name);
    return true;
}

static void find_places(struct run_moves *moves)
{
    const struct accesses *accesses = &moves->problem.accesses;
    const size_t n = moves->instance->n;

    moves->arena = memory_zalloc(n, sizeof *moves->arena);
    moves->offset = memory_zalloc(n, sizeof *moves->offset);
    moves->bytes = memory_zalloc(moves->problem.split->memories, sizeof *moves->bytes);
    for (size_t b = 0; b < n; b++) {
        const size_t first = accesses->first[b];
        const struct move_stay *stay =
            stay_at(moves, b, moves->plan.used[first], accesses->access[first].step);

        moves->arena[b] = stay->memory;
        moves->offset[b] = stay->offset;
    }
    for (size_t i = 0; i < moves->plan.stays; i++) {
        const struct move_stay *stay = &moves->plan.stay[i];
        int64_t *bytes = &moves->bytes[stay->memory];

        *bytes = max64(*bytes, stay->offset + moves->instance->buffer[stay->buffer].size);
    }
    moves->places = (struct run_places){moves->problem.split->memories, moves->bytes, moves->arena,
                                        moves->offset};
}

int run_moves_make(struct run_moves *moves, const struct run_split *split, double seconds)
{
    const struct split_problem *problem = &split->input.problem;
    const struct split_limits limits = {SPLIT_USUAL_WORK, timer_now() + seconds};
    struct error error;

    *moves = (struct run_moves){.split = split, .instance = problem->instance};
    if (!can_move(problem->instance))
        return STATUS_USAGE;
    if (!moves_problem_init(&moves->problem, problem, &error))
        return complain_as(STATUS_USAGE, "run: %s", error.text);
    move_plan_init(&moves->plan, &moves->problem);
    moves_solve(&moves->problem, &split->input.split, &limits, &moves->plan);
    if (!moves_verify(&moves->problem, &moves->plan, &error)) {
        move_plan_clear(&moves->plan);
        moves_problem_clear(&moves->problem);
        return complain_as(STATUS_FAILED, "run: the plan is not valid: %s", error.text);
    }
    moves->hooks = (struct run_hooks){moves, begin, end, place, move};
    find_places(moves);
    return STATUS_DONE;
}

void run_moves_clear(struct run_moves *moves)
{
    memory_free(moves->arena);
    memory_free(moves->offset);
    memory_free(moves->bytes);
    move_plan_clear(&moves->plan);
    moves_problem_clear(&moves->problem);
}

/* --- what was counted --- */

struct table *run_moves_table(const struct run_moves *moves, const struct execution *execution)
{
    struct table *table =
        table_named("memory capacity:bytes stays: peak:bytes read:bytes written:bytes");

    for (size_t m = 0; m < moves->problem.split->memories; m++) {
        const struct memory *memory = &moves->problem.split->memory[m];
        int64_t stays = 0;

        for (size_t i = 0; i < moves->plan.stays; i++)
            stays += moves->plan.stay[i].memory == m;
        table_texts(table, memory->name);
        table_ints(table, memory->capacity == INT64_MAX ? TABLE_NONE : memory->capacity, stays,
                   moves->bytes[m], execution->traffic.reads[m], execution->traffic.writes[m]);
    }
    return table;
}

bool run_moves_agrees(const struct run_moves *moves, const struct execution *execution)
{
    int64_t cost = 0;

    for (size_t m = 0; m < moves->problem.split->memories; m++)
        cost += execution->traffic.reads[m] * moves->problem.split->memory[m].read +
                execution->traffic.writes[m] * moves->problem.split->memory[m].write;
    return cost == moves->plan.cost ||
           complain("run: the bytes that were read and written cost %.15g, and the plan says %.15g",
                    (double)cost / MEMORY_COST_UNIT, (double)moves->plan.cost / MEMORY_COST_UNIT);
}
