/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/placing.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/split.h"
#include "planner/arenaplan.h"

/* Placements for one more buffer in a memory that has the room: a try, not a search.  */
#define WORK_TO_ADD 2000

/* --- asking the library --- */

/* The buffers of SET, then what is reserved in MEMORY as buffers that are fixed.  */
static struct arenaplan_buffer *buffers_of(const struct split_problem *problem,
                                           const struct memory *memory, const size_t *set,
                                           size_t count)
{
    struct arenaplan_buffer *buffer = memory_alloc(count + memory->n_reserved, sizeof *buffer);
    int64_t begin = INT64_MAX, end = INT64_MIN;

    for (size_t i = 0; i < count; i++) {
        buffer[i] = problem->given.buffer[set[i]];
        buffer[i].alignment = memory_alignment(memory, buffer[i].alignment);
        begin = min64(begin, problem->instance->buffer[set[i]].begin);
        end = max64(end, problem->instance->buffer[set[i]].end);
    }
    for (size_t i = 0; i < memory->n_reserved; i++) {
        const struct memory_range *range = &memory->reserved[i];

        buffer[count + i] = (struct arenaplan_buffer){.begin = begin,
                                                      .end = end,
                                                      .size = range->end - range->begin,
                                                      .offset = range->begin,
                                                      .flags = ARENAPLAN_FIXED};
    }
    return buffer;
}

static enum placing_answer answer_of(enum arenaplan_status status)
{
    if (status == ARENAPLAN_OPTIMAL || status == ARENAPLAN_FEASIBLE)
        return PLACING_FITS;
    return status == ARENAPLAN_INFEASIBLE ? PLACING_NEVER : PLACING_UNKNOWN;
}

enum placing_answer placing_ask(const struct split_problem *problem, size_t m, const size_t *set,
                                size_t count, int64_t work, double deadline, int64_t *offset)
{
    const struct memory *memory = &problem->memory[m];
    const double seconds = deadline - timer_now();
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_problem asked;
    struct arenaplan_buffer *buffer;
    enum placing_answer answer = PLACING_UNKNOWN;
    int64_t *found;

    if (count == 0)
        return PLACING_FITS;
    if (seconds <= 0.0)
        return PLACING_UNKNOWN;
    buffer = buffers_of(problem, memory, set, count);
    found = memory_alloc(count + memory->n_reserved, sizeof *found);
    asked = (struct arenaplan_problem)ARENAPLAN_PROBLEM(buffer, count + memory->n_reserved);
    options.work = work;
    options.seconds = isinf(seconds) ? 0.0 : seconds;
    if (memory->capacity == INT64_MAX)
        answer = answer_of(arenaplan_plan(&asked, &options, found, NULL));
    else
        answer = answer_of(arenaplan_fits(&asked, memory->capacity, &options, found, NULL));
    for (size_t i = 0; answer == PLACING_FITS && i < count; i++)
        offset[i] = found[i];
    memory_free(found);
    memory_free(buffer);
    return answer;
}

/* --- one by one --- */

void placing_init(struct placing *placing, const struct split_problem *problem, struct split *split,
                  int64_t work, double deadline)
{
    *placing = (struct placing){
        .problem = problem,
        .split = split,
        .used = memory_zalloc(problem->memories * problem->rows, sizeof *placing->used),
        .work = work,
        .deadline = deadline,
    };
    for (size_t b = 0; b < problem->instance->n; b++)
        for (size_t i = problem->buffer_row[b];
             split->memory[b] != SIZE_MAX && i < problem->buffer_row[b + 1]; i++)
            placing->used[split->memory[b] * problem->rows + problem->buffer_use[i].index] +=
                problem->buffer_use[i].bytes;
}

void placing_clear(struct placing *placing)
{
    memory_free(placing->used);
}

/* Notes that buffer B lies in memory M, or no more.  */
static void note(struct placing *placing, size_t b, size_t m, int64_t sign)
{
    const struct split_problem *problem = placing->problem;

    for (size_t i = problem->buffer_row[b]; i < problem->buffer_row[b + 1]; i++)
        placing->used[m * problem->rows + problem->buffer_use[i].index] +=
            sign * problem->buffer_use[i].bytes;
}

