/* SPDX-License-Identifier: Apache-2.0 */
/* The planner section-first where all alignments have a common divisor that does not divide the
 * sizes: 64, say, with sizes in bytes.  All offsets are multiples of it, so of each size the
 * part up to the next multiple is of no use to others, and with sizes rounded up the plans are
 * the same.  But the load then is one that can be reached, numbers are smaller, and more
 * buffers are equal.  */
#ifndef ARENABENCH_PLANNER_DIVES_ALIGNED_PLAN_H
#define ARENABENCH_PLANNER_DIVES_ALIGNED_PLAN_H

#include <stdbool.h>
#include <stdint.h>

struct instance;
struct plan;
struct section_plan_limits;
struct solver_env;

/* What to round the sizes of INSTANCE up to, in bytes; 0: they are multiples of that already.  */
int64_t aligned_plan_quantum(const struct instance *instance);

/* As section_plan (section_plan.h), with sizes rounded up to QUANTUM.  *DONE: there was room for
 * that; else nothing has happened.  */
bool aligned_plan(const struct instance *instance, int64_t quantum, const struct solver_env *env,
                  const struct section_plan_limits *limits, bool given, struct plan *plan,
                  bool *done);

#endif
