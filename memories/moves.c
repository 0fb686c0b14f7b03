/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/moves.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "memories/split.h"

#define BIT(m) ((uint32_t)1 << (m))

/* --- the problem --- */

size_t moves_accesses(const struct moves_problem *problem)
{
    return problem->accesses.first[problem->split->instance->n];
}

int64_t moves_access_cost(const struct moves_problem *problem, size_t a, size_t m)
{
    const struct access *access = &problem->accesses.access[a];
    const struct memory *memory = &problem->split->memory[m];

    return access->reads * memory->read + access->writes * memory->write;
}

int64_t moves_copy_cost(const struct moves_problem *problem, size_t b, size_t from, size_t to)
{
    const struct memory *memory = problem->split->memory;

    return problem->split->instance->buffer[b].size * (memory[from].read + memory[to].write);
}

bool moves_allowed(const struct moves_problem *problem, size_t b, size_t m)
{
    return problem->split->cost[b * problem->split->memories + m] != SPLIT_NEVER;
}

/* The most that any plan can cost: each access in the dearest memory, and a copy of each buffer
 * into each memory before and after each access.  */
static bool costs_fit(const struct moves_problem *problem, struct error *error)
{
    const struct split_problem *split = problem->split;
    int64_t dearest = 0, sum = 0;

    for (size_t m = 0; m < split->memories; m++)
        if (!checked_add(dearest, split->memory[m].read, &dearest) ||
            !checked_add(dearest, split->memory[m].write, &dearest))
            return error_set(error, "costs of a byte do not fit in 64 bits");
    if (!checked_mul(dearest, 4 * (int64_t)split->memories, &dearest))
        return error_set(error, "costs of a byte do not fit in 64 bits");
    for (size_t b = 0; b < split->instance->n; b++)
        for (size_t a = problem->accesses.first[b]; a < problem->accesses.first[b + 1]; a++) {
            const struct access *access = &problem->accesses.access[a];
            int64_t bytes, cost;

            if (!checked_add(access->reads, access->writes, &bytes) ||
                !checked_add(bytes, split->instance->buffer[b].size, &bytes) ||
                !checked_mul(bytes, dearest, &cost) || !checked_add(sum, cost, &sum))
                return error_set(error, "the sum of all costs does not fit in 64 bits");
        }
    return true;
}

bool moves_problem_init(struct moves_problem *problem, const struct split_problem *split,
                        struct error *error)
{
    *problem = (struct moves_problem){.split = split};
    if (!accesses_find(split, &problem->accesses, error))
        return false;
    if (costs_fit(problem, error))
        return true;
    moves_problem_clear(problem);
    return false;
}

void moves_problem_clear(struct moves_problem *problem)
{
    accesses_clear(&problem->accesses);
}

/* --- choices --- */

void move_choice_init(struct move_choice *choice, const struct moves_problem *problem)
{
    const size_t count = moves_accesses(problem);

    choice->used = memory_zalloc(count, sizeof *choice->used);
    choice->held = memory_zalloc(count, sizeof *choice->held);
}

void move_choice_clear(struct move_choice *choice)
{
    memory_free(choice->used);
    memory_free(choice->held);
}

void move_choice_stay(struct move_choice *choice, const struct moves_problem *problem,
                      const struct split *split)
{
    for (size_t b = 0; b < problem->split->instance->n; b++)
        for (size_t a = problem->accesses.first[b]; a < problem->accesses.first[b + 1]; a++) {
            choice->used[a] = split->memory[b];
            choice->held[a] = BIT(split->memory[b]);
        }
}

/* --- plans --- */

void move_plan_init(struct move_plan *plan, const struct moves_problem *problem)
{
    *plan = (struct move_plan){.used = memory_alloc(moves_accesses(problem), sizeof *plan->used),
                               .cost = SPLIT_NEVER};
}

void move_plan_clear(struct move_plan *plan)
{
    memory_free(plan->used);
    memory_free(plan->stay);
    memory_free(plan->copy);
}

struct deriving {
    struct move_plan *plan;
    const struct moves_problem *problem;
    const struct move_choice *choice;
    uint32_t *in_use; /* memories in which the buffer takes room at the step of each access */
};

static void add_copy(struct deriving *deriving, size_t b, size_t a, bool after, size_t from,
                     size_t to)
{
    struct move_plan *plan = deriving->plan;

    plan->copy = memory_grow(plan->copy, &plan->copy_room, plan->copies + 1, sizeof *plan->copy);
    plan->copy[plan->copies++] = (struct move_copy){b, a, after, from, to};
    plan->copied += deriving->problem->split->instance->buffer[b].size;
    plan->cost += moves_copy_cost(deriving->problem, b, from, to);
    deriving->in_use[a] |= BIT(from) | BIT(to);
}

