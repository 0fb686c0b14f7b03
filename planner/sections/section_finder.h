/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for packings of one problem: two searches (section_search.h) and dives.
 *
 *   look     within one capacity, with restarts.  The first ones choose by candidates and
 *            take long lifetimes first, which is what packs most instances.  Later ones
 *            are a portfolio: other orders among members, other values of sections and
 *            the other direction of time take turns and share the memo.
 *   descend  from above: below the best peak, following the best packing.  Where packings
 *            at the bound are too hard or do not exist, this is what brings the peak
 *            down.  It aims lower by twice as much after each success and by half as
 *            much after each failure, one unit below the best peak at least.
 *   dive     with the planner's engine (section_dives.h), from the lower bound up, a
 *            portfolio too: placements are cheap there.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_FINDER_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_FINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/dives/section_dives.h"
#include "planner/sections/section_search.h"

struct instance;

/* The planner's engine with one order of ties and one direction of time.  */
struct section_diver {
    struct section_classes *classes; /* NULL: not begun */
    struct section_dives dives;
    uint64_t rounds; /* searches at the load */
    int64_t staged;  /* staged dives */
};

enum { SECTION_DIVERS = 6 };

struct section_finder {
    const struct section_problem *problem;
    struct section_search packing, guided;
    bool portfolio;              /* that technique is used */
    struct section_turn *member; /* of it, once they are needed */
    size_t *ranks;               /* of all members */
    double *weights;             /* likewise */
    int64_t *best;               /* starts of the best packing: what is followed */
    int64_t reach;               /* how far below the best peak the guided search looks */
    struct section_diver diver[SECTION_DIVERS];
    size_t next;    /* which of them */
    int64_t *found; /* starts of the last packing of a dive */
    uint32_t seed;
};

/* OPTIONS and BOUNDS have to stay.  */
void section_finder_init(struct section_finder *finder, const struct section_problem *problem,
                         const struct section_options *options, bool portfolio,
                         const struct section_bounds *bounds, size_t memo_bytes, uint32_t seed);
void section_finder_clear(struct section_finder *finder);

/* With NODES placements, until timer_now() passes DEADLINE or the bounds leave CAPACITY
 * out.  SEARCH_SOLVED: packing.state.start is one.  */
enum search_result section_finder_look(struct section_finder *finder, int64_t capacity,
                                       int64_t nodes, double deadline);

/* Likewise below the peak HIGH + 1 of the packing finder->best, but not below LOW.
 * SEARCH_SOLVED: guided.state.start is a packing.  SEARCH_REFUTED: there is none within
 * *CAPACITY.  */
enum search_result section_finder_descend(struct section_finder *finder, int64_t low, int64_t high,
                                          int64_t *capacity, int64_t nodes, double deadline);

/* Dives from LOW up, for a peak of HIGH at most.  INSTANCE and UNIT are what the problem was
 * made of.  LIKELY: most placements go to the search at LOW, where there may well be a
 * packing; else all dives are staged.  True: finder->found is a packing.  */
bool section_finder_dive(struct section_finder *finder, const struct instance *instance,
                         int64_t unit, int64_t low, int64_t high, bool likely, int64_t nodes,
                         double deadline);

/* Adds what was counted to SUM, or to nothing if that is NULL.  */
void section_finder_count(const struct section_finder *finder, struct search_statistics *sum);

/* Placements of the dives so far.  */
int64_t section_finder_dived(const struct section_finder *finder);

#endif
