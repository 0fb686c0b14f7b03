/* SPDX-License-Identifier: Apache-2.0 */
/* The planner section-first as one function, for the solver of that name and for
 * others that want a good plan before they go on.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_PLAN_H
#define ARENABENCH_PLANNER_DIVES_SECTION_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;
struct solver_env;

struct section_plan_limits {
    int64_t nodes;   /* placements; INT64_MAX: no limit */
    double deadline; /* by timer_now; INFINITY: none */
    bool proof;      /* a plan above the load is of little use: it is looked for later */
    bool compared;   /* who asks compares greedy plans */
};

/* A number of placements that suits N buffers: what a planner spends where nobody
 * says how much.  */
int64_t section_plan_nodes(size_t n);

/* Fills in PLAN (offsets, peak; nodes grow) for INSTANCE and streams each better one to ENV, whose
 * seed it takes.  GIVEN: PLAN holds a plan already, which only a better one replaces.  Ends when
 * the peak is the load, or what alignments prove instead (aligned_bound.h; PLAN's bound rises to
 * it, unless it is a proof that is wanted), or ENV's goal, or at a limit; true when it was the
 * deadline.
 *
 * Ways to search take turns (plan_ways.h): dives for rectangles; where some buffer is no rectangle
 * or is fixed, dives for pieces; then too, and where alignments count, the disjunctive search; and
 * for alignments and large packings evictions.  Memory is linear in the buffers' section
 * incidences, and where these are too many there is a greedy plan only.  */
bool section_plan(const struct instance *instance, const struct solver_env *env,
                  const struct section_plan_limits *limits, bool given, struct plan *plan);

#endif
