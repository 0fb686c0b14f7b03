/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for a packing within a capacity: two searches on lanes (lane_search.h), which choose in two
 * ways, take turns.  What does not fit
 * lanes has dives alone: a search on lists in their place, with as many placements, packed and
 * proved less in more time (METHOD.md, "Looking for packings").  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_FINDER_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_FINDER_H

#include <stdbool.h>
#include <stdint.h>

#include "planner/sections/lane_search.h"
#include "planner/sections/section_search.h"

enum { FINDER_WAYS = 2 };

struct section_finder {
    struct lane_search way[FINDER_WAYS];
    int64_t used;   /* as placements on lists */
    int64_t *start; /* of each class, of the packing that was found */
};

/* Of a PROBLEM that fits (lanes_fit).  SEED perturbs weights.  */
void section_finder_init(struct section_finder *finder, const struct section_classes *problem,
                         bool parts, uint32_t seed);
void section_finder_clear(struct section_finder *finder);

/* Adds what was counted in all runs to SUM, or to nothing if that is NULL.  */
void section_finder_count(const struct section_finder *finder, struct search_statistics *sum);

/* Searches until it is decided, for as long as NODES placements on lists take, or until timer_now()
 * passes DEADLINE.  *USED: what it took, in such placements.  */
enum search_result section_finder_run(struct section_finder *finder, int64_t capacity,
                                      int64_t nodes, double deadline, int64_t *used);

#endif
