/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners for pools with costs of reuse, by name, and all pools of a problem one after the other.
 */
#ifndef ARENABENCH_HAZARDS_PLANNERS_H
#define ARENABENCH_HAZARDS_PLANNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hazards/exact.h"
#include "hazards/problem.h"

struct hazard_planner {
    const char *name, *title, *source;
    bool exact;
    /* Plans PART; offsets by nodes.  */
    struct hazard_result (*solve)(const struct hazard_part *part,
                                  const struct hazard_limits *limits, int64_t *offset);
};

extern const struct hazard_planner hazard_planners[];
extern const size_t hazard_planner_count;

/* NULL with a message that lists them: there is none of that name.  */
const struct hazard_planner *hazard_planner_named(const char *name, struct error *error);

/* A plan of a whole problem.  */
struct hazard_answer {
    bool plan;                 /* there is one; what follows up to PROVEN is of it */
    struct hazard_value value; /* as the judge counts */
    bool proven;               /* none is better, in the order of the objective */

    int64_t overflow_bound; /* no plan has fewer bytes above the capacities */
    int64_t cost_bound;     /* no plan that fits costs less */
    int64_t peak_bound;     /* no plan has a lower sum of peaks */
    size_t cores, asked;
};

/* OFFSET[b] of all buffers.  The limits' seconds are shared by the pools, by their buffers.  False
 * with a message where pairs contradict each other, or where the judge refuses what the planner
 * says: that is never passed on.  */
bool hazard_plan(const struct hazard_problem *problem, const struct hazard_planner *planner,
                 const struct hazard_limits *limits, int64_t *offset, struct hazard_answer *answer,
                 struct error *error);

#endif
