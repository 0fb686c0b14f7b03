/* SPDX-License-Identifier: Apache-2.0 */
/* Dives for buffers of several pieces: sections first, from the bottom up, as section_dives.h
 * has them for rectangles, in the pieces' own geometry.
 *
 * A buffer has one offset and in each of its sections a part of its own (shape_sections.h).
 * What is not placed has a least start at which it meets nothing that is placed: holes that are
 * left stay open, also where two buffers interlock, each above the other somewhere.
 *
 * What is fixed is placed before all else, and is an obstacle like any other.
 *
 * A dive is staged: it begins at a capacity, and after every few failures raises it a little
 * and keeps what is placed.  Sections that fail gain weight, from dive to dive.  */
#ifndef ARENABENCH_PLANNER_DIVES_SHAPE_DIVES_H
#define ARENABENCH_PLANNER_DIVES_SHAPE_DIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/small_rng.h"
#include "planner/dives/shape_sections.h"

struct search_statistics;

/* How a dive chooses.  */
struct shape_dive {
    size_t looks;         /* in how many of the tightest sections candidates are counted */
    int64_t failures;     /* before the capacity rises */
    const int64_t *guide; /* starts of a packing that is followed; NULL: none */
};

struct shape_change; /* private */
struct shape_node;

struct shape_dives {
    const struct shape_sections *shapes;
    struct small_rng rng;
    int64_t capacity;
    int64_t *start; /* of each buffer: the least possible one, or where it is placed */
    bool *placed;
    int64_t *rest; /* of each section: the sizes of what is not placed */
    double *weight, increment;
    double *tight; /* of each section in this dive: (slack + 1) / weight; INFINITY: complete */

    uint32_t *postponed; /* buffers that were in this dive, each once */
    size_t n_postponed;
    bool *was_postponed;

    struct shape_node *node; /* the placements so far */
    size_t depth, failed;    /* the section that the last failure is charged to */
    struct shape_change *log;
    size_t changes, log_capacity;

    int64_t nodes, node_end; /* placements so far, and where to stop */
    double deadline;         /* by timer_now */
    int64_t dived, failures; /* so far */
};

void shape_dives_init(struct shape_dives *dives, const struct shape_sections *shapes,
                      uint32_t seed);
void shape_dives_clear(struct shape_dives *dives);

/* One staged dive from CAPACITY up.  True: dives->start is a packing with a peak below UPPER.  */
bool shape_dives_stage(struct shape_dives *dives, int64_t capacity, int64_t upper,
                       struct shape_dive kind);

/* Adds what was counted to SUM, or to nothing if that is NULL.  */
void shape_dives_count(const struct shape_dives *dives, struct search_statistics *sum);

#endif
