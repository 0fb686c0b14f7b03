/* SPDX-License-Identifier: Apache-2.0 */
/* What the layers of the library share with calls that have a session, or several memories.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_LAYERS_H
#define ARENABENCH_PLANNER_LIBRARY_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

struct arenaplan_options;
struct call;

/* The peak that is low enough; -1: none is.  */
int64_t layers_goal(const struct arenaplan_options *options);

/* The rest of arenaplan_plan, after call_prepare.  GIVEN: call->plan holds a plan, which only a
 * better one replaces.  */
void layers_plan(struct call *call, bool given);

/* The rest of arenaplan_fits within CAPACITY, no less than the load, or of arenaplan_prove (-1),
 * after call_prepare.  */
void layers_search(struct call *call, int64_t capacity);

#endif
