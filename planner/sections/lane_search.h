/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a packing within a capacity?  The search of section_search.h without learning, on lanes
 * (lanes.h): it places several times as many buffers a second, and looks for packings.
 *
 * There are two ways to choose the section, each with an order of ties: the fewest candidates by
 * the weight of failures, ties to the longest lifetime; or candidates x (slack + 1) by the weight,
 * ties to the fullest section, the slack being how far above the least start the lowest member may
 * be. doc/tried.md says what each finds.  Support (lanes.h) is asked for after postponements.
 *
 * Three runs of four are guided by the state in which the most buffers were placed so far: of the
 * members of a section, those that would lie where they lay there come first.
 *
 * Three runs of four begin on the path of the one before, at a depth that is drawn: a choice near
 * the top that the weights of now would not make again is kept for a while, and the placements
 * above it are not made again.
 *
 * A part that was refuted goes back to the choice that made it a part, over all that was chosen in
 * others since.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_LANE_SEARCH_H
#define ARENABENCH_PLANNER_SECTIONS_LANE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/small_rng.h"
#include "planner/sections/lanes.h"
#include "planner/sections/section_search.h"

struct search_statistics;

struct lane_options {
    bool slack; /* the second way */
    bool parts;
};

struct lane_search {
    struct lane_state lanes;
    struct lane_options options;
    const uint32_t *rank;     /* ties */
    struct search_node *node; /* the path from the root */
    lane_number *guide;       /* start of each buffer there; LANES_NONE: it was not placed */
    size_t guide_placed;      /* so many were, within the same capacity */
    bool guided;              /* this run is */
    int64_t restart_unit;     /* failures before the first restart, times Luby's sequence */
    struct small_rng rng;
    int64_t nodes;     /* placements so far, of all runs */
    uint64_t restarts; /* of all runs */
    int64_t conflicts;
};

/* Of a PROBLEM that fits (lanes_fit).  SEED perturbs the weights at the start by up to 1 %, and
 * draws where runs begin.  */
void lane_search_init(struct lane_search *search, const struct section_classes *problem,
                      const struct lane_options *options, uint32_t seed);
void lane_search_clear(struct lane_search *search);

/* Adds conflicts and restarts of all runs to SUM, or to nothing if that is NULL.  */
void lane_search_count(const struct lane_search *search, struct search_statistics *sum);

/* Searches until it is decided, NODES placements were made, or timer_now() passes DEADLINE;
 * CAPACITY fits.  Where it is solved, lanes.start are the offsets.  */
enum search_result lane_search_run(struct lane_search *search, int64_t capacity, int64_t nodes,
                                   double deadline);

#endif
