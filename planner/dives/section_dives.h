/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for a packing by diving: sections first, as in section_search.h, on the
 * light engine.
 *
 * Two kinds of dive.  A search keeps its capacity and gives up after a number of
 * failures.  A staged dive always comes to an end: it begins at the load, and after
 * every few failures it raises the capacity a little and keeps what is placed; it is
 * cut off when it is no better than the best packing so far.  Each kind has section
 * weights of its own, which go on from dive to dive: a search learns which sections
 * are hard at the load, a staged dive which ones make it rise.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_DIVES_H
#define ARENABENCH_PLANNER_DIVES_SECTION_DIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/small_rng.h"
#include "planner/dives/section_light.h"

struct search_statistics;

/* How a dive chooses.  */
struct section_dive {
    size_t looks; /* in how many of the tightest sections candidates are counted; 0: in all */
    enum section_rank rank; /* for ties */
    bool guided;            /* follows the best packing, if there is one */
    bool tight;             /* of the sections in all of which candidates are counted, those with
                             * little slack come first: candidates x (slack + 1) / weight */
    /* Of a staged dive: by how much its capacity rises at a time, a share of it, and after how many
     * failures; 0: as usual.  */
    double rise;
    int64_t failures;
};

struct section_dives {
    struct section_light light;
    double *other_weight; /* of the kind of dive that does not run */
    double other_increment;
    bool staged;          /* the kind whose weights are in the light engine */
    struct small_rng rng; /* noise of guided dives */

    struct section_dive kind; /* of this dive */
    int64_t *best; /* starts of the best packing by class and copy, ascending; see classes->copy */
    int64_t best_peak; /* INT64_MAX: none */

    int64_t nodes;           /* placements so far */
    int64_t node_end;        /* where to stop */
    double deadline;         /* by timer_now */
    int64_t dived, failures; /* so far */
};

void section_dives_init(struct section_dives *dives, const struct section_classes *classes,
                        size_t log_bytes, uint32_t seed);
void section_dives_clear(struct section_dives *dives);

/* Guided dives follow a packing of somebody else's from now on, as they do the best one that they
 * have found: START of the buffers of the classes, as their copy[] counts them, with this PEAK.  */
void section_dives_follow(struct section_dives *dives, const int64_t *start, int64_t peak);

/* One search at CAPACITY, until FAILURES failures.  True: dives->best is a packing within
 * CAPACITY.  */
bool section_dives_search(struct section_dives *dives, int64_t capacity, int64_t failures,
                          struct section_dive kind);

/* One staged dive from CAPACITY up.  True: dives->best is a better packing than
 * before, with a peak below UPPER.  */
bool section_dives_stage(struct section_dives *dives, int64_t capacity, int64_t upper,
                         struct section_dive kind);

/* Adds what was counted to SUM, or to nothing if that is NULL.  */
void section_dives_count(const struct section_dives *dives, struct search_statistics *sum);

/* Whether a limit is reached.  */
bool section_dives_spent(const struct section_dives *dives);

#endif
