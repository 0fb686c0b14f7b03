/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that searches by dives share, for rectangles and for pieces, with what was measured: all
 * of it is in doc/tried.md, "What the parts buy".  */
#ifndef ARENABENCH_PLANNER_DIVES_DIVE_SETTINGS_H
#define ARENABENCH_PLANNER_DIVES_DIVE_SETTINGS_H

#include <stddef.h>

/* How much more each failure counts than the one before: with 1.3 dives reach the load in 55 of 80
 * runs instead of 59.  */
#define DIVE_FAILURE_GROWTH 1.1
/* What is taken off the number of candidates: a section with one only beats any weight.  */
#define DIVE_CANDIDATE_OFFSET 0.9
/* Failures of a stage (8 or 30: plans 0.7 and 0.5 % higher), by how much its capacity usually
 * rises, and how much more each time while it comes no further.  */
#define DIVE_STAGE_FAILURES 15
#define DIVE_STAGE_RISE 0.005
#define DIVE_STAGE_GROWTH 1.5
/* In a guided dive sections are more urgent by up to so much.  */
#define DIVE_GUIDED_NOISE 0.2
/* Weights differ by up to so much at first, and change by as much before each dive: with 10 to 50 %
 * easy instances need more.  */
#define DIVE_SHAKE 0.01
/* Placements between two looks at the clock.  */
enum { DIVE_CLOCK_NODES = 16 };
/* The most tight sections that candidates are counted in.  */
enum { DIVE_MOST_LOOKS = 64 };
/* What can be undone: more is hardly ever taken back, and the kernel clears each page.  */
#define DIVE_LOG_BYTES ((size_t)4 << 20)
/* Failures of the first search at the load, times Luby's sequence: 15, 60 and 120 are no better. */
enum { DIVE_SEARCH_FAILURES = 30 };
/* A packing is followed, by some searches at the load too, when it is above that by one part in so
 * many or less: right nearly everywhere.  */
enum { DIVE_NEAR_LOAD = 50 };
/* What sections may hold.  */
#define DIVE_MOST_INCIDENCES ((size_t)1 << 24)

#endif
