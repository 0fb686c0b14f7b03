/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/split.h"

#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "lib/problem/plan.h"

/* A gigabyte of them.  */
enum { MOST_USES = 1 << 26 };

/* --- costs --- */

/* The memories that buffers name, as bits of those that were given; false when one was not.  */
static bool name_bits(const struct instance *instance, const struct memories *memories,
                      uint32_t *bits, struct error *error)
{
    for (size_t i = 0; i < instance->n_memories; i++) {
        size_t m = 0;

        while (m < memories->count && strcmp(memories->memory[m].name, instance->memory[i]) != 0)
            m++;
        if (m == memories->count)
            return error_set(error,
                             "%s: buffers may lie in a memory '%s'; expected it among those "
                             "given (--memory)",
                             instance->name, instance->memory[i]);
        bits[i] = (uint32_t)1 << m;
    }
    return true;
}

static bool may_lie_in(const struct buffer *buffer, const uint32_t *bits, size_t names, size_t m)
{
    for (size_t i = 0; i < names; i++)
        if ((buffer->memories >> i & 1) != 0 && (bits[i] >> m & 1) != 0)
            return true;
    return buffer->memories == 0;
}

static bool cost_of(const struct split_problem *problem, size_t b, const struct memory *memory,
                    int64_t *cost)
{
    int64_t reads, writes;

    return checked_mul(problem->traffic.reads[b], memory->read, &reads) &&
           checked_mul(problem->traffic.writes[b], memory->write, &writes) &&
           checked_add(reads, writes, cost) && *cost < SPLIT_NEVER;
}

/* The memories of buffer B, the cheapest first; ties by their order.  */
static void sort_memories(struct split_problem *problem, size_t b)
{
    const int64_t *cost = problem->cost + b * problem->memories;
    size_t *order = problem->order + b * problem->memories;

    for (size_t m = 0; m < problem->memories; m++) {
        size_t at = m;

        for (; at > 0 && cost[order[at - 1]] > cost[m]; at--)
            order[at] = order[at - 1];
        order[at] = m;
    }
}

static bool find_costs(struct split_problem *problem, const uint32_t *bits, struct error *error)
{
    const struct instance *instance = problem->instance;
    int64_t worst = 0; /* sum: no split's overflows */

    for (size_t b = 0; b < instance->n; b++) {
        int64_t most = 0;

        for (size_t m = 0; m < problem->memories; m++) {
            int64_t *cost = &problem->cost[b * problem->memories + m];

            *cost = SPLIT_NEVER;
            if (instance->buffer[b].size > memory_room(&problem->memory[m]) ||
                !may_lie_in(&instance->buffer[b], bits, instance->n_memories, m))
                continue;
            if (!cost_of(problem, b, &problem->memory[m], cost))
                return error_set(error, "buffer '%s': its cost does not fit in 64 bits",
                                 instance->buffer[b].id);
            most = max64(most, *cost);
        }
        if (!checked_add(worst, most, &worst))
            return error_set(error, "the sum of all costs does not fit in 64 bits");
        sort_memories(problem, b);
    }
    return true;
}

/* --- what is in use at each step --- */

/* Uses of all steps of the axis: those of step s are use[start[s]] .. use[end[s]].  */
struct uses {
    size_t steps, *start, *end;
    struct split_use *use;
};

/* The time of each step of the axis.  */
static int64_t *step_times(const struct instance *instance)
{
    int64_t *time = memory_alloc(instance->pieces, sizeof *time);
    size_t count = 0;

    for (size_t p = 0; p < instance->pieces; p++)
        time[p] = instance->piece[p].begin;
    sort_stable(time, instance->pieces, sizeof *time, compare64);
    for (size_t p = 0; p < instance->pieces; p++)
        if (count == 0 || time[count - 1] != time[p])
            time[count++] = time[p];
    return time;
}

/* Bytes of buffer B at each of its steps.  */
static void bytes_of(const struct instance *instance, size_t b, const int64_t *time, int64_t *bytes)
{
    const struct buffer *buffer = &instance->buffer[b];
    struct piece *disjoint;
    size_t pieces =
        pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &disjoint);

    for (size_t s = buffer->first; s <= buffer->last; s++)
        bytes[s] = 0;
    for (size_t p = 0; p < pieces; p++) {
        size_t s = BISECT(i, buffer->first, buffer->last, time[i] < disjoint[p].begin);

        for (; s <= buffer->last && time[s] < disjoint[p].end; s++)
            bytes[s] += disjoint[p].hi - disjoint[p].lo;
    }
    memory_free(disjoint);
}

/* Where the uses of each step begin; false when there are too many.  */
static bool count_uses(const struct instance *instance, struct uses *uses)
{
    size_t sum = 0;

    uses->steps = instance->steps;
    uses->start = memory_zalloc(uses->steps + 1, sizeof *uses->start);
    for (size_t b = 0; b < instance->n && sum <= MOST_USES; b++) {
        sum += (size_t)instance->buffer[b].last - instance->buffer[b].first + 1;
        for (size_t s = instance->buffer[b].first; s <= instance->buffer[b].last; s++)
            uses->start[s + 1]++;
    }
    for (size_t s = 0; s < uses->steps; s++)
        uses->start[s + 1] += uses->start[s];
    return sum <= MOST_USES;
}

