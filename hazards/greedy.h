/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners that put each node down once, as dsa-solver has them (first_fit_solver.cpp,
 * reuse_penalty_baseline_solvers.cpp, 2026; docs/dsa_rp_algorithms.md), fixed nodes first, the rest
 * by descending size, by begin, by number.  */
#ifndef ARENABENCH_HAZARDS_GREEDY_H
#define ARENABENCH_HAZARDS_GREEDY_H

#include <stdbool.h>
#include <stdint.h>

#include "hazards/part.h"

/* The lowest offset that is free, whatever it pays; pairs that HARD marks (by part.cost; NULL:
 * none) as if they were apart.  OFFSET, by nodes, is filled in, within the capacity or not.  */
void hazard_first_fit(const struct hazard_part *part, const bool *hard, int64_t *offset);

/* The offset that pays least, the lowest of equal ones, among 0 and those on top of nodes that
 * conflict or pay (canonical_greedy).  False: some node fits nowhere within the capacity.  */
bool hazard_canonical_greedy(const struct hazard_part *part, int64_t *offset);

/* First fit with all pairs hard.  While that exceeds the capacity, the cheapest pair that holds up
 * what ends highest is hard no more: what ends highest stands on something, that on something else,
 * and so on down to 0.  Where no such pair is left, canonical_greedy (promote_repair).  False: as
 * that.  O(pairs n^2).  */
bool hazard_promote_repair(const struct hazard_part *part, int64_t *offset);

#endif
