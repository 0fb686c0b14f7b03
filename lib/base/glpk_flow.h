/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minimum-cost flow with lower bounds on the arcs, through GLPK's graph
 * routines (out-of-kilter).  The only file that solves flows.  */
#ifndef ARENABENCH_LIB_BASE_GLPK_FLOW_H
#define ARENABENCH_LIB_BASE_GLPK_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct flow_arc {
    size_t from, to;   /* vertices 0 .. vertices-1 */
    int64_t low, high; /* bounds on the flow, 0 <= low <= high */
    int64_t cost;      /* of one unit */
    int64_t flow;      /* filled in */
};

/* A feasible circulation with supply[v] units entering at vertex v (negative:
 * leaving; the sum is 0) of least cost.  SUPPLY may be NULL: all 0.  POTENTIAL,
 * when not NULL, receives one dual value a vertex.  Costs and bounds have to
 * fit in 31 bits, as GLPK's routine wants them.  */
bool flow_min_cost(size_t vertices, const int64_t *supply, struct flow_arc *arc, size_t arcs,
                   int64_t *cost, double *potential, struct error *error);

/* GLPK's version text, for provenance.  */
const char *flow_library_version(void);

#endif
