/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for packings with the planner's engine (section_dives.h), from the lower bound up, beside
 * the searches that refute: placements are cheap there.  Several ways to choose take turns, each
 * with weights of its own: a section is hard for one and easy for another.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_DIVERS_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_DIVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/dives/section_dives.h"

struct instance;

/* The engine with one order of ties and one direction of time.  */
struct section_diver {
    struct section_classes *classes; /* NULL: not begun */
    struct section_dives dives;
    uint64_t rounds; /* searches at the load */
    int64_t staged;  /* staged dives */
};

enum { SECTION_DIVERS = 6 };

struct section_divers {
    const struct instance *instance;
    int64_t unit;
    int64_t *best;  /* starts of the best packing, by buffer, to be filled in: what dives follow */
    int64_t *found; /* likewise of the last packing of a dive */
    struct section_diver diver[SECTION_DIVERS];
    size_t next; /* which of them */
    uint32_t seed;
};

void section_divers_init(struct section_divers *divers, const struct instance *instance,
                         int64_t unit, uint32_t seed);
void section_divers_clear(struct section_divers *divers);

/* Dives from LOW up, for a peak of HIGH at most, both in units, with NODES placements, until
 * timer_now() passes DEADLINE.  LIKELY: most placements go to the search at LOW, where there may
 * well be a packing; else all dives are staged.  True: divers->found is a packing.  */
bool section_divers_dive(struct section_divers *divers, int64_t low, int64_t high, bool likely,
                         int64_t nodes, double deadline);

/* Adds what was counted to SUM, or to nothing if that is NULL.  */
void section_divers_count(const struct section_divers *divers, struct search_statistics *sum);

/* Placements so far.  */
int64_t section_divers_nodes(const struct section_divers *divers);

#endif
