/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of callers, whose header may be an earlier version's or a later one's: they are shorter
 * or longer than those of this library.  What is missing is 0; what is too much has to be.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_STRUCTS_H
#define ARENABENCH_PLANNER_LIBRARY_STRUCTS_H

#include <stdbool.h>
#include <stddef.h>

#include "planner/arenaplan.h"

/* Copies what was GIVEN; NULL: all defaults.  */
enum arenaplan_fault options_take(struct arenaplan_options *own,
                                  const struct arenaplan_options *given);

/* Copies what was GIVEN, but not its buffers.  */
enum arenaplan_fault problem_take(struct arenaplan_problem *own,
                                  const struct arenaplan_problem *given);

/* Copies the buffers, too, where theirs are not of the size of ours; allocates.  False: buffer
 * *LATER has something that is not known.  */
bool problem_take_buffers(struct arenaplan_problem *problem, size_t *later);

/* Buffer INDEX, whatever the size of its struct.  */
struct arenaplan_buffer problem_buffer(const struct arenaplan_problem *problem, size_t index);

/* Whether there is room for a result; NULL: nobody wants it.  */
bool result_is_known(const struct arenaplan_result *result);

/* Copies what was GIVEN, but not its memories and accesses.  */
enum arenaplan_fault memories_take(struct arenaplan_memories *own,
                                   const struct arenaplan_memories *given);

/* Copies those, too, of ACCESSES buffers; allocates.  False: one has something that is not known,
 * an access where *BUFFER says of which buffer, or else memory *OTHER.  */
bool memories_take_all(struct arenaplan_memories *memories, size_t accesses, size_t *buffer,
                       size_t *other);

/* As for results.  */
bool assignment_is_known(const struct arenaplan_assignment *assignment);
void assignment_give(struct arenaplan_assignment *assignment,
                     const struct arenaplan_assignment *own);

/* Writes OWN where it is wanted; where there is no size, status and fault alone.  */
void result_give(struct arenaplan_result *result, const struct arenaplan_result *own);

#endif
