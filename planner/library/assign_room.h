/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes of a memory can be in use in a section: no more than the capacity, and no more
 * than some of the buffers that may lie there have together.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_ASSIGN_ROOM_H
#define ARENABENCH_PLANNER_LIBRARY_ASSIGN_ROOM_H

#include <stdint.h>

struct assign_model;

/* Of memory m in section s: ROOM[m * sections + s].  Exact in small sections; in others the
 * capacity rounded down to a multiple of what divides all sizes there.  Those without a limit keep
 * it.  */
void assign_rooms(const struct assign_model *model, int64_t *room);

#endif