static void fill_uses(const struct instance *instance, struct uses *uses)
{
    int64_t *time = step_times(instance);
    int64_t *bytes = memory_alloc(uses->steps, sizeof *bytes);

    uses->end = memory_alloc(uses->steps, sizeof *uses->end);
    uses->use = memory_alloc(uses->start[uses->steps], sizeof *uses->use);
    for (size_t s = 0; s < uses->steps; s++)
        uses->end[s] = uses->start[s];
    for (size_t b = 0; b < instance->n; b++) {
        bytes_of(instance, b, time, bytes);
        for (size_t s = instance->buffer[b].first; s <= instance->buffer[b].last; s++)
            if (bytes[s] > 0)
                uses->use[uses->end[s]++] = (struct split_use){b, bytes[s]};
    }
    memory_free(time);
    memory_free(bytes);
}

/* Whether all that is in use at step A is at step B, too, with as many bytes or more.  */
static bool is_within(const struct uses *uses, size_t a, size_t b)
{
    size_t j = uses->start[b];

    if (uses->end[a] - uses->start[a] > uses->end[b] - uses->start[b])
        return false;
    for (size_t i = uses->start[a]; i < uses->end[a]; i++) {
        while (j < uses->end[b] && uses->use[j].index < uses->use[i].index)
            j++;
        if (j == uses->end[b] || uses->use[j].index != uses->use[i].index ||
            uses->use[j].bytes < uses->use[i].bytes)
            return false;
    }
    return true;
}

/* Keeps the steps that are not within the next one that is kept, nor within the one before.  */
static void keep_rows(struct split_problem *problem, const struct uses *uses)
{
    size_t *kept = memory_alloc(uses->steps + 1, sizeof *kept), count = 0, at = 0;

    for (size_t s = 0; s < uses->steps; s++) {
        while (count > 0 && is_within(uses, kept[count - 1], s))
            count--;
        if (count == 0 || !is_within(uses, s, kept[count - 1]))
            kept[count++] = s;
    }
    problem->rows = count;
    problem->row = memory_zalloc(count + 1, sizeof *problem->row);
    problem->use = memory_alloc(uses->start[uses->steps], sizeof *problem->use);
    for (size_t i = 0; i < count; i++) {
        const size_t from = uses->start[kept[i]], many = uses->end[kept[i]] - from;

        for (size_t k = 0; k < many; k++)
            problem->use[at + k] = uses->use[from + k];
        at += many;
        problem->row[i + 1] = at;
    }
    memory_free(kept);
}

/* The rows of each buffer.  */
static void turn_rows(struct split_problem *problem)
{
    const size_t n = problem->instance->n, uses = problem->row[problem->rows];
    size_t *end = memory_alloc(n, sizeof *end);

    problem->buffer_row = memory_zalloc(n + 1, sizeof *problem->buffer_row);
    problem->buffer_use = memory_alloc(uses, sizeof *problem->buffer_use);
    for (size_t i = 0; i < uses; i++)
        problem->buffer_row[problem->use[i].index + 1]++;
    for (size_t b = 0; b < n; b++) {
        end[b] = problem->buffer_row[b];
        problem->buffer_row[b + 1] += problem->buffer_row[b];
    }
    for (size_t r = 0; r < problem->rows; r++)
        for (size_t i = problem->row[r]; i < problem->row[r + 1]; i++)
            problem->buffer_use[end[problem->use[i].index]++] =
                (struct split_use){r, problem->use[i].bytes};
    memory_free(end);
}

static bool find_rows(struct split_problem *problem, struct error *error)
{
    struct uses uses = {0};
    bool few = count_uses(problem->instance, &uses);

    if (few) {
        fill_uses(problem->instance, &uses);
        keep_rows(problem, &uses);
        turn_rows(problem);
    }
    memory_free(uses.start);
    memory_free(uses.end);
    memory_free(uses.use);
    return few || error_set(error,
                            "%s is too large: more than %d pairs of a buffer and a step at which "
                            "it is alive",
                            problem->instance->name, MOST_USES);
}

/* --- begin and end --- */

bool split_problem_init(struct split_problem *problem, const struct instance *instance,
                        const struct memories *memories, struct error *error)
{
    uint32_t bits[INSTANCE_MEMORIES];

    if (instance->fixed > 0)
        return error_set(error, "%s has fixed offsets, which do not say in which memory",
                         instance->name);
    if (memories->count == 0 || memories->count > INSTANCE_MEMORIES)
        return error_set(error, "expected 1 to %d memories", INSTANCE_MEMORIES);
    if (!name_bits(instance, memories, bits, error))
        return false;
    *problem = (struct split_problem){
        .instance = instance, .memory = memories->memory, .memories = memories->count};
    if (!traffic_find(instance, &problem->traffic, error))
        return false;
    problem->cost = memory_alloc(instance->n * memories->count, sizeof *problem->cost);
    problem->order = memory_alloc(instance->n * memories->count, sizeof *problem->order);
    callers_problem_init(&problem->given, instance);
    if (find_rows(problem, error) && find_costs(problem, bits, error))
        return true;
    split_problem_clear(problem);
    return false;
}

