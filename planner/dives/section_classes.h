/* SPDX-License-Identifier: Apache-2.0 */
/* What planner and exact search look at: buffers of an instance, as rectangles, in sections, the
 * maximal sets of buffers that are alive together, in the order of time.  Every buffer is in a
 * contiguous range of them, and two buffers conflict exactly if they share one.
 *
 * All buffers of one size and alignment in the same sections may be one class, but for fixed ones,
 * which are each one.  Copies of a class are exchangeable, so they are placed from the bottom up,
 * which takes their order out of the search.
 *
 * Classes are numbered by their first section, so that those that begin in a range of sections
 * stand together.  Sizes, alignments and fixed starts are in units.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_CLASSES_H
#define ARENABENCH_PLANNER_DIVES_SECTION_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/checked.h"
#include "lib/place/holes.h"

struct instance;

/* Orders for ties.  */
enum section_rank {
    RANK_LENGTH,  /* `WAT`, as section_classes_ranks has them */
    RANK_FULLEST, /* `TWA` */
    RANK_SIZE,    /* `ZWAT`, where somebody fills it in */
    RANKS
};

struct section_classes {
    size_t n, sections, buffers;
    int64_t *size, *alignment;
    int64_t *fixed; /* where its only copy starts, -1: anywhere */
    bool any_fixed;
    struct holes holes; /* of each class; nothing unless any_fixed */
    uint64_t *length;   /* lifetime in steps */
    uint32_t *copies;
    uint32_t *first, *last; /* sections of each class, both inclusive */
    uint32_t *rank[RANKS];  /* positions in each order */
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

/* RANK[c] becomes the position of class c in the order that KEYS say, each descending: `W` lifetime
 * in steps, `A` area, `T` the total of the fullest section that the class is in, `Z` size; what is
 * equal in all of them by number.  O(n) for each byte in which a key differs, and the incidences
 * for `T`.  */
void section_classes_ranks(const struct section_classes *classes, const char *keys, uint32_t *rank);

/* The same of all buffers, as many incidences as there are.  */
struct section_classes *section_classes_of(const struct instance *instance, int64_t unit,
                                           bool merge, bool backwards);
void section_classes_free(struct section_classes *classes);

/* Incidences of buffers and sections, which is what classes take, without them: O(n log n).  */
int64_t section_incidences(const struct instance *instance);

/* START of each class, where nothing is merged, as BUFFER_START of what it is a copy of.  */
void section_classes_starts(const struct section_classes *classes, const int64_t *start,
                            int64_t *buffer_start);

/* Whether two classes are alive together.  */
static inline bool section_classes_meet(const struct section_classes *classes, size_t a, size_t b)
{
    return classes->first[a] <= classes->last[b] && classes->first[b] <= classes->last[a];
}

/* The first start of class C from START on, of those that alignment and fixed buffers leave.  */
static inline int64_t section_classes_next(const struct section_classes *classes, size_t c,
                                           int64_t start)
{
    int64_t alignment = classes->alignment[c];

    return classes->any_fixed ? holes_next(&classes->holes, c, start, alignment)
                              : align_up(start, alignment);
}

/* The least value for which that is LEAST or more.  */
static inline int64_t section_classes_weakest(const struct section_classes *classes, size_t c,
                                              int64_t least)
{
    int64_t alignment = classes->alignment[c];

    return classes->any_fixed ? holes_weakest(&classes->holes, c, least, alignment)
                              : align_up(least, alignment) - (alignment - 1);
}

#endif
