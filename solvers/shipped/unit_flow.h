/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maximum flow of least cost by successive shortest paths, for arcs that take one unit.
 *
 * Which of several flows of least cost comes out hangs on the order of the arcs, as it
 * does in the published planner that this is for.  */
#ifndef ARENABENCH_SOLVERS_SHIPPED_UNIT_FLOW_H
#define ARENABENCH_SOLVERS_SHIPPED_UNIT_FLOW_H

#include <stddef.h>

#include "lib/base/glpk_flow.h"

/* Fills in the flows of ARC[0..arcs), 0 or 1; their bounds are taken as 0 and 1, costs
 * are not below 0.  O(paths * vertices * arcs) at worst, far less as a rule.  */
void unit_flow(size_t vertices, size_t source, size_t sink, struct flow_arc *arc, size_t arcs);

#endif