/* Whether the sums of memory M leave room for buffer B, which lies nowhere.  */
static bool has_room(const struct placing *placing, size_t b, size_t m)
{
    const struct split_problem *problem = placing->problem;
    const int64_t room = memory_room(&problem->memory[m]);

    if (problem->cost[b * problem->memories + m] == SPLIT_NEVER)
        return false;
    for (size_t i = problem->buffer_row[b]; i < problem->buffer_row[b + 1]; i++)
        if (problem->buffer_use[i].bytes >
            room - placing->used[m * problem->rows + problem->buffer_use[i].index])
            return false;
    return true;
}

/* The bytes of memory M that buffer B can't have: those of buffers that it conflicts with, and what
 * is reserved.  Ascending; the caller frees them.  */
static struct memory_range *taken_for(const struct placing *placing, size_t b, size_t m,
                                      size_t *count)
{
    const struct instance *instance = placing->problem->instance;
    const struct memory *memory = &placing->problem->memory[m];
    struct memory_range *taken = memory_alloc(instance->n + memory->n_reserved, sizeof *taken);

    *count = 0;
    for (size_t i = 0; i < memory->n_reserved; i++)
        taken[(*count)++] = memory->reserved[i];
    for (size_t c = 0; c < instance->n; c++)
        if (placing->split->memory[c] == m &&
            buffers_conflict(&instance->buffer[b], &instance->buffer[c]))
            taken[(*count)++] = (struct memory_range){
                placing->split->offset[c], placing->split->offset[c] + instance->buffer[c].size};
    sort_stable(taken, *count, sizeof *taken, memory_range_compare);
    return taken;
}

/* The lowest offset for buffer B in memory M; false when there is none.  */
static bool find_gap(const struct placing *placing, size_t b, size_t m, int64_t *offset)
{
    const struct buffer *buffer = &placing->problem->instance->buffer[b];
    const struct memory *memory = &placing->problem->memory[m];
    const int64_t alignment = memory_alignment(memory, buffer->alignment);
    size_t count;
    struct memory_range *taken = taken_for(placing, b, m, &count);

    *offset = 0;
    for (size_t i = 0; i < count && taken[i].begin - *offset < buffer->size; i++)
        *offset = max64(*offset, align_up(taken[i].end, alignment));
    memory_free(taken);
    return *offset <= memory->capacity - buffer->size;
}

/* All of memory M anew, with buffer B.  */
static bool put_anew(struct placing *placing, size_t b, size_t m)
{
    const size_t n = placing->problem->instance->n;
    size_t *set = memory_alloc(n, sizeof *set), count = 0;
    int64_t *offset = memory_alloc(n, sizeof *offset);
    bool fits;

    for (size_t c = 0; c < n; c++)
        if (c == b || placing->split->memory[c] == m)
            set[count++] = c;
    fits = placing_ask(placing->problem, m, set, count, min64(WORK_TO_ADD, placing->work),
                       placing->deadline, offset) == PLACING_FITS;
    placing->work -= WORK_TO_ADD;
    for (size_t i = 0; fits && i < count; i++)
        placing->split->offset[set[i]] = offset[i];
    memory_free(set);
    memory_free(offset);
    return fits;
}

bool placing_put(struct placing *placing, size_t b, size_t m, bool anew)
{
    int64_t offset;

    if (!has_room(placing, b, m))
        return false;
    if (find_gap(placing, b, m, &offset))
        placing->split->offset[b] = offset;
    else if (!anew || placing->work <= 0 || !put_anew(placing, b, m))
        return false;
    placing->split->memory[b] = m;
    note(placing, b, m, 1);
    return true;
}

void placing_take(struct placing *placing, size_t b)
{
    note(placing, b, placing->split->memory[b], -1);
    placing->split->memory[b] = SIZE_MAX;
}
