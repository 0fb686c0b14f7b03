/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/memory.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "memories/moves.h"
#include "memories/split.h"

/* One buffer's life, as far as it has been gone through.  */
struct life {
    const struct moves_problem *problem;
    const struct move_plan *plan;
    const struct buffer *buffer;
    size_t b;
    size_t first_stay, end_stay; /* of the plan's, those of this buffer */
    size_t copy;                 /* the next of the plan's */
    uint32_t good;               /* memories that hold what was last written */
    int64_t cost;
};

static const char *name_of(const struct life *life, size_t m)
{
    return life->problem->split->memory[m].name;
}

/* Whether it is in memory M from step FROM to step TO, both inclusive, without a break.  */
static bool is_there(const struct life *life, size_t m, int64_t from, int64_t to)
{
    for (size_t i = life->first_stay; i < life->end_stay; i++)
        if (life->plan->stay[i].memory == m && life->plan->stay[i].begin <= from &&
            life->plan->stay[i].end > to)
            return true;
    return false;
}

static uint32_t good_until(const struct life *life, int64_t from, int64_t to)
{
    uint32_t good = 0;

    for (size_t m = 0; m < life->problem->split->memories; m++)
        if ((life->good >> m & 1) != 0 && is_there(life, m, from, to))
            good |= (uint32_t)1 << m;
    return good;
}

/* The copies at access A on this side of it, from one of the memories SOURCES.  */
static bool go_through_copies(struct life *life, size_t a, bool after, uint32_t sources,
                              struct error *error)
{
    const int64_t step = life->problem->accesses.access[a].step;

    for (; life->copy < life->plan->copies && life->plan->copy[life->copy].access == a &&
           life->plan->copy[life->copy].after == after;
         life->copy++) {
        const struct move_copy *copy = &life->plan->copy[life->copy];

        if (copy->buffer != life->b || copy->from == copy->to ||
            copy->from >= life->problem->split->memories ||
            copy->to >= life->problem->split->memories)
            return error_set(error, "a copy of buffer '%s' makes no sense", life->buffer->id);
        if ((sources >> copy->from & 1) == 0)
            return error_set(error,
                             "step %lld: buffer '%s' is copied from memory '%s', where it "
                             "is not",
                             (long long)step, life->buffer->id, name_of(life, copy->from));
        if (!is_there(life, copy->from, step, step) || !is_there(life, copy->to, step, step))
            return error_set(error, "step %lld: buffer '%s' has no room for its copy",
                             (long long)step, life->buffer->id);
        life->good |= (uint32_t)1 << copy->to;
        life->cost += life->buffer->size * (life->problem->split->memory[copy->from].read +
                                            life->problem->split->memory[copy->to].write);
    }
    return true;
}

static bool go_through_access(struct life *life, size_t a, bool first, struct error *error)
{
    const struct access *access = &life->problem->accesses.access[a];
    const size_t used = life->plan->used[a];
    const uint32_t before = life->good;

    if (!go_through_copies(life, a, false, before, error))
        return false;
    if (used >= life->problem->split->memories ||
        !is_there(life, used, access->step, access->step) ||
        (!first && (life->good >> used & 1) == 0))
        return error_set(error, "step %lld: buffer '%s' is not where it is read or written",
                         (long long)access->step, life->buffer->id);
    if (first || access->writes > 0)
        life->good = (uint32_t)1 << used;
    life->cost += access->reads * life->problem->split->memory[used].read +
                  access->writes * life->problem->split->memory[used].write;
    return go_through_copies(life, a, true, (before & life->good) | (uint32_t)1 << used, error);
}

static bool go_through_life(struct life *life, struct error *error)
{
    const struct accesses *accesses = &life->problem->accesses;
    const size_t from = accesses->first[life->b], to = accesses->first[life->b + 1];

    life->good = 0;
    for (size_t a = from; a < to; a++) {
        const int64_t step = accesses->access[a].step;

        if (a > from && (life->good = good_until(life, accesses->access[a - 1].step, step)) == 0)
            return error_set(error, "buffer '%s' is nowhere before step %lld", life->buffer->id,
                             (long long)step);
        if (!go_through_access(life, a, a == from, error))
            return false;
    }
    return good_until(life, accesses->access[to - 1].step, life->buffer->end - 1) != 0 ||
           error_set(error, "buffer '%s' is nowhere at the end of its life", life->buffer->id);
}

static bool verify_lives(const struct moves_problem *problem, const struct move_plan *plan,
                         struct error *error)
{
    struct life life = {.problem = problem, .plan = plan};

    for (size_t b = 0; b < problem->split->instance->n; b++) {
        life.b = b;
        life.buffer = &problem->split->instance->buffer[b];
        life.first_stay = life.end_stay;
        while (life.end_stay < plan->stays && plan->stay[life.end_stay].buffer == b)
            life.end_stay++;
        if (!go_through_life(&life, error))
            return false;
    }
    if (life.end_stay != plan->stays || life.copy != plan->copies)
        return error_set(error, "stays or copies are out of order");
    return life.cost == plan->cost || error_set(error, "the cost is not that of the moves");
}

/* The stays in memory M, judged as the plan of an arena.  */
static bool verify_memory(const struct moves_problem *problem, const struct move_plan *plan,
                          size_t m, struct error *error)
{
    struct move_stay *stay = memory_alloc(plan->stays, sizeof *stay);
    size_t count = 0;
    struct instance *instance;
    struct plan *arena;
    bool good = true;

    for (size_t i = 0; i < plan->stays; i++)
        if (plan->stay[i].memory == m)
            stay[count++] = plan->stay[i];
    instance = moves_instance(problem, stay, count);
    arena = plan_new(instance);
    for (size_t i = 0; good && i < count; i++) {
        arena->offset[i] = stay[i].offset;
        good = split_verify_place(&problem->split->memory[m], &instance->buffer[i], stay[i].offset,
                                  error);
    }
    arena->peak = plan_peak(instance, arena);
    good = good && (verify_plan(instance, arena, error) ||
                    error_prefix(error, "memory '%s'", problem->split->memory[m].name));
    plan_free(arena);
    instance_free(instance);
    memory_free(stay);
    return good;
}

bool moves_verify(const struct moves_problem *problem, const struct move_plan *plan,
                  struct error *error)
{
    const struct split_problem *split = problem->split;

    for (size_t i = 0; i < plan->stays; i++) {
        const struct move_stay *stay = &plan->stay[i];
        const struct buffer *buffer = &split->instance->buffer[stay->buffer];

        if (stay->memory >= split->memories || !moves_allowed(problem, stay->buffer, stay->memory))
            return error_set(error, "buffer '%s' is in no memory that it may lie in", buffer->id);
        if (stay->begin < buffer->begin || stay->end > buffer->end || stay->begin >= stay->end)
            return error_set(error, "buffer '%s' is in a memory before or after its life",
                             buffer->id);
    }
    if (!verify_lives(problem, plan, error))
        return false;
    for (size_t m = 0; m < split->memories; m++)
        if (!verify_memory(problem, plan, m, error))
            return false;
    return true;
}
