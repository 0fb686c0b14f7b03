/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Less cost of reuse within the capacity, by taking nodes out and putting them back where they pay
 * least (ruin and recreate: Schrimpf, Schneider, Stamm-Wilbrandt, Dueck, Record breaking
 * optimization results using the ruin and recreate principle, Journal of Computational Physics 159,
 * 2000), worse plans accepted as in simulated annealing.  */
#ifndef ARENABENCH_HAZARDS_SEARCH_H
#define ARENABENCH_HAZARDS_SEARCH_H

#include <stdint.h>

#include "hazards/part.h"

struct hazard_limits {
    double deadline; /* by timer_now; INFINITY: none */
    int64_t work;    /* nodes put down, or the like; INT64_MAX: no limit */
    uint32_t seed;
};

/* OFFSET, by nodes, is a plan within the capacity, and becomes the best that was found; *COST is
 * its cost.  Ends at a limit, or at BOUND, which no plan is below.  */
void hazard_search(const struct hazard_part *part, const struct hazard_limits *limits,
                   int64_t bound, int64_t *offset, int64_t *cost);

#endif
