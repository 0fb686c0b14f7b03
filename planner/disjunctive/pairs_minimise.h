/* SPDX-License-Identifier: Apache-2.0 */
/* Optimal offsets of buffers of several pieces: the minimiser around pairs_search.h.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_MINIMISE_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct part_runs;

/* Whether some buffer of the part is no rectangle, or its few buffers are too large, or lie fixed
 * too high, for other searches.  */
bool pairs_needed(const struct part_runs *runs, size_t part);

/* For part_runs_solve: asks about one capacity after the other, the proven bound first,
 * until the bounds of the part meet or it no longer keeps the peak of the whole up.
 * False at a limit, which refutes nothing.  */
bool pairs_minimise(struct part_runs *runs, size_t part);

/* The same with at most NODES choices, for a solver that goes on from there: the plans
 * found and the bounds proven are RUNS's.  Rectangles are pieces, too.  */
void pairs_tighten(struct part_runs *runs, size_t part, int64_t nodes);

#endif
