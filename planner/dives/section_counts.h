/* SPDX-License-Identifier: Apache-2.0 */
/* How many members of each section can be its lowest, kept up to date while starts
 * rise and sections fill.
 *
 * A member can be the lowest where it starts at capacity - rest or below: the
 * section's limit.  A class lies in a contiguous range of sections, so a start that
 * changes changes the counts of a range by what two comparisons with the limits say:
 * four sections at a time.  What a change overwrites is kept for the step
 * back; where it no longer is, everything is counted anew.
 *
 * Numbers have 32 bits; the light engine, whose counts these are, has another way
 * for larger ones.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_COUNTS_H
#define ARENABENCH_PLANNER_DIVES_SECTION_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct section_classes;

/* The start of a class without unplaced copies; other starts and all sizes are below
 * half of it, but for those of moves that fail.  */
#define COUNTS_PLACED (INT32_C(1) << 30)
/* Up to here capacities, sizes and alignments do.  */
#define COUNTS_MOST (INT64_C(1) << 28)
/* Sections of which the least limit is known: a start up to there is below all of them.  */
#define COUNTS_BLOCK 32

/* An unplaced neighbour of a class that is placed.  */
struct counts_near {
    uint32_t class;
    int32_t before; /* its start */
};

struct section_counts {
    const struct section_classes *classes;
    size_t n; /* classes, rounded up to whole vectors */
    int32_t *start, *size;
    int32_t *candidates;   /* of each section; of one that is complete some number above 0 */
    int32_t *limit;        /* of the complete: no limit */
    int32_t *limit_before; /* the placement at hand */
    bool blocks;           /* the next two are kept: there are many sections */
    int32_t *least_limit;  /* of each COUNTS_BLOCK sections, before the placement at hand */
    int32_t *whole;        /* used by section_counts_anew: candidates in all sections of a block */
    bool stale;            /* only starts are right */

    struct counts_near *near; /* the neighbours of the placement at hand: all whose start changes,
                               * and those that stay and may become candidates by it */
    size_t n_near;

    size_t kept_room;             /* numbers */
    int32_t *kept;                /* what changes have overwritten */
    uint64_t kept_base, kept_end; /* of all that ever was: what is still there */
};

void section_counts_init(struct section_counts *counts, const struct section_classes *classes);
void section_counts_clear(struct section_counts *counts);

/* All of it, by the starts.  LIMIT of a section: capacity - rest.  */
void section_counts_anew(struct section_counts *counts, int64_t capacity, const int64_t *rest);

/* The start of class C is no longer BEFORE.  */
void section_counts_moved(struct section_counts *counts, uint32_t c, int32_t before);

/* Class C was placed, at BEFORE, after which its sections have REST left; starts have
 * changed already, and NEAR holds its unplaced neighbours.  */
void section_counts_placed(struct section_counts *counts, uint32_t c, int32_t before,
                           int64_t capacity, const int64_t *rest);

/* Back to MARK, a former kept_end, after class C was taken back, so that its sections
 * have REST again.  */
void section_counts_back(struct section_counts *counts, uint64_t mark, uint32_t c, int64_t capacity,
                         const int64_t *rest);

/* The first section from FROM on with so many CANDIDATES, or SIZE_MAX.  */
size_t section_counts_find(const struct section_counts *counts, size_t from, int32_t candidates);

/* Of the unplaced.  */
int32_t section_counts_least_end(const struct section_counts *counts);

/* How many members of each section start below END.  BELOW has a number more than there are
 * sections.  */
void section_counts_below(const struct section_counts *counts, int32_t end, int32_t *below);

#endif
