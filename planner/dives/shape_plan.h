/* SPDX-License-Identifier: Apache-2.0 */
/* The planner section-first for buffers of several pieces, which it plans as they are, and for
 * instances with fixed offsets.  */
#ifndef ARENABENCH_PLANNER_DIVES_SHAPE_PLAN_H
#define ARENABENCH_PLANNER_DIVES_SHAPE_PLAN_H

#include <stdbool.h>

struct instance;
struct plan;
struct section_plan_limits;
struct solver_env;

/* As section_plan (section_plan.h), for an INSTANCE with pieces or fixed offsets: begins with the
 * best of some greedy plans, and goes on with staged dives (shape_dives.h).  */
bool shape_plan(const struct instance *instance, const struct solver_env *env,
                const struct section_plan_limits *limits, bool given, struct plan *plan);

#endif