void split_problem_clear(struct split_problem *problem)
{
    callers_problem_clear(&problem->given);
    traffic_clear(&problem->traffic);
    memory_free(problem->cost);
    memory_free(problem->order);
    memory_free(problem->row);
    memory_free(problem->use);
    memory_free(problem->buffer_row);
    memory_free(problem->buffer_use);
}

void split_init(struct split *split, const struct split_problem *problem)
{
    const size_t n = problem->instance->n;

    *split = (struct split){.memory = memory_alloc(n, sizeof *split->memory),
                            .offset = memory_zalloc(n, sizeof *split->offset),
                            .cost = SPLIT_NEVER};
    for (size_t b = 0; b < n; b++)
        split->memory[b] = SIZE_MAX;
}

void split_clear(struct split *split)
{
    memory_free(split->memory);
    memory_free(split->offset);
}

void split_copy(struct split *to, const struct split *from, const struct split_problem *problem)
{
    for (size_t b = 0; b < problem->instance->n; b++) {
        to->memory[b] = from->memory[b];
        to->offset[b] = from->offset[b];
    }
    to->cost = from->cost;
}

int64_t split_cost(const struct split_problem *problem, const struct split *split)
{
    int64_t sum = 0;

    for (size_t b = 0; b < problem->instance->n; b++) {
        const size_t m = split->memory[b];

        if (m == SIZE_MAX || problem->cost[b * problem->memories + m] == SPLIT_NEVER)
            return SPLIT_NEVER;
        sum += problem->cost[b * problem->memories + m];
    }
    return sum;
}

double split_outside(const struct split_problem *problem, const struct split *split)
{
    const struct traffic *traffic = &problem->traffic;
    double all = 0.0, outside = 0.0;

    for (size_t b = 0; b < problem->instance->n; b++) {
        const double bytes = (double)traffic->reads[b] + (double)traffic->writes[b];

        all += bytes;
        outside += split->memory[b] == 0 ? 0.0 : bytes;
    }
    return all > 0.0 ? outside / all : 0.0;
}

/* --- the judge --- */

bool split_verify_place(const struct memory *memory, const struct buffer *buffer, int64_t offset,
                        struct error *error)
{
    if (offset < 0 || offset > memory->capacity - buffer->size)
        return error_set(error, "buffer '%s' is not within memory '%s'", buffer->id, memory->name);
    if (offset % memory->alignment != 0)
        return error_set(error, "buffer '%s' is not aligned as memory '%s' asks", buffer->id,
                         memory->name);
    for (size_t i = 0; i < memory->n_reserved; i++)
        if (offset < memory->reserved[i].end && memory->reserved[i].begin < offset + buffer->size)
            return error_set(error, "buffer '%s' is in a reserved range of memory '%s'", buffer->id,
                             memory->name);
    return true;
}

/* The plan of memory M, judged as that of an arena.  */
static bool verify_memory(const struct split_problem *problem, const struct split *split, size_t m,
                          struct error *error)
{
    size_t *keep = memory_alloc(problem->instance->n, sizeof *keep), count = 0;
    struct instance *part;
    struct plan *plan;
    bool good;

    for (size_t b = 0; b < problem->instance->n; b++)
        if (split->memory[b] == m)
            keep[count++] = b;
    part = instance_subset(problem->instance, keep, count);
    plan = plan_new(part);
    for (size_t i = 0; i < count; i++)
        plan->offset[i] = split->offset[keep[i]];
    plan->peak = plan_peak(part, plan);
    good = verify_plan(part, plan, error) ||
           error_prefix(error, "memory '%s'", problem->memory[m].name);
    plan_free(plan);
    instance_free(part);
    memory_free(keep);
    return good;
}

bool split_verify(const struct split_problem *problem, const struct split *split,
                  struct error *error)
{
    for (size_t b = 0; b < problem->instance->n; b++) {
        const struct buffer *buffer = &problem->instance->buffer[b];
        const size_t m = split->memory[b];

        if (m >= problem->memories || problem->cost[b * problem->memories + m] == SPLIT_NEVER)
            return error_set(error, "buffer '%s' is in no memory that it may lie in", buffer->id);
        if (!split_verify_place(&problem->memory[m], buffer, split->offset[b], error))
            return false;
    }
    for (size_t m = 0; m < problem->memories; m++)
        if (!verify_memory(problem, split, m, error))
            return false;
    return split->cost == split_cost(problem, split) ||
           error_set(error, "the cost is not that of where buffers lie");
}
