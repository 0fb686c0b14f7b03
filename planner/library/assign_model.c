/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/assign_model.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/sections.h"
#include "planner/library/prepare.h"

/* --- checks --- */

static bool memory_is_good(const struct arenaplan_memory *memory)
{
    return memory->capacity >= 0 && memory->alignment >= 0 && memory->read >= 0 &&
           memory->write >= 0;
}

static struct arenaplan_access access_of(const struct arenaplan_memories *memories,
                                         const struct arenaplan_problem *problem, size_t b)
{
    int64_t size = problem_size(&problem->buffer[b]);

    return memories->access != NULL ? memories->access[b]
                                    : (struct arenaplan_access){size, size, 0};
}

static uint64_t all_memories(size_t count)
{
    return count == ARENAPLAN_MOST_MEMORIES ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static uint64_t allowed(const struct arenaplan_memories *memories,
                        const struct arenaplan_access *access)
{
    return access->memories == 0 ? all_memories(memories->count) : access->memories;
}

static bool access_is_good(const struct arenaplan_memories *memories,
                           const struct arenaplan_access *access,
                           const struct arenaplan_buffer *buffer)
{
    uint64_t may = allowed(memories, access);

    return access->reads >= 0 && access->writes >= 0 &&
           (may & ~all_memories(memories->count)) == 0 &&
           (!problem_is_fixed(buffer) || (may & (may - 1)) == 0);
}

static bool combine(struct arenaplan_buffer *buffer, const struct arenaplan_memory *memory)
{
    return checked_lcm(max64(buffer->alignment, 1), max64(memory->alignment, 1),
                       &buffer->alignment);
}

static bool price(const struct arenaplan_memory *memory, const struct arenaplan_access *access,
                  int64_t *cost)
{
    int64_t read, write;

    return checked_mul(access->reads, memory->read, &read) &&
           checked_mul(access->writes, memory->write, &write) && checked_add(read, write, cost);
}

/* All that may lie in memory M, as if it did.  */
static bool check_in(const struct arenaplan_problem *problem,
                     const struct arenaplan_memories *memories, size_t m, struct fault *fault)
{
    struct arenaplan_buffer *buffer = memory_alloc(problem->count, sizeof *buffer);
    size_t *index = memory_alloc(problem->count, sizeof *index);
    struct arenaplan_problem part = ARENAPLAN_PROBLEM(buffer, 0);
    bool good = true;

    for (size_t b = 0; b < problem->count && good; b++) {
        const struct arenaplan_access access = access_of(memories, problem, b);

        if ((allowed(memories, &access) >> m & 1) == 0)
            continue;
        buffer[part.count] = problem->buffer[b];
        index[part.count] = b;
        good =
            buffer[part.count].alignment < 0 || combine(&buffer[part.count], &memories->memory[m]);
        *fault = (struct fault){ARENAPLAN_FAULT_OVERFLOW, b, SIZE_MAX};
        part.count++;
    }
    if (good) {
        good = problem_check(&part, fault);
        fault->buffer = fault->buffer == SIZE_MAX ? SIZE_MAX : index[fault->buffer];
        fault->other = fault->other == SIZE_MAX ? SIZE_MAX : index[fault->other];
    }
    memory_free(buffer);
    memory_free(index);
    return good;
}

/* That costs are numbers, and their sum wherever the buffers lie.  */
static bool costs_fit(const struct arenaplan_problem *problem,
                      const struct arenaplan_memories *memories, struct fault *fault)
{
    int64_t sum = 0;

    for (size_t b = 0; b < problem->count; b++) {
        const struct arenaplan_access access = access_of(memories, problem, b);
        int64_t most = 0, cost;

        *fault = (struct fault){ARENAPLAN_FAULT_OVERFLOW, b, SIZE_MAX};
        for (size_t m = 0; m < memories->count; m++) {
            if ((allowed(memories, &access) >> m & 1) == 0)
                continue;
            if (!price(&memories->memory[m], &access, &cost))
                return false;
            most = max64(most, cost);
        }
        if (!checked_add(sum, most, &sum))
            return false;
    }
    return true;
}

bool assign_check(const struct arenaplan_problem *problem,
                  const struct arenaplan_memories *memories, struct fault *fault)
{
    *fault = (struct fault){ARENAPLAN_FAULT_MEMORY, SIZE_MAX, SIZE_MAX};
    if (memories->count == 0 || memories->count > ARENAPLAN_MOST_MEMORIES)
        return false;
    for (fault->other = 0; fault->other < memories->count; fault->other++)
        if (!memory_is_good(&memories->memory[fault->other]))
            return false;
    for (size_t b = 0; b < problem->count; b++) {
        const struct arenaplan_access access = access_of(memories, problem, b);

        *fault = (struct fault){ARENAPLAN_FAULT_ACCESS, b, SIZE_MAX};
        if (problem->buffer[b].size >= 0 && !access_is_good(memories, &access, &problem->buffer[b]))
            return false;
    }
    for (size_t m = 0; m < memories->count; m++)
        if (!check_in(problem, memories, m, fault))
            return false;
    return costs_fit(problem, memories, fault);
}

/* --- the model --- */

struct arenaplan_buffer assign_buffer(const struct assign_model *model, size_t b, size_t m)
{
    struct arenaplan_buffer buffer = model->problem->buffer[b];

    combine(&buffer, &model->memory[m]);
    return buffer;
}

static bool holds(const struct arenaplan_memory *memory, const struct arenaplan_buffer *buffer)
{
    int64_t size = problem_size(buffer), offset = problem_is_fixed(buffer) ? buffer->offset : 0;

    return size == 0 || size + offset <= memory->capacity;
}

/* The memories of buffer B by cost, ties by index.  */
static void list_choices(struct assign_model *model, const struct arenaplan_memories *memories,
                         size_t b)
{
    const struct arenaplan_access access = access_of(memories, model->problem, b);
    int64_t *cost = &model->cost[b * model->memories];
    size_t *order = &model->order[b * model->memories], count = 0;

    for (size_t m = 0; m < model->memories; m++) {
        size_t at = count;

        cost[m] = ASSIGN_NEVER;
        if ((allowed(memories, &access) >> m & 1) == 0 ||
            !holds(&model->memory[m], &model->problem->buffer[b]))
            continue;
        price(&model->memory[m], &access, &cost[m]);
        for (; at > 0 && cost[order[at - 1]] > cost[m]; at--)
            order[at] = order[at - 1];
        order[at] = m;
        count++;
    }
    model->choices[b] = count;
}

static void list_pieces(struct assign_model *model)
{
    size_t room = 0, count = 0;

    model->first_piece = memory_alloc(model->n + 1, sizeof *model->first_piece);
    for (size_t b = 0; b < model->n; b++)
        room += model->problem->buffer[b].pieces + 1;
    model->piece = memory_alloc(room, sizeof *model->piece);
    for (size_t b = 0; b < model->n; b++) {
        const struct arenaplan_buffer *buffer = &model->problem->buffer[b];

        model->first_piece[b] = count;
        if (buffer->piece == NULL && buffer->size > 0)
            model->piece[count++] =
                (struct assign_piece){buffer->begin, buffer->end, 0, buffer->size, 0, 0};
        for (size_t i = 0; i < buffer->pieces; i++)
            model->piece[count++] = (struct assign_piece){buffer->piece[i].begin,
                                                          buffer->piece[i].end,
                                                          buffer->piece[i].low,
                                                          buffer->piece[i].high,
                                                          0,
                                                          0};
    }
    model->first_piece[model->n] = count;
}

static void find_sections(struct assign_model *model)
{
    const size_t count = model->first_piece[model->n];
    struct sections_span *span = memory_alloc(count, sizeof *span);

    for (size_t i = 0; i < count; i++)
        span[i] = (struct sections_span){model->piece[i].begin, model->piece[i].end, 0, 0};
    model->sections = sections_find(span, count);
    for (size_t i = 0; i < count; i++) {
        model->piece[i].first = span[i].first;
        model->piece[i].last = span[i].last;
    }
    memory_free(span);
}

bool assign_model_init(struct assign_model *model, const struct arenaplan_problem *problem,
                       const struct arenaplan_memories *memories, size_t *buffer)
{
    const size_t n = problem->count, count = memories->count;

    *model = (struct assign_model){
        .problem = problem, .memory = memories->memory, .n = n, .memories = count};
    if (n > SIZE_MAX / count)
        memory_exhausted();
    model->cost = memory_alloc(n * count, sizeof *model->cost);
    model->order = memory_alloc(n * count, sizeof *model->order);
    model->choices = memory_alloc(n, sizeof *model->choices);
    for (size_t b = 0; b < n; b++) {
        list_choices(model, memories, b);
        if (model->choices[b] == 0) {
            *buffer = b;
            return false;
        }
        model->cheapest += assign_cost(model, b, assign_choice(model, b, 0));
        model->dearest += assign_cost(model, b, assign_choice(model, b, model->choices[b] - 1));
    }
    list_pieces(model);
    find_sections(model);
    return true;
}

/* --- sums --- */

/* Whether the bytes of buffers that may lie in memory M alone, or of all for SIZE_MAX, are within
 * CAPACITY in every section.  CHANGE has room for a number more than there are sections.  */
static bool sums_fit(const struct assign_model *model, size_t m, int64_t capacity, int64_t *change)
{
    int64_t sum = 0;

    for (size_t s = 0; s <= model->sections; s++)
        change[s] = 0;
    for (size_t b = 0; b < model->n; b++) {
        if (m != SIZE_MAX && (model->choices[b] > 1 || assign_choice(model, b, 0) != m))
            continue;
        for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
            const struct assign_piece *piece = &model->piece[i];

            change[piece->first] += piece->high - piece->low;
            change[piece->last + 1] -= piece->high - piece->low;
        }
    }
    for (size_t s = 0; s < model->sections; s++) {
        sum += change[s];
        if (sum > capacity)
            return false;
    }
    return true;
}

bool assign_sums_fit(const struct assign_model *model)
{
    int64_t *change = memory_alloc(model->sections + 1, sizeof *change), all = 0;
    bool fit = true;

    for (size_t m = 0; m < model->memories && fit; m++) {
        fit = sums_fit(model, m, model->memory[m].capacity, change);
        all = capped_add(all, model->memory[m].capacity);
    }
    fit = fit && sums_fit(model, SIZE_MAX, all, change);
    memory_free(change);
    return fit;
}