/* The memory of the set FROM that is read at the least cost.  */
static size_t cheapest_source(const struct deriving *deriving, uint32_t from)
{
    const struct split_problem *split = deriving->problem->split;
    size_t best = SIZE_MAX;

    for (size_t m = 0; m < split->memories; m++)
        if ((from & BIT(m)) != 0 &&
            (best == SIZE_MAX || split->memory[m].read < split->memory[best].read))
            best = m;
    return best;
}

/* Access A of buffer B, which was held in the memories BEFORE; none: this makes it.  */
static void derive_access(struct deriving *deriving, size_t b, size_t a, uint32_t before)
{
    const struct moves_problem *problem = deriving->problem;
    const size_t used = deriving->choice->used[a];
    const bool writes = problem->accesses.access[a].writes > 0;
    uint32_t valid, sources;

    deriving->plan->used[a] = used;
    deriving->plan->cost += moves_access_cost(problem, a, used);
    deriving->in_use[a] = BIT(used) | deriving->choice->held[a];
    if (before != 0 && (before & BIT(used)) == 0)
        add_copy(deriving, b, a, false, cheapest_source(deriving, before), used);
    valid = writes || before == 0 ? BIT(used) : before | BIT(used);
    sources = valid;
    for (size_t m = 0; m < problem->split->memories; m++)
        if ((deriving->choice->held[a] & ~valid & BIT(m)) != 0)
            add_copy(deriving, b, a, true, cheapest_source(deriving, sources), m);
}

static void add_stay(struct move_plan *plan, struct move_stay stay)
{
    plan->stay = memory_grow(plan->stay, &plan->stay_room, plan->stays + 1, sizeof *plan->stay);
    plan->stay[plan->stays++] = stay;
}

/* The stays of buffer B in memory M.  */
static void derive_stays(struct deriving *deriving, size_t b, size_t m)
{
    const struct accesses *accesses = &deriving->problem->accesses;
    const size_t last = accesses->first[b + 1];
    struct move_stay stay = {b, m, 0, 0, 0};

    for (size_t a = accesses->first[b]; a < last; a++) {
        const int64_t step = accesses->access[a].step;
        const int64_t next = a + 1 < last ? accesses->access[a + 1].step
                                          : deriving->problem->split->instance->buffer[b].end;

        if ((deriving->in_use[a] & BIT(m)) != 0) {
            if (stay.end < step || stay.end == stay.begin) {
                if (stay.end > stay.begin)
                    add_stay(deriving->plan, stay);
                stay.begin = step;
            }
            stay.end = (deriving->choice->held[a] & BIT(m)) != 0 ? next : step + 1;
        }
    }
    if (stay.end > stay.begin)
        add_stay(deriving->plan, stay);
}

void move_plan_derive(struct move_plan *plan, const struct moves_problem *problem,
                      const struct move_choice *choice)
{
    struct deriving deriving = {plan, problem, choice,
                                memory_zalloc(moves_accesses(problem), sizeof *deriving.in_use)};

    plan->stays = plan->copies = 0;
    plan->copied = plan->cost = 0;
    for (size_t b = 0; b < problem->split->instance->n; b++) {
        const size_t first = problem->accesses.first[b];

        for (size_t a = first; a < problem->accesses.first[b + 1]; a++)
            derive_access(&deriving, b, a, a == first ? 0 : choice->held[a - 1]);
        for (size_t m = 0; m < problem->split->memories; m++)
            derive_stays(&deriving, b, m);
    }
    memory_free(deriving.in_use);
}

/* --- stays as buffers --- */

struct instance *moves_instance(const struct moves_problem *problem, const struct move_stay *stay,
                                size_t count)
{
    const struct instance *from = problem->split->instance;
    struct instance *instance = instance_new(from->name);
    struct error error;

    for (size_t i = 0; i < count; i++) {
        const struct buffer *buffer = &from->buffer[stay[i].buffer];
        struct piece *piece = memory_alloc(buffer->pieces, sizeof *piece);
        char *id = memory_printf("%s@%lld", buffer->id, (long long)stay[i].begin);
        size_t pieces = 0, index;

        for (size_t p = 0; p < buffer->pieces; p++) {
            struct piece part = from->piece[buffer->first_piece + p];

            part.begin = max64(part.begin, stay[i].begin);
            part.end = min64(part.end, stay[i].end);
            if (part.begin < part.end)
                piece[pieces++] = part;
        }
        /* In a gap of its life it takes the room all the same.  */
        if (pieces == 0)
            piece[pieces++] = (struct piece){stay[i].begin, stay[i].end, 0, buffer->size, false};
        index = instance_add_pieces(instance, id, piece, pieces, buffer->alignment);
        instance->buffer[index].size = buffer->size;
        memory_free(piece);
        memory_free(id);
    }
    instance_make_ids_unique(instance);
    if (!instance_seal(instance, NULL, &error)) {
        instance_free(instance);
        return NULL;
    }
    return instance;
}
