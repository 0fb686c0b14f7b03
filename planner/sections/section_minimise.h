/* SPDX-License-Identifier: Apache-2.0 */
/* Optimal offsets of one part of the time axis, of rectangles: which capacities are asked
 * about, by which searches.
 *
 * The part has a lower bound, at first its load, and an upper bound, the peak of the best
 * plan.  A capacity, the lower bound at first, is decided by techniques that take turns
 * with ever larger budgets of placements:
 *
 *   find     a packing within the capacity, where it fits lanes     section_finder.h
 *   dive     the planner's engine, with other seeds                section_divers.h
 *   plan     section-first, where alignments count, from the best plan on
 *   learn    a search on lists with nogoods, on the whole part     section_search.h
 *   pairs    disjunctive: which of two is below, pair by pair      pairs_search.h
 *
 * Each of them may end what another one began: a packing lowers the upper bound, whatever
 * capacity it was looked for at, and a refutation raises the lower one.  After refutations
 * the steps double; after a packing, and where a capacity above the bound is hard, they
 * begin with 1 again.  A limit ends it with both bounds as they are: it refutes nothing.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_MINIMISE_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

#include "planner/sections/section_search.h"

struct part_runs;

struct section_minimise_options {
    struct section_options refute;
    bool disjunctive, dives;
};

/* For part_runs_solve: until the bounds of the part meet, or it is no longer what keeps
 * the peak of the whole up.  False at a limit.  */
bool section_minimise(struct part_runs *runs, size_t part,
                      const struct section_minimise_options *options);

#endif
