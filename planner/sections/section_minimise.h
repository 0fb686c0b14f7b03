/* SPDX-License-Identifier: Apache-2.0 */
/* Optimal offsets of one part of the time axis, of rectangles: which capacities are asked
 * about, by which searches, on one thread or two.
 *
 * The part has a lower bound, at first its load, and an upper bound, the peak of the best
 * plan.  A capacity, the lower bound at first, is decided by techniques that take turns
 * with ever larger budgets of placements:
 *
 *   find     a packing within the capacity, with restarts        } section_finder.h
 *   dive     the planner's engine, with other seeds              }
 *   plan     section-first, where alignments count, from the best plan on
 *   guide    a packing below the best peak, following the best   }
 *   learn    the same search with nogoods, on the whole part       section_search.h
 *   orders   which of two buffers is below, pair by pair           pairs_search.h
 *   windows  learning in windows of time                           section_windows.h
 *
 * Each of them may end what another one began: a packing lowers the upper bound, whatever
 * capacity it was looked for at, and a refutation raises the lower one.  After refutations
 * the steps double; after a packing, and where a capacity above the bound is hard, they
 * begin with 1 again.  A limit ends it with both bounds as they are: it refutes nothing.
 *
 * Two threads do the same, each with searches of its own: one learns and decides orders,
 * the other dives, is guided and searches windows, and both look for packings with
 * different seeds.  They share the bounds, the best plan and the limits.  A search that
 * the other thread made pointless sees that at its next look at the clock.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_MINIMISE_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

#include "planner/sections/section_search.h"

struct part_runs;

struct section_minimise_options {
    struct section_options find, refute;
    bool learn, windows, full_width, orders, guide, portfolio, dives;
    int threads; /* 1 or 2 */
};

/* For part_runs_solve: until the bounds of the part meet, or it is no longer what keeps
 * the peak of the whole up.  False at a limit.  */
bool section_minimise(struct part_runs *runs, size_t part,
                      const struct section_minimise_options *options);

#endif
