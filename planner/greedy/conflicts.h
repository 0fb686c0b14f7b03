/* SPDX-License-Identifier: Apache-2.0 */
/* How many buffers each one meets in time.  */
#ifndef ARENABENCH_PLANNER_GREEDY_CONFLICTS_H
#define ARENABENCH_PLANNER_GREEDY_CONFLICTS_H

#include <stddef.h>

struct instance;

/* COUNT[b] = the buffers that are alive at a common step with buffer b, itself
 * left out.  The caller frees it.  O(n log n).  */
size_t *conflict_counts(const struct instance *instance);

#endif
