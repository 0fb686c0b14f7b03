/* SPDX-License-Identifier: Apache-2.0 */
/* Packings below a capacity by evictions: what of the best packing ends above it is taken out, and
 * each buffer that is out goes back where what has to leave for it weighs least, at any multiple of
 * its alignment.  What leaves waits until it is placed itself.  A buffer that had to evict others
 * weighs more from then on, so they don't evict one another for ever.
 *
 *   | a |   | c |    capacity      c is out: it goes back to the hole above b, where it evicts a if
 *   |   | b |                      a weighs less than what lies elsewhere
 *
 * Dives fill the arena from the bottom, where what is aligned finely goes first as it starts
 * lowest, and then is missing in the holes below what is aligned coarsely.  Here holes are seen
 * wherever they are: in turn with dives for mixed alignments, and for large packings.
 *
 * Source: the ejection pool with counters of Nagata and Braysy (A powerful route minimization
 * heuristic for the vehicle routing problem with time windows, Operations Research Letters 37,
 * 2009), on one arena.  */
#ifndef ARENABENCH_PLANNER_DIVES_EVICTIONS_H
#define ARENABENCH_PLANNER_DIVES_EVICTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/small_rng.h"

struct instance;
struct eviction_event; /* private */

struct evictions {
    size_t n; /* buffers; 0: not begun */
    int64_t *size, *alignment;
    int64_t *worth;      /* what a buffer weighs at first */
    size_t *start;       /* neighbours of b: neighbour[start[b] .. start[b + 1]) */
    uint32_t *neighbour; /* alive together with it */
    int64_t *offset;     /* in units; -1: out */
    int64_t *best, peak; /* the packing that the search is below */
    uint32_t *weight;    /* of each buffer, in its worths */
    uint32_t *waiting;   /* what is out, the last one first */
    size_t waits;
    struct eviction_event *event;
    int64_t *change; /* of what has to leave, at each start; 0 between choices */

    bool trying;      /* else the next turn begins with the best packing */
    int64_t capacity; /* of the packing at hand, GAIN below the peak */
    int64_t gain;
    int64_t left; /* buffers that may be placed before the capacity rises */

    double work_a_node; /* neighbours and ends that are looked at for a placement */
    int64_t nodes;      /* work so far, in placements */
    struct small_rng rng;
};

/* Nothing yet: whether and when to begin is asked for by evictions_cost.  */
void evictions_init(struct evictions *evictions, uint32_t seed);
void evictions_clear(struct evictions *evictions);

/* What beginning costs, in placements, with PAIRS of buffers that are alive together; INT64_MAX:
 * they are too many.  */
int64_t evictions_cost(const struct instance *instance, int64_t pairs, double work_a_node);

/* For INSTANCE of rectangles, none of them fixed, in UNITs, beside dives of which a placement takes
 * as long as WORK_A_NODE.  */
void evictions_begin(struct evictions *evictions, const struct instance *instance, int64_t unit,
                     int64_t pairs, double work_a_node);

/* The search goes on below the packing OFFSET of bytes, whose peak in units is PEAK.  */
void evictions_follow(struct evictions *evictions, const int64_t *offset, int64_t unit,
                      int64_t peak);

/* A turn of NODES placements or a few more, or until DEADLINE, looking for a packing below the peak
 * and at LEAST or above.  True: evictions->best is a lower one.  */
bool evictions_turn(struct evictions *evictions, int64_t least, int64_t nodes, double deadline);

#endif
