/* SPDX-License-Identifier: Apache-2.0 */
/* What a planner searches: some buffers of an instance as sections, the maximal
 * sets of buffers alive together (section_problem.h), with all buffers of one size
 * and alignment in the same sections as one class, but for fixed ones, which are each one.  Copies
 * of a class are exchangeable, so they are placed from the bottom up, which takes their order out
 * of the search.
 *
 * Classes are numbered by their first section, so that those that begin in a range
 * of sections stand together.  Sizes are in units.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_CLASSES_H
#define ARENABENCH_PLANNER_DIVES_SECTION_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/checked.h"
#include "lib/place/holes.h"

struct instance;

/* Orders for ties, all descending.  */
enum section_rank {
    RANK_LENGTH,  /* lifetime in steps, area, total of the fullest section */
    RANK_FULLEST, /* total of the fullest section, lifetime, area */
    RANK_SIZE,    /* size, lifetime, area, total of the fullest section */
    RANKS
};

struct section_classes {
    size_t n, sections, buffers;
    int64_t *size, *alignment;
    int64_t *fixed; /* where its only copy starts, -1: anywhere */
    bool any_fixed;
    struct holes holes; /* of each class; nothing unless any_fixed */
    uint32_t *copies;
    uint32_t *first, *last; /* sections of each class, both inclusive */
    uint32_t *rank[RANKS];  /* positions in each order; that of sizes only where asked for */
    uint32_t *begin;        /* begin[s] .. begin[s + 1): classes whose first section is s */
    size_t *start;          /* section s: member[start[s] .. start[s + 1]), ascending */
    uint32_t *member;
    int64_t *total; /* of the sizes in each section */
    int64_t load;   /* the largest of them */

    uint32_t *copy; /* class c: copy[copy_start[c] .. copy_start[c + 1]), */
    size_t *copy_start;
};

/* Of the buffers KEEP[0 .. COUNT), at least one and below 2^32; copy[] holds indices of KEEP.
 * MERGE: identical buffers become a class, else each is one.  BACKWARDS: time runs the other way.
 * O(n log n + incidences); NULL when there would be more than MOST incidences.  The caller frees
 * it.  */
struct section_classes *section_classes_new(const struct instance *instance, int64_t unit,
                                            const size_t *keep, size_t count, bool merge,
                                            bool backwards, size_t most);

/* Fills in the order of sizes.  O(n) for each byte in which they differ.  */
void section_classes_rank_sizes(struct section_classes *classes);

void section_classes_free(struct section_classes *classes);

/* The first start of class C from START on, of those that alignment and fixed buffers leave.  */
static inline int64_t section_classes_next(const struct section_classes *classes, size_t c,
                                           int64_t start)
{
    int64_t alignment = classes->alignment[c];

    return classes->any_fixed ? holes_next(&classes->holes, c, start, alignment)
                              : align_up(start, alignment);
}

#endif
