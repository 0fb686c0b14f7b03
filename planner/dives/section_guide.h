/* SPDX-License-Identifier: Apache-2.0 */
/* A plan that guides dives from the first one on (section_dives.h), as the best packing does that
 * they have found themselves: one of much the same instance.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_GUIDE_H
#define ARENABENCH_PLANNER_DIVES_SECTION_GUIDE_H

#include <stddef.h>
#include <stdint.h>

struct plan;
struct section_dives;

/* DIVES, which have found nothing yet and whose classes are of the buffers KEEP, follow PLAN, in
 * units of UNIT bytes: its offsets need be no multiples of that.  */
void section_guide_take(struct section_dives *dives, const size_t *keep, const struct plan *plan,
                        int64_t unit);

#endif
