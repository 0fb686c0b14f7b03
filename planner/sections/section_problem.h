/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic storage allocation seen as sections: the maximal sets of buffers that
 * are alive together, in the order of time.  Every buffer is in a contiguous
 * range of them, and two buffers conflict exactly if they share one.  Sizes,
 * alignments and fixed starts are in units.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_PROBLEM_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/place/holes.h"

struct instance;

struct section_problem {
    size_t n, sections;
    int64_t *size, *alignment;
    int64_t *fixed;       /* where each starts, -1: anywhere */
    bool any_fixed;       /* some are, or keep buffers of these sections from where they are */
    struct holes holes;   /* of each buffer; nothing unless any_fixed */
    uint64_t *length;     /* lifetime in steps */
    size_t *first, *last; /* sections of each buffer, both inclusive */
    size_t *rank;         /* the usual tie order, `WAT` */
    size_t *start;        /* buffers of section s: member[start[s]..start[s + 1]), ascending */
    size_t *member;
    int64_t *total; /* of the sizes in each section */
    int64_t load;   /* the largest of them */
};

/* Incidences of buffers and sections, which is what a problem takes, without one: O(n log n).  */
int64_t section_incidences(const struct instance *instance);

/* The problem of INSTANCE, whose buffers count as rectangles; UNIT divides all
 * sizes and fits all alignments (dsa_unit).  The caller frees it.  O(n log n +
 * incidences).  */
struct section_problem *section_problem_new(const struct instance *instance, int64_t unit);
void section_problem_free(struct section_problem *problem);

/* RANK[b] becomes the position of buffer b, of PROBLEM's n, in the order that KEYS say, each
 * descending: `W` lifetime in steps, `A` area, `T` the total of the fullest section that the
 * buffer is in, `Z` size.  What is equal in all keys stays in the order of the input.  O(n)
 * for each key, and the incidences for `T`.  */
void section_problem_ranks(const struct section_problem *problem, const char *keys, size_t *rank);

/* For builds with checks: what is known of the sections follows from the ranges of the buffers.  */
void section_problem_check(const struct section_problem *problem);

/* Whether two buffers are alive together.  */
static inline bool section_problem_neighbours(const struct section_problem *problem, size_t a,
                                              size_t b)
{
    return problem->first[a] <= problem->last[b] && problem->first[b] <= problem->last[a];
}

/* The first start of buffer B from START on, of those that alignment and fixed buffers leave.  */
int64_t section_problem_next(const struct section_problem *problem, size_t b, int64_t start);

/* The least value for which that is LEAST or more.  */
int64_t section_problem_weakest(const struct section_problem *problem, size_t b, int64_t least);

/* The sections [FROM, TO) alone, with the buffers that are in one of them: a
 * relaxation.  MAP[i], room for n, becomes the buffer that buffer i of the window
 * was.  Where REMOVED is not NULL it becomes the total size of the buffers that are in
 * all of them, which are left out (unless some start is aligned, or kept from somewhere by what is
 * fixed).  */
struct section_problem *section_problem_window(const struct section_problem *problem, size_t from,
                                               size_t to, size_t *map, int64_t *removed);

#endif
