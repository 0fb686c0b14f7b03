/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least cost of reuse within a pool's capacity, by implicit hitting sets (E. Moreno-Centeno, R.
 * M. Karp, The implicit hitting set approach to solve combinatorial optimization problems with an
 * application to multigenome alignment, Operations Research 61, 2013; dsa-solver has the same
 * idea).
 *
 * A core is a set of pairs that can't all be kept apart (oracle.h).  Of each core some pair pays,
 * so no plan costs less than the cheapest set of pairs that has one of each core: a hitting set,
 * which the master finds (an integer program, by GLPK).  If all other pairs can be kept apart, that
 * is the optimum; if not, there is a core that was not known yet.  A limit leaves a bracket.  */
#ifndef ARENABENCH_HAZARDS_EXACT_H
#define ARENABENCH_HAZARDS_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hazards/part.h"
#include "hazards/search.h"

struct hazard_result {
    bool plan;          /* there is one, within the capacity or above it */
    bool proven;        /* none is better: by bytes above the capacity, then by the objective */
    int64_t cost;       /* of the plan */
    int64_t bound;      /* no plan that fits costs less */
    int64_t peak_bound; /* no plan has a lower peak */
    size_t cores, asked;
};

/* OFFSET, by nodes, receives the best plan.  Where the buffers exceed the capacity, that is one
 * with the least peak, and with the least cost of these.  */
struct hazard_result hazard_solve(const struct hazard_part *part,
                                  const struct hazard_limits *limits, int64_t *offset);

#endif
