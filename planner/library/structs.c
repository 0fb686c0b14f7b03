/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/structs.h"

#include <string.h>

#include "lib/base/memory.h"

/* No version has structs that large: their size was never set.  */
enum { MOST_SIZE = 4096 };

/* The size that a struct has in its first version, whose last member LAST is: the least that it can
 * have.
 */
#define FIRST_SIZE(type, last) \
    (offsetof(struct arenaplan_##type, last) + sizeof(((struct arenaplan_##type *)0)->last))

static bool is_size(size_t size, size_t first)
{
    return size >= first && size <= MOST_SIZE;
}

/* False: GIVEN has more than fits into OWN, and that is not 0.  */
static bool take(void *own, size_t own_size, const void *given, size_t given_size)
{
    const unsigned char *byte = given;

    memset(own, 0, own_size);
    memcpy(own, given, given_size < own_size ? given_size : own_size);
    for (size_t i = own_size; i < given_size; i++)
        if (byte[i] != 0)
            return false;
    return true;
}

enum arenaplan_fault options_take(struct arenaplan_options *own,
                                  const struct arenaplan_options *given)
{
    const struct arenaplan_options defaults = ARENAPLAN_OPTIONS;

    *own = defaults;
    if (given == NULL)
        return ARENAPLAN_FAULT_NONE;
    if (!is_size(given->struct_size, FIRST_SIZE(options, clock)))
        return ARENAPLAN_FAULT_STRUCT;
    return take(own, sizeof *own, given, given->struct_size) ? ARENAPLAN_FAULT_NONE
                                                             : ARENAPLAN_FAULT_LATER;
}

enum arenaplan_fault problem_take(struct arenaplan_problem *own,
                                  const struct arenaplan_problem *given)
{
    if (given == NULL || !is_size(given->struct_size, FIRST_SIZE(problem, count)) ||
        !is_size(given->buffer_size, FIRST_SIZE(buffer, reserved)) ||
        (given->count > 0 && given->buffer == NULL))
        return ARENAPLAN_FAULT_STRUCT;
    return take(own, sizeof *own, given, given->struct_size) ? ARENAPLAN_FAULT_NONE
                                                             : ARENAPLAN_FAULT_LATER;
}

static bool take_buffer(struct arenaplan_buffer *own, const struct arenaplan_problem *problem,
                        size_t index)
{
    const char *all = (const char *)problem->buffer;

    return take(own, sizeof *own, all + index * problem->buffer_size, problem->buffer_size);
}

struct arenaplan_buffer problem_buffer(const struct arenaplan_problem *problem, size_t index)
{
    struct arenaplan_buffer buffer;

    take_buffer(&buffer, problem, index);
    return buffer;
}

bool problem_take_buffers(struct arenaplan_problem *problem, size_t *later)
{
    struct arenaplan_buffer *own;

    if (problem->buffer_size == sizeof *own)
        return true;
    own = memory_alloc(problem->count, sizeof *own);
    for (size_t b = 0; b < problem->count; b++) {
        if (take_buffer(&own[b], problem, b))
            continue;
        *later = b;
        return false;
    }
    problem->buffer = own;
    problem->buffer_size = sizeof *own;
    return true;
}

bool result_is_known(const struct arenaplan_result *result)
{
    return result == NULL ||
           is_size(result->struct_size, FIRST_SIZE(result, statistics.pair_nogoods));
}

void result_give(struct arenaplan_result *result, const struct arenaplan_result *own)
{
    size_t size;

    if (result == NULL)
        return;
    size = result->struct_size;
    if (result_is_known(result)) {
        memcpy(result, own, size < sizeof *own ? size : sizeof *own);
        result->struct_size = size;
    } else if (size == 0) {
        result->status = own->status;
        result->fault = own->fault;
    }
}

/* --- several memories --- */

enum arenaplan_fault memories_take(struct arenaplan_memories *own,
                                   const struct arenaplan_memories *given)
{
    if (given == NULL || !is_size(given->struct_size, FIRST_SIZE(memories, access)) ||
        !is_size(given->memory_size, FIRST_SIZE(memory, write)) ||
        !is_size(given->access_size, FIRST_SIZE(access, memories)) ||
        (given->count > 0 && given->memory == NULL))
        return ARENAPLAN_FAULT_STRUCT;
    return take(own, sizeof *own, given, given->struct_size) ? ARENAPLAN_FAULT_NONE
                                                             : ARENAPLAN_FAULT_LATER;
}

/* COUNT structs of SIZE bytes from GIVEN to OWN, of OWN_SIZE; the index of the first that has
 * more, COUNT: none.  */
static size_t take_each(void *own, size_t own_size, const void *given, size_t size, size_t count)
{
    unsigned char *to = own;
    const unsigned char *from = given;

    for (size_t i = 0; i < count; i++)
        if (!take(to + i * own_size, own_size, from + i * size, size))
            return i;
    return count;
}

bool memories_take_all(struct arenaplan_memories *memories, size_t accesses, size_t *buffer,
                       size_t *other)
{
    const size_t count = memories->count;
    struct arenaplan_memory *memory = memory_alloc(count, sizeof *memory);
    struct arenaplan_access *access;
    size_t at = take_each(memory, sizeof *memory, memories->memory, memories->memory_size, count);

    memories->memory = memory;
    if (at < count) {
        *other = at;
        return false;
    }
    if (memories->access == NULL)
        return true;
    access = memory_alloc(accesses, sizeof *access);
    at = take_each(access, sizeof *access, memories->access, memories->access_size, accesses);
    memories->access = access;
    if (at < accesses)
        *buffer = at;
    return at == accesses;
}

bool assignment_is_known(const struct arenaplan_assignment *assignment)
{
    return assignment == NULL || is_size(assignment->struct_size, FIRST_SIZE(assignment, memory));
}

void assignment_give(struct arenaplan_assignment *assignment,
                     const struct arenaplan_assignment *own)
{
    size_t size;

    if (assignment == NULL)
        return;
    size = assignment->struct_size;
    if (assignment_is_known(assignment)) {
        memcpy(assignment, own, size < sizeof *own ? size : sizeof *own);
        assignment->struct_size = size;
    } else if (size == 0) {
        assignment->status = own->status;
        assignment->fault = own->fault;
    }
}
